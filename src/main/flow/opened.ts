/** What an attempt ends in: an answer to pass on, or none at all. */
import type { Verdict } from '../domain/failure.ts'
import type { Candidate } from './40-candidates.ts'
import type { Incoming } from './incoming.ts'

/** An answer to pass on: a live one, or the last vendor's refusal kept whole. */
export interface Opened {
  readonly kind: 'opened'
  readonly candidate: Candidate
  readonly incoming: Incoming
  /** The attempt began at this reading of the elapsed clock. */
  readonly begunAt: number
  readonly begunMs: number
  readonly aggregate: boolean
  /** Set when the answer is a vendor's refusal whose execution is already filed. */
  readonly filed: boolean
  /** What a negative answer was judged to be, null for a good one. */
  readonly refusal: Pick<Verdict, 'because' | 'sentence'> | null
}

/** No answer at all: the connection is passed on as a reset, or the client has left. */
export interface Unanswered {
  readonly kind: 'reset' | 'left'
}
