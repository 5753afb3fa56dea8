/** A client that knows no HTTP: sends bytes to an origin and reports every byte and how the connection ended. */
import { connect } from 'node:net'

export interface RawAnswer {
  readonly text: string
  /** Each read as it came. */
  readonly reads: readonly string[]
  /** `fin`, an error code such as `ECONNRESET`, or `quiet` when the asked text arrived and the socket is still open. */
  readonly end: string
  close(): void
}

export interface RawAsk {
  readonly path: string
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
  /** Stops once this text has come; with an empty text, as soon as the request is sent. */
  readonly until?: string
}

const boundMs = 10_000

export function raw(origin: string, ask: RawAsk): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin)
  const { method = 'POST', path, headers = {}, body = '', until } = ask
  const lines = Object.entries({
    host: `${hostname}:${port}`,
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  })
  const head = [`${method} ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n')
  return new Promise((resolve, reject) => {
    const reads: string[] = []
    const socket = connect(Number(port), hostname)
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`no end within ${boundMs} ms, got ${reads.join('').slice(0, 400)}`))
    }, boundMs)
    const done = (end: string): void => {
      clearTimeout(timer)
      resolve({ text: reads.join(''), reads, end, close: () => socket.destroy() })
    }
    socket.on('data', (bytes) => {
      reads.push(bytes.toString('latin1'))
      if (until !== undefined && reads.join('').includes(until)) done('quiet')
    })
    socket.on('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
    socket.on('end', () => done('fin'))
    socket.setNoDelay(true)
    socket.write(head + body, () => {
      if (until === '') done('quiet')
    })
  })
}

/** The body of a raw chunked or length-delimited answer, as far as it came. */
export function bodyOf({ text }: RawAnswer): string {
  const at = text.indexOf('\r\n\r\n')
  const head = text.slice(0, at).toLowerCase()
  let rest = text.slice(at + 4)
  if (!head.includes('transfer-encoding: chunked')) return rest
  let body = ''
  for (;;) {
    const line = rest.indexOf('\r\n')
    const size = line < 0 ? Number.NaN : Number.parseInt(rest.slice(0, line), 16)
    if (!(size > 0)) return body
    body += rest.slice(line + 2, line + 2 + size)
    rest = rest.slice(line + 2 + size + 2)
  }
}
