/** Opening a store: private files, known schema, newer files untouched, refusals in plain words. */
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { callsFile } from '../../../src/main/adapters/sqlite/calls/call-database.ts'
import { configMigrations, SqliteConfigStore } from '../../../src/main/adapters/sqlite/config-store.ts'
import {
  assertSqliteVersion,
  oldestSqlite,
  openCurrent,
  type StoreFile,
} from '../../../src/main/adapters/sqlite/database.ts'
import { migrate, storedVersion } from '../../../src/main/adapters/sqlite/migration.ts'
import { openStore } from '../../../src/main/adapters/sqlite/open-store.ts'
import { defaultSettings } from '../../../src/main/domain/settings.ts'
import { problem } from '../../../src/shared/errors.ts'
import { freshFolder, HandClock } from './ground.ts'

const clock = new HandClock()
const refusedWith = (code: Parameters<typeof problem>[0], values: Record<string, string>) =>
  expect.objectContaining({ problem: problem(code, values) })

function opened(file: StoreFile) {
  const store = openStore(file, clock)
  onTestFinished(() => void store.database.close())
  return store
}

test('F42 an SQLite that can lose committed rows is refused, ours is not', () => {
  for (const found of ['3.7.0', '3.51.2', '3.50.9', '2.99.99']) {
    expect(() => assertSqliteVersion(found)).toThrow(refusedWith('sqlite_too_old', { found, needed: oldestSqlite }))
  }
  for (const found of [oldestSqlite, '3.52.0', '4.0.0']) assertSqliteVersion(found)
  assertSqliteVersion()
})

test.each([
  { file: callsFile(''), pragmas: { synchronous: 1, auto_vacuum: 2, busy_timeout: 0 } },
  {
    file: {
      ...callsFile(''),
      name: 'pointsman.db',
      synchronous: 'FULL' as const,
      busyTimeoutMs: 1_000,
      shrinks: false,
    },
    pragmas: { synchronous: 2, busy_timeout: 1_000 },
  },
])('$file.name is opened as it should be', ({ file, pragmas }) => {
  const { database } = opened({ ...file, path: join(freshFolder(), file.name) })
  const all = { journal_mode: 'wal', secure_delete: 1, foreign_keys: 1, trusted_schema: 0, ...pragmas }
  const found = Object.keys(all).map((name) => [name, database.pragma(name, { simple: true })])
  expect(Object.fromEntries(found)).toEqual(all)
})

test.skipIf(process.platform === 'win32')(
  'files are for their owner alone, whatever the umask, and repaired if not',
  () => {
    const before = process.umask(0)
    onTestFinished(() => void process.umask(before))
    const folder = freshFolder()
    const file = callsFile(join(folder, 'calls.db'))
    const store = openStore(file, clock)
    expect(readdirSync(folder).sort()).toEqual(['calls.db', 'calls.db-shm', 'calls.db-wal'])
    for (const name of readdirSync(folder))
      expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o600])
    store.database.close()
    chmodSync(file.path, 0o644)
    opened(file)
    expect(statSync(file.path).mode & 0o777).toBe(0o600)
  },
)

test.each([
  { name: 'calls.db', migrations: callsFile('').migrations },
  { name: 'pointsman.db', migrations: configMigrations },
])('$name: each migration leads from the one before to a sound, strict schema', ({ migrations }) => {
  const database = new Database(':memory:')
  const versions = migrations.map((migration) => {
    migrate(database, migrations, migration.version)
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
    return storedVersion(database)
  })
  expect(versions).toEqual(migrations.map(({ version }) => version))
  expect([...versions].sort((a, b) => a - b)).toEqual(versions)
  const loose = database.prepare(
    `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite_%'`,
  )
  expect(loose.pluck().all()).toEqual([])
  migrate(database, migrations)
  expect(storedVersion(database)).toBe(versions.at(-1))
})

