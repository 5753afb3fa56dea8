/** F40: damaged files are set aside, what can be read comes back, and the number of rows is told. */
import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { WorkerCallReader } from '../../../src/main/adapters/sqlite/call-reader.ts'
import { SqliteCallStore } from '../../../src/main/adapters/sqlite/call-store.ts'
import { callDatabase, callsFile } from '../../../src/main/adapters/sqlite/calls/call-database.ts'
import { SqliteConfigStore } from '../../../src/main/adapters/sqlite/config-store.ts'
import { openCurrent } from '../../../src/main/adapters/sqlite/database.ts'
import { openStore } from '../../../src/main/adapters/sqlite/open-store.ts'
import type { OpenStore, Recovery } from '../../../src/main/adapters/sqlite/recovery.ts'
import { sourceId } from '../../../src/shared/ids.ts'
import { anAccount, storedKey } from './config-samples.ts'
import { freshFolder, HandClock, pageSize, stomp, systemClock, until } from './ground.ts'
import { sampleCall, sampleDecision } from './sample-calls.ts'

const firstId = 1_790_000_000_000_000
const clock = new HandClock()

/** A call log of this many calls; every seventh has a decision that needs overflow pages. */
function filled(calls: number, folder = freshFolder()): string {
  const path = join(folder, 'calls.db')
  const store = callDatabase(openCurrent(callsFile(path)))
  for (let n = 0; n < calls; n += 500) {
    const rows = Array.from({ length: Math.min(500, calls - n) }, (_, k) => n + k).map((k) => {
      const warnings = k % 7 === 0 ? Array.from({ length: 200 }, (_, w) => `warning ${k} ${w}`) : []
      return { record: sampleCall(firstId + k * 1_000, { decision: { ...sampleDecision, warnings } }), mayExist: false }
    })
    store.saveFinished(rows)
  }
  store.close()
  return path
}

function opened(path: string): OpenStore {
  const store = openStore(callsFile(path), systemClock)
  onTestFinished(() => void store.database.close())
  return store
}

const ids = (database: Database.Database, table: 'call' | 'detail'): readonly number[] =>
  database
    .prepare<[], number>(`SELECT ${table === 'call' ? 'id' : 'call_id'} FROM ${table} ORDER BY 1`)
    .pluck()
    .all()

