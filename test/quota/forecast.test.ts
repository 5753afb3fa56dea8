/** Forecast, waste and history: pure arithmetic over what was read. */
import { describe, expect, test } from 'vitest'
import type { Reading, Snapshot } from '../../src/main/domain/quota.ts'
import type { Lost, Sample } from '../../src/main/domain/quota-history.ts'
import { forecast, isAboutToBeWasted, paceOf } from '../../src/main/quota/forecast.ts'
import { byWeek, lossOf } from '../../src/main/quota/waste.ts'
import { QuotaHistory } from '../../src/main/state/quota-history.ts'
import { sourceId } from '../../src/shared/ids.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const noon = Date.UTC(2026, 10, 30, 12)
const work = sourceId('work')

const reading = (change: Partial<Reading> = {}): Reading => ({
  ...{ window: 'weekly', usedPercent: 40, lengthMs: 7 * day, resetAtMs: noon + 48 * hour, family: null },
  ...{ source: 'poll', readAtMs: noon },
  ...change,
})
const sample = (minutesAgo: number, usedPercent: number, resetAtMs: number | null = noon + 48 * hour): Sample => ({
  ...{ sourceId: work, window: 'weekly', family: null, source: 'poll' },
  ...{ usedPercent, resetAtMs, atMs: noon - minutesAgo * minute },
})

describe('pace', () => {
  const steady = Array.from({ length: 13 }, (_, n) => sample(60 - 5 * n, 10 + n))
  const paces: readonly (readonly [string, readonly Sample[], number | null])[] = [
    ['is unknown before anything was read', [], null],
    ['is unknown after one reading', [sample(5, 10)], null],
    ['is twelve percent an hour at one percent each five minutes', steady, 12],
    ['spreads use over the time between two readings', [sample(60, 10), sample(0, 22)], 12],
    ['is the median: one burst doesn’t make a pace', [sample(60, 10), sample(10, 10), sample(5, 30), sample(0, 30)], 0],
    ['looks at the last hour only', [sample(120, 0), sample(60, 90), sample(0, 90)], 0],
    ['takes less than an hour where there is no more', [sample(10, 10), sample(0, 12)], 12],
    ['counts a renewed window from nothing', [sample(10, 98, noon - 5 * minute), sample(0, 2, noon + 5 * hour)], 12],
    ['never counts back when a reading corrects another', [sample(10, 30), sample(0, 20)], 0],
  ]
  test.each(paces)('%s', (_rule, samples, expected) => {
    const pace = paceOf(samples, noon)
    expect(pace === null ? null : Math.round(pace * 1_000) / 1_000).toBe(expected)
  })
})

describe('forecast', () => {
  const steady = [sample(60, 28), sample(0, 40)]
  const cases: readonly (readonly [string, Partial<Reading>, readonly Sample[], number | null])[] = [
    ['runs out when what is left is used up at this pace', {}, steady, noon + 5 * hour],
    ['lasts when the reset comes first', { resetAtMs: noon + 4 * hour }, steady, null],
    ['lasts while nothing is used', {}, [sample(60, 40), sample(0, 40)], null],
    ['says nothing without a pace', {}, [], null],
    ['has run out at 100 %', { usedPercent: 100 }, [], noon],
    ['runs out also where no reset is known', { resetAtMs: null }, steady, noon + 5 * hour],
  ]
  test.each(cases)('%s', (_rule, change, samples, expected) => {
    expect(forecast(reading(change), samples, noon).runsOutAtMs).toBe(expected)
  })

  const wastes: readonly (readonly [string, Partial<Reading>, boolean])[] = [
    ['over 20 % left with under 6 h to go', { resetAtMs: noon + 5 * hour }, true],
    ['not with 6 h to go', { resetAtMs: noon + 6 * hour }, false],
    ['not with 20 % left', { usedPercent: 80, resetAtMs: noon + hour }, false],
    ['not a five-hour window: it always has less to go', { lengthMs: 5 * hour, resetAtMs: noon + hour }, false],
    ['not once it has renewed', { resetAtMs: noon }, false],
  ]
  test.each(wastes)('about to be wasted: %s', (_rule, change, expected) => {
    expect(isAboutToBeWasted(reading(change), noon)).toBe(expected)
  })
})

const lost = (resetAtMs: number, usedPercent: number, change: Partial<Lost> = {}): Lost => ({
  ...{ sourceId: work, window: 'weekly', family: null, lengthMs: 7 * day, resetAtMs, usedPercent },
  ...{ readAtMs: resetAtMs - 30_000, seenAtMs: resetAtMs + 30_000, source: 'poll' },
  ...change,
})

