/** What is kept of a client request: one call, many executions, one decision (routing §8). */
import type { BackendId, CallId, KeyId, SourceId } from '../../shared/ids.ts'
import type { LedgerEntry } from './budget.ts'
import type { Decision } from './decision.ts'
import type { Dialect, Operation, SourceType } from './source.ts'
import type { Usage } from './usage.ts'

/** The one list of outcomes (flow.md). */
export type Outcome =
  | 'done'
  | 'refused'
  | 'failed'
  | 'truncated'
  | 'error-midstream'
  | 'unknown-outcome'
  | 'client-left'
  | 'interrupted'

/** One upstream attempt; a later attempt never overwrites an earlier one's facts. */
export interface Execution {
  readonly backendId: BackendId
  readonly sourceId: SourceId
  readonly sourceLabel: string
  readonly upstreamModel: string
  readonly outcome: Outcome
  /** Upstream status, or null when none arrived. */
  readonly status: number | null
  /** Kebab-case reason (`exhausted`, `host-resting`, …), `done` when it served. */
  readonly because: string
  readonly sentence: string
  readonly startedMs: number
  readonly firstByteMs: number | null
  readonly totalMs: number
  /** Null: unmeasured. */
  readonly usage: Usage | null
  /** The vendor's own request id, for their support. */
  readonly requestId: string | null
}

export interface CallRecord {
  readonly id: CallId
  readonly startedMs: number
  readonly providerId: string
  readonly operation: Operation
  readonly dialect: Dialect
  readonly requestedModel: string | null
  readonly upstreamModel: string | null
  readonly backendId: BackendId | null
  readonly sourceType: SourceType | null
  readonly sourceId: SourceId | null
  readonly sourceLabel: string | null
  readonly keyId: KeyId
  readonly outcome: Outcome
  /** The status the client saw, null when it left before. */
  readonly status: number | null
  /** Our own code, when we refused. */
  readonly errorCode: string | null
  /** Hash of the session, or null. */
  readonly session: string | null
  readonly client: string | null
  readonly stream: boolean
  readonly usage: Usage | null
  /** Integer nano-USD; null when no price is known. */
  readonly cost: number | null
  /** First byte and end as seen by the client, ms after the start. */
  readonly firstByteMs: number | null
  readonly totalMs: number
  readonly bytesIn: number
  readonly bytesOut: number
  readonly executions: readonly Execution[]
  readonly decision: Decision
  /** What it settles, written with it; absent where no budget is charged. */
  readonly settles?: readonly LedgerEntry[] | undefined
}
