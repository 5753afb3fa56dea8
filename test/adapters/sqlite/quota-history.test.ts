/** Migrations 0030 and 0040 and their tables: samples, losses, owners, and what bindings carry. */
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { ground } from '../../../src/main/adapters/sqlite/config/migrations/0010-ground.ts'
import { poolOptions } from '../../../src/main/adapters/sqlite/config/migrations/0020-pool-options.ts'
import { configMigrations, SqliteConfigStore } from '../../../src/main/adapters/sqlite/config-store.ts'
import { leafRows } from '../../../src/main/adapters/sqlite/leaf-scan.ts'
import { migrate } from '../../../src/main/adapters/sqlite/migration.ts'
import { historyRules, type Lost, type Sample } from '../../../src/main/domain/quota-history.ts'
import type { Binding, Owned } from '../../../src/main/domain/session.ts'
import type { StateChange } from '../../../src/main/ports.ts'
import { type SessionKey, sourceId } from '../../../src/shared/ids.ts'
import { freshFolder, HandClock } from './ground.ts'

const work = sourceId('work')
const day = 86_400_000
const nothing: StateChange = { bindings: [], unbound: [], quota: new Map(), health: null }

const sample = (atMs: number, change: Partial<Sample> = {}): Sample => ({
  ...{ sourceId: work, window: 'weekly', family: null, usedPercent: 12.5, resetAtMs: atMs + day, source: 'poll', atMs },
  ...change,
})
const lost = (resetAtMs: number): Lost => ({
  ...{ sourceId: work, window: 'weekly', family: null, lengthMs: 7 * day, resetAtMs, usedPercent: 60 },
  ...{ readAtMs: resetAtMs - 30_000, seenAtMs: resetAtMs + 30_000, source: 'poll' },
})

function open() {
  const clock = new HandClock()
  const path = join(freshFolder(), 'pointsman.db')
  return { clock, path, store: new SqliteConfigStore({ path, clock }) }
}

test('samples come back by account, window and time, the newest of a longer range, oldest first', () => {
  const { store, clock } = open()
  const nowMs = clock.nowMs()
  const samples = [0, 1, 2, 3].map((n) => sample(nowMs - n * 60_000))
  const others = [
    sample(nowMs, { window: 'five-hour', family: 'spark', resetAtMs: null, source: 'header' }),
    sample(nowMs, { sourceId: sourceId('home') }),
  ]
  store.saveState({ ...nothing, history: { samples: [...samples, ...others], lost: [] } })
  const range = { sourceId: work, window: 'weekly', fromMs: nowMs - 120_000, toMs: nowMs, limit: 10 }
  expect(store.quotaSamples(range)).toEqual([samples[2], samples[1], samples[0]])
  expect(store.quotaSamples({ ...range, limit: 2 })).toEqual([samples[1], samples[0]])
  expect(store.quotaSamples({ fromMs: nowMs, toMs: nowMs, limit: 10 })).toHaveLength(3)
  expect(store.quotaSamples({ ...range, window: 'five-hour' })).toEqual([others[0]])
  store.close()
})

test('samples are kept five weeks, losses over a year; a removed account takes its own with it', () => {
  const { store, clock } = open()
  const nowMs = clock.nowMs()
  const old = sample(nowMs - historyRules.keepSamplesMs - 1)
  const losses = [lost(nowMs - historyRules.keepLostMs - 1), lost(nowMs - day)]
  store.saveState({ ...nothing, history: { samples: [old, sample(nowMs)], lost: losses } })
  const all = { fromMs: 0, toMs: nowMs, limit: 10 }
  expect(store.quotaSamples(all)).toEqual([sample(nowMs)])
  expect(store.quotaLost(0)).toEqual([losses[1]])
  // The same renewal seen twice is one loss.
  store.saveState({ ...nothing, history: { samples: [], lost: [losses[1]!] } })
  expect(store.quotaLost(0)).toEqual([losses[1]])
  store.removeSource(work)
  expect([store.quotaSamples(all), store.quotaLost(0)]).toEqual([[], []])
  store.close()
})

test('owners and what bindings carry outlive a restart; after 30 days both are forgotten', () => {
  const { store, clock, path } = open()
  const nowMs = clock.nowMs()
  const owned: Owned[] = [
    { hash: 'old', sourceId: work, atMs: nowMs - 31 * day },
    { hash: 'new', sourceId: work, atMs: nowMs },
  ]
  const binding: Binding = {
    ...{ session: 's1' as SessionKey, sourceId: work, boundAtMs: nowMs, lastUsedMs: nowMs },
    ...{ model: 'gpt-5.5', moved: 'anew' },
  }
  store.saveState({ ...nothing, bindings: [binding], owned })
  store.close()
  const again = new SqliteConfigStore({ path, clock })
  expect(again.owned()).toEqual([owned[1]])
  expect(again.bindings()).toEqual([binding])
  again.removeSource(work)
  expect([again.owned(), again.bindings()]).toEqual([[], []])
  again.close()
})

test('bindings of an older file stay, written anew in their full width for salvage', () => {
  const path = join(freshFolder(), 'pointsman.db')
  const database = new Database(path)
  migrate(database, [ground, poolOptions])
  const clock = new HandClock()
  database.prepare('INSERT INTO binding VALUES (?, ?, ?, ?)').run('s1', 'work', clock.nowMs(), clock.nowMs())
  migrate(database, configMigrations)
  database.close()
  const widths = [...leafRows(path)].filter(({ values }) => values.includes('s1')).map(({ values }) => values.length)
  expect(widths).toContain(5)
  const store = new SqliteConfigStore({ path, clock })
  expect(store.bindings()).toEqual([
    { session: 's1', sourceId: 'work', boundAtMs: clock.nowMs(), lastUsedMs: clock.nowMs() },
  ])
  store.close()
})

test('each precious table is alone with its number of columns, so that a page scan can tell its rows', () => {
  const database = new Database(':memory:')
  migrate(database, configMigrations)
  const width = (table: string): number => (database.pragma(`table_info("${table}")`) as unknown[]).length
  const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).pluck().all() as string[]
  const precious = ['source', 'pool', 'access_key', 'binding', 'health']
  const shared = precious.filter((table) => tables.some((other) => other !== table && width(other) === width(table)))
  expect(shared).toEqual([])
  database.close()
})
