/** What an attempt ends in: an answer to pass on, or none at all. */
import type { Verdict } from '../domain/failure.ts'
import type { Dialect } from '../domain/source.ts'
import type { UpstreamRequest } from '../ports.ts'
import type { Warning } from '../translate/losses.ts'
import type { AnswerContext } from '../translate/translate-request.ts'
import type { Candidate } from './40-candidates.ts'
import type { Incoming } from './incoming.ts'
import type { Staged, Trail } from './trail.ts'

/** The request went out in another dialect; its answer comes back in that one. */
export interface Translation {
  readonly dialect: Dialect
  readonly context: AnswerContext
  readonly warnings: readonly Warning[]
  /** Nothing might be left out. */
  readonly strict: boolean
  /** Codes of what the answer held and could not say, once it has ended. */
  readonly lost: string[]
}

/** As it went out. */
export interface SentTranslation extends Translation {
  readonly request: UpstreamRequest
}

/** An answer to pass on: a live one, or the last vendor's refusal kept whole. */
export interface Opened {
  readonly kind: 'opened'
  readonly candidate: Candidate
  readonly incoming: Incoming
  /** The attempt began at this reading of the elapsed clock. */
  readonly begunAt: number
  readonly begunMs: number
  readonly aggregate: boolean
  /** Null when the upstream speaks the client's dialect. */
  readonly translation: SentTranslation | null
  /** Set when the answer is a vendor's refusal whose execution is already filed. */
  readonly filed: boolean
  /** What a negative answer was judged to be, null for a good one. */
  readonly refusal: Pick<Verdict, 'because' | 'sentence'> | null
}

/** The answer of one attempt, whatever it turns out to be. */
export const answered = (
  candidate: Candidate,
  incoming: Incoming,
  begun: Pick<Opened, 'begunAt' | 'begunMs'>,
  { aggregate, translation }: Pick<Opened, 'aggregate' | 'translation'>,
): Opened => ({ kind: 'opened', candidate, incoming, ...begun, aggregate, translation, filed: false, refusal: null })

/** Nothing was sent: this upstream can't do what is asked, so it is answered here, and said so in the trail. */
export interface OwnAnswer {
  readonly kind: 'own-answer'
  readonly candidate: Candidate
  readonly because: 'tokens-estimated' | 'not-warmed'
  readonly headers: readonly string[]
  readonly body: Uint8Array
}

/** No answer of an upstream: the connection is passed on as a reset, the client has left, or it is answered here. */
export type Unanswered = { readonly kind: 'reset' | 'left' } | OwnAnswer

export function staged(value: Opened | Unanswered, { executions }: Trail): Staged<Opened | Unanswered> {
  const isOpened = value.kind === 'opened'
  const decision = isOpened ? value.candidate.backend.source.label : value.kind
  const because = `attempt ${executions.length + (isOpened && !value.filed ? 1 : 0)}`
  return { value, step: { stage: 'attempt', decision, because } }
}
