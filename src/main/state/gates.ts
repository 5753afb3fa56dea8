/** Requests that are sent and not yet answered, per source, and the gates of accounts just failed over to (routing §5). */
import type { SourceId } from '../../shared/ids.ts'
import { type Gate, gateRules } from '../domain/gate.ts'
import type { Abort, Clock } from '../ports.ts'

export class Gates {
  readonly #clock: Clock
  readonly #pending = new Map<SourceId, number>()
  readonly #provenMs = new Map<SourceId, number>()
  readonly #failedOver = new Map<SourceId, Gate>()
  readonly #waiting = new Map<SourceId, Set<() => void>>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  pending(id: SourceId): number {
    return this.#pending.get(id) ?? 0
  }

  /** The gate of an account that others' failures have sent requests to, while it stands. */
  failedOverTo(id: SourceId): Gate | null {
    const gate = this.#failedOver.get(id) ?? null
    return gate === null || (gate.untilMs ?? 0) <= this.#clock.nowMs() ? null : gate
  }

  /** Requests come here because another account fails: only a few until one succeeds, unless it has just shown that it answers. */
  failOver(id: SourceId): void {
    const nowMs = this.#clock.nowMs()
    const provenMs = this.#provenMs.get(id)
    if (provenMs !== undefined && Math.abs(nowMs - provenMs) < gateRules.provenMs) return
    // One that has passed its time proved slow, not failing: it isn't shut again while its requests run.
    if (this.#failedOver.has(id) && this.pending(id) > 0) return
    const untilMs = nowMs + gateRules.failedOverMs
    this.#failedOver.set(id, { limit: gateRules.failedOver, untilMs, because: 'failed-over' })
  }

  /** Counts a request that is about to be sent; the returned function ends that, `proven` when the account answered. */
  enter(id: SourceId): (proven: boolean) => void {
    this.#pending.set(id, this.pending(id) + 1)
    let ended = false
    return (proven) => {
      if (ended) return
      ended = true
      const left = this.pending(id) - 1
      if (left > 0) this.#pending.set(id, left)
      else this.#pending.delete(id)
      if (proven) {
        this.#provenMs.set(id, this.#clock.nowMs())
        this.#failedOver.delete(id)
      }
      for (const settle of [...(this.#waiting.get(id) ?? [])]) settle()
    }
  }

  /** Resolves when the gate may have opened, its time is over, or the client has gone. */
  change(id: SourceId, gate: Gate, gone: Abort): Promise<void> {
    if (gone.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const others = this.#waiting.get(id) ?? new Set()
      this.#waiting.set(id, others)
      const settle = (): void => {
        others.delete(settle)
        cancel()
        gone.removeEventListener('abort', settle)
        resolve()
      }
      const leftMs = Math.max(0, (gate.untilMs ?? 0) - this.#clock.nowMs())
      const cancel = this.#clock.after(leftMs, settle)
      gone.addEventListener('abort', settle)
      others.add(settle)
    })
  }
}
