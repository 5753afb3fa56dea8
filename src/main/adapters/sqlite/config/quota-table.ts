/** The last readings of each account's windows, with their age and source (routing §7). */
import type { Database } from 'better-sqlite3'
import type { SourceId } from '../../../../shared/ids.ts'
import { sourceId } from '../../../../shared/ids.ts'
import type { Snapshot } from '../../../domain/quota.ts'
import { isNumber, isText, isTrueOrFalse, listOf, oneOf, orNull, parsed, withFields } from '../shape.ts'
import type { SkipRow } from './skipped.ts'

interface QuotaRow {
  readonly source_id: string
  readonly snapshot_json: string
}

const isFacts = withFields({
  plan: orNull(isText),
  credits: orNull(withFields({ hasCredits: isTrueOrFalse, unlimited: isTrueOrFalse, balance: orNull(isText) })),
  blockedBecause: orNull(isText),
  resetCredits: orNull(isNumber),
  readAtMs: isNumber,
})

const isSnapshot = withFields({
  readings: listOf(
    withFields({
      window: isText,
      usedPercent: isNumber,
      lengthMs: orNull(isNumber),
      resetAtMs: orNull(isNumber),
      family: orNull(isText),
      source: oneOf('header', 'poll', 'estimate'),
      readAtMs: isNumber,
    }),
  ),
  spent: listOf(withFields({ window: isText, family: orNull(isText), untilMs: orNull(isNumber), sinceMs: isNumber })),
  facts: (value) => value === undefined || isFacts(value),
})

export function quotaTable(database: Database) {
  const all = database.prepare<[], QuotaRow>('SELECT * FROM quota ORDER BY source_id')
  const save = database.prepare(
    'INSERT INTO quota (source_id, snapshot_json) VALUES (?, ?)' +
      ' ON CONFLICT (source_id) DO UPDATE SET snapshot_json = excluded.snapshot_json',
  )
  const remove = database.prepare('DELETE FROM quota WHERE source_id = ?')
  return {
    all(skip: SkipRow): ReadonlyMap<SourceId, Snapshot> {
      const snapshots = new Map<SourceId, Snapshot>()
      for (const { source_id, snapshot_json } of all.all()) {
        const snapshot = parsed<Snapshot>(snapshot_json, isSnapshot)
        if (snapshot === undefined) skip('quota', source_id)
        else snapshots.set(sourceId(source_id), snapshot)
      }
      return snapshots
    },
    save(source: SourceId, snapshot: Snapshot): void {
      save.run(source, JSON.stringify(snapshot))
    },
    removeOf(source: SourceId): void {
      remove.run(source)
    },
  }
}
