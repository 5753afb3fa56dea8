/** An answer in no vendor's words, event by event (bridge §3.2). */
import type { Usage } from '../domain/usage.ts'
import type { Token } from './logprobs.ts'
import type { Opaque, ToolKind } from './neutral-request.ts'
import type { Search } from './shown-search.ts'

/** Names a part while it is open: the upstream's own index or id. */
export type Key = string | number

export type PartKind = 'text' | 'refusal' | 'thinking' | 'redacted' | 'call'

/** Classes of failure that every dialect has a name for (bridge §2.4). */
export type FailureClass =
  | 'bad-request'
  | 'too-long'
  | 'unauthorised'
  | 'billing'
  | 'forbidden'
  | 'not-found'
  | 'too-large'
  | 'rate-limit'
  | 'server'
  | 'timeout'
  | 'overloaded'

export interface Failure {
  readonly class: FailureClass
  readonly message: string
}

/** What cuts an answer off wherever it is, even inside a call. */
export const cutsOff = (stop: Stop): boolean => stop === 'length' || stop === 'pause' || stop === 'refusal'

export type Stop = 'end' | 'calls' | 'length' | 'sequence' | 'refusal' | 'pause'

export type NeutralEvent =
  | { readonly kind: 'start' }
  | { readonly kind: 'open'; readonly key: Key; readonly part: Exclude<PartKind, 'call'> }
  | {
      readonly kind: 'open'
      readonly key: Key
      readonly part: 'call'
      readonly callId: string
      readonly name: string
      readonly namespace: string | null
      /** `function`: deltas are JSON text; `custom`: raw text. */
      readonly tool: ToolKind
    }
  | { readonly kind: 'delta'; readonly key: Key; readonly text: string }
  /** One that the upstream ran itself, whole. */
  | { readonly kind: 'search'; readonly search: Search }
  /** Of the text that the next delta brings. */
  | { readonly kind: 'logprobs'; readonly key: Key; readonly tokens: readonly Token[] }
  | { readonly kind: 'seal'; readonly key: Key; readonly opaque: Opaque }
  /** A call that none came for before `finish` is unfinished: it must never look finished (bridge §2.2, §3.9). */
  | { readonly kind: 'close'; readonly key: Key }
  | { readonly kind: 'usage'; readonly usage: Usage }
  | { readonly kind: 'finish'; readonly stop: Stop; readonly sequence: string | null }
  | { readonly kind: 'fail'; readonly failure: Failure }

export type Emit = (event: NeutralEvent) => void

/** Reads one upstream stream. After `finish` or `fail` it emits nothing more. */
export interface EventDecoder {
  /** Codes of what the answer held and no other dialect can say. */
  readonly lost: ReadonlySet<string>
  /** One event's data, already parsed. */
  event(data: Readonly<Record<string, unknown>>): void
  /** `[DONE]`, which only Chat has a use for. */
  doneMark(): void
  /** The upstream's clean end. */
  end(): void
}

/** Writes one answer in the client's dialect. */
export interface EventEncoder {
  /** The text to send for `event`, possibly empty. */
  write(event: NeutralEvent): string
  /** The whole answer, once `finish` was written. */
  whole(): Record<string, unknown>
  /** Codes of what `whole` could not say as it was. */
  readonly lost?: readonly string[]
}

export const cutShort: Failure = { class: 'server', message: 'The upstream ended its answer before the end.' }
export const malformed: Failure = { class: 'server', message: 'The upstream sent an event that can not be read.' }
