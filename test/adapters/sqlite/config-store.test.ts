/** `pointsman.db`: every table gives back what was saved, also after reopening; damaged rows are told and skipped. */
import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { SqliteConfigStore } from '../../../src/main/adapters/sqlite/config-store.ts'
import { healthy } from '../../../src/main/domain/health.ts'
import { bindingRules } from '../../../src/main/domain/session.ts'
import { defaultSettings, type Settings } from '../../../src/main/domain/settings.ts'
import type { Source } from '../../../src/main/domain/source.ts'
import type { StateChange } from '../../../src/main/ports.ts'
import { type BackendId, type SessionKey, sourceId } from '../../../src/shared/ids.ts'
import { anAccount, arrangement, binding, health, snapshot, source, storedKey } from './config-samples.ts'
import { freshFolder, HandClock } from './ground.ts'

const path = (): string => join(freshFolder(), 'pointsman.db')
const skipped: string[] = []

function open(at: string, clock = new HandClock()): SqliteConfigStore {
  skipped.length = 0
  const store = new SqliteConfigStore({ path: at, clock, onSkip: (table, id) => void skipped.push(`${table} ${id}`) })
  onTestFinished(() => store.close())
  return store
}

/** Writes with one store and reads with the next, as a restart does. */
function afterRestart<T>(write: (store: SqliteConfigStore) => void, read: (store: SqliteConfigStore) => T): T {
  const at = path()
  const first = open(at)
  write(first)
  first.close()
  return read(open(at))
}

const runs = { numRuns: 25 }
const sorted = <T>(items: readonly T[], key: (item: T) => string): readonly T[] =>
  [...items].sort((a, b) => (key(a) < key(b) ? -1 : 1))
const state = (change: Partial<StateChange>): StateChange => ({
  bindings: [],
  unbound: [],
  quota: new Map(),
  health: null,
  ...change,
})
const change = (at: string, sql: string): void => {
  const database = new Database(at)
  database.exec(sql)
  database.close()
}

test('gives back every source as it was saved', () => {
  fc.assert(
    fc.property(fc.uniqueArray(source, { selector: ({ id }) => id, maxLength: 6 }), (sources) => {
      const found = afterRestart(
        (store) => sources.forEach((one) => void store.saveSource(one)),
        (store) => store.sources(),
      )
      expect(sorted(found, ({ id }) => id)).toEqual(sorted(sources, ({ id }) => id))
      expect(skipped).toEqual([])
    }),
    runs,
  )
})

test('gives back every arrangement as it was saved last', () => {
  fc.assert(
    fc.property(fc.uniqueArray(arrangement, { selector: ({ poolId }) => poolId, maxLength: 6 }), (arrangements) => {
      const found = afterRestart(
        (store) => {
          for (const one of arrangements) store.saveArrangement({ ...one, revision: one.revision + 1, tiers: [] })
          for (const one of arrangements) store.saveArrangement(one)
        },
        (store) => store.arrangements(),
      )
      expect(sorted(found, ({ poolId }) => poolId)).toEqual(sorted(arrangements, ({ poolId }) => poolId))
    }),
    runs,
  )
})

test('gives back every access key with its digest as it was saved', () => {
  fc.assert(
    fc.property(fc.uniqueArray(storedKey, { selector: ({ key }) => key.id, maxLength: 6 }), (keys) => {
      const unique = keys.map((stored, n) => ({ ...stored, digest: `${stored.digest}${n}` }))
      const found = afterRestart(
        (store) => unique.forEach((one) => void store.saveKey(one)),
        (store) => store.keys(),
      )
      expect(sorted(found, ({ key }) => key.id)).toEqual(sorted(unique, ({ key }) => key.id))
    }),
    runs,
  )
})

test('gives back bindings, quota and health as they were saved in one go', () => {
  const bindings = fc.uniqueArray(binding, { selector: ({ session }) => session, maxLength: 6 })
  const quota = fc.array(fc.tuple(fc.string(), snapshot), { maxLength: 6 })
  fc.assert(
    fc.property(bindings, quota, health, (bindings, quota, health) => {
      const snapshots = new Map(quota.map(([id, one]) => [sourceId(id), one]))
      const found = afterRestart(
        (store) => store.saveState(state({ bindings, quota: snapshots, health })),
        (store) => ({ bindings: store.bindings(), quota: store.quota(), health: store.health() }),
      )
      expect(sorted(found.bindings, ({ session }) => session)).toEqual(sorted(bindings, ({ session }) => session))
      expect(found.quota).toEqual(snapshots)
      expect(found.health).toEqual(health)
    }),
    runs,
  )
})

test('starts with nothing but the default settings', () => {
  const store = open(path())
  expect(store.settings()).toEqual(defaultSettings)
  expect([store.sources(), store.arrangements(), store.keys(), store.bindings()]).toEqual([[], [], [], []])
  expect(store.health()).toEqual(healthy)
  expect(store.recovery).toBeNull()
})

test('F46 keeps settings of a later version, and falls back to the default where a value has another type', () => {
  const at = path()
  const first = open(at)
  const changed: Settings = { ...defaultSettings, proxyPort: 8_000, paused: true }
  first.saveSettings(changed)
  first.close()
  change(at, `INSERT INTO setting VALUES ('laterSetting', '{"on":true}')`)
  change(at, `UPDATE setting SET value_json = '"yes"' WHERE name = 'paused'`)
  const second = open(at)
  expect(second.settings()).toEqual({ ...changed, paused: defaultSettings.paused })
  expect(skipped).toEqual(['setting paused'])
  second.saveSettings(changed)
  second.close()
  const database = new Database(at, { readonly: true })
  expect(database.prepare(`SELECT value_json FROM setting WHERE name = 'laterSetting'`).pluck().get()).toBe(
    '{"on":true}',
  )
  database.close()
})

