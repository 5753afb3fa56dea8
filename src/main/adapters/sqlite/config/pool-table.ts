/** The person's order of each pool: tiers, what is switched off, the strategy. */
import type { Database } from 'better-sqlite3'
import type { BackendId } from '../../../../shared/ids.ts'
import { poolId } from '../../../../shared/ids.ts'
import type { Arrangement, PoolOptions } from '../../../domain/pool.ts'
import { isNumber, isText, listOf, mapOf, parsed } from '../shape.ts'
import type { SkipRow } from './skipped.ts'

interface PoolRow {
  readonly id: string
  readonly tiers_json: string
  readonly disabled_json: string
  readonly strategy: string | null
  readonly options_json: string
  readonly revision: number
}

export function poolTable(database: Database) {
  const all = database.prepare<[], PoolRow>('SELECT * FROM pool ORDER BY id')
  const save = database.prepare(
    'INSERT INTO pool (id, tiers_json, disabled_json, strategy, options_json, revision) VALUES (?, ?, ?, ?, ?, ?)' +
      ' ON CONFLICT (id) DO UPDATE SET tiers_json = excluded.tiers_json, disabled_json = excluded.disabled_json,' +
      ' strategy = excluded.strategy, options_json = excluded.options_json, revision = excluded.revision',
  )
  return {
    all(skip: SkipRow): readonly Arrangement[] {
      return all.all().flatMap((row) => {
        const tiers = parsed<BackendId[][]>(row.tiers_json, listOf(listOf(isText)))
        const disabled = parsed<BackendId[]>(row.disabled_json, listOf(isText))
        const options = parsed<PoolOptions>(row.options_json, mapOf(isNumber))
        if (tiers !== undefined && disabled !== undefined && options !== undefined) {
          const { strategy, revision } = row
          return { poolId: poolId(row.id), tiers, disabled, strategy, options, revision }
        }
        skip('pool', row.id)
        return []
      })
    },
    save({ poolId, tiers, disabled, strategy, options, revision }: Arrangement): void {
      const [tiersJson, disabledJson] = [JSON.stringify(tiers), JSON.stringify(disabled)]
      save.run(poolId, tiersJson, disabledJson, strategy, JSON.stringify(options), revision)
    },
  }
}