test('F44 a migration that fails leaves the file at the step before it', () => {
  const database = new Database(':memory:')
  const good = { version: 10, sql: 'CREATE TABLE kept (name TEXT) STRICT' }
  const bad = { version: 20, sql: 'CREATE TABLE half (name TEXT) STRICT; INSERT INTO nowhere VALUES (1)' }
  expect(() => migrate(database, [good, bad])).toThrow('nowhere')
  expect(storedVersion(database)).toBe(10)
  expect(database.prepare('SELECT name FROM sqlite_schema').pluck().all()).toEqual(['kept'])
})

test('F44 a process killed within a migration leaves the file at the step before it', async () => {
  const path = join(freshFolder(), 'calls.db')
  openCurrent(callsFile(path)).close()
  const module = new URL('../../../src/main/adapters/sqlite/migration.ts', import.meta.url).href
  const script = `
    import Database from 'better-sqlite3'
    const { migrate } = await import(${JSON.stringify(module)})
    const database = new Database(process.argv[1])
    database.function('die', () => process.kill(process.pid, 'SIGKILL'))
    migrate(database, [{ version: 9990, sql: 'CREATE TABLE half (a); DROP TABLE detail; SELECT die()' }])`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, path], { stdio: 'inherit' })
  expect(await new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)))).toBe('SIGKILL')
  const { database, recovery } = opened(callsFile(path))
  expect(recovery).toBeNull()
  expect(storedVersion(database)).toBe(30)
  expect(database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).pluck().all()).toEqual([
    'call',
    'detail',
    'ledger',
    'stand_in',
  ])
})

test.each([
  { where: 'in the file', checkpoint: true },
  { where: 'in the write-ahead log only', checkpoint: false },
])('F44 a file of a newer version, the number $where, is refused and stays byte for byte', ({ checkpoint }) => {
  const folder = freshFolder()
  const file = callsFile(join(folder, 'calls.db'))
  openCurrent(file).close()
  const newer = new Database(file.path)
  newer.pragma('wal_autocheckpoint = 0')
  newer.pragma('user_version = 9990')
  if (checkpoint) newer.pragma('wal_checkpoint(TRUNCATE)')
  // A copy, as a killed process leaves it: closing would move the log into the file.
  const copy = join(folder, 'copy')
  mkdirSync(copy)
  const contents = ['calls.db', 'calls.db-wal'].map((name) => [name, readFileSync(join(folder, name))] as const)
  newer.close()
  for (const [name, content] of contents) writeFileSync(join(copy, name), content)
  const moved = callsFile(join(copy, 'calls.db'))
  expect(() => openStore(moved, clock)).toThrow(refusedWith('store_newer', { file: 'calls.db' }))
  expect(contents.map(([name]) => readFileSync(join(copy, name)))).toEqual(contents.map(([, content]) => content))
})

test('F39 a folder that can not be written says so without naming its path', () => {
  const path = join(freshFolder(), 'absent', 'pointsman.db')
  const open = () => new SqliteConfigStore({ path, clock })
  expect(open).toThrow(expect.objectContaining({ problem: expect.objectContaining({ code: 'store_unreadable' }) }))
  expect(open).not.toThrow(/absent/)
})

test('F43 a change while another program holds the file is refused in plain words and leaves the store usable', () => {
  const path = join(freshFolder(), 'pointsman.db')
  const store = new SqliteConfigStore({ path, clock })
  onTestFinished(() => store.close())
  const other = new Database(path)
  onTestFinished(() => void other.close())
  other.exec('BEGIN IMMEDIATE')
  const change = () => store.saveSettings({ ...defaultSettings, proxyPort: 8_000 })
  expect(change).toThrow(refusedWith('store_write_failed', { why: 'another program holds the file' }))
  expect(store.settings()).toEqual(defaultSettings)
  other.exec('ROLLBACK')
  change()
  expect(store.settings().proxyPort).toBe(8_000)
})
