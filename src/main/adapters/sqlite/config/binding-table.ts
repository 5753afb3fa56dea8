/** Which account each conversation sticks to; forgotten after 30 days without use (routing §5). */
import type { Database } from 'better-sqlite3'
import type { SessionKey, SourceId } from '../../../../shared/ids.ts'
import { sourceId } from '../../../../shared/ids.ts'
import { type Binding, bindingRules } from '../../../domain/session.ts'
import { isText, oneOf, parsed, withFields } from '../shape.ts'

interface BindingRow {
  readonly session: string
  readonly source_id: string
  readonly bound_ms: number
  readonly last_used_ms: number
  readonly detail_json: string
}

type Detail = Pick<Binding, 'model' | 'moved'>

const isDetail = withFields({
  model: (value) => value === undefined || value === null || isText(value),
  moved: oneOf(undefined, 'here', 'anew'),
})

export function bindingTable(database: Database) {
  const usedSince = database.prepare<[number], BindingRow>(
    'SELECT * FROM binding WHERE last_used_ms >= ? ORDER BY last_used_ms, session',
  )
  const save = database.prepare(
    'INSERT INTO binding (session, source_id, bound_ms, last_used_ms, detail_json) VALUES (?, ?, ?, ?, ?)' +
      ' ON CONFLICT (session) DO UPDATE SET source_id = excluded.source_id, bound_ms = excluded.bound_ms,' +
      ' last_used_ms = excluded.last_used_ms, detail_json = excluded.detail_json',
  )
  const remove = database.prepare('DELETE FROM binding WHERE session = ?')
  const removeOf = database.prepare('DELETE FROM binding WHERE source_id = ?')
  const forget = database.prepare('DELETE FROM binding WHERE last_used_ms < ?')
  return {
    /** Those used within the last 30 days. */
    remembered(nowMs: number): readonly Binding[] {
      return usedSince.all(nowMs - bindingRules.rememberMs).map((row) => ({
        session: row.session as SessionKey,
        sourceId: sourceId(row.source_id),
        boundAtMs: row.bound_ms,
        lastUsedMs: row.last_used_ms,
        ...parsed<Detail>(row.detail_json, isDetail),
      }))
    },
    save({ session, sourceId, boundAtMs, lastUsedMs, model, moved }: Binding): void {
      save.run(session, sourceId, boundAtMs, lastUsedMs, JSON.stringify({ model, moved }))
    },
    remove(session: SessionKey): void {
      remove.run(session)
    },
    removeOf(source: SourceId): void {
      removeOf.run(source)
    },
    forgetUnused(nowMs: number): void {
      forget.run(nowMs - bindingRules.rememberMs)
    },
  }
}
