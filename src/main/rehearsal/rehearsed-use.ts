/** Recent use as it would have been: tokens where the rehearsal sends them, times and failures as they were. */

import type { BackendId, SourceId } from '../../shared/ids.ts'
import type { CallDetail } from '../domain/call-log.ts'
import type { Usage } from '../domain/usage.ts'
import { RecentUse } from '../state/recent-use.ts'
import type { StrategyOptions } from '../strategies/options.ts'
import { sourceOf } from './logged-call.ts'

/** What is set now and was not kept with each call. */
export interface Present {
  weight(sourceId: string): number | null
  isFree(backendId: string): boolean
  /** Integer nano-USD of such a usage there at that time; null where no price is known. */
  cost(backendId: string, usage: Usage, atMs: number): number | null
  /** Options of the pool's strategy. */
  options(pool: string | null): StrategyOptions
}

export class RehearsedUse {
  readonly #would = new RecentUse()
  readonly #was = new RecentUse()
  readonly #present: Present

  constructor(present: Present) {
    this.#present = present
  }

  weight(sourceId: string): number | null {
    return this.#present.weight(sourceId)
  }

  isFree(backendId: string): boolean {
    return this.#present.isFree(backendId)
  }

  options(pool: string | null): StrategyOptions {
    return this.#present.options(pool)
  }

  tokens(sourceId: string, atMs: number): number {
    return this.#would.tokens(sourceId as SourceId, atMs)
  }

  firstContentMs(backendId: string, atMs: number): number | null {
    return this.#was.firstContentMs(backendId as BackendId, atMs)
  }

  failures(sourceId: string, atMs: number): number {
    return this.#was.failures(sourceId as SourceId, atMs)
  }

  /** What was measured of a call stays as it was; its tokens go to whom it would have gone. */
  note({ call, executions }: CallDetail, would: string | null): void {
    if (call.outcome === null) return
    const { startedMs, outcome, usage, sourceId, backendId, firstByteMs } = call
    const finished = { startedMs, totalMs: call.totalMs ?? 0, outcome, executions, firstByteMs }
    this.#was.note({ ...finished, usage: null, sourceId, backendId })
    if (would === null) return
    const moved = { sourceId: sourceOf(would) as SourceId, backendId: would as BackendId }
    this.#would.note({ ...finished, ...moved, usage, executions: [] })
  }
}
