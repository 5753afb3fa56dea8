/** When the wall clock may say what is old: leaps, sleeps, a stored past, and what a vendor says. */
import { describe, expect, test } from 'vitest'
import { BelievedTime } from '../../src/main/state/believed-time.ts'

const dayMs = 86_400_000
const yearMs = 365 * dayMs
const startMs = 1_790_000_000_000

/** A wall clock and a monotonic one that are moved apart. */
function watched(newestCallMs: number | null) {
  let [wallMs, elapsedMs] = [startMs, 0]
  const turns: boolean[] = []
  const clock = { nowMs: () => wallMs, elapsedMs: () => elapsedMs, after: () => () => {} }
  const time = new BelievedTime(clock, (isDoubted) => turns.push(isDoubted))
  if (newestCallMs !== null) time.wasAt(newestCallMs)
  return {
    time,
    turns,
    pass: (ms: number) => {
      wallMs += ms
      elapsedMs += ms
    },
    leap: (ms: number) => {
      wallMs += ms
    },
  }
}

describe('F60 the clock', () => {
  test('that runs as it should is believed for ever, also without any call', () => {
    for (const newest of [null, startMs - dayMs]) {
      const { time, turns, pass } = watched(newest)
      for (let year = 0; year < 20; year += 1) {
        pass(yearMs)
        expect(time.isBelieved()).toBe(true)
      }
      expect(turns).toEqual([])
    }
  })

  test('that leaps ten years is doubted, told once, and believed again when it is back', () => {
    const { time, turns, pass, leap } = watched(startMs)
    leap(10 * yearMs)
    for (let minute = 0; minute < 5; minute += 1) {
      pass(60_000)
      expect(time.isBelieved()).toBe(false)
    }
    leap(-10 * yearMs)
    expect(time.isBelieved()).toBe(true)
    expect(turns).toEqual([true, false])
  })

  test('that sleeps a week now and then is believed each time, and one that is set back too', () => {
    const { time, turns, leap } = watched(startMs)
    for (let week = 0; week < 30; week += 1) {
      leap(7 * dayMs)
      expect(time.isBelieved()).toBe(true)
    }
    leap(-10 * yearMs)
    expect(time.isBelieved()).toBe(true)
    expect(turns).toEqual([])
  })

  test('that is ten years ahead of the newest call at the start is doubted until a vendor says that it is right', () => {
    const { time, turns } = watched(startMs - 10 * yearMs)
    expect(time.isBelieved()).toBe(false)
    expect(time.isDoubted).toBe(true)
    time.isAt(startMs - 2_000)
    expect([time.isBelieved(), turns]).toEqual([true, [true, false]])
  })

  test('is doubted when a vendor says that it is far ahead, though the log ends today', () => {
    const { time, pass } = watched(startMs - 60_000)
    expect(time.isBelieved()).toBe(true)
    time.isAt(startMs - yearMs)
    expect(time.isDoubted).toBe(true)
    pass(dayMs)
    expect(time.isBelieved()).toBe(false)
  })

  test('is not measured by calls of a time when it was ahead', () => {
    const { time, leap } = watched(startMs + 10 * yearMs)
    expect(time.isBelieved()).toBe(true)
    leap(yearMs)
    expect(time.isBelieved()).toBe(false)
  })
})
