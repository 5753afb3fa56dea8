/** The steps of one call, and the one way a stage says no. */
import { type ErrorCode, type ErrorValues, type Problem, problem } from '../../shared/errors.ts'
import type { Execution } from '../domain/call.ts'
import type { ExcludedRecord, Step } from '../domain/decision.ts'

/** Our own negative answer; a stage returns it, `Trail.keep` throws it to the one error exit. */
export class Refusal {
  readonly problem: Problem
  readonly retryAfterMs: number | null
  /** What was looked at, for the log. */
  readonly excluded: readonly ExcludedRecord[]
  /** The client's own field that can't be carried, and the code that names the loss. */
  readonly param: RefusalDetail['param']

  constructor(code: ErrorCode, values?: ErrorValues, detail?: RefusalDetail)
  /** From a problem that another part has found. */
  constructor(found: Problem, values?: undefined, detail?: RefusalDetail)
  constructor(codeOrFound: ErrorCode | Problem, values: ErrorValues = {}, detail: RefusalDetail = {}) {
    this.problem = typeof codeOrFound === 'string' ? problem(codeOrFound, values) : codeOrFound
    this.retryAfterMs = detail.retryAfterMs ?? null
    this.excluded = detail.excluded ?? []
    this.param = detail.param
  }
}

interface RefusalDetail {
  readonly retryAfterMs?: number | null
  readonly excluded?: readonly ExcludedRecord[]
  readonly param?: { readonly code: string; readonly path: string } | undefined
}

export interface Staged<T> {
  readonly value: T
  readonly step: { readonly stage: Step['stage']; readonly decision: string; readonly because: string }
}

export class Trail {
  readonly steps: Step[] = []
  readonly executions: Execution[] = []
  readonly #elapsed: () => number
  readonly #startedAt: number

  constructor(elapsed: () => number) {
    this.#elapsed = elapsed
    this.#startedAt = elapsed()
  }

  /** Since the call began, ms. */
  elapsedMs(): number {
    return Math.max(0, this.#elapsed() - this.#startedAt)
  }

  /** Files the step and returns the value; a refusal is thrown. */
  keep<T>(result: Staged<T> | Refusal): T {
    if (result instanceof Refusal) throw result
    this.note(result.step)
    return result.value
  }

  note({ stage, decision, because }: Omit<Step, 'elapsedMs'>): void {
    this.steps.push({ stage, decision, because, elapsedMs: Math.round(this.elapsedMs() * 10) / 10 })
  }
}
