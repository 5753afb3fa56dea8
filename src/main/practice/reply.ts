/** Turns a scripted reply into what goes onto the wire; without one, the vendor answers as it would. */
import type { Reply } from './behaviour.ts'
import { malformed } from './malformed.ts'
import { toBytes } from './pieces.ts'
import { type Ask, json, type Planned, stream, type Vendor } from './vendor.ts'
import type { PracticeSource } from './world.ts'

export function planned(reply: Reply | undefined, vendor: Vendor, ask: Ask, source: PracticeSource | null): Planned {
  switch (reply?.kind) {
    case undefined:
      return vendor.answer(ask, source, {})
    case 'vendor':
      return vendor.answer(ask, source, reply.content ?? {})
    case 'error':
      return vendor.error(ask, source, reply.error)
    case 'status': {
      const body = toBytes(reply.body ?? '')
      const headers = reply.headers ?? []
      return {
        kind: 'answer',
        status: reply.status,
        headers: hasFraming(headers) ? headers : [...headers, 'content-length', String(body.length)],
        pieces: body.length === 0 ? [] : [body],
        events: false,
      }
    }
    case 'stream':
      return stream(reply.pieces.map(toBytes), reply.headers)
    case 'redirect':
      return {
        kind: 'answer',
        status: reply.status ?? 307,
        headers: ['location', reply.location, 'content-length', '0'],
        pieces: [],
        events: false,
      }
    case 'echo-headers':
      return json(400, {
        type: 'error',
        error: { type: 'invalid_request_error', message: `bad request: ${ask.record.rawHeaders.join(' ')}` },
      })
    case 'raw':
      return { kind: 'raw', pieces: reply.pieces.map(toBytes) }
    case 'malformed':
      return { kind: 'raw', pieces: [toBytes(malformed(reply.fault))] }
    case 'no-head':
      return { kind: 'no-head', end: reply.end }
  }
}

function hasFraming(headers: readonly string[]): boolean {
  return headers.some(
    (name, at) => at % 2 === 0 && ['content-length', 'transfer-encoding'].includes(name.toLowerCase()),
  )
}
