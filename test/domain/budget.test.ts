/** Budgets: cycles in the budget's own time zone, across changes of the clock; balances as sums of their ledger. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Balance,
  type Cycle,
  cycleEnd,
  cycleStart,
  isTimeZone,
  left,
  withEntry,
} from '../../src/main/domain/budget.ts'
import type { BudgetId } from '../../src/shared/ids.ts'

const at = (text: string): number => Date.parse(text)
const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'America/Sao_Paulo',
  'Pacific/Apia',
]

describe('a cycle', () => {
  const cases: readonly [Cycle, string, string, string, string][] = [
    ['day', 'UTC', '2026-11-30T00:00:00Z', '2026-11-30T00:00:00Z', '2026-12-01T00:00:00Z'],
    ['day', 'Europe/Berlin', '2026-11-29T23:30:00Z', '2026-11-29T23:00:00Z', '2026-11-30T23:00:00Z'],
    ['week', 'Europe/Berlin', '2026-11-29T12:00:00Z', '2026-11-22T23:00:00Z', '2026-11-29T23:00:00Z'],
    ['month', 'America/New_York', '2026-12-01T04:59:59Z', '2026-11-01T04:00:00Z', '2026-12-01T05:00:00Z'],
    ['month', 'Asia/Kolkata', '2026-12-31T18:30:00Z', '2026-12-31T18:30:00Z', '2027-01-31T18:30:00Z'],
    ['day', 'Europe/Berlin', '2026-03-29T12:00:00Z', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
    ['day', 'Europe/Berlin', '2026-10-25T12:00:00Z', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'],
    ['day', 'America/Sao_Paulo', '2018-11-04T12:00:00Z', '2018-11-04T03:00:00Z', '2018-11-05T02:00:00Z'],
  ]
  test.each(cases)('of a %s in %s at %s begins and ends at local midnight', (cycle, timeZone, now, start, end) => {
    const budget = { cycle, timeZone }
    expect(new Date(cycleStart(budget, at(now))).toISOString()).toBe(new Date(start).toISOString())
    expect(new Date(cycleEnd(budget, at(now)) ?? 0).toISOString()).toBe(new Date(end).toISOString())
  })

  test('holds every moment from its start up to its end, everywhere', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: at('2020-01-01T00:00:00Z'), max: at('2030-01-01T00:00:00Z') }),
        fc.constantFrom(...zones),
        fc.constantFrom<Cycle>('day', 'week', 'month'),
        (nowMs, timeZone, cycle) => {
          const budget = { cycle, timeZone }
          const start = cycleStart(budget, nowMs)
          const end = cycleEnd(budget, nowMs) ?? 0
          expect(start).toBeLessThanOrEqual(nowMs)
          expect(end).toBeGreaterThan(nowMs)
          expect(cycleStart(budget, start)).toBe(start)
          expect(cycleStart(budget, end - 1)).toBe(start)
          expect(cycleStart(budget, end)).toBe(end)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  test('without a length never ends', () => {
    expect(cycleStart({ cycle: 'none', timeZone: 'UTC' }, 5)).toBe(0)
    expect(cycleEnd({ cycle: 'none', timeZone: 'UTC' }, 5)).toBeNull()
  })

  test('needs a time zone that exists', () => {
    expect(isTimeZone('Europe/Berlin')).toBe(true)
    expect(isTimeZone('Europe/Nowhere')).toBe(false)
  })
})

describe('a balance', () => {
  const budget = {
    id: 'budget_1' as BudgetId,
    label: 'Play',
    enabled: true,
    amount: 1_000,
    cycle: 'day' as const,
    timeZone: 'UTC',
    concurrency: null,
    createdAtMs: 0,
    updatedAtMs: 0,
  }
  const today = at('2026-11-30T00:00:00Z')

  test('is the amount and the sum of the running cycle', () => {
    const spent = withEntry(withEntry(null, { cycleMs: today, amount: -300 }), { cycleMs: today, amount: -900 })
    expect(left(budget, spent, today + 1)).toBe(-200)
    expect(left(budget, spent, today + 86_400_000)).toBe(1_000)
    expect(left(budget, null, today)).toBe(1_000)
  })

  test('is not moved by a late entry of an older cycle', () => {
    const now: Balance = { cycleMs: today, sum: -100 }
    expect(withEntry(now, { cycleMs: today - 86_400_000, amount: -700 })).toEqual(now)
  })

  test('equals the sum of the newest cycle whatever the order of entries', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ cycleMs: fc.constantFrom(0, 1, 2), amount: fc.integer() }), { minLength: 1 }),
        (entries) => {
          const newest = Math.max(...entries.map((entry) => entry.cycleMs))
          const expected = entries
            .filter((entry) => entry.cycleMs === newest)
            .reduce((sum, { amount }) => sum + amount, 0)
          expect(entries.reduce<Balance | null>(withEntry, null)).toEqual({ cycleMs: newest, sum: expected })
        },
      ),
    )
  })
})
