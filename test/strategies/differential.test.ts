/** MAG's strategies against a second implementation written from the seed's text, over 100,000 generated pools. */
import { expect, test, vi } from 'vitest'
import { freshPace, type Seat } from '../../src/main/domain/seat.ts'
import { bandsOf } from '../../src/main/strategies/pace.ts'
import { findStrategy, strategies } from '../../src/main/strategies/registry.ts'
import { freshRound, type RoundState } from '../../src/main/strategies/round-state.ts'
import { apply, fitFirst } from '../../src/main/strategies/strategy.ts'
import { moveRound } from '../../src/main/strategies/weighted.ts'
import { hourMs, nowMs, random, seat } from './kit.ts'
import * as second from './second-implementation.ts'

// Much to compute: a bound on a hang, not on the time it takes.
vi.setConfig({ testTimeout: 120_000 })

const seed = 20_261_125
const pools = 100_000

/** Coarse values, so that ties and edges are frequent: 89.9, 90, 97.9, 98, paces a tenth apart, the same hour. */
function generated(next: () => number): Seat[] {
  const pick = <T>(...values: readonly T[]): T => values[Math.floor(next() * values.length)]!
  return Array.from({ length: 2 + Math.floor(next() * 6) }, (_, index) => {
    const kind = pick('known', 'known', 'known', 'learner', 'key')
    const soonMs = Array.from({ length: Math.floor(next() * 4) }, () => nowMs + Math.floor(next() * 8) * 0.5 * hourMs)
    const known = kind === 'known'
    return seat(`s${index}`, {
      account: kind !== 'key',
      known,
      learns: kind === 'learner',
      used: known ? pick(0, 20, 20.5, 89.9, 90, 95, 97.9, 98, 99, 100) : 0,
      soonMs: known ? soonMs : [],
      pace: kind === 'key' ? 0 : known ? pick(0, 0.1, 0.5, 0.81, 0.9, 0.91, 0.95, 1, 1.2, 40) : freshPace,
      weight: pick(-1, 0, 1, 1, 2, 3, 7),
      resting: next() < 0.15,
      tokens: pick(0, 0, 5, 5.5, 100),
      free: next() < 0.3,
      credits: next() < 0.3,
    })
  })
}

const pure = {
  ordered: second.ordered,
  smart: second.smart,
  'least-used': second.leastUsed,
  pace: second.pace,
  'free-first': second.freeFirst,
}

test(`over ${pools} generated pools there is no difference`, () => {
  const next = random(seed)
  let differences = 0
  for (let n = 0; n < pools; n += 1) {
    const seats = generated(next)
    for (const [id, other] of Object.entries(pure)) {
      const { order } = apply(findStrategy(id)!, 'p', seats, nowMs, freshRound)
      if (order.join() === other(seats).join()) continue
      differences += 1
      expect({ n, id, seats, order }).toEqual({ n, id, seats, order: other(seats) })
    }
  }
  expect(differences).toBe(0)
})

test('rounds and turns agree request by request, also when affinity keeps another than was picked', () => {
  const next = random(seed + 1)
  for (let n = 0; n < 2_000; n += 1) {
    let seats = generated(next)
    const rotation = new second.Rotation()
    const round = new second.Round()
    let turns: RoundState = freshRound
    let charges: RoundState = freshRound
    for (let request = 0; request < 25; request += 1) {
      if (next() < 0.1) seats = seats.map((one) => ({ ...one, resting: next() < 0.3 }))
      const turned = apply(findStrategy('rotate')!, 'p', seats, nowMs, turns)
      turns = turned.next
      expect(turned.order).toEqual(rotation.order(seats))
      const picked = apply(findStrategy('weighted')!, 'p', seats, nowMs, charges)
      charges = picked.next
      expect(picked.order).toEqual(round.order(seats))
      const awake = seats.filter(({ resting }) => !resting)
      if (awake.length === 0 || next() < 0.6) continue
      const kept = awake[Math.floor(next() * awake.length)]!.key
      const first = seats[picked.order[0]!]!.key
      charges = moveRound(charges, first, kept)
      if (first !== kept) round.move(first, kept, picked.next.charge)
      expect(Object.fromEntries(awake.map(({ key }) => [key, charges.charges.get(key) ?? 0]))).toEqual(
        Object.fromEntries(awake.map(({ key }) => [key, round.wealth(key)])),
      )
    }
  }
})

test('every order of every strategy is a permutation, with any state it has led to', () => {
  const next = random(seed + 2)
  for (const strategy of strategies) {
    let state: RoundState = freshRound
    for (let n = 0; n < 3_000; n += 1) {
      const seats = generated(next).map((one) => ({
        ...one,
        long:
          one.known && next() < 0.9 ? { leftPercent: 100 - one.used, renewsAtMs: nowMs + next() * 200 * hourMs } : null,
        firstContentMs: next() < 0.5 ? next() * 5_000 : null,
        failures: Math.floor(next() * 3),
        fiveHourUsed: next() < 0.5 ? next() * 100 : null,
      }))
      const applied = apply(strategy, 'p', seats, nowMs + n * 60_000, { ...state, draw: next() })
      const { order } = applied
      state = applied.next
      expect(applied.failedOpen).toBe(false)
      expect([...order].sort((a, b) => a - b)).toEqual(seats.map((_, index) => index))
      const fitted = fitFirst(
        order,
        seats,
        seats.map(() => Math.floor(next() * 4)),
      )
      expect([...fitted].sort((a, b) => a - b)).toEqual(seats.map((_, index) => index))
      fitted.forEach((index, place) => {
        if (seats[index]!.account) expect(order[place]).toBe(index)
      })
    }
  }
})

test('the bands of pace are transitive: two seats in one band stand to every third one alike', () => {
  const next = random(seed + 3)
  for (let n = 0; n < 20_000; n += 1) {
    const seats = generated(next)
    const bands = bandsOf(seats, {})
    const ordered = seats.flatMap(({ learns, used, pace }, index) =>
      learns || used >= 90 ? [] : [{ pace, band: bands[index]! }],
    )
    for (const a of ordered) {
      for (const b of ordered) {
        if (a.pace > b.pace) expect(a.band).toBeLessThanOrEqual(b.band)
        if (a.band === b.band) expect(Math.min(a.pace, b.pace)).toBeGreaterThanOrEqual(0.9 * Math.max(a.pace, b.pace))
      }
    }
  }
})
