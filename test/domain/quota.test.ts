/** The evidence rules of routing §7, one by one: nothing is assumed, and the newest evidence wins. */
import { describe, expect, test } from 'vitest'
import {
  applyReadings,
  applyReport,
  isResetPending,
  leftPercent,
  liftEnded,
  type Reading,
  type Snapshot,
  type Spent,
  staleAfterMs,
  type UsageReport,
  windowName,
  windowState,
} from '../../src/main/domain/quota.ts'

const hour = 3_600_000
const day = 24 * hour
const noon = Date.UTC(2026, 10, 30, 12)

const read = (change: Partial<Reading> = {}): Reading => ({
  ...{ window: 'weekly', usedPercent: 40, lengthMs: 7 * day, resetAtMs: noon + day, family: null },
  ...{ source: 'header', readAtMs: noon },
  ...change,
})
const mark = (change: Partial<Spent> = {}): Spent => ({
  ...{ window: 'weekly', family: null, untilMs: noon + day, sinceMs: noon - hour },
  ...change,
})
const report = (readings: readonly Reading[], spent: readonly Spent[] = [], readAtMs = noon): UsageReport => ({
  readings,
  spent,
  facts: { plan: null, credits: null, blockedBecause: null, resetCredits: null, readAtMs },
})
const names = ({ readings }: Snapshot): readonly string[] => readings.map(({ window }) => window)

describe('windows go by their stated length', () => {
  const lengths: readonly (readonly [number, string])[] = [
    [18_000_000, 'five-hour'],
    [604_800_000, 'weekly'],
    [2_419_200_000, 'monthly'],
    [2_678_400_000, 'monthly'],
    [2_592_000_000, 'monthly'],
    [86_400_000, '24h'],
  ]
  test.each(lengths)('%d ms is %s', (lengthMs, expected) => expect(windowName(lengthMs)).toBe(expected))
})

test('what is left never falls below nothing, the raw value stays', () => {
  expect([leftPercent(0), leftPercent(12.5), leftPercent(100), leftPercent(117)]).toEqual([100, 87.5, 0, 0])
})

describe('a window', () => {
  const states: readonly (readonly [string, Reading, readonly Spent[], string])[] = [
    ['that was read lately is known', read(), [], 'known'],
    ['older than Codex’s 15 min is stale', read({ readAtMs: noon - staleAfterMs.codex - 1 }), [], 'stale'],
    ['just that old is known', read({ readAtMs: noon - staleAfterMs.codex }), [], 'known'],
    ['past its reset is pending, however fresh', read({ resetAtMs: noon }), [], 'reset-pending'],
    ['that has not started has no reset to pass', read({ resetAtMs: null }), [], 'known'],
    ['the vendor refused is spent, whatever was read', read(), [mark()], 'spent'],
    ['another window’s refusal is not its', read(), [mark({ window: 'five-hour' })], 'known'],
    ['is no longer spent once the mark’s time is over', read(), [mark({ untilMs: noon })], 'known'],
  ]
  test.each(states)('%s', (_rule, reading, spent, expected) => {
    expect(windowState(reading, spent, 'codex', noon)).toBe(expected)
  })
  test('of Claude is stale after 60 min', () => {
    expect(windowState(read({ readAtMs: noon - hour }), [], 'claude', noon)).toBe('known')
    expect(windowState(read({ readAtMs: noon - hour - 1 }), [], 'claude', noon)).toBe('stale')
  })
})

describe('readings', () => {
  test('replace their own window only, and an older one never a newer', () => {
    const five = read({ window: 'five-hour' })
    const before = { readings: [read(), five], spent: [] }
    expect(applyReadings(before, [read({ usedPercent: 41, readAtMs: noon + 1 })]).readings).toEqual([
      five,
      read({ usedPercent: 41, readAtMs: noon + 1 }),
    ])
    expect(applyReadings(before, [read({ usedPercent: 9, readAtMs: noon - 1 })]).readings).toEqual([five, read()])
  })
  test('keep what a usage read told besides', () => {
    const before = applyReport({ readings: [], spent: [] }, report([read({ source: 'poll' })]))
    expect(applyReadings(before, [read({ readAtMs: noon + 1 })]).facts).toEqual(before.facts)
  })
})

