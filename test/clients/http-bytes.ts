/** Reads the HTTP/1.1 messages out of one direction of a recorded connection: heads, and bodies without their framing. */

export interface HttpMessage {
  /** Request or status line. */
  readonly first: string
  /** Name, value, name, value, … as sent. */
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
  /** False when the connection ended inside it. */
  readonly whole: boolean
}

export function readMessages(bytes: Buffer): readonly HttpMessage[] {
  const messages: HttpMessage[] = []
  let at = 0
  while (at < bytes.length) {
    const end = bytes.indexOf('\r\n\r\n', at)
    if (end < 0) break
    const [first = '', ...lines] = bytes.toString('latin1', at, end).split('\r\n')
    const rawHeaders = lines.flatMap((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trim()]
    })
    const body = readBody(bytes, end + 4, rawHeaders)
    messages.push({ first, rawHeaders, body: body.bytes, whole: body.whole })
    at = body.end
  }
  return messages
}

/** First value of a header, null when absent. */
export function header({ rawHeaders }: Pick<HttpMessage, 'rawHeaders'>, name: string): string | null {
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === name) return rawHeaders[index + 1] ?? null
  }
  return null
}

interface Body {
  readonly bytes: Buffer
  readonly whole: boolean
  /** Where the next message begins. */
  readonly end: number
}

function readBody(bytes: Buffer, from: number, rawHeaders: readonly string[]): Body {
  if (header({ rawHeaders }, 'transfer-encoding') === 'chunked') return readChunks(bytes, from)
  const length = Number(header({ rawHeaders }, 'content-length') ?? 0)
  const end = Math.min(bytes.length, from + length)
  return { bytes: bytes.subarray(from, end), whole: end === from + length, end }
}

function readChunks(bytes: Buffer, from: number): Body {
  const pieces: Buffer[] = []
  let at = from
  for (;;) {
    const line = bytes.indexOf('\r\n', at)
    const size = line < 0 ? Number.NaN : Number.parseInt(bytes.toString('latin1', at, line), 16)
    const next = line + 2 + size + 2
    if (!(next <= bytes.length)) return { bytes: Buffer.concat(pieces), whole: false, end: bytes.length }
    if (size === 0) return { bytes: Buffer.concat(pieces), whole: true, end: next }
    pieces.push(bytes.subarray(line + 2, line + 2 + size))
    at = next
  }
}
