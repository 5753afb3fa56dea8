/** Route rules: which backends serve a model at an address, as the person wrote them down. */
import type { Database } from 'better-sqlite3'
import type { BackendId } from '../../../../shared/ids.ts'
import type { PoolOptions } from '../../../domain/pool.ts'
import type { RouteRule } from '../../../domain/route-rule.ts'
import { type Dialect, dialects } from '../../../domain/source.ts'
import { isNumber, isText, listOf, mapOf, oneOf, orNull, parsed } from '../shape.ts'
import type { SkipRow } from './skipped.ts'

interface RouteRow {
  readonly id: string
  readonly provider_id: string
  readonly match_model: string
  readonly dialect: string | null
  readonly strategy: string | null
  readonly options_json: string
  readonly tiers_json: string
  readonly enabled: number
  readonly revision: number
  readonly created_ms: number
  readonly updated_ms: number
}

const isDialect = (text: string | null): text is Dialect | null => orNull(oneOf(...dialects))(text)

export function routeTable(database: Database) {
  const all = database.prepare<[], RouteRow>('SELECT * FROM route_rule ORDER BY id')
  const save = database.prepare('INSERT OR REPLACE INTO route_rule VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const remove = database.prepare('DELETE FROM route_rule WHERE id = ?')
  return {
    all(skip: SkipRow): readonly RouteRule[] {
      return all.all().flatMap((row) => {
        const { id, dialect, strategy, revision } = row
        const options = parsed<PoolOptions>(row.options_json, mapOf(isNumber))
        const tiers = parsed<BackendId[][]>(row.tiers_json, listOf(listOf(isText)))
        if (options === undefined || tiers === undefined || !isDialect(dialect)) {
          skip('route_rule', id)
          return []
        }
        const known = { id, providerId: row.provider_id, matchModel: row.match_model, dialect, strategy }
        const times = { createdAtMs: row.created_ms, updatedAtMs: row.updated_ms }
        return [{ ...known, options, tiers, enabled: row.enabled === 1, revision, ...times }]
      })
    },
    save(rule: RouteRule): void {
      const { id, providerId, matchModel, dialect, strategy, enabled, revision, createdAtMs, updatedAtMs } = rule
      const [options, tiers] = [JSON.stringify(rule.options), JSON.stringify(rule.tiers)]
      const [on, times] = [enabled ? 1 : 0, [createdAtMs, updatedAtMs]]
      save.run(id, providerId, matchModel, dialect, strategy, options, tiers, on, revision, ...times)
    },
    remove(id: string): void {
      remove.run(id)
    },
  }
}
