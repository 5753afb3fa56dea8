/** What a call would have cost elsewhere, as far as the log knows that backend's price. */
import type { LoggedCall } from './logged-call.ts'

export class Costs {
  readonly #sums = new Map<string, { cost: number; tokens: number }>()

  learn({ served, cost, tokens }: LoggedCall): void {
    if (served === null || cost === null || tokens === null) return
    const sum = this.#sums.get(served) ?? { cost: 0, tokens: 0 }
    this.#sums.set(served, { cost: sum.cost + cost, tokens: sum.tokens + tokens })
  }

  /** Integer nano-USD: the call's own where it stays, else by the mean price of the other's tokens; null: unknown. */
  of({ served, cost, tokens }: LoggedCall, would: string | null): number | null {
    if (would === served) return cost
    const sum = would === null ? undefined : this.#sums.get(would)
    if (sum === undefined || sum.tokens === 0 || tokens === null) return null
    return Math.round((sum.cost / sum.tokens) * tokens)
  }
}
