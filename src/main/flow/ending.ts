/** What is told of a call once it is over. */
import type { Outcome } from '../domain/call.ts'
import type { Charges } from '../domain/charges.ts'
import type { ShadowRecord } from '../domain/decision.ts'
import type { Usage } from '../domain/usage.ts'
import type { Call } from './10-ingress.ts'
import type { Plan } from './50-order.ts'
import type { Opened } from './opened.ts'
import type { Refusal } from './trail.ts'

/** How a journey ended; what a stage didn't reach is null. */
export interface Ending {
  readonly call: Call
  readonly plan: Plan | null
  readonly opened: Opened | null
  readonly refusal: Refusal | null
  readonly outcome: Outcome
  readonly status: number | null
  readonly usage: Usage | null
  /** Of the request that was answered last alone; a paused turn takes several. */
  readonly lastUsage: Usage | null
  /** Since the call began, ms. */
  readonly firstByteMs: number | null
  readonly bytesOut: number
  readonly shadow: ShadowRecord | null
  /** Null before admission. */
  readonly charges: Charges | null
}
