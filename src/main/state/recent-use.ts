/** What each source was lately sent, how fast it began to answer and how often it failed; fed by finished calls. */
import type { BackendId, SourceId } from '../../shared/ids.ts'
import type { CallRecord, Execution } from '../domain/call.ts'

export const recentRules = {
  /** Tokens sent decay with this half-life. */
  halfLifeMs: 3_600_000,
  /** Older failures and times to first content no longer count. */
  recentMs: 3_600_000,
  /** How much the newest time to first content weighs against those before. */
  newest: 0.3,
  /** More than these in an hour tell nothing new. */
  mostFailures: 100,
  /** Backends whose time is remembered; clients may name any number of unlisted models. */
  mostTimes: 2_000,
} as const

/** What counts of a finished call. */
export type Finished = Pick<
  CallRecord,
  'startedMs' | 'totalMs' | 'outcome' | 'usage' | 'sourceId' | 'backendId' | 'firstByteMs' | 'executions'
>

interface Amount {
  readonly value: number
  readonly atMs: number
}

export class RecentUse {
  readonly #tokens = new Map<SourceId, Amount>()
  readonly #times = new Map<BackendId, Amount>()
  readonly #failures = new Map<SourceId, readonly number[]>()

  /** Tokens sent lately, decayed to `nowMs`. */
  tokens(source: SourceId, nowMs: number): number {
    const amount = this.#tokens.get(source)
    return amount === undefined ? 0 : decayed(amount, nowMs)
  }

  /** Mean time to the first content, newer ones counting more; null when none was measured in the last hour. */
  firstContentMs(backend: BackendId, nowMs: number): number | null {
    const time = this.#times.get(backend)
    return time === undefined || nowMs - time.atMs > recentRules.recentMs ? null : time.value
  }

  /** Failures of the source's own in the last hour. */
  failures(source: SourceId, nowMs: number): number {
    return (this.#failures.get(source) ?? []).filter((atMs) => nowMs - atMs <= recentRules.recentMs).length
  }

  /** Takes a finished call into account. */
  note(record: Finished): void {
    const endedMs = record.startedMs + record.totalMs
    for (const execution of record.executions) {
      if (isOwnFailure(execution)) this.#failed(execution.sourceId, execution.startedMs + execution.totalMs)
    }
    if (record.sourceId === null || record.backendId === null) return
    if (record.usage !== null) {
      const { inputTokens, outputTokens } = record.usage
      const value = this.tokens(record.sourceId, endedMs) + inputTokens + outputTokens
      this.#tokens.set(record.sourceId, { value, atMs: endedMs })
    }
    const last = record.executions.at(-1)
    if (record.outcome !== 'done' || record.firstByteMs === null || last === undefined) return
    this.#timed(record.backendId, record.firstByteMs - (last.startedMs - record.startedMs), endedMs)
  }

  #failed(source: SourceId, atMs: number): void {
    const recent = (this.#failures.get(source) ?? []).filter((other) => atMs - other <= recentRules.recentMs)
    this.#failures.set(source, [...recent, atMs].slice(-recentRules.mostFailures))
  }

  #timed(backend: BackendId, ms: number, atMs: number): void {
    const before = this.firstContentMs(backend, atMs)
    const value = before === null ? ms : before + recentRules.newest * (ms - before)
    this.#times.delete(backend)
    this.#times.set(backend, { value: Math.max(0, value), atMs })
    if (this.#times.size <= recentRules.mostTimes) return
    for (const oldest of this.#times.keys()) {
      this.#times.delete(oldest)
      break
    }
  }
}

const decayed = ({ value, atMs }: Amount, nowMs: number): number =>
  value * 2 ** (-Math.max(0, nowMs - atMs) / recentRules.halfLifeMs)

/** A spent window, a refused request or a client that left says nothing about the source's health. */
const noFault: ReadonlySet<string> = new Set([
  'exhausted',
  'request-scoped',
  'model-not-entitled',
  'model-unknown',
  'final',
  'proxy',
  'unauthorised',
])

function isOwnFailure({ outcome, because }: Execution): boolean {
  const failed =
    outcome === 'failed' || outcome === 'truncated' || outcome === 'error-midstream' || outcome === 'unknown-outcome'
  return failed && !noFault.has(because)
}
