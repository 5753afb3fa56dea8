/** The shape of a simulated vendor: who is asking, for what, and the answer it would give. */
import type { Content, ErrorName, PracticeOperation } from './behaviour.ts'
import { toBytes } from './pieces.ts'
import type { OpenRecord } from './received.ts'
import type { PracticeSource } from './world.ts'

/** One request as a vendor sees it, body decoded. */
export interface Ask {
  readonly record: OpenRecord
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: URLSearchParams
  header(name: string): string | null
  readonly body: Uint8Array
  /** The body as a JSON object, null when it is none. */
  readonly json: Readonly<Record<string, unknown>> | null
  readonly bodyProblem: 'unknown-encoding' | 'corrupt' | 'too-large' | null
  readonly nowMs: number
  /** Distinct for each request, the same in each run. */
  readonly ordinal: number
}

/** What goes onto the wire. `events` tells a stream, whose pieces wait for one another, from one whole body. */
export type Planned =
  | {
      readonly kind: 'answer'
      readonly status: number
      /** Flat name-value list. */
      readonly headers: readonly string[]
      readonly pieces: Iterable<Uint8Array>
      readonly events: boolean
    }
  | { readonly kind: 'raw'; readonly pieces: readonly Uint8Array[] }
  | { readonly kind: 'no-head'; readonly end: 'fin' | 'reset' | 'stall' }

export interface Vendor {
  operation(ask: Ask): PracticeOperation
  /** The source whose credential is presented, also when that one has expired; null when unknown. */
  source(ask: Ask): PracticeSource | null
  answer(ask: Ask, source: PracticeSource | null, content: Content): Planned
  error(ask: Ask, source: PracticeSource | null, error: ErrorName): Planned
}

export function json(status: number, value: unknown, headers: readonly string[] = []): Planned {
  const body = toBytes(JSON.stringify(value))
  return {
    kind: 'answer',
    status,
    headers: ['content-type', 'application/json', 'content-length', String(body.length), ...headers],
    pieces: [body],
    events: false,
  }
}

export function text(status: number, body: string, type: string, headers: readonly string[] = []): Planned {
  const bytes = toBytes(body)
  return {
    kind: 'answer',
    status,
    headers: ['content-type', type, 'content-length', String(bytes.length), ...headers],
    pieces: [bytes],
    events: false,
  }
}

export function stream(
  pieces: Iterable<Uint8Array>,
  headers: readonly string[] = [],
  type = 'text/event-stream',
): Planned {
  return {
    kind: 'answer',
    status: 200,
    headers: ['content-type', type, 'cache-control', 'no-cache', ...headers],
    pieces,
    events: true,
  }
}

export type Event = Readonly<Record<string, unknown>>

/** Server-sent events; with `named`, the event line repeats the data's type. */
export function* serverSent(events: Iterable<Event>, named: boolean): Generator<Uint8Array> {
  for (const event of events) {
    const line = named ? `event: ${String(event.type)}\n` : ''
    yield toBytes(`${line}data: ${JSON.stringify(event)}\n\n`)
  }
}

/** Puts a failure into a stream after `afterEvents` events and ends there. */
export function* failing(
  events: Iterable<Event>,
  content: Content,
  failure: (error: ErrorName) => readonly Event[],
): Generator<Event> {
  const { fail } = content
  if (fail === undefined) {
    yield* events
    return
  }
  let seen = 0
  if (fail.afterEvents > 0) {
    for (const event of events) {
      yield event
      seen += 1
      if (seen >= fail.afterEvents) break
    }
  }
  yield* failure(fail.error)
}

export const stringOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

export function recordOf(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null
}

export const bearerOf = (ask: Ask): string | null =>
  /^bearer (\S+)$/i.exec(ask.header('authorization') ?? '')?.[1] ?? null
