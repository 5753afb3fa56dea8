/** The data plane's listener: node:http on 127.0.0.1 and ::1, strict, bounded, loopback only (threats T7, T8). */
import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type ErrorCode, PointsmanError, problem } from '../../../shared/errors.ts'
import type { Exchange } from '../../ports.ts'
import { BodyRoom, mostHeldBytes } from './body-room.ts'
import { closing, HttpExchange } from './http-exchange.ts'

export interface DataServer {
  /** The port both listeners are bound to. */
  readonly port: number
  /** Stops accepting, lets running calls end for `drainMs`, then says so and closes what is left. */
  close(drainMs: number, onBreak: () => void): Promise<void>
}

/** Takes over the connection of a request that wants a WebSocket, or answers it and closes. */
export type OnUpgrade = (exchange: HttpExchange, raw: Upgrading) => void

export interface Upgrading {
  readonly request: IncomingMessage
  readonly socket: Duplex
  /** What came behind the head already. */
  readonly first: Buffer
  /** What is held of frames counts like bodies. */
  readonly room: BodyRoom
  /** The connection no longer belongs to HTTP. */
  release(): void
}

const portTries = 20
const mostConnections = 1_024
const mostCalls = 512

/** `handle` gets every request that Node's parser let through; `port` 0 asks for a free pair. */
export async function listen(
  port: number,
  handle: (exchange: Exchange) => void,
  onUpgrade: OnUpgrade,
): Promise<DataServer> {
  const room = new BodyRoom(mostHeldBytes)
  for (let tries = 1; ; tries += 1) {
    const v4 = await bind(makeServer(handle, onUpgrade, room), '127.0.0.1', port)
    const bound = (v4.address() as AddressInfo).port
    try {
      const v6 = await bind(makeServer(handle, onUpgrade, room), '::1', bound)
      return dataServer(bound, [v4, v6])
    } catch (cause) {
      const code = (cause as NodeJS.ErrnoException).code
      // No IPv6 on this machine: nobody else can take it either.
      if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT') return dataServer(bound, [v4])
      await new Promise((resolve) => v4.close(resolve))
      if (port !== 0 || tries >= portTries) throw inUse(bound, '[::1]', cause)
    }
  }
}

async function bind(server: Server, host: string, port: number): Promise<Server> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(cause.code === 'EADDRINUSE' && host === '127.0.0.1' ? inUse(port, host, cause) : cause)
    })
    server.listen({ host, port, ipv6Only: host === '::1', exclusive: true, backlog: 1_024 }, resolve)
  })
  server.removeAllListeners('error')
  return server
}

const inUse = (port: number, host: string, cause: unknown): PointsmanError =>
  new PointsmanError('port_in_use', { port, host, by: '' }, { cause })

function makeServer(handle: (exchange: Exchange) => void, onUpgrade: OnUpgrade, room: BodyRoom): Server {
  const server = createServer({
    headersTimeout: 10_000,
    requestTimeout: 0,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: 1_000,
    noDelay: true,
    insecureHTTPParser: false,
    shouldUpgradeCallback: wantsWebSocket,
  })
  // 0: no silent dropping; the flow counts the header lines itself (T7.2).
  server.maxHeadersCount = 0
  server.maxConnections = mostConnections
  let running = 0
  const answering = new WeakMap<Duplex, { calls: number }>()
  const serve = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void => {
    if (closing.has(request.socket)) return
    if (running >= mostCalls) {
      plain(response, 'local_busy')
      return
    }
    running += 1
    const here = answering.get(request.socket) ?? { calls: 0 }
    if (here.calls === 0) answering.set(request.socket, here)
    here.calls += 1
    const closed = (): void => {
      running -= 1
      here.calls -= 1
    }
    handle(new HttpExchange(request, response, expectsContinue, room, closed))
  }
  server.on('request', (request, response) => serve(request, response, false))
  server.on('checkContinue', (request, response) => serve(request, response, true))
  server.on('checkExpectation', (_request, response) => plain(response, 'expectation_failed'))
  server.on('upgrade', (request, socket, first) => {
    // A reset in the middle of a refusal is nobody's fault.
    socket.on('error', () => socket.destroy())
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket as Socket)
    response.once('finish', () => leave(socket as Socket))
    const release = (): void => response.detachSocket(socket as Socket)
    onUpgrade(new HttpExchange(request, response, false, room, () => {}), { request, socket, first, room, release })
  })
  server.on('connect', (_request, socket) => refuseSocket(socket as Socket, '405 Method Not Allowed'))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const tooMuch = error.code === 'HPE_HEADER_OVERFLOW'
    const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
    const status = tooMuch ? '431 Request Header Fields Too Large' : late ? '408 Request Timeout' : '400 Bad Request'
    // Behind an answer that has begun, a line of ours would become part of it (F29).
    if ((answering.get(socket)?.calls ?? 0) > 0) socket.destroy()
    else refuseSocket(socket as Socket, status)
  })
  return server
}

/** Says goodbye on a connection that nobody reads any more, and lets it go once the other side has done so too. */
function leave(socket: Socket): void {
  socket.end()
  socket.resume()
  socket.setTimeout(1_000, () => socket.destroy())
}

/** Other upgrades are left to HTTP, which ignores them (F31). */
const wantsWebSocket = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'

/** A refusal from before the flow: nobody is known yet. */
function plain(response: ServerResponse, code: ErrorCode): void {
  const { status, sentence, next } = problem(code)
  const body = JSON.stringify({
    type: 'error',
    error: { type: 'invalid_request_error', code, message: `${sentence} ${next}` },
  })
  response.writeHead(status, ['content-type', 'application/json', 'connection', 'close'])
  response.end(body)
}

/** For what never became a request: a fixed line and a close, with nothing of ours in it. */
function refuseSocket(socket: Socket, status: string): void {
  if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
  else socket.destroy()
}

function dataServer(port: number, servers: readonly Server[]): DataServer {
  return {
    port,
    async close(drainMs, onBreak) {
      const closed = Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))))
      for (const server of servers) server.closeIdleConnections()
      const late = setTimeout(() => {
        onBreak()
        for (const server of servers) server.closeAllConnections()
      }, drainMs)
      await closed
      clearTimeout(late)
    },
  }
}
