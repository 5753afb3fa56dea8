/** Usage answers of both vendors: what is read, what stays unknown, and that no garbage ever throws (T6.6). */
import { describe, expect, test } from 'vitest'
import type { Reading, UsageReport } from '../../src/main/domain/quota.ts'
import { claudeUsage } from '../../src/main/providers/claude-usage.ts'
import { codexUsage } from '../../src/main/providers/codex-usage.ts'

const nowMs = Date.UTC(2026, 10, 29, 16)
const hour = 3_600_000
const at = (iso: string): number => Date.parse(iso)

const claudeBody = {
  five_hour: { utilization: 41.0, resets_at: '2026-11-29T18:00:00.123456+00:00' },
  seven_day: { utilization: 12.5, resets_at: '2026-12-03T07:00:00.123456+00:00' },
  seven_day_opus: null,
  seven_day_sonnet: null,
  iguana_necktie: { utilization: 3, resets_at: null },
  limits: [
    { kind: 'session', percent: 41, resets_at: '2026-11-29T18:00:00+00:00', scope: null, is_active: true },
    { kind: 'weekly_all', percent: 12, resets_at: '2026-12-03T07:00:00+00:00', scope: null },
    {
      kind: 'weekly_scoped',
      percent: 88,
      resets_at: '2026-12-03T07:00:00+00:00',
      scope: { model: { id: null, display_name: 'Fable' }, surface: null },
    },
  ],
  extra_usage: { is_enabled: true, monthly_limit: 2000, used_credits: 245, utilization: 12.25 },
}

const codexBody = {
  plan_type: 'plus',
  rate_limit: {
    allowed: true,
    limit_reached: false,
    primary_window: {
      used_percent: 42,
      limit_window_seconds: 18000,
      reset_after_seconds: 5400,
      reset_at: nowMs / 1000 + 5400,
    },
    secondary_window: {
      used_percent: 17.5,
      limit_window_seconds: 604800,
      reset_after_seconds: 300000,
      reset_at: nowMs / 1000 + 300000,
    },
  },
  code_review_rate_limit: null,
  additional_rate_limits: [
    {
      limit_name: 'GPT-5.3-Codex-Spark',
      metered_feature: 'codex_bengalfox',
      rate_limit: {
        allowed: true,
        limit_reached: false,
        primary_window: { used_percent: 3, limit_window_seconds: 18000, reset_after_seconds: 900 },
        secondary_window: null,
      },
    },
  ],
  credits: { has_credits: true, unlimited: false, balance: '12.50' },
  rate_limit_reached_type: null,
  rate_limit_reset_credits: { available_count: 1 },
}

const short = (readings: readonly Reading[] | undefined) =>
  readings?.map(({ window, usedPercent, resetAtMs, family }) => [window, usedPercent, resetAtMs, family])

describe('Claude’s usage', () => {
  test('is read from limits[] when there is one, each value 0–100 with the reset as stated', () => {
    const report = claudeUsage(claudeBody, nowMs)
    expect(short(report?.readings)).toEqual([
      ['five-hour', 41, at('2026-11-29T18:00:00Z'), null],
      ['weekly', 12, at('2026-12-03T07:00:00Z'), null],
      ['weekly:fable', 88, at('2026-12-03T07:00:00Z'), 'fable'],
    ])
    expect(report?.readings.every((one) => one.source === 'poll' && one.readAtMs === nowMs)).toBe(true)
    expect(report?.facts).toEqual({
      plan: null,
      credits: { hasCredits: true, unlimited: false, balance: null },
      blockedBecause: null,
      resetCredits: null,
      readAtMs: nowMs,
    })
  })

  test('falls back to the named buckets, ignores code names, keeps 1 as one percent', () => {
    const { limits: _, ...old } = claudeBody
    const report = claudeUsage({ ...old, seven_day_opus: { utilization: 1, resets_at: null } }, nowMs)
    expect(short(report?.readings)).toEqual([
      ['five-hour', 41, at('2026-11-29T18:00:00.123Z'), null],
      ['weekly', 12.5, at('2026-12-03T07:00:00.123Z'), null],
      ['weekly:opus', 1, null, 'opus'],
    ])
  })

  test('keeps a limit of an unknown kind visible, and for the model it names', () => {
    const limits = [
      { kind: 'monthly_scoped', percent: 50, resets_at: null, scope: { model: { display_name: 'Opus' } } },
      { kind: 'lunar', percent: 10, resets_at: null, scope: null },
      { kind: 'weekly_scoped', percent: 7, resets_at: null, scope: { model: null, surface: 'OAuth apps' } },
    ]
    expect(short(claudeUsage({ limits }, nowMs)?.readings)).toEqual([
      ['monthly_scoped:opus', 50, null, 'opus'],
      ['lunar:lunar', 10, null, 'lunar'],
      ['weekly:oauth-apps', 7, null, 'oauth-apps'],
    ])
  })

  const unknown: readonly (readonly [string, unknown])[] = [
    ['text', 'Just a moment'],
    ['a list', []],
    ['null', null],
    ['an error', { type: 'error', error: { type: 'rate_limit_error' } }],
  ]
  test.each(unknown)('%s is no report at all', (_name, body) => {
    expect(claudeUsage(body, nowMs)).toBe(null)
    expect(codexUsage(body, nowMs)).toBe(null)
  })

  const skipped: readonly (readonly [string, object])[] = [
    ['a percent written as text', { kind: 'session', percent: '41', resets_at: null }],
    ['a negative percent', { kind: 'session', percent: -1, resets_at: null }],
    ['a percent of another scale', { kind: 'session', percent: 99_999, resets_at: null }],
    ['a reset that is no time', { kind: 'session', percent: 5, resets_at: 'soon' }],
    ['a reset over a year ahead', { kind: 'session', percent: 5, resets_at: '2040-01-01T00:00:00Z' }],
  ]
  test.each(skipped)('%s leaves the window unknown: neither 0 % nor 100 %', (_name, limit) => {
    expect(claudeUsage({ limits: [limit] }, nowMs)?.readings).toEqual([])
  })
})

