/** The writing side of the call log: commit before release, open rows, ids. */
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { type CallStoreOptions, SqliteCallStore } from '../../../src/main/adapters/sqlite/call-store.ts'
import { get, page } from '../../../src/main/adapters/sqlite/calls/call-queries.ts'
import { callId } from '../../../src/shared/ids.ts'
import { freshFolder, HandClock, oneTurn, until } from './ground.ts'
import { openCall, sampleCall, sampleDecision, sampleExecution } from './sample-calls.ts'

const firstId = 1_790_000_000_000_000

function openStore(path: string, change: Partial<CallStoreOptions> = {}): SqliteCallStore {
  const limits = () => ({ retentionDays: 36_500, retentionBytes: 2 ** 40, forgetsByAge: true })
  const store = new SqliteCallStore({ path, clock: new HandClock(), limits, work: null, ...change })
  onTestFinished(() => store.close())
  return store
}

function reading<T>(path: string, read: (database: Database.Database) => T): T {
  const database = new Database(path, { readonly: true })
  try {
    return read(database)
  } finally {
    database.close()
  }
}

const outcomes = (path: string): readonly (string | null)[] =>
  reading(path, (database) => page(database, 100, 0, {}).rows.map((row) => row.outcome))

test('gives back a finished call whole', async () => {
  const path = join(freshFolder(), 'calls.db')
  const store = openStore(path)
  const call = sampleCall(firstId, {
    executions: [{ ...sampleExecution, outcome: 'failed', usage: null }, sampleExecution],
  })
  let released = false
  store.finish(call, () => {
    released = true
  })
  await until(() => released, 'the release')
  const { executions, decision, ...rest } = call
  const attemptBackends = executions.map((execution) => execution.backendId)
  expect(reading(path, (database) => get(database, call.id))).toEqual({
    call: { ...rest, stoodInFor: null, sentence: decision.sentence, attempts: 2, attemptBackends },
    executions,
    decision,
  })
})

test('releases a call only once another connection can see its row, in order, at most 64 to a commit', async () => {
  const path = join(freshFolder(), 'calls.db')
  const store = openStore(path)
  const seen: { readonly released: number; readonly rows: number }[] = []
  const calls = Array.from({ length: 150 }, (_, n) => sampleCall(firstId + n))
  for (const call of calls) store.begin(openCall(call))
  for (const [n, call] of calls.slice(0, 149).entries()) {
    store.finish(call, () => {
      seen.push({ released: n, rows: reading(path, (database) => page(database, 1, 0, {}).total) })
    })
  }
  expect(reading(path, (database) => page(database, 1, 0, {}).total)).toBe(0)
  await until(() => seen.length === 149, 'all releases')
  expect(seen.map(({ released }) => released)).toEqual(Array.from({ length: 149 }, (_, n) => n))
  expect(seen.map(({ rows }) => rows)).toEqual([...Array(64).fill(64), ...Array(64).fill(128), ...Array(21).fill(149)])
})

test('shares a commit among calls that end in turns of the loop close together, and never waits alone', async () => {
  const path = join(freshFolder(), 'calls.db')
  const store = openStore(path)
  const calls = Array.from({ length: 20 }, (_, n) => sampleCall(firstId + n))
  for (const call of calls) store.begin(openCall(call))
  const commits: number[] = []
  const rows = (): number => reading(path, (database) => page(database, 1, 0, {}).total)
  for (const call of calls.slice(0, 19)) {
    store.finish(call, () => commits.push(rows()))
    await new Promise((resolve) => setImmediate(resolve))
  }
  await until(() => commits.length === 19, 'all releases')
  expect([...new Set(commits)]).toEqual([4, 8, 12, 16, 19])
  const [, last] = calls.slice(18)
  if (last === undefined) throw new Error('there are 20 calls')
  let released = false
  store.finish(last, () => {
    released = true
  })
  expect([released, rows()]).toEqual([true, 20])
})

test('writes an open row after 100 ms, replaces it at the end, and keeps no timer while nothing runs', async () => {
  const path = join(freshFolder(), 'calls.db')
  const clock = new HandClock()
  const store = openStore(path, { clock })
  const idleTimers = clock.timers
  const long = sampleCall(firstId)
  const short = sampleCall(firstId + 1)
  store.begin(openCall(long))
  clock.forward(50)
  store.begin(openCall(short))
  store.finish(short, () => {})
  await oneTurn()
  clock.forward(49)
  expect(outcomes(path)).toEqual(['done'])
  clock.forward(51)
  expect(outcomes(path)).toEqual(['done', null])
  expect(clock.timers).toBe(idleTimers)
  store.finish({ ...long, outcome: 'client-left' }, () => {})
  await oneTurn()
  expect(outcomes(path)).toEqual(['done', 'client-left'])
})

test('marks calls that run at the close, and rows left open by a killed process, as interrupted', async () => {
  const path = join(freshFolder(), 'calls.db')
  const first = openStore(path)
  first.begin(openCall(sampleCall(firstId)))
  first.finish(sampleCall(firstId + 1), () => {})
  first.close()
  expect(outcomes(path)).toEqual(['done', 'interrupted'])

  const writer = new Database(path)
  writer.exec('UPDATE call SET outcome = NULL')
  writer.close()
  openStore(path)
  expect(outcomes(path)).toEqual(['interrupted', 'interrupted'])
  const detail = reading(path, (database) => get(database, callId(String(firstId))))
  expect(detail).toMatchObject({ call: { totalMs: null, attempts: 0 }, executions: [], decision: null })
})

test('gives ids that grow with time, also when the clock stands, jumps back, or the program restarts', async () => {
  const path = join(freshFolder(), 'calls.db')
  const store = openStore(path)
  const ids = [1_790_000_000_000, 1_790_000_000_000, 1_790_000_000_001, 1_690_000_000_000].map((ms) => store.nextId(ms))
  expect(ids).toEqual(['1790000000000000', '1790000000000001', '1790000000001000', '1790000000001001'])
  store.finish(sampleCall(Number(ids[3])), () => {})
  store.close()
  expect(openStore(path).nextId(1_690_000_000_000)).toBe('1790000000001002')
})

test('a decision that can not be read any more leaves the rest of the call readable', async () => {
  const path = join(freshFolder(), 'calls.db')
  const store = openStore(path)
  store.finish(sampleCall(firstId), () => {})
  await oneTurn()
  const writer = new Database(path)
  writer.exec(`UPDATE detail SET decision_json = '{"sentence":1}'`)
  writer.close()
  const found = reading(path, (database) => get(database, callId(String(firstId))))
  expect(found).toMatchObject({
    call: { sentence: sampleDecision.sentence },
    executions: [sampleExecution],
    decision: null,
  })
})

test('a row that can not be written is dropped and told, and takes no other with it', async () => {
  const path = join(freshFolder(), 'calls.db')
  const faults: unknown[] = []
  const store = openStore(path, { onFault: (cause) => void faults.push(cause) })
  const released: number[] = []
  const calls = [0, 1, 2].map((n) => sampleCall(firstId + n))
  const broken = { ...calls[1], startedMs: 'yesterday' as unknown as number }
  for (const [n, call] of [calls[0], broken, calls[2]].entries()) store.finish(call, () => void released.push(n))
  await oneTurn()
  expect(released).toEqual([0, 1, 2])
  expect(faults).toHaveLength(1)
  expect(store.saving()).toEqual({ saving: true, waiting: 0, dropped: 1, why: null })
  expect(reading(path, (database) => page(database, 9, 0, {}).rows.map(({ id }) => id))).toEqual([
    calls[2].id,
    calls[0].id,
  ])
})
