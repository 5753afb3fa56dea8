/** The strategies that neither MAG nor QR has: by time to the first content, by staying, by health. */
import { describe, expect, test } from 'vitest'
import { freshRound, type RoundState } from '../../src/main/strategies/round-state.ts'
import { apiKey, ask, random, seat } from './kit.ts'

describe('latency', () => {
  const seats = [
    seat('slow', { firstContentMs: 900 }),
    seat('unmeasured'),
    seat('fast', { firstContentMs: 300 }),
    seat('middle', { firstContentMs: 500 }),
  ]
  const at = (draw: number): RoundState => ({ ...freshRound, draw })

  test('the lowest recent time to the first content goes first, unmeasured ones last', () => {
    expect(ask('latency', seats, at(0.99)).keys).toEqual(['fast', 'middle', 'slow', 'unmeasured'])
  })
  test('a share of the requests explores the others, each as likely as the next', () => {
    const draw = random(3)
    const counts: Record<string, number> = {}
    for (let n = 0; n < 30_000; n += 1) {
      const first = ask('latency', seats, at(draw())).keys[0]!
      counts[first] = (counts[first] ?? 0) + 1
    }
    expect(counts.fast! / 30_000).toBeCloseTo(0.9, 1)
    for (const other of ['slow', 'middle', 'unmeasured']) expect(counts[other]! / 30_000).toBeCloseTo(0.1 / 3, 2)
  })
  test('an explored one goes first and the rest keeps its order', () => {
    expect(ask('latency', seats, at(0)).keys).toEqual(['middle', 'fast', 'slow', 'unmeasured'])
  })
  test('a resting one is not explored', () => {
    const some = [seat('fast', { firstContentMs: 300 }), seat('resting', { resting: true })]
    expect(ask('latency', some, at(0)).keys).toEqual(['fast', 'resting'])
  })
  test('the share may be set per pool, to none', () => {
    expect(ask('latency', seats, at(0), { exploreShare: 0 }).keys[0]).toBe('fast')
  })
})

describe('fill-first', () => {
  const rested = (...keys: readonly string[]) =>
    ['a', 'b', 'c'].map((key) => seat(key, { resting: keys.includes(key) }))

  test('stays on its current seat, even when an earlier one recovers, until that seat can take no more', () => {
    let state: RoundState = freshRound
    const first = (...resting: readonly string[]): string => {
      const asked = ask('fill-first', rested(...resting), state)
      state = asked.next
      return asked.keys[0]!
    }
    expect([first(), first('a'), first(), first(), first('b'), first('b'), first(), first('a')]).toEqual([
      'a',
      'b',
      'b',
      'b',
      'a',
      'a',
      'a',
      'b',
    ])
  })
  test('a seat that is gone can take no more', () => {
    const { next } = ask('fill-first', rested('a'))
    expect(ask('fill-first', [seat('a'), seat('c')], next).keys).toEqual(['a', 'c'])
  })
  test('with every seat resting it stays where it was', () => {
    const { next } = ask('fill-first', rested('a'))
    const asked = ask('fill-first', rested('a', 'b', 'c'), next)
    expect([asked.keys, asked.next.stays]).toEqual([['a', 'b', 'c'], 'b'])
  })
})

describe('healthiest', () => {
  test('the fewest recent failures, then the listed order', () => {
    const seats = [seat('a', { failures: 2 }), apiKey('b', { failures: 1 }), seat('c'), seat('d')]
    expect(ask('healthiest', seats).keys).toEqual(['c', 'd', 'b', 'a'])
  })
})
