/** An own price while it is being written, in USD per million tokens, and how it becomes the contract's; pure. */
import type { Settings } from '../state/settings.ts'
import { rateText, readRate } from './dollars.ts'
import { localText, readExpiry } from './limits-draft.ts'

export type Price = Settings['prices'][number]

export const rateNames = ['input', 'cacheRead', 'cacheWrite', 'cacheWriteLong', 'output'] as const
export type RateName = (typeof rateNames)[number]

export interface PriceDraft {
  readonly model: string
  /** A day, as `readExpiry` takes it; empty: always. */
  readonly from: string
  readonly rates: Readonly<Record<RateName, string>>
  /** Long prompts and service tiers stay as the price it was made from has them. */
  readonly long: Price['long']
  readonly tiers: Price['tiers']
}

/** From an own price, from the list's, or from nothing. */
export function priceDraft(model: string, base: Price | null, fromMs: number): PriceDraft {
  const rates = Object.fromEntries(rateNames.map((name) => [name, base === null ? '' : rateText(base[name])]))
  return {
    model,
    from: fromMs === 0 ? '' : localText(fromMs),
    rates: rates as PriceDraft['rates'],
    long: base?.long ?? null,
    tiers: base?.tiers ?? {},
  }
}

/** Null while a part can't be read. A cache rate that is left empty is the one of plain input. */
export function writtenPrice({ model, from, rates, long, tiers }: PriceDraft): Price | null {
  const fromMs = readExpiry(from)
  const read = rateNames.map((name) => {
    const text = rates[name].trim() === '' && name !== 'output' ? rates.input : rates[name]
    return [name, readRate(text)] as const
  })
  if (model.trim() === '' || fromMs === undefined || read.some(([, rate]) => rate === null)) return null
  const known = Object.fromEntries(read) as Record<RateName, number>
  return { model: model.trim(), fromMs: fromMs ?? 0, ...known, long, tiers }
}

export const isSamePrice = (a: Price, b: Price): boolean => a.model === b.model && a.fromMs === b.fromMs

/** In place of the one that it was made from and of any other of that model and day; by model, the newest first. */
export function withPrice(prices: readonly Price[], fresh: Price, replaced: Price | null): readonly Price[] {
  const others = prices.filter((one) => !isSamePrice(one, fresh) && (replaced === null || !isSamePrice(one, replaced)))
  return [...others, fresh].sort((a, b) => a.model.localeCompare(b.model) || b.fromMs - a.fromMs)
}
