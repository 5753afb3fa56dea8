/** F36 What the disk refuses is written later, joined with what has changed since; the log says so once. */
import { expect, test } from 'vitest'
import { healthy } from '../../src/main/domain/health.ts'
import type { Binding } from '../../src/main/domain/session.ts'
import type { ConfigStore, StateChange } from '../../src/main/ports.ts'
import { Announcer } from '../../src/main/state/announcer.ts'
import { Bindings } from '../../src/main/state/bindings.ts'
import { Conditions } from '../../src/main/state/conditions.ts'
import { Owners } from '../../src/main/state/owners.ts'
import { QuotaHistory } from '../../src/main/state/quota-history.ts'
import { Saver } from '../../src/main/state/saver.ts'
import { joined, nothingUnsaved } from '../../src/main/state/unsaved.ts'
import { type SessionKey, sourceId } from '../../src/shared/ids.ts'
import { chance, HandClock, HandLog } from '../accounts/kit.ts'

const work = sourceId('work')
const key = (text: string): SessionKey => text as SessionKey

function rig() {
  const clock = new HandClock()
  const log = new HandLog()
  const history = new QuotaHistory([])
  const conditions = new Conditions(healthy, new Map(), clock, chance, new Announcer(), history)
  const bindings = new Bindings([], clock.nowMs())
  const owners = new Owners([], clock.nowMs())
  const written: StateChange[] = []
  const disk = { isFull: false }
  const store = {
    saveState(change: StateChange) {
      if (disk.isFull) throw new Error('the disk is full')
      written.push(change)
    },
  } as unknown as ConfigStore
  const saver = new Saver(store, { conditions, bindings, history, owners }, clock, log)
  return { clock, log, conditions, bindings, owners, written, disk, saver }
}

test('nothing is written while nothing changes, and at most once a second while something does', () => {
  const { clock, bindings, written } = rig()
  clock.advance(3_000)
  expect(written.length).toBe(0)
  for (let n = 0; n < 5; n += 1) bindings.confirm(key(`s${n}`), work, clock.nowMs())
  clock.advance(1_000)
  clock.advance(1_000)
  expect(written.map((change) => change.bindings.length)).toEqual([5])
})

test('F36 a full disk loses nothing: all of it is written once there is room', () => {
  const { clock, log, conditions, bindings, owners, written, disk } = rig()
  disk.isFull = true
  bindings.confirm(key('s1'), work, clock.nowMs())
  conditions.spend(work, [{ window: 'weekly', family: null, untilMs: null, sinceMs: clock.nowMs() }])
  clock.advance(1_000)
  owners.learn('hash', work, clock.nowMs())
  for (let n = 0; n < 5; n += 1) clock.advance(1_000)
  expect([written.length, log.events]).toEqual([0, ['state-not-saved']])
  disk.isFull = false
  clock.advance(1_000)
  const [change] = written
  expect([change?.bindings.map(({ session }) => session), change?.owned?.map(({ hash }) => hash)]).toEqual([
    ['s1'],
    ['hash'],
  ])
  expect(change?.quota.get(work)?.spent.length).toBe(1)
  clock.advance(5_000)
  expect(written.length).toBe(1)
})

test('the last write is at the end', () => {
  const { clock, bindings, written, saver } = rig()
  bindings.confirm(key('s1'), work, clock.nowMs())
  saver.close()
  expect([written.length, clock.waiting]).toEqual([1, 0])
})

const binding = (session: string): Binding => ({ session: key(session), sourceId: work, boundAtMs: 0, lastUsedMs: 0 })
const joins: readonly (readonly [
  string,
  Partial<StateChange>,
  Partial<StateChange>,
  readonly string[],
  readonly string[],
])[] = [
  ['a binding that went meanwhile is only gone', { bindings: [binding('a')] }, { unbound: [key('a')] }, [], ['a']],
  ['one that came back is only bound', { unbound: [key('a')] }, { bindings: [binding('a')] }, ['a'], []],
  ['others add up', { bindings: [binding('a')] }, { bindings: [binding('b')] }, ['a', 'b'], []],
]
test.each(joins)('%s', (_rule, before, now, bound, gone) => {
  const change = joined({ ...nothingUnsaved, ...before }, { ...nothingUnsaved, ...now })
  expect([change.bindings.map(({ session }) => session), change.unbound]).toEqual([bound, gone])
})
