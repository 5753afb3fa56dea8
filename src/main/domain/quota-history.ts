/** What windows were read as over time: samples for charts and forecasts, and what was left when a window renewed. */
import type { SourceId } from '../../shared/ids.ts'
import type { Reading, ReadingSource, Snapshot } from './quota.ts'

export interface Sample {
  readonly sourceId: SourceId
  readonly window: string
  readonly family: string | null
  readonly usedPercent: number
  readonly resetAtMs: number | null
  readonly source: ReadingSource
  readonly atMs: number
}

/** A window that renewed with something left. */
export interface Lost {
  readonly sourceId: SourceId
  readonly window: string
  readonly family: string | null
  readonly lengthMs: number | null
  /** When it renewed. */
  readonly resetAtMs: number
  /** As read last before that, 0–100. */
  readonly usedPercent: number
  readonly readAtMs: number
  /** When the renewal was seen: a reset is never assumed. */
  readonly seenAtMs: number
  readonly source: ReadingSource
}

export interface HistoryRange {
  readonly sourceId?: SourceId | null | undefined
  readonly window?: string | null | undefined
  readonly fromMs: number
  readonly toMs: number
  readonly limit: number
}

export const historyRules = {
  /** A window gives at most one sample in this time, unless it renews or jumps. */
  sampleEveryMs: 5 * 60_000,
  jumpPercent: 5,
  /** Resets of one window are told a few seconds apart. */
  sameResetMs: 120_000,
  keepSamplesMs: 35 * 86_400_000,
  keepLostMs: 400 * 86_400_000,
} as const

const isOtherReset = (a: number | null, b: number | null): boolean =>
  (a === null) !== (b === null) || (a !== null && b !== null && Math.abs(a - b) > historyRules.sameResetMs)

/** Whether `reading` is worth a sample after `last`. */
export function isNews(reading: Reading, last: Sample | undefined): boolean {
  if (last === undefined) return true
  if (reading.readAtMs <= last.atMs) return false
  if (isOtherReset(reading.resetAtMs, last.resetAtMs)) return true
  const moved = Math.abs(reading.usedPercent - last.usedPercent)
  if (moved >= historyRules.jumpPercent) return true
  return moved > 0 && reading.readAtMs - last.atMs >= historyRules.sampleEveryMs
}

/** The windows of `before` of which `after` shows that they have renewed. */
export function renewals(sourceId: SourceId, before: Snapshot, after: Snapshot): readonly Lost[] {
  return before.readings.flatMap((old) => {
    const { resetAtMs } = old
    const fresh = after.readings.find((reading) => reading.window === old.window)
    if (resetAtMs === null || fresh === undefined || fresh.readAtMs < resetAtMs) return []
    if (fresh.resetAtMs !== null && fresh.resetAtMs <= resetAtMs + historyRules.sameResetMs) return []
    const refused = before.spent.some((mark) => mark.window === old.window && mark.untilMs !== null)
    const { window, family, lengthMs, readAtMs, source } = old
    const usedPercent = refused ? 100 : Math.min(100, old.usedPercent)
    return [{ sourceId, window, family, lengthMs, resetAtMs, usedPercent, readAtMs, seenAtMs: fresh.readAtMs, source }]
  })
}
