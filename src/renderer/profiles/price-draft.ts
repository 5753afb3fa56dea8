/** An own price while it is being written, in USD per million tokens, and how it becomes the contract's; pure. */
import type { Settings } from '../state/settings.ts'
import { rateText, readRate } from './dollars.ts'
import { localText, readExpiry } from './limits-draft.ts'

export type Price = Settings['prices'][number]

export const rateNames = ['input', 'cacheRead', 'cacheWrite', 'cacheWriteLong', 'output'] as const
export type RateName = (typeof rateNames)[number]
export type RateTexts = Readonly<Record<RateName, string>>
type Rates = Readonly<Record<RateName, number>>

export interface PriceDraft {
  readonly model: string
  /** A day, as `readExpiry` takes it; empty: always. */
  readonly from: string
  readonly rates: RateTexts
  readonly hasLong: boolean
  /** Input tokens. */
  readonly longAbove: string
  readonly longRates: RateTexts
  /** `flex = 0.5`, one a line. */
  readonly factors: string
}

/** From an own price, from the list's, or from nothing. */
export function priceDraft(model: string, base: Price | null, fromMs: number): PriceDraft {
  const long = base?.long ?? null
  return {
    model,
    from: fromMs === 0 ? '' : localText(fromMs),
    rates: rateTexts(base),
    hasLong: long !== null,
    longAbove: long === null ? '' : String(long.aboveTokens),
    longRates: rateTexts(long),
    factors: Object.entries(base?.tiers ?? {})
      .map(([tier, factor]) => `${tier} = ${factor}`)
      .join('\n'),
  }
}

const rateTexts = (rates: Rates | null): RateTexts =>
  Object.fromEntries(rateNames.map((name) => [name, rates === null ? '' : rateText(rates[name])])) as RateTexts

/** Null while a part can't be read. */
export function writtenPrice(draft: PriceDraft): Price | null {
  const model = draft.model.trim()
  const fromMs = readExpiry(draft.from)
  const rates = readRates(draft.rates)
  const long = draft.hasLong ? readLong(draft) : 'none'
  const tiers = readFactors(draft.factors)
  if (model === '' || fromMs === undefined || rates === null || long === null || tiers === null) return null
  return { model, fromMs: fromMs ?? 0, ...rates, long: long === 'none' ? null : long, tiers }
}

/** A cache rate that is left empty is the one of plain input. */
function readRates(texts: RateTexts): Rates | null {
  const read = rateNames.map((name) => {
    const text = texts[name].trim() === '' && name !== 'output' ? texts.input : texts[name]
    return [name, readRate(text)] as const
  })
  return read.some(([, rate]) => rate === null) ? null : (Object.fromEntries(read) as Rates)
}

function readLong({ longAbove, longRates }: PriceDraft): Price['long'] {
  const aboveTokens = readTokens(longAbove)
  const rates = readRates(longRates)
  return aboveTokens === null || rates === null ? null : { ...rates, aboveTokens }
}

export function readTokens(text: string): number | null {
  const plain = text.trim()
  return /^\d{1,9}$/.test(plain) && Number(plain) > 0 ? Number(plain) : null
}

/** Null: a line of it is no tier and factor, or a tier stands there twice. */
export function readFactors(text: string): Price['tiers'] | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const read = lines.map((line) => /^\s*(\S{1,50})\s*=\s*(\d{1,4}(?:[.,]\d{1,6})?)\s*$/.exec(line))
  const factors = read.map((found) => [found?.[1] ?? '', Number((found?.[2] ?? '').replace(',', '.'))] as const)
  const isWhole = read.every((found) => found !== null) && factors.every(([, factor]) => factor <= 1_000)
  return isWhole && new Set(factors.map(([tier]) => tier)).size === factors.length ? Object.fromEntries(factors) : null
}

export const isSamePrice = (a: Price, b: Price): boolean => a.model === b.model && a.fromMs === b.fromMs

/** In place of the one that it was made from and of any other of that model and day; by model, the newest first. */
export function withPrice(prices: readonly Price[], fresh: Price, replaced: Price | null): readonly Price[] {
  const others = prices.filter((one) => !isSamePrice(one, fresh) && (replaced === null || !isSamePrice(one, replaced)))
  return [...others, fresh].sort((a, b) => a.model.localeCompare(b.model) || b.fromMs - a.fromMs)
}
