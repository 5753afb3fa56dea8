/** What a call would have cost elsewhere: by that backend's price, else as far as the log knows what it costs there. */
import type { LoggedCall } from './logged-call.ts'
import type { Present } from './rehearsed-use.ts'

export class Costs {
  readonly #priced: Present['cost']
  readonly #sums = new Map<string, { cost: number; tokens: number }>()

  constructor(priced: Present['cost']) {
    this.#priced = priced
  }

  learn({ served, cost, tokens }: LoggedCall): void {
    if (served === null || cost === null || tokens === null) return
    const sum = this.#sums.get(served) ?? { cost: 0, tokens: 0 }
    this.#sums.set(served, { cost: sum.cost + cost, tokens: sum.tokens + tokens })
  }

  /**
   * Integer nano-USD: the call's own where it stays; else its usage at the other's price of that day, as if the cache
   * had been as warm there; else by the mean price of the other's tokens. Null: unknown.
   */
  of({ served, cost, tokens, usage, atMs }: LoggedCall, would: string | null): number | null {
    if (would === served) return cost
    if (would === null) return null
    const priced = usage === null ? null : this.#priced(would, usage, atMs)
    if (priced !== null) return priced
    const sum = this.#sums.get(would)
    if (sum === undefined || sum.tokens === 0 || tokens === null) return null
    return Math.round((sum.cost / sum.tokens) * tokens)
  }
}
