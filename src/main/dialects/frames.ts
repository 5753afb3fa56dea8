/**
 * The frames of the Responses WebSocket and what they are over HTTP: a turn is the body of a request, an event is the
 * data of a server-sent one, a refusal is an error with its status and headers inside (codex §2.5).
 */

import { joined } from '../domain/bytes.ts'
import { setFields } from './edit.ts'
import { asCount, asObject, asText, bytesOf, type JsonObject, readObject, textOf } from './json.ts'
import { type Scan, type ScanProblem, scanFields } from './scan.ts'
import { startsWith } from './sse.ts'

/** One turn that a client asks for. */
export interface TurnFrame {
  readonly kind: 'turn'
  /** As the body of `POST /responses`: without the frame's `type`, and always as a stream. */
  readonly body: Uint8Array
  /** The earlier answer it builds on, or null when the whole conversation is in it. */
  readonly previous: string | null
  /** `generate: false`: the vendor is to warm up, and nothing else. */
  readonly isPrewarm: boolean
  /** False when nothing of it is to be stored, so that no earlier answer can be found but over its own connection. */
  readonly isStored: boolean
  /** What HTTP sends as headers. */
  readonly headers: readonly string[]
}

export type FrameProblem = ScanProblem | { readonly kind: 'other-type'; readonly type: string }

const turnType = 'response.create'
/** What is read of a frame. */
export const frameFields: ReadonlySet<string> = new Set([
  'type',
  'stream',
  'generate',
  'previous_response_id',
  'store',
  'client_metadata',
])

/** `scan`: of the frame, for `frameFields`. */
export function readFrame(frame: Uint8Array, scan: Scan | ScanProblem): TurnFrame | FrameProblem {
  if (scan.kind !== 'scan') return scan
  const field = (name: string): unknown => scan.fields.get(name)?.value
  const type = asText(field('type')) ?? ''
  if (type !== turnType) return { kind: 'other-type', type: type.slice(0, 64) }
  const previous = asText(field('previous_response_id'))?.trim() ?? ''
  return {
    kind: 'turn',
    body: bodyOf(frame, scan),
    previous: previous === '' ? null : previous,
    isPrewarm: field('generate') === false,
    isStored: field('store') !== false,
    headers: metadataHeaders(asObject(field('client_metadata'))),
  }
}

/** `generate: true` says nothing, and HTTP doesn't know the field. */
function bodyOf(frame: Uint8Array, scan: Scan): Uint8Array {
  const spare = scan.fields.get('generate')?.value === true ? ['type', 'generate'] : ['type']
  let body = frame
  for (const name of spare) {
    const now = body === frame ? scan : scanFields([body], frameFields)
    if (now.kind === 'scan') body = withoutField(body, now, name)
  }
  if (scan.fields.get('stream')?.value === true) return body
  const now = scanFields([body], frameFields)
  return now.kind === 'scan' ? joined(setFields([body], now, new Map([['stream', true]]))) : body
}

const quote = 0x22
const comma = 0x2c

/** Takes a field out with one of the commas around it; every other byte stays. */
function withoutField(body: Uint8Array, scan: Scan, name: string): Uint8Array {
  const span = scan.fields.get(name)?.span
  if (span === undefined) return body
  // A value begins just behind its colon; before that comes a key, which has no bare quote inside.
  let start = body.lastIndexOf(quote, span.start - 1)
  start = body.lastIndexOf(quote, start - 1)
  let end = span.end
  if (body[end] === comma) end += 1
  else {
    const before = body.lastIndexOf(comma, start)
    if (before >= 0 && isBlank(body, before + 1, start)) start = before
  }
  return joined([body.subarray(0, start), body.subarray(end)])
}

function isBlank(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if ((bytes[at] ?? 0) > 0x20) return false
  return true
}

/** Sent as headers over HTTP, and inside `client_metadata` over a WebSocket (codex §2.5). */
const headerMembers: ReadonlySet<string> = new Set([
  'x-codex-window-id',
  'x-codex-parent-thread-id',
  'x-codex-turn-metadata',
  'x-openai-subagent',
])
const carriedHeaders: Readonly<Record<string, string>> = {
  ws_request_header_traceparent: 'traceparent',
  ws_request_header_tracestate: 'tracestate',
  ws_request_header_x_openai_internal_codex_responses_lite: 'x-openai-internal-codex-responses-lite',
}
const longestHeader = 65_536

