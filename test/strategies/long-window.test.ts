/** QR's three rankings: by the long window, among accounts of which something trustworthy is known. */
import { describe, expect, test } from 'vitest'
import type { Seat } from '../../src/main/domain/seat.ts'
import { findStrategy } from '../../src/main/strategies/registry.ts'
import { freshRound } from '../../src/main/strategies/round-state.ts'
import { apply } from '../../src/main/strategies/strategy.ts'
import { apiKey, ask, inHours, learner, nowMs, seat } from './kit.ts'

const account = (key: string, leftPercent: number, hours: number, change: Partial<Seat> = {}): Seat =>
  seat(key, { long: { leftPercent, renewsAtMs: inHours(hours) }, ...change })

const three = ['reset-first', 'quota-pressure', 'balanced']

describe('reset-first', () => {
  test('the earliest long-window reset goes first', () => {
    expect(ask('reset-first', [account('a', 90, 60), account('b', 5, 20), account('c', 50, 40)]).keys).toEqual([
      'b',
      'c',
      'a',
    ])
  })
})

describe('quota-pressure', () => {
  test('remaining percent by the hours to the reset, highest first', () => {
    // 90/60 = 1.5, 5/20 = 0.25, 80/40 = 2.
    expect(ask('quota-pressure', [account('a', 90, 60), account('b', 5, 20), account('c', 80, 40)]).keys).toEqual([
      'c',
      'a',
      'b',
    ])
  })
  test('less than half an hour to the reset counts as half an hour', () => {
    // 30/0.5 = 60 although the reset is a minute away; 70/1 = 70.
    expect(ask('quota-pressure', [account('a', 30, 1 / 60), account('b', 70, 1)]).keys).toEqual(['b', 'a'])
  })
})

describe('balanced', () => {
  test('accounts over the five-hour soft limit go after those below it, each group reset-first', () => {
    const seats = [
      account('busy early', 50, 10, { fiveHourUsed: 81 }),
      account('late', 50, 90, { fiveHourUsed: 80 }),
      account('busy', 50, 5, { fiveHourUsed: 99 }),
      account('early', 50, 20, { fiveHourUsed: null }),
    ]
    expect(ask('balanced', seats).keys).toEqual(['early', 'late', 'busy', 'busy early'])
  })
  test('the soft limit may be set per pool', () => {
    const seats = [account('a', 50, 10, { fiveHourUsed: 60 }), account('b', 50, 20, { fiveHourUsed: 10 })]
    expect(ask('balanced', seats).keys).toEqual(['a', 'b'])
    expect(ask('balanced', seats, freshRound, { fiveHourSoftLimit: 50 }).keys).toEqual(['b', 'a'])
  })
})

describe.each(three)('%s', (id) => {
  test('ties take more remaining first, then the listed order', () => {
    const ties =
      id === 'quota-pressure'
        ? [account('a', 20, 20), account('b', 40, 40), account('c', 40, 40)]
        : [account('a', 20, 20), account('b', 40, 20), account('c', 40, 20)]
    expect(ask(id, ties).keys).toEqual(['b', 'c', 'a'])
  })
  test('API keys and local providers come after the known ones, in their order', () => {
    expect(ask(id, [apiKey('k'), account('a', 50, 20), apiKey('l')]).keys).toEqual(['a', 'k', 'l'])
  })
  test('unknown ones are left out of the ranking, except for one learning request per maxAge', () => {
    const seats = [account('a', 50, 20), learner('b'), apiKey('k')]
    const first = ask(id, seats)
    expect(first.keys).toEqual(['b', 'a', 'k'])
    const maxAgeMs = seats[1]!.maxAgeMs!
    expect(ask(id, seats, first.next, {}, nowMs + maxAgeMs - 1).keys).toEqual(['a', 'k', 'b'])
    expect(ask(id, seats, first.next, {}, nowMs + maxAgeMs).keys).toEqual(['b', 'a', 'k'])
  })
  test('of several unknown ones each learns in its turn', () => {
    const seats = [account('a', 50, 20), learner('b'), learner('c')]
    const first = ask(id, seats)
    const second = ask(id, seats, first.next)
    expect([first.keys[0], second.keys[0], ask(id, seats, second.next).keys]).toEqual(['b', 'c', ['a', 'b', 'c']])
  })
  test('a resting one does not learn', () => {
    expect(ask(id, [account('a', 50, 20), learner('b', { resting: true })]).keys).toEqual(['a', 'b'])
  })
  test('a clock that was set back does not keep a seat from learning', () => {
    const seats = [account('a', 50, 20), learner('b')]
    const { next } = ask(id, seats)
    expect(ask(id, seats, next, {}, nowMs - 1).keys).toEqual(['b', 'a'])
  })
  test('with nothing trustworthy the listed order stands, and says so', () => {
    const seats = [learner('c'), learner('a')]
    const applied = apply(findStrategy(id)!, 'p', seats, nowMs, freshRound)
    expect(applied).toEqual({ order: [0, 1], next: freshRound, untrusted: true, failedOpen: false })
    const resting = [learner('c'), account('a', 50, 20, { resting: true })]
    expect(apply(findStrategy(id)!, 'p', resting, nowMs, freshRound).untrusted).toBe(true)
  })
})
