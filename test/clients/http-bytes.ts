/** Reads the HTTP/1.1 messages out of one direction of a recorded connection: heads, and bodies without their framing. */
import { constants, inflateRawSync } from 'node:zlib'

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
    if (isUpgrade({ first, rawHeaders })) break
  }
  return messages
}

/** What follows it on the connection isn't HTTP; after a refused one nothing follows. */
const isUpgrade = ({ first, rawHeaders }: Pick<HttpMessage, 'first' | 'rawHeaders'>): boolean =>
  first.startsWith('HTTP/1.1 101 ') || (first.startsWith('GET ') && header({ rawHeaders }, 'upgrade') !== null)

/** Texts of the WebSocket's frames, in order; control frames are left out. Empty for a connection of plain HTTP. */
export function readFrames(bytes: Buffer): readonly string[] {
  const messages = readMessages(bytes)
  const last = messages.at(-1)
  if (last === undefined || !isUpgrade(last)) return []
  let at = 0
  for (const _ of messages) at = bytes.indexOf('\r\n\r\n', at) + 4
  const texts: string[] = []
  let parts: Buffer[] = []
  let isCompressed = false
  for (let frame = readFrame(bytes, at); frame !== null; frame = readFrame(bytes, frame.end)) {
    // 0: more of the one before, 1: text, above 7: control.
    if (frame.opcode > 7) continue
    if (frame.opcode !== 0) isCompressed = frame.isCompressed
    parts.push(frame.payload)
    if (!frame.isFinal) continue
    const message = Buffer.concat(isCompressed ? [...parts, deflateTail] : parts)
    texts.push(
      (isCompressed ? inflateRawSync(message, { finishFlush: constants.Z_SYNC_FLUSH }) : message).toString('utf8'),
    )
    parts = []
  }
  return texts
}

/** Taken off each compressed message; no context is kept from one to the next (RFC 7692 §7.2). */
const deflateTail = Buffer.from([0, 0, 0xff, 0xff])

interface WireFrame {
  readonly opcode: number
  /** Of its whole message, in whose first frame it stands. */
  readonly isCompressed: boolean
  readonly isFinal: boolean
  readonly payload: Buffer
  readonly end: number
}

/** One frame as RFC 6455 §5.2 lays it out; null when it isn't whole. */
function readFrame(bytes: Buffer, from: number): WireFrame | null {
  if (bytes.length < from + 2) return null
  const short = bytes.readUInt8(from + 1) & 0x7f
  const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0
  const masked = bytes.readUInt8(from + 1) >= 0x80
  const start = from + 2 + lengthBytes + (masked ? 4 : 0)
  if (bytes.length < start) return null
  const length =
    lengthBytes === 0 ? short : bytes.readUIntBE(from + 2 + Math.max(0, lengthBytes - 6), Math.min(6, lengthBytes))
  if (bytes.length < start + length) return null
  const payload = Buffer.from(bytes.subarray(start, start + length))
  if (masked)
    for (let at = 0; at < length; at += 1) payload[at] = (payload[at] ?? 0) ^ (bytes[start - 4 + (at % 4)] ?? 0)
  const opening = bytes.readUInt8(from)
  return {
    opcode: opening & 0x0f,
    isCompressed: (opening & 0x40) !== 0,
    isFinal: opening >= 0x80,
    payload,
    end: start + length,
  }
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
