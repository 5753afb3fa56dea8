/** Samples of windows for charts and forecasts, and what was left at each reset; each kept for its own time. */
import type { Database } from 'better-sqlite3'
import { type SourceId, sourceId } from '../../../../shared/ids.ts'
import type { ReadingSource } from '../../../domain/quota.ts'
import { type HistoryRange, historyRules, type Lost, type Sample } from '../../../domain/quota-history.ts'

interface SampleRow {
  readonly source_id: string
  readonly window: string
  readonly at_ms: number
  readonly family: string | null
  readonly used_percent: number
  readonly reset_ms: number | null
  readonly origin: string
}

interface LostRow {
  readonly source_id: string
  readonly window: string
  readonly reset_ms: number
  readonly family: string | null
  readonly length_ms: number | null
  readonly used_percent: number
  readonly read_ms: number
  readonly seen_ms: number
  readonly origin: string
}

export function quotaHistoryTable(database: Database) {
  const some = database.prepare<
    [number, number, string | null, string | null, string | null, string | null, number],
    SampleRow
  >(
    'SELECT * FROM quota_sample WHERE at_ms >= ? AND at_ms <= ? AND (? IS NULL OR source_id = ?) AND (? IS NULL OR window = ?)' +
      ' ORDER BY at_ms DESC LIMIT ?',
  )
  const add = database.prepare('INSERT OR REPLACE INTO quota_sample VALUES (?, ?, ?, ?, ?, ?, ?)')
  const lost = database.prepare<[number], LostRow>('SELECT * FROM quota_lost WHERE reset_ms >= ? ORDER BY reset_ms')
  const addLost = database.prepare('INSERT OR REPLACE INTO quota_lost VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const forget = database.prepare('DELETE FROM quota_sample WHERE at_ms < ?')
  const forgetLost = database.prepare('DELETE FROM quota_lost WHERE reset_ms < ?')
  const removeOf = database.prepare('DELETE FROM quota_sample WHERE source_id = ?')
  const removeLostOf = database.prepare('DELETE FROM quota_lost WHERE source_id = ?')
  return {
    /** Oldest first; of a longer range the newest part. */
    samples({ sourceId: source = null, window = null, fromMs, toMs, limit }: HistoryRange): readonly Sample[] {
      return some.all(fromMs, toMs, source, source, window, window, limit).reverse().map(sampleOf)
    },
    lostSince: (fromMs: number): readonly Lost[] => lost.all(fromMs).map(lostOf),
    save(samples: readonly Sample[], losses: readonly Lost[], nowMs: number): void {
      for (const one of samples) {
        add.run(one.sourceId, one.window, one.atMs, one.family, one.usedPercent, one.resetAtMs, one.source)
      }
      for (const {
        sourceId: id,
        window,
        resetAtMs,
        family,
        lengthMs,
        usedPercent,
        readAtMs,
        seenAtMs,
        source,
      } of losses) {
        addLost.run(id, window, resetAtMs, family, lengthMs, usedPercent, readAtMs, seenAtMs, source)
      }
      if (samples.length === 0 && losses.length === 0) return
      forget.run(nowMs - historyRules.keepSamplesMs)
      forgetLost.run(nowMs - historyRules.keepLostMs)
    },
    removeOf(source: SourceId): void {
      removeOf.run(source)
      removeLostOf.run(source)
    },
  }
}

const sampleOf = (row: SampleRow): Sample => ({
  sourceId: sourceId(row.source_id),
  window: row.window,
  family: row.family,
  usedPercent: row.used_percent,
  resetAtMs: row.reset_ms,
  source: row.origin as ReadingSource,
  atMs: row.at_ms,
})

const lostOf = (row: LostRow): Lost => ({
  sourceId: sourceId(row.source_id),
  window: row.window,
  family: row.family,
  lengthMs: row.length_ms,
  resetAtMs: row.reset_ms,
  usedPercent: row.used_percent,
  readAtMs: row.read_ms,
  seenAtMs: row.seen_ms,
  source: row.origin as ReadingSource,
})
