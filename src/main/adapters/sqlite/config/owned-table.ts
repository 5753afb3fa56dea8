/** Which source made what only it can read again, by hash; forgotten like bindings after 30 days (routing §5). */
import type { Database } from 'better-sqlite3'
import { type SourceId, sourceId } from '../../../../shared/ids.ts'
import { bindingRules, type Owned } from '../../../domain/session.ts'
import { isNumber, isText, parsed, withFields } from '../shape.ts'
import type { SkipRow } from './skipped.ts'

interface OwnedRow {
  readonly hash: string
  readonly owner_json: string
}

const isOwner = withFields({ sourceId: isText, atMs: isNumber })

export function ownedTable(database: Database) {
  const all = database.prepare<[], OwnedRow>('SELECT * FROM owned')
  const save = database.prepare(
    'INSERT INTO owned (hash, owner_json) VALUES (?, ?) ON CONFLICT (hash) DO UPDATE SET owner_json = excluded.owner_json',
  )
  const forget = database.prepare(`DELETE FROM owned WHERE owner_json ->> 'atMs' < ?`)
  const forgetMany = database.prepare('DELETE FROM owned WHERE rowid <= (SELECT max(rowid) FROM owned) - ?')
  const removeOf = database.prepare(`DELETE FROM owned WHERE owner_json ->> 'sourceId' = ?`)
  return {
    all(skip: SkipRow): readonly Owned[] {
      return all
        .all()
        .flatMap(({ hash, owner_json }) => {
          const owner = parsed<{ readonly sourceId: string; readonly atMs: number }>(owner_json, isOwner)
          if (owner === undefined) skip('owned', hash)
          return owner === undefined ? [] : [{ hash, sourceId: sourceId(owner.sourceId), atMs: owner.atMs }]
        })
        .sort((a, b) => a.atMs - b.atMs)
    },
    save({ hash, sourceId: source, atMs }: Owned): void {
      save.run(hash, JSON.stringify({ sourceId: source, atMs }))
    },
    forgetOld(nowMs: number): void {
      forget.run(nowMs - bindingRules.rememberMs)
      forgetMany.run(bindingRules.mostOwned)
    },
    removeOf(source: SourceId): void {
      removeOf.run(source)
    },
  }
}
