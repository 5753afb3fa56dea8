/** What a snapshot says of an account's allowance, by the evidence rules: nothing is assumed (routing §4, §7). */
import { leftPercent, type Reading, type Snapshot, staleAfterMs, windowState } from './quota.ts'
import { freshPace, type LongWindow, type Seat } from './seat.ts'
import type { Account } from './source.ts'

const hourMs = 3_600_000

/** The length that a window's name means, where its vendor stated none. */
export function nominalMs(window: string): number {
  if (window.startsWith('weekly')) return 168 * hourMs
  if (window.startsWith('monthly')) return 720 * hourMs
  return window === 'five-hour' ? 5 * hourMs : hourMs
}

/** What a seat says of its allowance. */
export type Allowance = Pick<
  Seat,
  'known' | 'learns' | 'used' | 'soonMs' | 'pace' | 'long' | 'fiveHourUsed' | 'maxAgeMs'
>

/** API keys and local providers have no allowance: that is not the same as an unknown one. */
export const noAllowance: Allowance = {
  known: false,
  learns: false,
  used: 0,
  soonMs: [],
  pace: 0,
  long: null,
  fiveHourUsed: null,
  maxAgeMs: null,
}

/** Nothing fresh is known: it counts as unused, with a whole week ahead, and learns. */
const unknownFor = (maxAgeMs: number): Allowance => ({ ...noAllowance, learns: true, pace: freshPace, maxAgeMs })
const unknown = { codex: unknownFor(staleAfterMs.codex), claude: unknownFor(staleAfterMs.claude) }

/** Only windows that count the model do; one measured value is enough to be known, one past its reset is not. */
export function allowanceOf(
  { provider }: Pick<Account, 'provider'>,
  { readings, spent }: Snapshot,
  family: string | null,
  nowMs: number,
): Allowance {
  const counted = readings.filter((reading) => counts(reading, family))
  const maxAgeMs = staleAfterMs[provider]
  let isFresh = false
  let used = 0
  for (const reading of counted) {
    const state = windowState(reading, spent, provider, nowMs)
    if (state === 'reset-pending') return unknown[provider]
    if (nowMs - reading.readAtMs <= maxAgeMs) isFresh = true
    used = Math.max(used, state === 'spent' ? 100 : Math.min(100, reading.usedPercent))
  }
  if (!isFresh) return unknown[provider]
  const sorted = counted.sort(biggestFirst)
  const long = longWindow(sorted, nowMs)
  return {
    known: true,
    learns: false,
    used,
    soonMs: sorted.map((reading) => renewsAt(reading, nowMs)),
    pace: long === null ? freshPace : paceOf(long, nowMs),
    long,
    fiveHourUsed: sorted.find(({ window }) => window === 'five-hour')?.usedPercent ?? null,
    maxAgeMs,
  }
}

/** A window of no length is none (codex §4.1). */
const counts = (reading: Reading, family: string | null): boolean =>
  (reading.family === null || reading.family === family) && lengthOf(reading) > 0

const lengthOf = ({ lengthMs, window }: Reading): number => lengthMs ?? nominalMs(window)

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