describe('waste', () => {
  test('is what was left at the reset, in percent and in the plan’s money', () => {
    const price = 200_000_000_000 // 200 USD
    const loss = lossOf(lost(noon, 75), price)
    expect([loss.lostPercent, loss.readBeforeMs]).toEqual([25, 30_000])
    // A week of 200 USD a month is 45.996 USD; a quarter of it was lost.
    expect(loss.money).toBe(Math.round((price * 7 * 25) / 100 / (365.25 / 12)))
  })
  const priceless: readonly (readonly [string, Partial<Lost>, number | null])[] = [
    ['without a price', {}, null],
    ['of five hours: they lie inside the week', { window: 'five-hour', lengthMs: 5 * hour }, 1e9],
    ['of one model’s share', { window: 'weekly:fable', family: 'fable' }, 1e9],
  ]
  test.each(priceless)('has no money %s', (_name, change, price) => {
    expect(lossOf(lost(noon, 75, change), price).money).toBe(null)
  })

  test('is summed by week from Monday, account and window', () => {
    const monday = Date.UTC(2026, 10, 30)
    const losses = [lost(monday, 50), lost(monday + day, 70), lost(monday - 1, 10)].map((one) => lossOf(one, 1e12))
    const money = (index: number) => losses[index]?.money ?? 0
    expect(byWeek(losses)).toEqual([
      {
        ...{ weekMs: monday, sourceId: work, window: 'weekly', resets: 2, lostPercent: 40 },
        money: money(0) + money(1),
      },
      { weekMs: monday - 7 * day, sourceId: work, window: 'weekly', resets: 1, lostPercent: 90, money: money(2) },
    ])
  })
})

describe('history', () => {
  const at = (readings: readonly Reading[], spent: Snapshot['spent'] = []): Snapshot => ({ readings, spent })
  const take = (before: Snapshot, ...after: readonly Snapshot[]) => {
    const history = new QuotaHistory([])
    let last = before
    history.observe(work, at([]), before)
    history.takeChanges()
    for (const next of after) {
      history.observe(work, last, next)
      last = next
    }
    return history.takeChanges()
  }
  const first = reading({ readAtMs: noon })
  const kept: readonly (readonly [string, Partial<Reading>, boolean])[] = [
    ['a small change within five minutes is no sample', { usedPercent: 41, readAtMs: noon + minute }, false],
    ['a small change after five minutes is one', { usedPercent: 41, readAtMs: noon + 5 * minute }, true],
    ['a jump is one at once', { usedPercent: 60, readAtMs: noon + minute }, true],
    ['another reset is one at once', { resetAtMs: noon + 60 * hour, readAtMs: noon + minute }, true],
    ['the same value is none, however late', { readAtMs: noon + 9 * hour }, false],
    [
      'a reset told a few seconds off is the same',
      { resetAtMs: noon + 48 * hour + 9_000, readAtMs: noon + hour },
      false,
    ],
    ['an older reading is none', { usedPercent: 90, readAtMs: noon - minute }, false],
  ]
  test.each(kept)('%s', (_rule, change, isKept) => {
    expect(take(at([first]), at([reading(change)])).samples.length).toBe(isKept ? 1 : 0)
  })

  const old = reading({ usedPercent: 75, resetAtMs: noon, readAtMs: noon - 30_000 })
  const fresh = { usedPercent: 0, resetAtMs: noon + 7 * day, readAtMs: noon + 30_000 }
  const losses: readonly (readonly [string, Snapshot, Snapshot, readonly (readonly [number, number])[]])[] = [
    ['what was left is lost once a later reading shows the renewal', at([old]), at([reading(fresh)]), [[noon, 75]]],
    [
      'a window that waits for its next use has renewed too',
      at([old]),
      at([reading({ ...fresh, resetAtMs: null })]),
      [[noon, 75]],
    ],
    ['nothing is lost by the clock alone', at([old]), at([old]), []],
    ['nor by a reading from before the reset', at([old]), at([reading({ ...fresh, readAtMs: noon - 1 })]), []],
    [
      'nor while the vendor still shows the old window',
      at([old]),
      at([reading({ ...old, readAtMs: noon + 30_000 })]),
      [],
    ],
    [
      'a window that was refused had nothing left',
      at([old], [{ window: 'weekly', family: null, untilMs: noon, sinceMs: noon - hour }]),
      at([reading(fresh)]),
      [[noon, 100]],
    ],
    ['a window that is gone is not lost', at([old]), at([]), []],
  ]
  test.each(losses)('%s', (_rule, before, after, expected) => {
    const { lost: found } = take(before, after)
    expect(found.map(({ resetAtMs, usedPercent }) => [resetAtMs, usedPercent])).toEqual(expected)
  })

  test('the last hour stays in memory, with the sample before it', () => {
    const history = new QuotaHistory([])
    for (let n = 0; n <= 40; n += 1) {
      const before = at([reading({ usedPercent: n - 1, readAtMs: noon + (n - 1) * 5 * minute })])
      history.observe(work, before, at([reading({ usedPercent: n, readAtMs: noon + n * 5 * minute })]))
    }
    const recent = history.recent(work, 'weekly')
    expect([recent[0]?.usedPercent, recent.at(-1)?.usedPercent]).toEqual([24, 40])
  })
})
