/** List prices with the day from which each is valid; sources: claude §6, codex §6.3. What isn't listed has no price. */
import type { Price, Rates } from './rates.ts'

const day = (text: string): number => Date.parse(`${text}T00:00:00Z`)
const always = day('2025-01-01')

/** From USD per million tokens. */
const perMillion = (usd: number): number => Math.round(usd * 1_000)

/** Claude: 5-minute writes × 1.25, hour-long ones × 2, hits as listed. */
function claude(model: string, input: number, cacheRead: number, output: number, from = always): Price {
  return { model, fromMs: from, ...claudeRates(input, cacheRead, output), long: null, tiers: {} }
}

const claudeRates = (input: number, cacheRead: number, output: number): Rates => ({
  input: perMillion(input),
  cacheRead: perMillion(cacheRead),
  cacheWrite: perMillion(input * 1.25),
  cacheWriteLong: perMillion(input * 2),
  output: perMillion(output),
})

/** GPT: above 272k input tokens the whole request at 2 × input and 1.5 × output; priority × 2, flex × 0.5. */
function gpt(model: string, input: number, cacheRead: number, output: number, more: GptMore = {}): Price {
  const write = more.write ?? input
  const rates: Rates = {
    input: perMillion(input),
    cacheRead: perMillion(cacheRead),
    cacheWrite: perMillion(write),
    cacheWriteLong: perMillion(more.writeLong ?? write),
    output: perMillion(output),
  }
  const long = {
    aboveTokens: 272_000,
    input: rates.input * 2,
    cacheRead: rates.cacheRead * 2,
    cacheWrite: rates.cacheWrite * 2,
    cacheWriteLong: rates.cacheWriteLong * 2,
    output: Math.round(rates.output * 1.5),
  }
  const tiers = { priority: more.priority ?? 2, fast: more.priority ?? 2, flex: 0.5 }
  return { model, fromMs: more.from ?? always, ...rates, long: more.short === true ? null : long, tiers }
}

interface GptMore {
  readonly write?: number
  readonly writeLong?: number
  readonly priority?: number
  readonly from?: number
  /** No long-context tier. */
  readonly short?: boolean
}

const haikuLong = { aboveTokens: 100_000, ...claudeRates(0.5, 0.05, 2.5) }

export const catalogue: readonly Price[] = [
  claude('claude-fable-5-1', 10, 0.25, 50),
  claude('claude-mythos-5-1', 10, 0.25, 50),
  claude('claude-fable-5', 10, 1, 50),
  claude('claude-mythos-5', 10, 1, 50),
  claude('claude-opus-5-5', 4, 0.2, 20),
  { ...claude('claude-opus-5', 5, 0.5, 25), tiers: { fast: 2 } },
  claude('claude-opus-4-8', 5, 0.5, 25),
  claude('claude-opus-4-7', 5, 0.5, 25),
  claude('claude-opus-4-6', 5, 0.5, 25),
  claude('claude-opus-4-5', 5, 0.5, 25),
  claude('claude-opus-4-1', 15, 1.5, 75),
  claude('claude-opus-4', 15, 1.5, 75),
  claude('claude-sonnet-5-5', 2, 0.2, 10),
  claude('claude-sonnet-5-5', 2, 0.1, 10, day('2026-10-07')),
  claude('claude-sonnet-5', 2, 0.2, 10),
  claude('claude-sonnet-4-6', 3, 0.3, 15),
  claude('claude-sonnet-4-5', 3, 0.3, 15),
  { ...claude('claude-haiku-5-5', 0.1, 0.01, 0.5), long: haikuLong },
  claude('claude-haiku-4-5', 1, 0.1, 5),
  gpt('gpt-6.2-astra', 8, 0.4, 40),
  gpt('gpt-6.2-sol', 2, 0.1, 10),
  gpt('gpt-6.1-terra', 1, 0.05, 5, { write: 1.25, writeLong: 2.5 }),
  gpt('gpt-6.1-sol', 2, 0.1, 10),
  gpt('gpt-6-astra', 10, 1, 50, { write: 12.5 }),
  gpt('gpt-6-sol', 2, 0.2, 10, { write: 2.5 }),
  gpt('gpt-6-luna', 0.1, 0.01, 0.5, { write: 0.125 }),
  gpt('gpt-5.6-sol', 5, 0.5, 30, { write: 6.25 }),
  gpt('gpt-5.6', 5, 0.5, 30, { write: 6.25 }),
  gpt('gpt-5.6-terra', 2.5, 0.25, 15, { write: 2.5 }),
  gpt('gpt-5.6-terra', 2, 0.2, 12, { write: 2.5, from: day('2026-07-30') }),
  gpt('gpt-5.6-luna', 1, 0.1, 6, { write: 0.25 }),
  gpt('gpt-5.6-luna', 0.2, 0.02, 1.2, { write: 0.25, from: day('2026-07-30') }),
  gpt('gpt-5.5', 5, 0.5, 30, { priority: 2.5, short: true }),
  gpt('gpt-5.5-pro', 30, 30, 180),
  gpt('gpt-5.4-pro', 30, 30, 180),
  gpt('gpt-5.4', 2.5, 0.25, 15),
  gpt('gpt-5.4-mini', 0.75, 0.075, 4.5),
  gpt('gpt-5.4-nano', 0.2, 0.02, 1.25),
  gpt('gpt-5.3-codex', 1.75, 0.175, 14, { short: true }),
  gpt('gpt-5.2', 1.75, 0.175, 14, { short: true }),
  gpt('gpt-5.2-codex', 1.75, 0.175, 14, { short: true }),
  gpt('gpt-5.1', 1.25, 0.125, 10, { short: true }),
  gpt('gpt-5.1-codex', 1.25, 0.125, 10, { short: true }),
  gpt('gpt-5.1-codex-max', 1.25, 0.125, 10, { short: true }),
  gpt('gpt-5', 1.25, 0.125, 10, { short: true }),
  gpt('gpt-5-codex', 1.25, 0.125, 10, { short: true }),
  gpt('gpt-5-mini', 0.25, 0.025, 2, { short: true }),
  gpt('gpt-5.1-codex-mini', 0.25, 0.025, 2, { short: true }),
  gpt('gpt-5-nano', 0.05, 0.005, 0.4, { short: true }),
]
