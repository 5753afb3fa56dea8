/** Seats are read from snapshots by the evidence rules: nothing is assumed (routing §4, §7). */
import { describe, expect, test } from 'vitest'
import { allowanceOf } from '../../src/main/domain/allowance.ts'
import { emptySnapshot, type Snapshot } from '../../src/main/domain/quota.ts'
import { freshPace } from '../../src/main/domain/seat.ts'
import { reading, snapshot } from '../flow/picture.ts'

const hourMs = 3_600_000
const nowMs = Date.UTC(2026, 10, 25, 9)
const inHours = (hours: number): number => nowMs + hours * hourMs
const codex = { provider: 'codex' } as const
const maxAgeMs = 15 * 60_000

const unknown = {
  known: false,
  learns: true,
  used: 0,
  soonMs: [],
  pace: freshPace,
  long: null,
  fiveHourUsed: null,
  maxAgeMs,
}
const of = (found: Snapshot, family: string | null = null) => allowanceOf(codex, found, family, nowMs)

test('a fresh snapshot is known: the fullest window is what is used, the biggest renews first', () => {
  const found = snapshot(reading('five-hour', 60, inHours(2), nowMs), reading('weekly', 20, inHours(80), nowMs))
  expect(of(found)).toEqual({
    known: true,
    learns: false,
    used: 60,
    soonMs: [inHours(80), inHours(2)],
    pace: 1,
    long: { leftPercent: 80, renewsAtMs: inHours(80) },
    fiveHourUsed: 60,
    maxAgeMs,
  })
})

describe('unknown counts as used 0 and learns', () => {
  test('nothing was ever read', () => expect(of(emptySnapshot)).toEqual(unknown))
  test('the snapshot is older than maxAge', () => {
    expect(of(snapshot(reading('weekly', 50, inHours(80), nowMs - maxAgeMs - 1)))).toEqual(unknown)
    expect(of(snapshot(reading('weekly', 50, inHours(80), nowMs - maxAgeMs))).known).toBe(true)
  })
  test('a window is past its reset: a reset is never assumed', () => {
    const found = snapshot(reading('five-hour', 60, nowMs, nowMs), reading('weekly', 20, inHours(80), nowMs))
    expect(of(found)).toEqual(unknown)
  })
  test('maxAge is the vendor’s: an hour for Claude', () => {
    const found = snapshot(reading('weekly', 50, inHours(80), nowMs - 50 * 60_000))
    expect(allowanceOf({ provider: 'claude' }, found, null, nowMs)).toMatchObject({ known: true, maxAgeMs: hourMs })
  })
  test('an older value of one window is kept while another is fresh: use only grows until the reset', () => {
    const found = snapshot(
      reading('weekly:fable', 70, inHours(80), nowMs - 3 * hourMs),
      reading('weekly', 20, inHours(80), nowMs),
    )
    expect(of(found, 'fable')).toMatchObject({ known: true, used: 70 })
  })
})

test('only windows that count the model count: Opus’s own week being used up leaves Sonnet alone', () => {
  const found = snapshot(reading('weekly:opus', 100, inHours(50), nowMs), reading('weekly', 20, inHours(80), nowMs))
  expect(of(found, 'sonnet')).toMatchObject({ used: 20, soonMs: [inHours(80)] })
  expect(of(found, 'opus')).toMatchObject({ used: 100, soonMs: [inHours(50), inHours(80)] })
})

test('a window not started renews its whole span from now', () => {
  const found = snapshot(reading('five-hour', 0, null, nowMs), reading('weekly', 0, null, nowMs))
  expect(of(found)).toMatchObject({ soonMs: [inHours(168), inHours(5)], pace: freshPace })
})

test('the long window is the month where that is the account’s, and the five hours where there is nothing else', () => {
  const monthly = snapshot(reading('five-hour', 10, inHours(2), nowMs), reading('monthly', 40, inHours(300), nowMs))
  expect(of(monthly).long).toEqual({ leftPercent: 60, renewsAtMs: inHours(300) })
  const five = snapshot(reading('five-hour', 10, inHours(2), nowMs))
  expect(of(five)).toMatchObject({ long: { leftPercent: 90, renewsAtMs: inHours(2) }, pace: 45 })
})

test('a window the vendor refused us on counts as wholly used, whatever percent was read', () => {
  const found = {
    ...snapshot(reading('weekly', 97, inHours(80), nowMs)),
    spent: [{ window: 'weekly', family: null, untilMs: inHours(80), sinceMs: nowMs }],
  }
  expect(of(found)).toMatchObject({ used: 100 })
})

test('more than 100 % used counts as 100', () => {
  expect(of(snapshot(reading('weekly', 103, inHours(80), nowMs)))).toMatchObject({ used: 100, pace: 0 })
})

test('a reset a moment away gives a finite pace', () => {
  expect(of(snapshot(reading('weekly', 40, nowMs + 1, nowMs))).pace).toBe(3_600)
})
