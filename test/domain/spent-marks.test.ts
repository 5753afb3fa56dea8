/** Which readings lift a window that the vendor refused us on. */
import { describe, expect, it } from 'vitest'
import { applyReadings, emptySnapshot, markSpent, type Reading, type Spent } from '../../src/main/domain/quota.ts'

const nowMs = Date.UTC(2026, 10, 29, 12)
const reading = (window: string, usedPercent: number, afterMs: number, family: string | null = null): Reading => ({
  window,
  usedPercent,
  lengthMs: 18_000_000,
  resetAtMs: nowMs + 3_600_000,
  family,
  source: 'header',
  readAtMs: nowMs + afterMs,
})
const mark = (window: string, family: string | null = null): Spent => ({
  window,
  family,
  untilMs: null,
  sinceMs: nowMs,
})
const left = (spent: Spent, ...fresh: readonly Reading[]) =>
  applyReadings(markSpent(emptySnapshot, [spent]), fresh).spent.length

describe('a spent mark', () => {
  it.each([
    ['is lifted by a later reading with room', mark('weekly'), [reading('weekly', 3, 1)], 0],
    ['stays when the later reading is full', mark('weekly'), [reading('weekly', 100, 1)], 1],
    ['stays when another window has room', mark('weekly'), [reading('five-hour', 3, 1)], 1],
    ['outlives the numbers of the very refusal', mark('weekly'), [reading('weekly', 97, 0)], 1],
    ['without a name is lifted when every window has room', mark('unnamed'), [reading('weekly', 3, 1)], 0],
    [
      'without a name stays while any window is full',
      mark('unnamed'),
      [reading('five-hour', 3, 1), reading('weekly', 100, 1)],
      1,
    ],
    ['without a name is not lifted by another family', mark('unnamed'), [reading('weekly:fable', 3, 1, 'fable')], 1],
    [
      'of one family without a name is lifted by that family only',
      mark('unnamed:spark', 'spark'),
      [reading('five-hour:spark', 3, 1, 'spark'), reading('weekly', 100, 1)],
      0,
    ],
    [
      'of one family stays when only the account has room',
      mark('unnamed:spark', 'spark'),
      [reading('weekly', 3, 1)],
      1,
    ],
  ] as const)('%s', (_name, spent, fresh, expected) => {
    expect(left(spent, ...fresh)).toBe(expected)
  })
})
