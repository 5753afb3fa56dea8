/** When each window runs out at the present pace, and what would be lost at its reset; pure (routing §7). */
import { leftPercent, type Reading } from '../domain/quota.ts'
import { historyRules, type Sample } from '../domain/quota-history.ts'

export const forecastRules = {
  spanMs: 60 * 60_000,
  slotMs: 5 * 60_000,
  /** Over this much left with less than that to go is about to be wasted; windows of a day or more only. */
  wastePercent: 20,
  wasteWithinMs: 6 * 3_600_000,
  wasteLengthMs: 86_400_000,
} as const

export interface WindowForecast {
  readonly window: string
  readonly family: string | null
  readonly usedPercent: number
  readonly leftPercent: number
  readonly resetAtMs: number | null
  /** Median of the last hour's use; null while too little has been read. */
  readonly percentPerHour: number | null
  /** Null: not before its reset, or not at all. */
  readonly runsOutAtMs: number | null
  readonly aboutToBeWasted: boolean
}

export function forecast(reading: Reading, samples: readonly Sample[], nowMs: number): WindowForecast {
  const { window, family, usedPercent, resetAtMs } = reading
  const left = leftPercent(usedPercent)
  const percentPerHour = paceOf(samples, nowMs)
  const runsOutMs =
    left === 0
      ? nowMs
      : percentPerHour === null || percentPerHour <= 0
        ? null
        : nowMs + (left / percentPerHour) * 3_600_000
  const lasts = runsOutMs === null || (resetAtMs !== null && runsOutMs >= resetAtMs)
  const runsOutAtMs = lasts || runsOutMs === null ? null : Math.round(runsOutMs)
  return {
    ...{ window, family, usedPercent, leftPercent: left, resetAtMs, percentPerHour, runsOutAtMs },
    aboutToBeWasted: runsOutAtMs === null && isAboutToBeWasted(reading, nowMs),
  }
}

export function isAboutToBeWasted({ usedPercent, resetAtMs, lengthMs }: Reading, nowMs: number): boolean {
  if (resetAtMs === null || resetAtMs <= nowMs || (lengthMs ?? 0) < forecastRules.wasteLengthMs) return false
  return leftPercent(usedPercent) > forecastRules.wastePercent && resetAtMs - nowMs < forecastRules.wasteWithinMs
}

/** Percent per hour: the median of what each five minutes of the last hour used; null without two samples. */
export function paceOf(samples: readonly Sample[], nowMs: number): number | null {
  const { spanMs, slotMs } = forecastRules
  const [first] = samples
  if (first === undefined || samples.length < 2) return null
  const beginMs = Math.max(nowMs - spanMs, first.atMs)
  const slots = new Array<number>(Math.max(1, Math.ceil((nowMs - beginMs) / slotMs))).fill(0)
  for (let at = 1; at < samples.length; at += 1) {
    const from = samples[at - 1]
    const to = samples[at]
    if (from === undefined || to === undefined || to.atMs <= from.atMs) continue
    spread(slots, usedBetween(from, to), from.atMs, to.atMs, nowMs)
  }
  return median(slots) * (3_600_000 / slotMs)
}

/** A renewed window counts from nothing. */
function usedBetween(from: Sample, to: Sample): number {
  const hasRenewed =
    from.resetAtMs !== null &&
    (to.resetAtMs === null || to.resetAtMs > from.resetAtMs + historyRules.sameResetMs) &&
    to.atMs >= from.resetAtMs
  return Math.max(0, hasRenewed ? to.usedPercent : to.usedPercent - from.usedPercent)
}

/** Slots count back from now; use between two samples is spread evenly over the time between them. */
function spread(slots: number[], used: number, fromMs: number, toMs: number, nowMs: number): void {
  if (used === 0) return
  for (let slot = 0; slot < slots.length; slot += 1) {
    const endMs = nowMs - slot * forecastRules.slotMs
    const overlapMs = Math.min(toMs, endMs) - Math.max(fromMs, endMs - forecastRules.slotMs)
    if (overlapMs > 0) slots[slot] = (slots[slot] ?? 0) + used * (overlapMs / (toMs - fromMs))
  }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? 0)) / 2
}
