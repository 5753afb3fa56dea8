/** A client that knows no HTTP: sends bytes as given, reports every byte that came back and how the connection ended. */
import { connect, type Socket } from 'node:net'

export interface RawResult {
  readonly text: string
  /** `fin`, an error code, or `open` when nothing more came for a while. */
  readonly end: string
}

const boundMs = 20_000

/** Sends the pieces one after the other and waits for the end, or for `until` to appear. */
export function rawSend(port: number, pieces: readonly (string | Uint8Array)[], until?: RegExp): Promise<RawResult> {
  return new Promise((resolve, reject) => {
    const socket = open(port)
    const reads: Buffer[] = []
    const text = (): string => Buffer.concat(reads).toString('latin1')
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`no end within ${boundMs} ms; got ${text().slice(0, 300)}`))
    }, boundMs)
    const finish = (end: string): void => {
      clearTimeout(timer)
      resolve({ text: text(), end })
      socket.destroy()
    }
    socket.on('data', (bytes) => {
      reads.push(bytes)
      if (until?.test(text()) === true) finish('open')
    })
    socket.once('error', (error: NodeJS.ErrnoException) => finish(error.code ?? error.message))
    socket.once('end', () => finish('fin'))
    for (const piece of pieces) socket.write(piece)
  })
}

export function open(port: number, host = '127.0.0.1'): Socket {
  const socket = connect(port, host)
  socket.setNoDelay(true)
  return socket
}

/** A well-formed request as text; a header set to null is left out, extra lines go in as they are. */
export function requestText(ask: {
  readonly port: number
  readonly key: string
  readonly method?: string
  readonly target?: string
  readonly headers?: Readonly<Record<string, string | null>>
  readonly lines?: readonly string[]
  readonly body?: string
  readonly version?: string
}): string {
  const { method = 'POST', target = '/v1/chat/completions', body = '', version = 'HTTP/1.1', lines = [] } = ask
  const headers: Record<string, string | null> = {
    host: `127.0.0.1:${ask.port}`,
    authorization: `Bearer ${ask.key}`,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...ask.headers,
  }
  const shown = Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]))
  return `${[`${method} ${target} ${version}`, ...shown, ...lines].join('\r\n')}\r\n\r\n${body}`
}

/** Statuses of all answers in a text, in order. */
export const statuses = (text: string): readonly number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]))
