/** The call log when the disk refuses, and what it forgets: calls go on, nothing acknowledged is lost, files stay small. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { WorkerCallReader } from '../../../src/main/adapters/sqlite/call-reader.ts'
import { type CallStoreOptions, SqliteCallStore } from '../../../src/main/adapters/sqlite/call-store.ts'
import { page } from '../../../src/main/adapters/sqlite/calls/call-queries.ts'
import type { SavingState } from '../../../src/main/ports.ts'
import { freshFolder, HandClock, oneTurn, systemClock, until } from './ground.ts'
import { openCall, sampleCall, sampleDecision } from './sample-calls.ts'

const firstId = 1_790_000_000_000_000
const keepAll = () => ({ retentionDays: 36_500, retentionBytes: 2 ** 40, forgetsByAge: true })

function openStore(path: string, change: Partial<CallStoreOptions> = {}): SqliteCallStore {
  const store = new SqliteCallStore({ path, clock: new HandClock(), limits: keepAll, work: null, ...change })
  onTestFinished(() => store.close())
  return store
}

function rowsIn(path: string): number {
  const database = new Database(path, { readonly: true })
  try {
    return page(database, 0, 0, {}).total
  } finally {
    database.close()
  }
}

const finished = (store: SqliteCallStore, id: number): Promise<void> =>
  new Promise((resolve) => store.finish(sampleCall(id), resolve))

/** A disk of 2 MiB, or null with the reason where none can be had. */
function smallDisk(): string | null {
  const folder = freshFolder()
  const disk = join(folder, 'disk')
  mkdirSync(disk)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk], { stdio: 'pipe' })
  } catch {
    console.log('skipped F36 on a small tmpfs: mounting one is not allowed here')
    return null
  }
  onTestFinished(() => void execFileSync('umount', ['-l', disk], { stdio: 'pipe' }))
  return disk
}

test('F36 on a full disk calls go on, rows wait in memory, and they are saved once there is room', async (context) => {
  const disk = smallDisk()
  if (disk === null) {
    context.skip('no small disk')
    return
  }
  const path = join(disk, 'calls.db')
  const clock = new HandClock()
  const states: SavingState[] = []
  const store = openStore(path, { clock, onSaving: (state) => void states.push(state) })
  await finished(store, firstId)
  execFileSync('sh', ['-c', `cat /dev/zero > '${disk}/ballast' 2>/dev/null || true`])

  let sent = 1
  while (store.saving().saving && sent < 500) {
    await finished(store, firstId + sent * 1_000)
    sent += 1
  }
  expect(store.saving()).toMatchObject({ saving: false, why: 'The call log is not being saved: the disk is full.' })
  for (let more = 0; more < 20; more += 1, sent += 1) await finished(store, firstId + sent * 1_000)
  expect(store.saving().waiting).toBeGreaterThanOrEqual(20)
  clock.forward(1_000)
  expect(store.saving().saving).toBe(false)

  execFileSync('sh', ['-c', `rm -f '${disk}'/ballast*`])
  clock.forward(1_000)
  await until(() => store.saving().saving, 'the rows to be saved')
  expect(rowsIn(path)).toBe(sent)
  expect(states.at(-1)).toEqual({ saving: true, waiting: 0, dropped: 0, why: null })
  expect(states.some(({ saving }) => !saving)).toBe(true)
})

test('F36 a disk that is full at the start lets the calls through, and is used once there is room', async (context) => {
  const disk = smallDisk()
  if (disk === null) {
    context.skip('no small disk')
    return
  }
  execFileSync('sh', ['-c', `cat /dev/zero > '${disk}/ballast' 2>/dev/null || true`])
  const clock = new HandClock()
  const path = join(disk, 'calls.db')
  const store = openStore(path, { clock })
  expect(store.saving().saving).toBe(false)
  await finished(store, firstId)
  clock.forward(1_000)
  expect(store.saving()).toMatchObject({ saving: false, waiting: 1 })
  rmSync(join(disk, 'ballast'))
  clock.forward(1_000)
  await until(() => store.saving().saving, 'the row to be saved')
  expect(rowsIn(path)).toBe(1)
})

