/**
 * The window's listener in a browser, on loopback only: a one-time link becomes a cookie, HTTP serves the built files,
 * and every member of the contract goes over one WebSocket that is checked once, at its upgrade (threats T1).
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { PointsmanError } from '../../../../shared/errors.ts'
import { refuse, refuseUpgrade, securityHeaders } from './answers.ts'
import { type Guard, type Head, strictGuard, values } from './guard.ts'
import { type Session, type SessionShelf, Sessions } from './sessions.ts'
import { pageWith, type StaticFile } from './static-files.ts'

export interface ControlServerOptions {
  /** 0 takes any free port. */
  readonly port: number
  readonly files: ReadonlyMap<string, StaticFile>
  readonly shelf: SessionShelf
  readonly nowMs: () => number
  /** Serves the contract over a socket that has passed every check. */
  readonly serve: (socket: WebSocket) => void
  /** Another one only in tests, which show that each attack works without it. */
  readonly guard?: Guard
}

export interface ControlServer {
  readonly port: number
  readonly origin: string
  /** A fresh one-time link. */
  openLink(): string
  close(): Promise<void>
}

/** With the port: a host's cookies are shared by all its ports, and so by two running programs. */
const cookieName = (port: number): string => `pointsman_${port}`
const protocolName = 'pointsman'
const largestMessageBytes = 8 * 1024 * 1024
const aliveEveryMs = 30_000

export async function startControlServer(options: ControlServerOptions): Promise<ControlServer> {
  const { files, nowMs, shelf, serve, guard = strictGuard } = options
  const sessions = new Sessions(shelf, nowMs)
  let port = 0
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, (request, response) =>
    answer(headOf(request), response, { port, sessions, files, guard }),
  )
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: largestMessageBytes,
    perMessageDeflate: false,
    handleProtocols: () => protocolName,
  })
  server.on('upgrade', (request, socket: Duplex, first: Buffer) => {
    socket.on('error', () => socket.destroy())
    const head = headOf(request)
    if (!guard.isFromOurPage(head, port)) {
      refuseUpgrade(socket, 'elsewhere')
      return
    }
    const session = sessionOf(head, port, sessions)
    if (session === null || !hasToken(head, session, sessions)) {
      refuseUpgrade(socket, 'stranger')
      return
    }
    sockets.handleUpgrade(request, socket, first, (open) => {
      keepAlive(open)
      serve(open)
    })
  })
  server.on('clientError', (_error, socket) => socket.destroy())
  port = await bind(server, options.port)
  const origin = `http://127.0.0.1:${port}`
  return {
    port,
    origin,
    openLink: () => `${origin}/open?link=${sessions.newLink()}`,
    async close() {
      for (const socket of sockets.clients) socket.close(1001)
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      for (const socket of sockets.clients) socket.terminate()
      await closed
    },
  }
}

function bind(server: ReturnType<typeof createServer>, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const taken = cause.code === 'EADDRINUSE' || cause.code === 'EACCES'
      reject(taken ? new PointsmanError('port_in_use', { port, host: '127.0.0.1', by: '' }, { cause }) : cause)
    })
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve((server.address() as AddressInfo).port))
  })
}

interface House {
  readonly port: number
  readonly sessions: Sessions
  readonly files: ReadonlyMap<string, StaticFile>
  readonly guard: Guard
}

function answer(head: Head, response: ServerResponse, { port, sessions, files, guard }: House): void {
  const [path = '', query = ''] = head.target.split('?', 2)
  const session = sessionOf(head, port, sessions)
  if (!guard.isFromHere(head, port)) refuse(response, 'elsewhere')
  // A HEAD must not use a link up: GET alone enters.
  else if (path === '/open' && head.method === 'GET') enter(query, response, port, sessions)
  else if (session === null) refuse(response, 'stranger')
  else serveFile(path, files.get(path), head, response, () => sessions.takeToken(session))
}

function serveFile(
  path: string,
  file: StaticFile | undefined,
  { method }: Head,
  response: ServerResponse,
  takeToken: () => string | null,
): void {
  if (file === undefined) {
    response.writeHead(404, { ...securityHeaders, 'cache-control': 'no-store', 'content-length': '0' })
    response.end()
    return
  }
  const bytes = path === '/' && method === 'GET' ? pageWith(file.bytes, takeToken()) : file.bytes
  response.writeHead(200, {
    ...securityHeaders,
    'cache-control': file.lasting ? 'private, max-age=31536000, immutable' : 'no-store',
    'content-type': file.type,
    'content-length': String(bytes.length),
  })
  response.end(method === 'HEAD' ? undefined : bytes)
}

/** From the link to a clean address: nothing that opens anything stays in the address bar or a referrer (T1.6). */
function enter(query: string, response: ServerResponse, port: number, sessions: Sessions): void {
  const cookie = sessions.enter(new URLSearchParams(query).get('link') ?? '')
  if (cookie === null) {
    refuse(response, 'stranger')
    return
  }
  response.writeHead(303, {
    ...securityHeaders,
    'cache-control': 'no-store',
    location: '/',
    'set-cookie': `${cookieName(port)}=${cookie}; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000`,
    'content-length': '0',
  })
  response.end()
}

function sessionOf(head: Head, port: number, sessions: Sessions): Session | null {
  for (const header of values(head, 'cookie')) {
    for (const pair of header.split(';')) {
      const [name, value] = pair.trim().split('=', 2)
      const session = name === cookieName(port) && value !== undefined ? sessions.find(value) : null
      if (session !== null) return session
    }
  }
  return null
}

/** The page sends its token as a second sub-protocol, the one header a WebSocket lets it choose. */
function hasToken(head: Head, session: Session, sessions: Sessions): boolean {
  const offered = values(head, 'sec-websocket-protocol').flatMap((value) => value.split(',').map((name) => name.trim()))
  return offered[0] === protocolName && offered.slice(1).some((token) => sessions.holds(session, token))
}

const headOf = ({ method, url, rawHeaders }: IncomingMessage): Head => ({
  method: method ?? '',
  target: url ?? '',
  rawHeaders,
})

/** A browser that went to sleep leaves a socket that nobody closes. */
function keepAlive(socket: WebSocket): void {
  let heard = true
  const timer = setInterval(() => {
    if (heard) socket.ping()
    else socket.terminate()
    heard = false
  }, aliveEveryMs)
  timer.unref()
  socket.on('pong', () => {
    heard = true
  })
  socket.on('error', () => socket.terminate())
  socket.on('close', () => clearInterval(timer))
}
