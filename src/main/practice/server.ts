/** One listening origin of a simulated vendor: reads and records requests, finds the behaviour, delivers the answer. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'
import { joined } from '../domain/bytes.ts'
import type { Clock } from '../ports.ts'
import type { Behaviour, OriginName } from './behaviour.ts'
import { type Ended, headerOf, type OpenRecord, type ReceivedLog } from './received.ts'
import { planned } from './reply.ts'
import type { Script } from './script.ts'
import { type Ask, recordOf, type Vendor } from './vendor.ts'
import { deliver } from './wire.ts'

export interface OriginParts {
  readonly name: OriginName
  readonly vendor: Vendor
  readonly script: Script
  readonly log: ReceivedLog
  readonly clock: Clock
  readonly eventDelayMs: number
  readonly port: number
  /** Takes upgrade requests; without it they are answered as plain ones. */
  readonly upgrade?: (request: IncomingMessage, socket: Socket, head: Buffer, connection: number) => void
}

export interface Origin {
  readonly name: OriginName
  readonly url: string
  readonly server: Server
  readonly sockets: ReadonlySet<Socket>
  /** Closes idle keep-alive sockets, as vendors do when they like. */
  dropIdle(): void
  close(): Promise<void>
}

interface Connection {
  readonly number: number
  requests: number
  /** Not ended yet; when the socket closes, the other side has left them. */
  readonly unanswered: Set<OpenRecord>
}

const mostBodyBytes = 256 * 1024 * 1024

const decoders: Readonly<Record<string, (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>>> =
  {
    gzip: promisify(gunzip),
    br: promisify(brotliDecompress),
    deflate: promisify(inflate),
    zstd: promisify(zstdDecompress),
  }

export async function openOrigin(parts: OriginParts): Promise<Origin> {
  const sockets = new Set<Socket>()
  const connections = new WeakMap<Socket, Connection>()
  let count = 0
  const server = createServer({ keepAlive: true, noDelay: true, maxHeaderSize: 512 * 1024 }, (request, response) => {
    serve(parts, request, response, connections.get(request.socket)).catch(() => response.destroy())
  })
  server.requestTimeout = 0
  server.keepAliveTimeout = 60_000
  server.on('connection', (socket) => {
    count += 1
    const connection: Connection = { number: count, requests: 0, unanswered: new Set() }
    connections.set(socket, connection)
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => {
      sockets.delete(socket)
      for (const record of connection.unanswered) parts.log.end(record, 'by-peer')
    })
  })
  const { upgrade } = parts
  if (upgrade !== undefined) {
    server.on('upgrade', (request, socket: Socket, head) => {
      upgrade(request, socket, head, connections.get(socket)?.number ?? 0)
    })
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(parts.port, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    name: parts.name,
    url: `http://127.0.0.1:${port}`,
    server,
    sockets,
    dropIdle: () => server.closeIdleConnections(),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

async function serve(
  parts: OriginParts,
  request: IncomingMessage,
  response: ServerResponse,
  connection: Connection | undefined,
): Promise<void> {
  const { name, vendor, script, log } = parts
  const { bytes, complete } = await readBody(request)
  if (connection !== undefined) connection.requests += 1
  const record = log.add({
    origin: name,
    operation: 'other',
    sourceId: null,
    method: request.method ?? '',
    path: request.url ?? '',
    rawHeaders: request.rawHeaders,
    body: bytes,
    connection: connection?.number ?? 0,
    onConnection: connection?.requests ?? 0,
  })
  if (!complete) {
    log.end(record, 'by-peer')
    return
  }
  const ended = (how: Ended): void => {
    connection?.unanswered.delete(record)
    log.end(record, how)
  }
  connection?.unanswered.add(record)
  response.once('finish', () => ended('whole'))
  const ask = await askOf(record, bytes, parts.clock.nowMs())
  const { behaviour, plan } = decide(parts, ask, vendor, script)
  record.status = plan.kind === 'answer' ? plan.status : null
  log.changed()
  await deliver(response, plan, {
    delayMs: behaviour.delayMs ?? 0,
    wire: behaviour.wire ?? {},
    eventDelayMs: parts.eventDelayMs,
    breaking: () => ended('broken-off'),
  })
}

function decide(
  parts: OriginParts,
  ask: Ask,
  vendor: Vendor,
  script: Script,
): { readonly behaviour: Behaviour; readonly plan: ReturnType<typeof planned> } {
  const source = vendor.source(ask)
  ask.record.operation = vendor.operation(ask)
  ask.record.sourceId = source?.id ?? null
  const behaviour = script.take(parts.name, ask.record.sourceId, ask.record.operation)
  return { behaviour, plan: planned(behaviour.reply, vendor, ask, source) }
}

export async function askOf(record: OpenRecord, body: Uint8Array, nowMs: number): Promise<Ask> {
  const [path = '', query = ''] = record.path.split(/\?(.*)/s)
  const encoding = headerOf(record.rawHeaders, 'content-encoding')?.trim().toLowerCase()
  let decoded: Uint8Array = body
  let bodyProblem: Ask['bodyProblem'] = body.length > mostBodyBytes ? 'too-large' : null
  if (encoding !== undefined && encoding !== 'identity' && encoding !== '') {
    const decode = decoders[encoding]
    if (decode === undefined) bodyProblem = 'unknown-encoding'
    else decoded = await decode(body, { maxOutputLength: mostBodyBytes }).catch(() => new Uint8Array(0))
    if (decode !== undefined && decoded.length === 0) bodyProblem = 'corrupt'
  }
  return {
    record,
    method: record.method,
    path,
    query: new URLSearchParams(query),
    header: (name) => headerOf(record.rawHeaders, name),
    body: decoded,
    json: parsed(decoded),
    bodyProblem,
    nowMs,
    ordinal: record.number,
  }
}

function parsed(bytes: Uint8Array): Ask['json'] {
  if (bytes.length === 0) return null
  try {
    return recordOf(JSON.parse(new TextDecoder().decode(bytes)))
  } catch {
    return null
  }
}

/** The body; incomplete when the other side left before its end. */
function readBody(request: IncomingMessage): Promise<{ readonly bytes: Uint8Array; readonly complete: boolean }> {
  const pieces: Uint8Array[] = []
  let length = 0
  return new Promise((resolve) => {
    request.on('data', (piece: Uint8Array) => {
      length += piece.length
      if (length <= mostBodyBytes + 1) pieces.push(piece)
    })
    const done = (complete: boolean): void => resolve({ bytes: joined(pieces), complete })
    request.once('end', () => done(true))
    request.once('close', () => done(false))
    request.once('error', () => done(false))
  })
}