test('F43 a lock held by another program is waited for without standing still, then as for a full disk', async () => {
  const path = join(freshFolder(), 'calls.db')
  const clock = new HandClock()
  const store = openStore(path, { clock })
  const other = new Database(path)
  onTestFinished(() => void other.close())
  other.exec('BEGIN IMMEDIATE')
  let released = 0
  store.finish(sampleCall(firstId), () => {
    released += 1
  })
  await oneTurn()
  clock.forward(1_900)
  expect([released, store.saving().saving]).toEqual([0, true])
  other.exec('ROLLBACK')
  clock.forward(20)
  expect([released, store.saving().saving, rowsIn(path)]).toEqual([1, true, 1])

  other.exec('BEGIN IMMEDIATE')
  store.finish(sampleCall(firstId + 1), () => {
    released += 1
  })
  await oneTurn()
  clock.forward(2_100)
  const why = 'The call log is not being saved: another program holds the file.'
  expect([released, store.saving()]).toEqual([2, { saving: false, waiting: 1, dropped: 0, why }])
  other.exec('ROLLBACK')
  clock.forward(1_000)
  expect([store.saving().saving, rowsIn(path)]).toEqual([true, 2])
})

test('F43 a file that is locked at the start is used later, and rows left open by a killed process are ended then', async () => {
  const path = join(freshFolder(), 'calls.db')
  filled(path, 3)
  const other = new Database(path)
  onTestFinished(() => void other.close())
  other.exec('UPDATE call SET outcome = NULL')
  other.exec('BEGIN IMMEDIATE')
  const clock = new HandClock()
  const store = openStore(path, { clock })
  expect(store.saving().saving).toBe(false)
  await finished(store, firstId)
  other.exec('ROLLBACK')
  clock.forward(1_000)
  expect(store.saving().saving).toBe(true)
  const found = new Database(path, { readonly: true })
  const outcomes = page(found, 9, 0, {}).rows.map(({ outcome }) => outcome)
  found.close()
  expect(outcomes).toEqual(['done', 'interrupted', 'interrupted', 'interrupted'])
})

test('F36 at most a thousand rows wait, the oldest are dropped and counted', async () => {
  const path = join(freshFolder(), 'calls.db')
  const clock = new HandClock()
  const store = openStore(path, { clock })
  const other = new Database(path)
  onTestFinished(() => void other.close())
  other.exec('BEGIN IMMEDIATE')
  let released = 0
  for (let n = 0; n < 1_100; n += 1) {
    store.finish(sampleCall(firstId + n), () => {
      released += 1
    })
  }
  await oneTurn()
  clock.forward(2_100)
  await until(() => released === 1_100, 'all calls to be released')
  expect(store.saving()).toMatchObject({ saving: false, waiting: 1_000, dropped: 100 })
  other.exec('ROLLBACK')
  clock.forward(1_000)
  await until(() => store.saving().saving, 'the rows to be saved')
  expect(rowsIn(path)).toBe(1_000)
})

test('rows that still wait are saved at the close, and calls that run become interrupted', async () => {
  const path = join(freshFolder(), 'calls.db')
  const clock = new HandClock()
  const store = openStore(path, { clock })
  const other = new Database(path)
  other.exec('BEGIN IMMEDIATE')
  store.begin(openCall(sampleCall(firstId + 5)))
  store.finish(sampleCall(firstId), () => {})
  await oneTurn()
  clock.forward(2_100)
  other.exec('ROLLBACK')
  other.close()
  store.close()
  const found = new Database(path, { readonly: true })
  expect(page(found, 5, 0, {}).rows.map(({ outcome }) => outcome)).toEqual(['interrupted', 'done'])
  found.close()
})

function filled(path: string, calls: number): void {
  const database = openStore(path)
  database.close()
  const writer = new Database(path)
  writer.pragma('secure_delete = ON')
  writer.exec('BEGIN')
  const call = writer.prepare(
    'INSERT INTO call (id, started_ms, provider_id, operation, dialect, key_id, outcome, stream, bytes_in, bytes_out,' +
      ` sentence) VALUES (?, ?, 'any', 'generate', 'chat', 'key_a', 'done', 0, 0, 0, 'canary sentence')`,
  )
  const detail = writer.prepare(`INSERT INTO detail VALUES (?, '[]', ?)`)
  const standIn = writer.prepare(`INSERT INTO stand_in VALUES (?, 'canary account')`)
  for (let n = 0; n < calls; n += 1) {
    const startedMs = 1_790_000_000_000 - (calls - n) * 60_000
    call.run(startedMs * 1_000, startedMs)
    detail.run(startedMs * 1_000, JSON.stringify({ ...sampleDecision, sentence: 'canary decision '.repeat(40) }))
    standIn.run(startedMs * 1_000)
  }
  writer.exec('COMMIT')
  writer.close()
}