/** Which page each row's leaf is, read from the sound file. */
function pagesOf(path: string): { readonly leaves: number; readonly inner: readonly number[]; readonly root: number } {
  const database = new Database(path, { readonly: true })
  const rows = database
    .prepare<[], { pageno: number; pagetype: string }>(`SELECT pageno, pagetype FROM dbstat WHERE name = 'detail'`)
    .all()
  const root = database.prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'detail'`).pluck().get() as number
  database.close()
  const inner = rows.filter(({ pagetype }) => pagetype === 'internal').map(({ pageno }) => pageno)
  return { leaves: rows.filter(({ pagetype }) => pagetype === 'leaf').length, inner, root }
}

const asideNames = (path: string): readonly string[] =>
  readdirSync(join(path, '..')).filter((name) => /^(calls|pointsman)\.corrupt-\d{8}T\d{9}Z(-\d+)?$/.test(name))

test.each([
  ['is empty', (path: string) => truncateSync(path, 0)],
  [
    'is not SQLite',
    (path: string) => writeFileSync(path, 'a text that is long enough to be taken for a header, '.repeat(200)),
  ],
  ['is shorter than a header', (path: string) => writeFileSync(path, 'x')],
])('F40 a call log that %s is set aside as it was, and a fresh one begins', (_, damage) => {
  const path = filled(10)
  damage(path)
  const before = readFileSync(path)
  const { database, recovery } = opened(path)
  const [asideName] = asideNames(path)
  expect(recovery).toMatchObject({ asideName, rows: { call: 0, detail: 0 }, complete: true })
  expect(readFileSync(join(path, '..', asideName))).toEqual(before)
  expect(ids(database, 'call')).toEqual([])
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('F40 twenty destroyed pages cost only the rows on them, wherever they are', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 31 - 1 }), (seed) => {
      const path = filled(4_000)
      const pages = Math.floor(statSync(path).size / pageSize)
      let state = seed
      const chosen = new Set<number>()
      while (chosen.size < 20) {
        state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
        chosen.add(1 + ((state >> 8) % pages))
      }
      stomp(path, chosen, seed)
      const { database, recovery } = opened(path)
      expect(recovery?.complete).toBe(true)
      // A leaf holds at most a dozen rows.
      expect(ids(database, 'call').length).toBeGreaterThanOrEqual(4_000 - 20 * 14)
      expect(ids(database, 'detail').length).toBeGreaterThanOrEqual(4_000 - 20 * 14)
      expect(recovery?.rows).toEqual({
        call: ids(database, 'call').length,
        detail: ids(database, 'detail').length,
        ledger: 0,
        stand_in: 0,
      })
      expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
    }),
    { numRuns: 8 },
  )
})

test.each([
  ['the first page', () => [1]],
  ['the root page', (path: string) => [pagesOf(path).root]],
  ['every inner page', (path: string) => pagesOf(path).inner],
  ['the first page and every inner page', (path: string) => [1, ...pagesOf(path).inner]],
])('F40 with %s gone, all rows come back from the leaves', (_, pages) => {
  const path = filled(3_000)
  const before = new Database(path, { readonly: true })
  const all = before.prepare('SELECT * FROM call, detail WHERE call_id = id ORDER BY id').all()
  before.close()
  stomp(path, pages(path))
  const { database, recovery } = opened(path)
  expect(recovery).toMatchObject({ rows: { call: 3_000, detail: 3_000 }, complete: true })
  expect(database.prepare('SELECT * FROM call, detail WHERE call_id = id ORDER BY id').all()).toEqual(all)
})

test('F40 a call log cut to half its length gives back the rows that are left', () => {
  const path = filled(3_000)
  const size = statSync(path).size
  truncateSync(path, Math.floor(size / 2) + 100)
  const { database, recovery } = opened(path)
  expect(recovery?.rows.call).toBeGreaterThan(1_300)
  expect(recovery?.rows.detail).toBeGreaterThan(1_300)
  expect(ids(database, 'call')).toHaveLength(recovery?.rows.call ?? -1)
})

test('F40 rows that were in the write-ahead log only come back too', () => {
  const folder = freshFolder()
  const path = filled(100, folder)
  const writer = new Database(path)
  writer.pragma('wal_autocheckpoint = 0')
  callDatabase(writer).saveFinished([{ record: sampleCall(firstId + 999_000), mayExist: false }])
  const copy = freshFolder()
  for (const name of ['calls.db', 'calls.db-wal']) writeFileSync(join(copy, name), readFileSync(join(folder, name)))
  writer.close()
  stomp(join(copy, 'calls.db'), [1])
  const { database } = opened(join(copy, 'calls.db'))
  expect(ids(database, 'call')).toHaveLength(101)
})

test.each([
  { thread: 'on the reader’s thread', withReader: true },
  { thread: 'by the store itself', withReader: false },
])(
  'F40 damage that appears while the program runs is repaired $thread, and no call is lost',
  async ({ withReader }) => {
    const path = filled(2_000)
    const limits = () => ({ retentionDays: 36_500, retentionBytes: 2 ** 40, forgetsByAge: true })
    const told: Recovery[] = []
    const hand = new HandClock()
    const workerUrl = new URL('../../../src/main/adapters/sqlite/calls-reader.ts', import.meta.url)
    const reader = new WorkerCallReader({ path, clock: systemClock, workerUrl })
    onTestFinished(() => reader.close())
    const work = withReader ? reader : null
    const store = new SqliteCallStore({ path, clock: hand, limits, work, onRecovery: (one) => void told.push(one) })
    onTestFinished(() => store.close())
    stomp(
      path,
      Array.from({ length: Math.floor(statSync(path).size / pageSize) - 3 }, (_, n) => n + 4),
    )
    await new Promise<void>((resolve) => store.finish(sampleCall(firstId + 9_999_000), resolve))
    expect(store.saving()).toMatchObject({ saving: false, waiting: 1 })
    hand.forward(1_000)
    await until(() => store.saving().saving, 'the repair')
    expect(store.saving()).toEqual({ saving: true, waiting: 0, dropped: 0, why: null })
    expect(told).toHaveLength(1)
    expect((await reader.page(1, 0, {})).rows[0].id).toBe(String(firstId + 9_999_000))
  },
)

test('F40 a file too large to be checked at the start is checked while calls already run', async () => {
  const path = filled(2_000)
  stomp(path, [...pagesOf(path).inner])
  const limits = () => ({ retentionDays: 36_500, retentionBytes: 2 ** 40, forgetsByAge: true })
  const told: Recovery[] = []
  const workerUrl = new URL('../../../src/main/adapters/sqlite/calls-reader.ts', import.meta.url)
  const reader = new WorkerCallReader({ path, clock: systemClock, workerUrl })
  onTestFinished(() => reader.close())
  const onRecovery = (one: Recovery) => void told.push(one)
  const store = new SqliteCallStore({
    path,
    clock: systemClock,
    limits,
    work: reader,
    checkedAtOnceBytes: 0,
    onRecovery,
  })
  onTestFinished(() => store.close())
  expect(told).toEqual([])
  await until(() => told.length > 0 && store.saving().saving, 'the repair')
  expect(told).toMatchObject([{ rows: { call: 2_000, detail: 2_000 }, complete: true }])
})

test('F41 a log of another file is never mixed in silently, and a missing one only loses what was in it', () => {
  const [mine, theirs] = [freshFolder(), freshFolder()]
  const snapshots = [mine, theirs].map((folder, n) => {
    const path = filled(100 + n * 40, folder)
    const writer = new Database(path)
    writer.pragma('wal_autocheckpoint = 0')
    callDatabase(writer).saveFinished([{ record: sampleCall(firstId + 999_000 + n), mayExist: false }])
    const [file, log] = ['', '-wal'].map((suffix) => readFileSync(path + suffix))
    writer.close()
    return { file, log }
  })
  const [mixed, bare] = [freshFolder(), freshFolder()].map((folder) => join(folder, 'calls.db'))
  writeFileSync(mixed, snapshots[0].file)
  writeFileSync(`${mixed}-wal`, snapshots[1].log)
  const { database, recovery } = opened(mixed)
  expect(recovery?.because).toBe('pages are damaged')
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
  writeFileSync(bare, snapshots[0].file)
  const whole = opened(bare)
  expect(whole.recovery).toBeNull()
  expect(ids(whole.database, 'call')).toHaveLength(100)
})

test('F40 F46 a damaged configuration gives back its sources and keys, and tells it', () => {
  const path = join(freshFolder(), 'pointsman.db')
  const first = new SqliteConfigStore({ path, clock })
  const keys = fc.sample(storedKey, { numRuns: 40, seed: 3 }).map((stored, n) => ({
    digest: `${stored.digest}${n}`,
    key: { ...stored.key, id: `key_${n}` as typeof stored.key.id },
  }))
  const sources = Array.from({ length: 30 }, (_, n) => ({ ...anAccount, id: sourceId(`account-${n}`) }))
  for (const one of sources) first.saveSource(one)
  for (const one of keys) first.saveKey(one)
  first.close()
  stomp(path, [1])
  const store = new SqliteConfigStore({ path, clock })
  onTestFinished(() => store.close())
  expect(store.recovery).toMatchObject({ rows: { source: 30, access_key: 40 }, complete: true })
  expect(store.sources()).toHaveLength(30)
  expect(new Set(store.keys().map(({ key }) => key.id))).toEqual(new Set(keys.map(({ key }) => key.id)))
})

test('a recovery that is cut off leaves the damaged file in place, and one that was nearly done is ended', () => {
  const path = filled(500)
  stomp(path, [1])
  const damaged = readFileSync(path)
  writeFileSync(`${path}.new`, 'half a file')
  const first = openStore(callsFile(path), clock)
  expect(first.recovery?.rows).toEqual({ call: 500, detail: 500, ledger: 0, stand_in: 0 })
  first.database.close()
  expect(existsSync(`${path}.new`)).toBe(false)

  // Killed just before the two files changed places.
  writeFileSync(`${path}.salvaged`, readFileSync(path))
  writeFileSync(path, damaged)
  const second = opened(path)
  expect(second.recovery?.because).toBe('an earlier repair was cut off')
  expect(ids(second.database, 'call')).toHaveLength(500)
  expect(asideNames(path)).toHaveLength(2)
})

/** One bit of a name in the text that the schema keeps of a table. */
function alterName(path: string, name: string): void {
  const bytes = readFileSync(path)
  const at = bytes.indexOf(name)
  expect(at).toBeGreaterThan(0)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(path, bytes)
}

test('F40 a store whose schema was altered is set aside like one with damaged pages', () => {
  const path = filled(10)
  alterName(path, 'requested_model')
  const { database, recovery } = opened(path)
  expect(recovery).toMatchObject({ because: 'its tables lack columns', asideName: asideNames(path)[0] })
  expect(ids(database, 'detail')).toHaveLength(10)

  const folder = freshFolder()
  const configPath = join(folder, 'pointsman.db')
  const store = new SqliteConfigStore({ path: configPath, clock })
  store.saveSource(anAccount)
  store.saveKey(...fc.sample(storedKey, { numRuns: 1, seed: 1 }))
  store.close()
  alterName(configPath, 'detail_json')
  const again = new SqliteConfigStore({ path: configPath, clock })
  onTestFinished(() => again.close())
  expect(again.recovery).toMatchObject({ because: 'its tables lack columns', asideName: asideNames(configPath)[0] })
  expect(again.keys()).toHaveLength(1)
})