describe('a usage read is the whole picture', () => {
  const fresh = [read({ source: 'poll', readAtMs: noon })]
  const gone: readonly (readonly [string, Reading, boolean])[] = [
    [
      'a window that an earlier poll named and this one doesn’t is gone',
      read({ window: 'five-hour', source: 'poll', readAtMs: noon - 1 }),
      false,
    ],
    [
      'one that only headers tell of stays',
      read({ window: 'weekly:fable', family: 'fable', readAtMs: noon - 1 }),
      true,
    ],
    ['until its reset', read({ window: 'weekly:fable', family: 'fable', readAtMs: noon - 1, resetAtMs: noon }), false],
    ['one that was read meanwhile stays', read({ window: 'five-hour', source: 'poll', readAtMs: noon + 1 }), true],
  ]
  test.each(gone)('%s', (_rule, old, stays) => {
    const after = applyReport({ readings: [old], spent: [] }, report(fresh))
    expect(names(after)).toEqual(stays ? [old.window, 'weekly'] : ['weekly'])
  })
  test('an answer without any window takes none away', () => {
    expect(names(applyReport({ readings: [read()], spent: [] }, report([])))).toEqual(['weekly'])
  })
})

describe('a mark', () => {
  const verified: readonly (readonly [string, UsageReport, number])[] = [
    ['is lifted by the next poll that shows room', report([read({ source: 'poll' })]), 0],
    ['stays while the poll shows it full', report([read({ source: 'poll', usedPercent: 100 })]), 1],
    [
      'stays while the vendor says it blocks',
      report([read({ source: 'poll' })], [mark({ window: 'unnamed', untilMs: null, sinceMs: noon })]),
      1,
    ],
    ['stays when the poll tells nothing of it', report([read({ window: 'five-hour', source: 'poll' })]), 1],
    [
      'is not lifted by a poll from before it',
      report([read({ source: 'poll', readAtMs: noon - 2 * hour })], [], noon - 2 * hour),
      1,
    ],
  ]
  test.each(verified)('%s', (_rule, usage, marks) => {
    expect(applyReport({ readings: [], spent: [mark()] }, usage).spent.length).toBe(marks)
  })

  const ended: readonly (readonly [string, Spent, string | null, number])[] = [
    ['whose time is over is lifted by an answer', mark({ untilMs: noon }), null, 0],
    ['that still runs is not: it may have been served for money', mark(), null, 1],
    ['of another family is not', mark({ untilMs: noon, family: 'fable' }), 'opus', 1],
    ['of the answer’s own family is', mark({ untilMs: noon, family: 'fable' }), 'fable', 0],
  ]
  test.each(ended)('%s', (_rule, spent, family, left) => {
    expect(liftEnded({ readings: [], spent: [spent] }, family, noon).spent.length).toBe(left)
  })
})

describe('reset-pending', () => {
  const rows: readonly (readonly [string, Snapshot, string | null, boolean])[] = [
    [
      'a full window past its reset',
      { readings: [read({ usedPercent: 100, resetAtMs: noon })], spent: [] },
      null,
      true,
    ],
    ['not before it', { readings: [read({ usedPercent: 100 })], spent: [] }, null, false],
    ['not a window that had room', { readings: [read({ resetAtMs: noon })], spent: [] }, null, false],
    ['a mark whose time is over', { readings: [], spent: [mark({ untilMs: noon })] }, null, true],
    ['not one without a time: only evidence ends it', { readings: [], spent: [mark({ untilMs: null })] }, null, false],
    [
      'one family’s for that family',
      { readings: [], spent: [mark({ untilMs: noon, family: 'fable' })] },
      'fable',
      true,
    ],
    ['and for no other', { readings: [], spent: [mark({ untilMs: noon, family: 'fable' })] }, 'opus', false],
  ]
  test.each(rows)('%s', (_rule, snapshot, family, expected) => {
    expect(isResetPending(snapshot, family, noon)).toBe(expected)
  })
})
