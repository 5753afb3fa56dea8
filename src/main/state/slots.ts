/** Running calls per access key and per budget: a slot is taken after admission and given back exactly once (access.md, check 8). */
import type { BudgetId, KeyId } from '../../shared/ids.ts'
import type { Abort, Clock } from '../ports.ts'

type Holder = KeyId | BudgetId

const longestWaitMs = 10_000

export class Slots {
  readonly #clock: Clock
  readonly #running = new Map<Holder, number>()
  readonly #waiting = new Map<Holder, (() => void)[]>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  running(id: Holder): number {
    return this.#running.get(id) ?? 0
  }

  /** The release function at once when there is room, a promise of it (null after 10 s or when `gone`) otherwise. */
  take(id: Holder, limit: number | null, gone: Abort): (() => void) | Promise<(() => void) | null> {
    if (limit === null || this.running(id) < limit) return this.#granted(id)
    if (gone.aborted) return Promise.resolve(null)
    return new Promise((resolve) => {
      const queue = this.#waiting.get(id) ?? []
      this.#waiting.set(id, queue)
      const settle = (granted: boolean): void => {
        const place = queue.indexOf(grant)
        if (place >= 0) queue.splice(place, 1)
        cancel()
        gone.removeEventListener('abort', leave)
        resolve(granted ? this.#granted(id) : null)
      }
      const grant = (): void => settle(true)
      const leave = (): void => settle(false)
      const cancel = this.#clock.after(longestWaitMs, leave)
      gone.addEventListener('abort', leave)
      queue.push(grant)
    })
  }

  #granted(id: Holder): () => void {
    this.#running.set(id, this.running(id) + 1)
    let given = false
    return () => {
      if (given) return
      given = true
      const left = this.running(id) - 1
      if (left > 0) this.#running.set(id, left)
      else this.#running.delete(id)
      this.#waiting.get(id)?.[0]?.()
    }
  }
}
