/** One attempt as a row of the call log, and the meaning-bearing start of a refusal. */
import { textOf } from '../dialects/json.ts'
import type { Backend } from '../domain/backend.ts'
import type { Execution, Outcome } from '../domain/call.ts'
import type { Subject } from '../domain/health.ts'
import type { Clock, Inflate } from '../ports.ts'
import type { Candidate } from './40-candidates.ts'
import type { Incoming } from './incoming.ts'
import type { View } from './view.ts'

/** An attempt that has begun; without an answer's head when nothing was sent. */
export interface Begun {
  readonly candidate: Candidate
  readonly incoming: Incoming | null
  /** Elapsed clock. */
  readonly begunAt: number
  readonly begunMs: number
}

export const begunNow = (clock: Clock): Pick<Begun, 'begunAt' | 'begunMs'> => ({
  begunAt: clock.elapsedMs(),
  begunMs: clock.nowMs(),
})

/** Whose health an answer tells of. */
export const subjectOf = ({ id, source }: Backend, view: View): Subject => ({
  sourceId: source.id,
  backendId: id,
  host: view.picture.origins.get(source.id) ?? '',
})

/** One row of the attempt list. */
export function execution(
  { candidate: { backend }, incoming, begunAt, begunMs }: Begun,
  nowElapsed: number,
  end: { readonly outcome: Outcome; readonly because: string; readonly sentence: string },
): Execution {
  const headAt = incoming?.headAt ?? null
  const header = incoming?.headers.get ?? (() => null)
  return {
    backendId: backend.id,
    sourceId: backend.source.id,
    sourceLabel: backend.source.label,
    upstreamModel: backend.upstreamModel,
    ...end,
    status: incoming === null || headAt === null ? null : incoming.status,
    startedMs: begunMs,
    firstByteMs: headAt === null ? null : Math.round(headAt - begunAt),
    totalMs: Math.round(nowElapsed - begunAt),
    usage: incoming?.reader?.usage() ?? null,
    requestId: header('request-id') ?? header('x-request-id') ?? header('x-oai-request-id'),
  }
}

const readLimit = 64 * 1024

/** Errors of vendors and their guards come compressed without saying so: known by their first bytes (RFC 1952, RFC 8878). */
function unlabelled(bytes: Uint8Array = new Uint8Array()): string {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'gzip'
  return bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd ? 'zstd' : 'identity'
}

/** The decoded start of a refusal, for reading its meaning only; never stored. */
export async function bodyText(incoming: Incoming, inflate: Inflate): Promise<string> {
  const length = incoming.held.reduce((sum, bytes) => sum + bytes.length, 0)
  const encoding = incoming.headers.get('content-encoding')?.toLowerCase() ?? unlabelled(incoming.held[0])
  const whole = { pieces: incoming.held, length }
  const decoded = encoding === 'identity' ? whole : await inflate.decode(whole, encoding, 16 * readLimit)
  if (typeof decoded === 'string') return ''
  let text = ''
  for (const piece of decoded.pieces) {
    text += textOf(piece, readLimit - text.length)
    if (text.length >= readLimit) break
  }
  return text
}
