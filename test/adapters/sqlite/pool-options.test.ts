/** Migration 0020: pools of the first schema keep their order and get no options; options come back as saved. */
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { ground } from '../../../src/main/adapters/sqlite/config/migrations/0010-ground.ts'
import { poolOptions } from '../../../src/main/adapters/sqlite/config/migrations/0020-pool-options.ts'
import { SqliteConfigStore } from '../../../src/main/adapters/sqlite/config-store.ts'
import { leafRows } from '../../../src/main/adapters/sqlite/leaf-scan.ts'
import { migrate } from '../../../src/main/adapters/sqlite/migration.ts'
import { type BackendId, poolId } from '../../../src/shared/ids.ts'
import { freshFolder, HandClock } from './ground.ts'

/** A file as the first version left it, with one pool. */
function oldFile(): string {
  const path = join(freshFolder(), 'pointsman.db')
  const database = new Database(path)
  migrate(database, [ground])
  database.exec(`INSERT INTO pool VALUES ('gpt-5.5', '[["a:gpt-5.5"]]', '[]', 'smart', 3)`)
  database.close()
  return path
}

test('a pool of the first schema keeps its order and strategy, with no options set', () => {
  const store = new SqliteConfigStore({ path: oldFile(), clock: new HandClock() })
  const tiers = [['a:gpt-5.5' as BackendId]]
  expect(store.arrangements()).toEqual([
    { poolId: poolId('gpt-5.5'), tiers, disabled: [], strategy: 'smart', options: {}, revision: 3 },
  ])
  store.close()
})

test('options come back as they were saved, and damaged ones are skipped and told', () => {
  const path = oldFile()
  const store = new SqliteConfigStore({ path, clock: new HandClock() })
  const [old] = store.arrangements()
  const changed = { ...old!, options: { fiveHourSoftLimit: 70 }, revision: 4 }
  store.saveArrangement(changed)
  expect(store.arrangements()).toEqual([changed])
  store.close()
  const database = new Database(path)
  database.exec(`UPDATE pool SET options_json = '{"fiveHourSoftLimit":"much"}'`)
  database.close()
  const skipped: string[] = []
  const again = new SqliteConfigStore({
    path,
    clock: new HandClock(),
    onSkip: (...row) => void skipped.push(row.join(' ')),
  })
  expect([again.arrangements(), skipped]).toEqual([[], ['pool gpt-5.5']])
  again.close()
})

test('the rows are written anew in their full width, so that a page scan still knows them', () => {
  const path = oldFile()
  const database = new Database(path)
  migrate(database, [ground, poolOptions])
  database.close()
  const widths = [...leafRows(path)]
    .filter(({ values }) => values.includes('gpt-5.5'))
    .map(({ values }) => values.length)
  expect(widths).toContain(6)
})
