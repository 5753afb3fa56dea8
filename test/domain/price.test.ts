/** Prices and costs: by date, by length, by tier, with cache reads and both kinds of cache writes (claude §6, codex §6.3). */
import { describe, expect, test } from 'vitest'
import { costOf, priceOf } from '../../src/main/domain/price.ts'
import type { Price } from '../../src/main/domain/rates.ts'
import type { Usage } from '../../src/main/domain/usage.ts'

const now = Date.parse('2026-11-30T00:00:00Z')

const usage = (part: Partial<Usage>): Usage => ({
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  ...part,
})

const priced = (model: string, atMs = now): Price => {
  const price = priceOf(model, atMs)
  if (price === null) throw new Error(`no price for ${model}`)
  return price
}

describe('the price', () => {
  test('of an unlisted model is unknown, never 0', () => {
    expect(priceOf('made-up-1', now)).toBeNull()
  })

  test('follows the day of the call', () => {
    expect(priced('claude-sonnet-5-5', Date.parse('2026-10-06T00:00:00Z')).cacheRead).toBe(200)
    expect(priced('claude-sonnet-5-5').cacheRead).toBe(100)
    expect(priced('gpt-5.6-luna', Date.parse('2026-07-29T00:00:00Z')).input).toBe(1_000)
    expect(priced('gpt-5.6-luna').input).toBe(200)
  })

  test('of a dated id is that of the id before its date', () => {
    expect(priced('claude-haiku-4-5-20251001')).toEqual(priced('claude-haiku-4-5'))
  })

  test('of the user stands before the catalogue', () => {
    const own: Price = { ...priced('gpt-5.5'), input: 1, fromMs: 0 }
    expect(priceOf('gpt-5.5', now, [own])).toEqual(own)
  })
})

describe('the cost', () => {
  test('maximhq/bifrost#3451 what the cache read and wrote is charged once, at its own rate', () => {
    const rates = { input: 1, cacheRead: 10, cacheWrite: 100, cacheWriteLong: 10_000, output: 1_000, long: null }
    const price: Price = { ...priced('gpt-5.5'), ...rates }
    const usage = { inputTokens: 60, cacheReadTokens: 20, cacheWriteTokens: 30, outputTokens: 1, reasoningTokens: 1 }
    expect(costOf(usage, price, null)).toBe(10 * 1 + 20 * 10 + 30 * 100 + 1_000)
    const long = costOf({ ...usage, cacheWriteLongTokens: 4 }, price, null)
    expect(long).toBe(10 * 1 + 20 * 10 + 26 * 100 + 4 * 10_000 + 1_000)
  })

  const cases: readonly [string, string, Partial<Usage>, string | null, number][] = [
    ['input and output', 'claude-opus-4-8', { inputTokens: 1_000_000, outputTokens: 100_000 }, null, 7_500_000_000],
    ['cache reads apart', 'claude-opus-4-8', { inputTokens: 1_000_000, cacheReadTokens: 900_000 }, null, 950_000_000],
    ['five-minute writes', 'claude-opus-4-8', { inputTokens: 1_000, cacheWriteTokens: 1_000 }, null, 6_250_000],
    [
      'hour-long writes',
      'claude-opus-4-8',
      { inputTokens: 1_000, cacheWriteTokens: 1_000, cacheWriteLongTokens: 400 },
      null,
      600 * 6_250 + 400 * 10_000,
    ],
    ['at the length limit', 'claude-haiku-5-5', { inputTokens: 100_000 }, null, 10_000_000],
    ['over the length limit, as a whole', 'claude-haiku-5-5', { inputTokens: 100_001 }, null, 50_000_500],
    ['a long GPT request', 'gpt-6.2-sol', { inputTokens: 272_001, outputTokens: 10 }, null, 272_001 * 4_000 + 150_000],
    ['priority', 'gpt-5.5', { inputTokens: 100, outputTokens: 10 }, 'priority', 2_000_000],
    ['flex', 'gpt-6.2-sol', { inputTokens: 100 }, 'flex', 100_000],
    ['an unknown tier as the default one', 'gpt-6.2-sol', { inputTokens: 100 }, 'scale', 200_000],
    ['reasoning as output, once', 'gpt-6.2-sol', { outputTokens: 10, reasoningTokens: 8 }, null, 100_000],
  ]
  test.each(cases)('counts %s', (_, model, part, tier, expected) => {
    expect(costOf(usage(part), priced(model), tier)).toBe(expected)
  })
})
