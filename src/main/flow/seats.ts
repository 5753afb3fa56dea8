/** Seats: what a strategy may know of each candidate, read from snapshots by the evidence rules; pure (routing §4, §7). */
import type { SeatRecord } from '../domain/decision.ts'
import {
  emptySnapshot,
  leftPercent,
  modelFamily,
  type Reading,
  type Snapshot,
  staleAfterMs,
  windowState,
} from '../domain/quota.ts'
import { freshPace, type LongWindow, type Seat } from '../domain/seat.ts'
import type { Account } from '../domain/source.ts'
import type { Strategy } from '../strategies/strategy.ts'
import type { Candidate } from './40-candidates.ts'
import type { View } from './view.ts'

const hourMs = 3_600_000
const nominalMs: Readonly<Record<string, number>> = {
  'five-hour': 5 * hourMs,
  weekly: 168 * hourMs,
  monthly: 30 * 24 * hourMs,
}

/** What a seat says of its allowance. */
export type Allowance = Pick<
  Seat,
  'known' | 'learns' | 'used' | 'soonMs' | 'pace' | 'long' | 'fiveHourUsed' | 'maxAgeMs'
>

/** API keys and local providers have no allowance: that is not the same as an unknown one. */
const none: Allowance = {
  known: false,
  learns: false,
  used: 0,
  soonMs: [],
  pace: 0,
  long: null,
  fiveHourUsed: null,
  maxAgeMs: null,
}

export function seatOf(candidate: Candidate, strategy: Strategy, view: View): Seat {
  const { backend, resting } = candidate
  const { source } = backend
  const { nowMs, recent } = view
  const subscription = source.type === 'subscription'
  const allowance = subscription
    ? allowanceOf(source, view.quota.get(source.id) ?? emptySnapshot, modelFamily(backend.upstreamModel), nowMs)
    : none
  return {
    ...allowance,
    key: seatKey(candidate),
    account: subscription,
    weight: Math.max(1, source.weight),
    resting: resting !== null,
    tokens: strategy.byUse ? recent.tokens(source.id, nowMs) : 0,
    free: strategy.byFree && backend.free,
    credits: subscription && source.maySpendBeyondPlan,
    firstContentMs: strategy.byLatency ? recent.firstContentMs(backend.id, nowMs) : null,
    failures: strategy.byFailures ? recent.failures(source.id, nowMs) : 0,
  }
}

/** Clients may name any model on a vendor's address: those share one seat per account. */
export const seatKey = ({ backend }: Pick<Candidate, 'backend'>): string =>
  backend.listed ? backend.id : backend.source.id

/** Only windows that count the model do; one measured value is enough to be known, one past its reset is not. */
export function allowanceOf(
  { provider }: Pick<Account, 'provider'>,
  { readings, spent }: Snapshot,
  family: string | null,
  nowMs: number,
): Allowance {
  const maxAgeMs = staleAfterMs[provider]
  const counted = readings.filter((reading) => reading.family === null || reading.family === family)
  const states = counted.map((reading) => windowState(reading, spent, provider, nowMs))
  const isFresh = counted.some((reading) => nowMs - reading.readAtMs <= maxAgeMs)
  if (!isFresh || states.includes('reset-pending')) {
    return { ...none, learns: true, pace: freshPace, maxAgeMs }
  }
  const sorted = counted.filter((reading) => lengthOf(reading) > 0).sort(biggestFirst)
  const used = counted.map((reading, index) => (states[index] === 'spent' ? 100 : Math.min(100, reading.usedPercent)))
  const long = longWindow(sorted, nowMs)
  return {
    known: true,
    learns: false,
    used: Math.max(0, ...used),
    soonMs: sorted.map((reading) => renewsAt(reading, nowMs)),
    pace: long === null ? freshPace : paceOf(long, nowMs),
    long,
    fiveHourUsed: sorted.find(({ window }) => window === 'five-hour')?.usedPercent ?? null,
    maxAgeMs,
  }
}

const lengthOf = ({ lengthMs, window }: Reading): number => lengthMs ?? nominalMs[window.split(':')[0] ?? ''] ?? hourMs

/** Of two of one length the fuller one decides. */
const biggestFirst = (a: Reading, b: Reading): number => lengthOf(b) - lengthOf(a) || b.usedPercent - a.usedPercent

/** A window not started renews its whole span from now. */
const renewsAt = (reading: Reading, nowMs: number): number => reading.resetAtMs ?? nowMs + lengthOf(reading)

/** The biggest window of a week or more, else the biggest there is: the five hours. */
function longWindow(sorted: readonly Reading[], nowMs: number): LongWindow | null {
  const [biggest] = sorted
  if (biggest === undefined) return null
  const long =
    sorted.find(({ window }) => window.startsWith('weekly')) ??
    sorted.find(({ window }) => window.startsWith('monthly')) ??
    biggest
  return { leftPercent: leftPercent(long.usedPercent), renewsAtMs: renewsAt(long, nowMs) }
}

/** Percent left per hour until the reset; at least a minute of it, so that nothing divides by zero. */
const paceOf = ({ leftPercent: left, renewsAtMs }: LongWindow, nowMs: number): number =>
  left / Math.max((renewsAtMs - nowMs) / hourMs, 1 / 60)

/** Large pools record their first seats only. */
const mostRecorded = 50

/** What the decision keeps of each seat: its place and state, its numbers as the strategy saw them, its windows. */
export function seatRecords(
  order: readonly Candidate[],
  seats: ReadonlyMap<Candidate, Seat>,
  { quota }: View,
): readonly SeatRecord[] {
  return order.slice(0, mostRecorded).map((candidate) => {
    const { backend, tier, position, resting, exhausted, usedPercent } = candidate
    const family = modelFamily(backend.upstreamModel)
    const { readings } = quota.get(backend.source.id) ?? emptySnapshot
    return {
      backendId: backend.id,
      label: backend.source.label,
      tier,
      position,
      usable: resting === null && exhausted === null,
      because: resting ?? exhausted ?? 'ready',
      usedPercent,
      numbers: seats.get(candidate) ?? null,
      windows: readings
        .filter((reading) => reading.family === null || reading.family === family)
        .map(({ window, usedPercent: used, resetAtMs, lengthMs }) => ({
          window,
          usedPercent: used,
          resetAtMs,
          lengthMs,
        })),
    }
  })
}
