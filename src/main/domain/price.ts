/** What an answer costs, in integer nano-USD; for subscriptions the API-equivalent, labelled so wherever it is shown. */
import { catalogue } from './price-catalogue.ts'
import type { Usage } from './usage.ts'

/** Nano-USD per token: USD per million tokens × 1,000. */
export interface Rates {
  readonly input: number
  readonly cacheRead: number
  /** Kept for five minutes, or for as long as the vendor's only kind. */
  readonly cacheWrite: number
  /** Kept for an hour. */
  readonly cacheWriteLong: number
  readonly output: number
}

export interface Price extends Rates {
  /** Exact model id; a dated id (`…-20251001`) is found by the id before its date. */
  readonly model: string
  /** Valid from then until a later entry of the same model. */
  readonly fromMs: number
  /** Beyond this many input tokens the whole request is priced by other rates. */
  readonly long: (Rates & { readonly aboveTokens: number }) | null
  /** Factors of service tiers on every rate. */
  readonly tiers: Readonly<Record<string, number>>
}

/** The user's own prices stand before the catalogue's. */
export function priceOf(model: string, atMs: number, overrides: readonly Price[] = []): Price | null {
  return newest(model, atMs, overrides) ?? newest(model, atMs, catalogue)
}

function newest(model: string, atMs: number, prices: readonly Price[]): Price | null {
  const undated = model.replace(/-\d{8}$/, '')
  let found: Price | null = null
  for (const price of prices) {
    if (price.model !== model && price.model !== undated) continue
    if (price.fromMs <= atMs && (found === null || price.fromMs > found.fromMs)) found = price
  }
  return found
}

/** Prompt length counts input, cache reads and writes together (claude §6, codex §6.3). */
export function costOf(usage: Usage, price: Price, serviceTier: string | null): number {
  const rates = price.long !== null && usage.inputTokens > price.long.aboveTokens ? price.long : price
  const longWrites = Math.min(usage.cacheWriteLongTokens ?? 0, usage.cacheWriteTokens)
  const plain = Math.max(0, usage.inputTokens - usage.cacheReadTokens - usage.cacheWriteTokens)
  const nano =
    plain * rates.input +
    usage.cacheReadTokens * rates.cacheRead +
    (usage.cacheWriteTokens - longWrites) * rates.cacheWrite +
    longWrites * rates.cacheWriteLong +
    usage.outputTokens * rates.output
  return Math.round(nano * (price.tiers[serviceTier ?? 'default'] ?? 1))
}
