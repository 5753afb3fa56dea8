/** The window's listener alone, with files of its own and a socket that greets: for the attacks on it. */
import type { WebSocket } from 'ws'
import { startControlServer } from '../../src/main/shell/headless/window/control-server.ts'
import type { Guard } from '../../src/main/shell/headless/window/guard.ts'
import type { Session, SessionShelf } from '../../src/main/shell/headless/window/sessions.ts'
import type { StaticFile } from '../../src/main/shell/headless/window/static-files.ts'
import { rawSend } from './raw-socket.ts'

/** The attacks' targets: every kind of route that there is. */
export const routes = ['/', '/open', '/open?link=wrong', '/socket', '/assets/main.js', '/icon.svg', '/nothing'] as const

export const fileMark = 'the-file-of-the-window'
export const socketMark = 'the-socket-of-the-window'

/** Lets everybody through: the negative control of each attack. */
export const openGuard: Guard = { isFromHere: () => true, isFromOurPage: () => true }

const file = (type: string, text: string): StaticFile => ({ type, bytes: Buffer.from(text), lasting: false })

export const files: ReadonlyMap<string, StaticFile> = new Map([
  ['/', file('text/html; charset=utf-8', `<meta name="session-token" content="" /><p>${fileMark}</p>`)],
  ['/assets/main.js', file('text/javascript; charset=utf-8', `globalThis.leaked = '${fileMark}'`)],
  ['/icon.svg', file('image/svg+xml', `<svg xmlns="http://www.w3.org/2000/svg"><title>${fileMark}</title></svg>`)],
])

export class MemoryShelf implements SessionShelf {
  sessions: readonly Session[] = []

  load(): readonly Session[] {
    return this.sessions
  }

  save(sessions: readonly Session[]): void {
    this.sessions = sessions
  }
}

export interface Listening {
  readonly port: number
  readonly origin: string
  /** Sockets that passed every check. */
  readonly served: WebSocket[]
  readonly shelf: MemoryShelf
  openLink(): string
  /** Lets the clock go on. */
  pass(ms: number): void
  close(): Promise<void>
}

export async function listening(guard?: Guard, shelf = new MemoryShelf(), port = 0): Promise<Listening> {
  let nowMs = 1_800_000_000_000
  const served: WebSocket[] = []
  const server = await startControlServer({
    port,
    files,
    shelf,
    nowMs: () => nowMs,
    serve: (socket) => {
      served.push(socket)
      socket.send(socketMark)
    },
    ...(guard === undefined ? {} : { guard }),
  })
  return {
    port: server.port,
    origin: server.origin,
    served,
    shelf,
    openLink: () => server.openLink(),
    pass: (ms) => {
      nowMs += ms
    },
    close: () => server.close(),
  }
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Head and body as they came, without the date. */
  readonly raw: string
}

/** Status 0: the connection ended without an answer. */
export function readAnswer(text: string): Answer {
  const [head = '', body = ''] = text.split('\r\n\r\n', 2)
  const [first = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  return { status: Number(first.split(' ')[1] ?? 0), headers, body, raw: text.replace(/\r\ndate: [^\r]*/i, '') }
}

/** One request, its lines as given; the connection is closed after it. */
export async function send(port: number, first: string, lines: readonly string[]): Promise<Answer> {
  const { text } = await rawSend(port, [`${[first, ...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`])
  return readAnswer(text)
}

export const get = (port: number, path: string, lines: readonly string[] = []): Promise<Answer> =>
  send(port, `GET ${path} HTTP/1.1`, [`Host: 127.0.0.1:${port}`, ...lines])

export interface Entered {
  /** `name=value`. */
  readonly cookie: string
  readonly token: string
}

/** What a browser gets by following a link. */
export async function enter({ port, openLink }: Pick<Listening, 'port' | 'openLink'>): Promise<Entered> {
  const link = new URL(openLink())
  const redirect = await get(port, link.pathname + link.search)
  const cookie = redirect.headers['set-cookie']?.split(';')[0] ?? ''
  const page = await get(port, '/', [`Cookie: ${cookie}`])
  const token = /name="session-token" content="([^"]*)"/.exec(page.body)?.[1] ?? ''
  return { cookie, token }
}

/** An upgrade, with the lines that matter given. */
export async function upgrade(port: number, lines: readonly string[]): Promise<Answer> {
  const fixed = [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ]
  const text = `${['GET /socket HTTP/1.1', ...fixed, ...lines].join('\r\n')}\r\n\r\n`
  const result = await rawSend(port, [text], new RegExp(`101 Switching[\\s\\S]*${socketMark}`))
  return readAnswer(result.text)
}