test('F45 calls older than the limit go, none younger, and the file gives back their pages', () => {
  const path = join(freshFolder(), 'calls.db')
  filled(path, 4_000)
  const before = statSync(path).size
  const clock = new HandClock()
  const store = openStore(path, {
    clock,
    limits: () => ({ retentionDays: 1, retentionBytes: 2 ** 40, forgetsByAge: true }),
  })
  clock.forward(20)
  expect(rowsIn(path)).toBe(1_439)
  const found = new Database(path, { readonly: true })
  expect(found.pragma('freelist_count', { simple: true })).toBe(0)
  expect(found.prepare('SELECT count(*) FROM stand_in').pluck().get()).toBe(1_439)
  found.close()
  clock.forward(3_600_000)
  expect(rowsIn(path)).toBe(1_379)
  store.close()
  expect(statSync(path).size).toBeLessThan(before * 0.4)
})

test('F60 while the clock is not believed nothing goes for its age; the size limit holds all the same', () => {
  const path = join(freshFolder(), 'calls.db')
  filled(path, 4_000)
  const clock = new HandClock()
  let [retentionBytes, forgetsByAge] = [2 ** 40, false]
  openStore(path, { clock, limits: () => ({ retentionDays: 0, retentionBytes, forgetsByAge }) })
  clock.forward(100_000)
  expect(rowsIn(path)).toBe(4_000)
  retentionBytes = 1_500_000
  clock.forward(100_000)
  const left = rowsIn(path)
  expect(left).toBeGreaterThan(0)
  expect(left).toBeLessThan(4_000)
  forgetsByAge = true
  clock.forward(100_000)
  expect(rowsIn(path)).toBe(0)
})

test('F45 a purge takes many short steps, and calls are saved between them', async () => {
  const path = join(freshFolder(), 'calls.db')
  filled(path, 4_000)
  const store = openStore(path, {
    clock: systemClock,
    limits: () => ({ retentionDays: 0, retentionBytes: 2 ** 40, forgetsByAge: true }),
  })
  await until(() => rowsIn(path) < 4_000, 'the first step')
  const left = rowsIn(path)
  expect(left).toBeGreaterThan(0)
  await finished(store, 2 ** 52)
  expect(rowsIn(path)).toBeGreaterThan(1)
})

test('T5.2 after a purge nothing forgotten can be read in the file or in its log', () => {
  const path = join(freshFolder(), 'calls.db')
  filled(path, 300)
  expect(readFileSync(path).includes('canary')).toBe(true)
  const clock = new HandClock()
  openStore(path, { clock, limits: () => ({ retentionDays: 0, retentionBytes: 2 ** 40, forgetsByAge: true }) })
  clock.forward(20)
  expect(rowsIn(path)).toBe(0)
  for (const name of [path, `${path}-wal`]) expect(readFileSync(name).includes('canary')).toBe(false)
})

test('F45 beyond the size limit the oldest calls go, to within a tenth of it', () => {
  const path = join(freshFolder(), 'calls.db')
  filled(path, 4_000)
  const retentionBytes = 1_500_000
  const clock = new HandClock()
  const store = openStore(path, {
    clock,
    limits: () => ({ retentionDays: 36_500, retentionBytes, forgetsByAge: true }),
  })
  clock.forward(20)
  store.close()
  expect(statSync(path).size).toBeGreaterThan(retentionBytes * 0.9)
  expect(statSync(path).size).toBeLessThan(retentionBytes * 1.1)
  const found = new Database(path, { readonly: true })
  expect(page(found, 1, 0, {}).rows[0].startedMs).toBe(1_790_000_000_000 - 60_000)
  found.close()
})

test('the log is moved into the file by the reader’s thread once it has grown, not by a commit', async () => {
  const path = join(freshFolder(), 'calls.db')
  const workerUrl = new URL('../../../src/main/adapters/sqlite/calls-reader.ts', import.meta.url)
  const reader = new WorkerCallReader({ path, clock: systemClock, workerUrl })
  onTestFinished(() => reader.close())
  const store = openStore(path, { work: reader })
  let released = 0
  for (let n = 0; n < 64 * 64; n += 1) {
    store.finish(sampleCall(firstId + n), () => {
      released += 1
    })
  }
  await until(() => released === 64 * 64, 'all calls to be released')
  await until(() => statSync(path).size > 1024 * 1024, 'the log to be moved')
  expect(reader.isRunning).toBe(true)
})