function metadataHeaders(metadata: JsonObject | null): readonly string[] {
  if (metadata === null) return []
  return Object.entries(metadata).flatMap(([name, value]) => {
    const header = headerMembers.has(name) ? name : Object.hasOwn(carriedHeaders, name) ? carriedHeaders[name] : null
    const text = asText(value)
    if (header == null || text === null || text.length > longestHeader || !/^[\t -~]*$/.test(text)) return []
    return [header, text]
  })
}

const typeMember = bytesOf(`"type":"${turnType}",`)

/** The body of a request as the frame of a turn; `type` comes first, as the Codex CLI writes it. */
export function turnFrame(body: readonly Uint8Array[]): Uint8Array {
  const whole = joined(body)
  const inside = whole.indexOf(0x7b) + 1
  return joined([whole.subarray(0, inside), typeMember, whole.subarray(inside)])
}

const typeFirst = bytesOf('{"type":"')

/** The type of an event, null when it is no such object. */
export function eventType(event: Uint8Array): string | null {
  if (!startsWith(event, typeFirst)) return asText(readObject(event)?.type)
  const end = event.indexOf(quote, typeFirst.length)
  return end < 0 ? null : textOf(event.subarray(typeFirst.length, end), 100)
}

/** Nothing of an answer follows these. */
const lastTypes: ReadonlySet<string> = new Set([
  ...['response.completed', 'response.incomplete', 'response.done', 'response.failed', 'error'],
])

export const isLastType = (type: string | null): boolean => type !== null && lastTypes.has(type)

/** An event as it stands in a stream: a frame may hold line ends between its members. */
export function eventBytes(frame: Uint8Array): Uint8Array {
  const line = frame.includes(0x0a) || frame.includes(0x0d) ? frame.map((byte) => Math.max(byte, 0x20)) : frame
  return joined([dataPrefix, line, eventEnd])
}

const dataPrefix = bytesOf('data: ')
const eventEnd = bytesOf('\n\n')

/** The id of the answer that a last event ends; a following turn may build on it. */
export function answerId(event: Uint8Array): string | null {
  const beginning = textOf(event.subarray(0, 4_096), 4_096)
  const found = /"response"\s*:\s*\{\s*"id"\s*:\s*"([^"\\]{1,512})"/.exec(beginning)?.[1]
  return found ?? asText(asObject(readObject(event)?.response)?.id)
}

/** The status that an error carries over a WebSocket, null for an ordinary stream error (codex §2.5). */
export function statedStatus(event: JsonObject | null): number | null {
  const status = asCount(event?.status) ?? asCount(event?.status_code)
  return status !== null && status >= 400 && status <= 599 ? status : null
}

/** The headers inside an error, as a flat list; values may be numbers (codex §2.5). */
export function statedHeaders(event: JsonObject | null): string[] {
  return Object.entries(asObject(event?.headers) ?? {}).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [name, String(value)] : [],
  )
}

const ofTheBody: ReadonlySet<string> = new Set(['content-type', 'content-length', 'content-encoding', 'cache-control'])

/** A negative answer as one frame; one that came as such a frame stays as it is. */
export function errorFrame(status: number, rawHeaders: readonly string[], body: Uint8Array): Uint8Array {
  const answer = readObject(body)
  if (answer?.type === 'error' && statedStatus(answer) !== null) return body
  const headers: Record<string, string> = {}
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase()
    if (!ofTheBody.has(name)) headers[name] = rawHeaders[at + 1] ?? ''
  }
  const error = asObject(answer?.error) ?? {
    type: status >= 500 ? 'server_error' : 'invalid_request_error',
    code: null,
    message: asText(answer?.detail) ?? asText(answer?.message) ?? `The upstream answered with status ${status}.`,
  }
  return bytesOf(JSON.stringify({ type: 'error', status, error, headers }))
}
