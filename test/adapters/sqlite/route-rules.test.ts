/** Migration 0070: route rules come back as saved, an older file has none, and a damaged row is skipped and told. */
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { configMigrations, SqliteConfigStore } from '../../../src/main/adapters/sqlite/config-store.ts'
import { migrate } from '../../../src/main/adapters/sqlite/migration.ts'
import type { RouteRule } from '../../../src/main/domain/route-rule.ts'
import type { BackendId } from '../../../src/shared/ids.ts'
import { freshFolder, HandClock } from './ground.ts'

const rule = (change: Partial<RouteRule> = {}): RouteRule => ({
  id: 'codex-gpt-5-5',
  providerId: 'codex',
  matchModel: 'gpt-5.5',
  dialect: 'responses',
  strategy: 'balanced',
  options: { fiveHourSoftLimit: 70 },
  tiers: [['a:gpt-5.5' as BackendId], ['b:gpt-5.5' as BackendId]],
  enabled: true,
  revision: 3,
  createdAtMs: 1,
  updatedAtMs: 2,
  ...change,
})

/** A file from before there were rules. */
function oldFile(): string {
  const path = join(freshFolder(), 'pointsman.db')
  const database = new Database(path)
  migrate(
    database,
    configMigrations.filter(({ version }) => version < 70),
  )
  database.close()
  return path
}

test('an older file has no rule; saved ones come back after a restart, and removed ones don’t', () => {
  const path = oldFile()
  const first = new SqliteConfigStore({ path, clock: new HandClock() })
  expect(first.routeRules()).toEqual([])
  const other = rule({ id: 'any-x', providerId: 'any', dialect: null, strategy: null, enabled: false })
  for (const one of [rule({ revision: 1 }), other, rule(), rule({ id: 'gone' })]) first.saveRouteRule(one)
  first.removeRouteRule('gone')
  first.close()
  const second = new SqliteConfigStore({ path, clock: new HandClock() })
  expect(second.routeRules()).toEqual([other, rule()])
  second.close()
})

test('a damaged row is skipped and told, the others still count', () => {
  const path = oldFile()
  const first = new SqliteConfigStore({ path, clock: new HandClock() })
  for (const id of ['a', 'b', 'c', 'd']) first.saveRouteRule(rule({ id }))
  first.close()
  const database = new Database(path)
  database.exec(`UPDATE route_rule SET tiers_json = '["a"]' WHERE id = 'a'`)
  database.exec(`UPDATE route_rule SET dialect = 'telex' WHERE id = 'b'`)
  database.exec(`UPDATE route_rule SET options_json = 'no' WHERE id = 'c'`)
  database.close()
  const skipped: string[] = []
  const store = new SqliteConfigStore({ path, clock: new HandClock(), onSkip: (...row) => skipped.push(row.join(' ')) })
  expect([store.routeRules(), skipped]).toEqual([[rule({ id: 'd' })], ['route_rule a', 'route_rule b', 'route_rule c']])
  store.close()
})

test('its rows are alone with their number of columns, so that a page scan can tell them', () => {
  const database = new Database(':memory:')
  migrate(database, configMigrations)
  const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).pluck().all() as string[]
  const width = (table: string): number => (database.pragma(`table_info("${table}")`) as unknown[]).length
  expect(tables.filter((table) => width(table) === width('route_rule'))).toEqual(['route_rule'])
  database.close()
})
