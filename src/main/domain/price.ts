/** What an answer costs, in integer nano-USD; for subscriptions the API-equivalent, labelled so wherever it is shown. */
import { catalogue } from './price-catalogue.ts'
import type { Price } from './rates.ts'
import type { Usage } from './usage.ts'

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
