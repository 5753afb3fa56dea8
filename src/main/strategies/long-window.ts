/** `reset-first`, `quota-pressure`, `balanced`: by the long window, among accounts of which it is known (QR). */
import type { Seat } from '../domain/seat.ts'
import { fiveHourSoftLimit, optionOf, type StrategyOptions } from './options.ts'
import type { RoundState } from './round-state.ts'
import { identity, type Ordered, placed, plain, type Strategy } from './strategy.ts'

type Compare = (a: Seat, b: Seat, nowMs: number, options: StrategyOptions) => number

const hourMs = 3_600_000

const byReset: Compare = (a, b) => resetOf(a) - resetOf(b)

/** Remaining percent by the hours until it is lost, at least half an hour. */
const byPressure: Compare = (a, b, nowMs) => pressure(b, nowMs) - pressure(a, nowMs)

const bySoftLimit: Compare = (a, b, nowMs, options) =>
  Number(isOver(a, options)) - Number(isOver(b, options)) || byReset(a, b, nowMs, options)

const resetOf = ({ long }: Seat): number => long?.renewsAtMs ?? Number.MAX_SAFE_INTEGER
const leftOf = ({ long }: Seat): number => long?.leftPercent ?? 0
const pressure = (seat: Seat, nowMs: number): number => leftOf(seat) / Math.max((resetOf(seat) - nowMs) / hourMs, 0.5)
const isOver = ({ fiveHourUsed }: Seat, options: StrategyOptions): boolean =>
  fiveHourUsed !== null && fiveHourUsed > optionOf(fiveHourSoftLimit, options)

export const resetFirst: Strategy = {
  ...plain,
  id: 'reset-first',
  sentence: 'Prefers the account whose weekly (or monthly) window resets first.',
  order: (_pool, seats, nowMs, state, options) => byLongWindow(byReset, seats, nowMs, state, options),
}

export const quotaPressure: Strategy = {
  ...plain,
  id: 'quota-pressure',
  sentence: 'Prefers the account with most left per hour until its reset.',
  order: (_pool, seats, nowMs, state, options) => byLongWindow(byPressure, seats, nowMs, state, options),
}

export const balanced: Strategy = {
  ...plain,
  id: 'balanced',
  sentence: 'As reset-first, but accounts with busy five hours go after the others.',
  options: [fiveHourSoftLimit],
  order: (_pool, seats, nowMs, state, options) => byLongWindow(bySoftLimit, seats, nowMs, state, options),
}

/**
 * One seat that may learn goes first; then the known ones, keys in their order, and those of which nothing
 * trustworthy is known. Where that is everybody, the listed order stands.
 */
function byLongWindow(
  compare: Compare,
  seats: readonly Seat[],
  nowMs: number,
  state: RoundState,
  options: StrategyOptions,
): Ordered {
  const trusted = seats.some((seat) => !seat.resting && !seat.learns)
  if (!trusted) return { order: identity(seats.length), next: state, untrusted: true }
  const all = placed(seats)
  const known = all
    .filter(({ seat }) => seat.known)
    .sort(({ seat: a }, { seat: b }) => compare(a, b, nowMs, options) || leftOf(b) - leftOf(a))
  const keys = all.filter(({ seat }) => !seat.known && !seat.learns)
  const unknown = all.filter(({ seat }) => !seat.known && seat.learns)
  const order = [...known, ...keys, ...unknown].map(({ index }) => index)
  const learner = unknown.find(({ seat }) => isDue(seat, nowMs, state))
  if (learner === undefined) return { order, next: state }
  const learntAtMs = new Map(state.learntAtMs).set(learner.seat.key, nowMs)
  const others = order.filter((index) => index !== learner.index)
  return { order: [learner.index, ...others], next: { ...state, learntAtMs } }
}

/** One learning request per seat and `maxAge`. */
function isDue({ key, learns, resting, maxAgeMs }: Seat, nowMs: number, { learntAtMs }: RoundState): boolean {
  if (!learns || resting || maxAgeMs === null) return false
  const lastMs = learntAtMs.get(key)
  return lastMs === undefined || nowMs - lastMs >= maxAgeMs || lastMs > nowMs
}
