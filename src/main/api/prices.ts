/** Which price counts for each model that a source has: the person's own, the list's, none; free ones cost nothing. */
import { isFree } from '../domain/charges.ts'
import { priceOf } from '../domain/price.ts'
import type { Price } from '../domain/rates.ts'
import type { ApiDeps } from './api-deps.ts'

export interface CountingPrice {
  /** As it is sent upstream: what a price is found by. */
  readonly model: string
  readonly counts: 'own' | 'list' | 'none' | 'free'
  /** Nano-USD per token; null for `none` and `free`. */
  readonly price: Price | null
  /** The list's, whatever counts; null when it has none. */
  readonly listed: Price | null
}

/** By model name; one that is free at some source and paid for at another is told by its price. */
export function countingPrices({ sources, settings, clock }: ApiDeps): readonly CountingPrice[] {
  const nowMs = clock.nowMs()
  const own = settings().prices
  const paid = new Map<string, boolean>()
  for (const backend of sources.picture.backends) {
    const { upstreamModel } = backend
    paid.set(upstreamModel, (paid.get(upstreamModel) ?? false) || !isFree(backend))
  }
  return [...paid]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([model, isPaid]) => {
      const listed = priceOf(model, nowMs)
      const price = priceOf(model, nowMs, own)
      if (!isPaid) return { model, counts: 'free', price: null, listed }
      const counts = price === null ? 'none' : own.includes(price) ? 'own' : 'list'
      return { model, counts, price, listed }
    })
}