test('skips and tells a damaged row, and still gives the others', () => {
  const at = path()
  const first = open(at)
  const ids = ['good', 'cut', 'foreign']
  for (const id of ids) first.saveSource({ ...anAccount, id: sourceId(id) })
  first.close()
  change(at, `UPDATE source SET detail_json = '{"models":[' WHERE id = 'cut'`)
  change(at, `UPDATE source SET detail_json = '{"models":"none"}' WHERE id = 'foreign'`)
  expect(open(at).sources()).toEqual([{ ...anAccount, id: 'good' }])
  expect(skipped).toEqual(['source cut', 'source foreign'])
})

test('an access key whose policy can not be read lets nobody in', () => {
  const at = path()
  const first = open(at)
  const [stored] = fc.sample(storedKey, 1)
  first.saveKey(stored)
  first.close()
  for (const policy of [
    '{"mode":"anything"}',
    '{"mode":"strict"}',
    '',
    '[]',
    '{"mode":"preferred","sources":[],"fallback":"any"}',
  ]) {
    change(at, `UPDATE access_key SET policy_json = '${policy}'`)
    expect(open(at).keys()).toEqual([])
    expect(skipped).toEqual([`access_key ${stored.key.id}`])
  }
})

test('carries along fields of a source that only a later version knows', () => {
  const at = path()
  const first = open(at)
  first.saveSource({ ...anAccount, later: { on: true } } as Source)
  const [found] = first.sources()
  first.saveSource({ ...found, label: 'Renamed' })
  expect(first.sources()).toEqual([{ ...anAccount, label: 'Renamed', later: { on: true } }])
})

test('two access keys never share a digest', () => {
  const store = open(path())
  const [stored] = fc.sample(storedKey, 1)
  store.saveKey(stored)
  const other = { ...stored, key: { ...stored.key, id: 'key_other' as typeof stored.key.id } }
  expect(() => store.saveKey(other)).toThrow()
  // One that is refused takes the others of its transaction with it.
  const fine = { digest: 'of its own', key: { ...stored.key, id: 'key_fine' as typeof stored.key.id } }
  expect(() => store.saveKey(fine, other)).toThrow()
  expect(store.keys().map(({ key }) => key.id)).toEqual([stored.key.id])
  expect(store.keys()).toEqual([stored])
})

test('forgets bindings that were not used for 30 days, at a read and at a write', () => {
  const clock = new HandClock()
  const store = open(path(), clock)
  const usedAt = (name: string, lastUsedMs: number) => ({
    session: name as SessionKey,
    sourceId: sourceId('work'),
    boundAtMs: 1,
    lastUsedMs,
  })
  const justIn = usedAt('in', clock.nowMs() - bindingRules.rememberMs)
  const justOut = usedAt('out', clock.nowMs() - bindingRules.rememberMs - 1)
  store.saveState(state({ bindings: [justIn, justOut] }))
  expect(store.bindings()).toEqual([justIn])
  clock.forward(1)
  expect(store.bindings()).toEqual([])
})

test('releases bindings that are unbound, and leaves what a change does not name', () => {
  const store = open(path())
  const [one, two] = fc.sample(binding, { numRuns: 2, seed: 7 })
  const [snap] = fc.sample(snapshot, 1)
  const bindings = [
    { ...one, session: 'one' as SessionKey },
    { ...two, session: 'two' as SessionKey },
  ]
  store.saveState(state({ bindings, quota: new Map([[sourceId('work'), snap]]) }))
  store.saveState(state({ unbound: ['one' as SessionKey] }))
  expect(store.bindings()).toEqual([bindings[1]])
  expect(store.quota()).toEqual(new Map([['work', snap]]))
})

test('a removed source takes its bindings, quota and health with it, and nobody else’s', () => {
  const store = open(path())
  const ids = ['work', 'work-2', 'w%'].map(sourceId)
  for (const id of ids) store.saveSource({ ...anAccount, id })
  const [rest] = fc.sample(health, 1)
  const perSource = <T>(value: T) => new Map(ids.map((id) => [id, value]))
  const some = {
    ...rest,
    circuits: perSource({ kind: 'closed', failuresAtMs: [1] } as const),
    lastFailureMs: perSource(5),
    sources: new Map(),
    notEntitled: new Map(ids.map((id) => [`${id}:m` as BackendId, 9])),
  }
  const bindings = ids.map((id) => ({
    session: id as string as SessionKey,
    sourceId: id,
    boundAtMs: 1,
    lastUsedMs: 2e12,
  }))
  store.saveState(state({ bindings, quota: perSource({ readings: [], spent: [] }), health: some }))
  store.removeSource(sourceId('work'))
  const without = <T>(map: ReadonlyMap<string, T>) => new Map([...map].filter(([key]) => key.split(':')[0] !== 'work'))
  expect(store.sources().map(({ id }) => id)).toEqual(['w%', 'work-2'])
  expect(store.bindings().map(({ sourceId }) => sourceId)).toEqual(['w%', 'work-2'])
  expect([...store.quota().keys()]).toEqual(['w%', 'work-2'])
  expect(store.health()).toEqual({
    ...some,
    circuits: without(some.circuits),
    lastFailureMs: without(some.lastFailureMs),
    notEntitled: without(some.notEntitled),
  })
})

test('a change that fails half-way leaves nothing of itself', () => {
  const store = open(path())
  const good = { session: 's' as SessionKey, sourceId: sourceId('a'), boundAtMs: 1, lastUsedMs: 2e12 }
  const bad = { ...good, session: null as unknown as SessionKey }
  expect(() => store.saveState(state({ bindings: [good, bad] }))).toThrow()
  expect(store.bindings()).toEqual([])
})
