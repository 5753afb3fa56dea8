/** Owners of what only they can read again: the youngest are kept, the old and those of removed sources go. */
import { expect, test } from 'vitest'
import { bindingRules } from '../../src/main/domain/session.ts'
import { Owners } from '../../src/main/state/owners.ts'
import { sourceId } from '../../src/shared/ids.ts'

const [work, home] = [sourceId('work'), sourceId('home')]
const nowMs = Date.UTC(2026, 10, 30)

test('what was made is found again, learnt anew it changes hands, and is written once', () => {
  const owners = new Owners([], nowMs)
  owners.learn('a', work, nowMs)
  owners.learn('a', home, nowMs + 1)
  expect([owners.get('a'), owners.get('b')]).toEqual([home, undefined])
  expect(owners.takeChanges()).toEqual([{ hash: 'a', sourceId: home, atMs: nowMs + 1 }])
  expect(owners.takeChanges()).toEqual([])
})

test('after 30 days it is forgotten, and with its source', () => {
  const old = { hash: 'old', sourceId: work, atMs: nowMs - bindingRules.rememberMs - 1 }
  const owners = new Owners([old, { ...old, hash: 'new', atMs: nowMs }], nowMs)
  expect([owners.get('old'), owners.get('new')]).toEqual([undefined, work])
  owners.forgetSource(work)
  expect(owners.get('new')).toBe(undefined)
})

test('the oldest give way to the youngest', () => {
  const stored = Array.from({ length: bindingRules.mostOwned + 5 }, (_, n) => ({
    ...{ hash: `stored-${n}`, sourceId: work, atMs: nowMs },
  }))
  const owners = new Owners(stored, nowMs)
  expect([owners.get('stored-4'), owners.get('stored-5')]).toEqual([undefined, work])
  owners.learn('fresh', home, nowMs)
  expect([owners.get('stored-5'), owners.get('fresh')]).toEqual([undefined, home])
})