describe('Codex’s usage', () => {
  test('is read by stated length, with pools of their own, credits and banked resets', () => {
    const report = codexUsage(codexBody, nowMs)
    expect(short(report?.readings)).toEqual([
      ['five-hour', 42, nowMs + 5_400_000, null],
      ['weekly', 17.5, nowMs + 300_000_000, null],
      ['five-hour:spark', 3, nowMs + 900_000, 'spark'],
    ])
    expect(report?.spent).toEqual([])
    expect(report?.facts).toEqual({
      plan: 'plus',
      credits: { hasCredits: true, unlimited: false, balance: '12.50' },
      blockedBecause: null,
      resetCredits: 1,
      readAtMs: nowMs,
    })
  })

  const lengths: readonly (readonly [string, number])[] = [
    ['five-hour', 18_000],
    ['weekly', 604_800],
    ['monthly', 2_419_200],
    ['monthly', 2_678_400],
    ['24h', 86_400],
  ]
  test.each(lengths)('a window in the primary slot is %s when its length is %d s', (window, seconds) => {
    const primary_window = { used_percent: 10, limit_window_seconds: seconds, reset_at: nowMs / 1000 + 60 }
    const report = codexUsage({ rate_limit: { primary_window, secondary_window: null } }, nowMs)
    expect(short(report?.readings)).toEqual([[window, 10, nowMs + 60_000, null]])
  })

  test('a window without a length, or of length zero, is none', () => {
    const rate_limit = {
      primary_window: { used_percent: 100, reset_at: nowMs / 1000 + 60 },
      secondary_window: { used_percent: 100, limit_window_seconds: 0, reset_at: nowMs / 1000 + 60 },
    }
    expect(codexUsage({ rate_limit }, nowMs)?.readings).toEqual([])
  })

  test('a pool that the vendor blocks below 100 % is spent until the vendor says otherwise', () => {
    const rate_limit = { ...codexBody.rate_limit, allowed: false }
    const reached = { type: 'workspace_owner_credits_depleted' }
    const report = codexUsage({ ...codexBody, rate_limit, rate_limit_reached_type: reached }, nowMs)
    expect(report?.spent).toEqual([{ window: 'unnamed', family: null, untilMs: null, sinceMs: nowMs }])
    expect(report?.facts.blockedBecause).toBe('workspace_owner_credits_depleted')
  })

  test('a full window needs no mark beside it', () => {
    const primary_window = { ...codexBody.rate_limit.primary_window, used_percent: 100 }
    const rate_limit = { ...codexBody.rate_limit, allowed: false, limit_reached: true, primary_window }
    expect(codexUsage({ ...codexBody, rate_limit }, nowMs)?.spent).toEqual([])
  })
})

/** A small generator with a published seed, so that a failure can be seen again. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const oddities: readonly unknown[] = [
  null,
  true,
  '',
  'x'.repeat(300),
  '100',
  -1,
  0,
  1e308,
  Number.NaN,
  [],
  {},
  [[]],
  '2026-13-45T99:99:99Z',
  '\u0000',
  2 ** 53,
]

function mutate(value: unknown, random: () => number): unknown {
  if (random() < 0.12) return oddities[Math.floor(random() * oddities.length)]
  if (Array.isArray(value)) return value.map((item) => mutate(item, random))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(() => random() > 0.05)
  return Object.fromEntries(entries.map(([name, item]) => [name, mutate(item, random)]))
}

const readers: readonly (readonly [string, object, (body: unknown, nowMs: number) => UsageReport | null])[] = [
  ['Claude', claudeBody, claudeUsage],
  ['Codex', codexBody, codexUsage],
]
describe.each(readers)('T6.6 5,000 mutated answers of %s', (_name, body, read) => {
  test('never throw, and what they give is finite, in range and within a year', () => {
    const random = generator(20_261_130)
    let given = 0
    for (let round = 0; round < 5_000; round += 1) {
      const report = read(mutate(body, random), nowMs)
      for (const one of report?.readings ?? []) {
        given += 1
        expect(one.usedPercent >= 0 && one.usedPercent <= 1_000).toBe(true)
        expect(one.window.length > 0 && one.window.length < 200).toBe(true)
        if (one.resetAtMs !== null) expect(Math.abs(one.resetAtMs - nowMs) < 400 * 24 * hour + nowMs).toBe(true)
      }
    }
    expect(given).toBeGreaterThan(1_000)
  })
})
