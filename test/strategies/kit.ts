/** Seats for tests, random numbers that come back the same, and asking a strategy for the keys it puts in order. */
import { freshPace, type Seat } from '../../src/main/domain/seat.ts'
import type { StrategyOptions } from '../../src/main/strategies/options.ts'
import { findStrategy } from '../../src/main/strategies/registry.ts'
import { freshRound, type RoundState } from '../../src/main/strategies/round-state.ts'
import { apply } from '../../src/main/strategies/strategy.ts'

export const hourMs = 3_600_000
/** A Wednesday, on the hour. */
export const nowMs = Date.UTC(2026, 10, 25, 9)
export const inHours = (hours: number): number => nowMs + hours * hourMs

export const seat = (key: string, change: Partial<Seat> = {}): Seat => ({
  key,
  account: true,
  known: true,
  learns: false,
  used: 10,
  soonMs: [inHours(100), inHours(3)],
  pace: 0.9,
  weight: 1,
  resting: false,
  tokens: 0,
  free: false,
  credits: false,
  long: { leftPercent: 90, renewsAtMs: inHours(100) },
  fiveHourUsed: 10,
  maxAgeMs: 15 * 60_000,
  firstContentMs: null,
  failures: 0,
  ...change,
})

/** An account of which nothing fresh is known. */
export const learner = (key: string, change: Partial<Seat> = {}): Seat =>
  seat(key, {
    known: false,
    learns: true,
    used: 0,
    soonMs: [],
    pace: freshPace,
    long: null,
    fiveHourUsed: null,
    ...change,
  })

/** An API key: it has no allowance. */
export const apiKey = (key: string, change: Partial<Seat> = {}): Seat =>
  seat(key, {
    account: false,
    known: false,
    used: 0,
    soonMs: [],
    pace: 0,
    long: null,
    fiveHourUsed: null,
    maxAgeMs: null,
    ...change,
  })

export interface Asked {
  readonly keys: readonly string[]
  readonly next: RoundState
}

/** The keys in the order that strategy `id` gives. */
export function ask(
  id: string,
  seats: readonly Seat[],
  state: RoundState = freshRound,
  options: StrategyOptions = {},
  atMs = nowMs,
): Asked {
  const strategy = findStrategy(id)
  if (strategy === undefined) throw new Error(`no strategy ${id}`)
  const { order, next, failedOpen } = apply(strategy, 'pool', seats, atMs, state, options)
  if (failedOpen) throw new Error(`${id} gave no permutation`)
  return { keys: order.map((index) => seats[index]!.key), next }
}

/** Mulberry32: small, seeded, the same everywhere. */
export function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
