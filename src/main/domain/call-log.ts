/** The call log as it is read: rows, one opened row, filters and sums. */
import type { CallId, KeyId, SourceId } from '../../shared/ids.ts'
import type { CallRecord, Execution, Outcome } from './call.ts'
import type { Decision } from './decision.ts'
import type { Dialect, Operation } from './source.ts'

/** A call that has begun and has no outcome yet. */
export interface OpenCall {
  readonly id: CallId
  readonly startedMs: number
  readonly providerId: string
  readonly operation: Operation
  readonly dialect: Dialect
  readonly requestedModel: string | null
  readonly keyId: KeyId
}

/** Which rows a page counts from, besides the filter. */
export interface PageView {
  /** Nothing newer than this call: what a reader has before the eyes doesn't move while calls come in. */
  readonly upToId?: CallId | undefined
  readonly oldestFirst?: boolean | undefined
}

export interface CallPage {
  readonly rows: readonly CallRow[]
  readonly total: number
  /** How many calls match that are newer than `upToId`; 0 without one. */
  readonly newer: number
}

/** A row of the call log: the record without executions and decision. */
export type CallRow = Omit<CallRecord, 'executions' | 'decision' | 'outcome' | 'totalMs' | 'settles'> & {
  /** Null while the call runs. */
  readonly outcome: Outcome | null
  /** Null while it runs, and for an interrupted one: nobody saw its end. */
  readonly totalMs: number | null
  /** The account that was wanted, where another one served. */
  readonly stoodInFor: SourceId | null
  /** The decision's sentence; empty while it runs. */
  readonly sentence: string
  readonly attempts: number
  readonly attemptBackends: readonly string[]
}

/** One row opened: with every execution and the decision, which an unfinished call doesn't have yet. */
export interface CallDetail {
  readonly call: CallRow
  readonly executions: readonly Execution[]
  readonly decision: Decision | null
}

export interface CallFilter {
  readonly sourceId?: string | undefined
  readonly model?: string | undefined
  readonly keyId?: string | undefined
  /** An outcome, `open` for calls that still run, or `stood-in` where another account served than was wanted. */
  readonly outcome?: string | undefined
  /** Part of the label, a model's name, the sentence or the id; ASCII case doesn't count. */
  readonly text?: string | undefined
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
}

/** Counts and sums of one source in one slot of time; calls that no source served have a null source. */
export interface CallTotals {
  readonly slotMs: number
  readonly sourceId: SourceId | null
  readonly calls: number
  /** Neither `done` nor `client-left`. */
  readonly failed: number
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
  readonly outputTokens: number
  readonly reasoningTokens: number
  /** Integer nano-USD of the calls whose price is known. */
  readonly cost: number
}

export interface StatsRange {
  readonly fromMs: number
  readonly toMs: number
  /** Length of a slot: an hour, a day. */
  readonly stepMs: number
  /** Local time minus UTC, so that days begin at local midnight. */
  readonly offsetMs: number
}

/** What came of the finished calls of a stretch of time. */
export interface CallSummary {
  readonly calls: number
  /** Served by the first backend that was tried. */
  readonly byFirstChoice: number
  /** Served by a later one, after an earlier one had failed. */
  readonly byFailover: number
  readonly priced: number
  /** Integer nano-USD of the priced ones; null when there is none. */
  readonly cost: number | null
}

/** Whether the call log reaches the disk; `why` is a sentence for the banner, null while all is well. */
export interface SavingState {
  readonly saving: boolean
  readonly waiting: number
  readonly dropped: number
  readonly why: string | null
}
