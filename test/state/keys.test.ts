/** Access keys in memory: found by digest, shown once, moved between their states only as allowed (access.md). */
import { describe, expect, test } from 'vitest'
import type { AccessKey, KeyState } from '../../src/main/domain/access-key.ts'
import type { ConfigStore, StoredKey } from '../../src/main/ports.ts'
import { Announcer } from '../../src/main/state/announcer.ts'
import { isKeyShaped, Keys } from '../../src/main/state/keys.ts'

function made(stored: readonly StoredKey[] = []) {
  const saved = new Map<string, StoredKey>(stored.map((one) => [one.key.id, one]))
  const transactions: number[] = []
  let nowMs = 1_000
  let byte = 0
  const store = {
    keys: () => [...saved.values()],
    saveKey: (...all: readonly StoredKey[]) => {
      transactions.push(all.length)
      for (const one of all) saved.set(one.key.id, one)
    },
  } as unknown as ConfigStore
  const clock = { nowMs: () => nowMs, elapsedMs: () => nowMs, after: () => () => {} }
  const chance = {
    unit: () => 0,
    bytes: (length: number) => Uint8Array.from({ length }, () => (byte = (byte * 31 + 7) % 256)),
  }
  const digest = { sha256: (text: string) => text, keyDigest: (text: string) => `digest of ${text}` }
  const keys = new Keys(store, clock, chance, digest, new Announcer())
  return {
    keys,
    saved,
    transactions,
    turn: (toMs: number) => (nowMs = toMs),
    again: () => new Keys(store, clock, chance, digest, new Announcer()),
  }
}

test('a key is `pk_` and 43 characters, kept as a digest and a preview only', () => {
  const { keys, saved } = made()
  const { key, secret } = keys.create('mine')
  expect([isKeyShaped(secret), secret.length, key.preview]).toEqual([true, 46, `pk_…${secret.slice(-4)}`])
  const stored = [...saved.values()][0]
  expect(stored?.digest).toBe(`digest of ${secret}`)
  expect(JSON.stringify(stored?.key)).not.toContain(secret)
})

test('it is found by what was presented, also after a restart; anything malformed is not looked up', () => {
  const { keys, again } = made()
  const { key, secret } = keys.create('mine')
  expect([keys.present(secret)?.id, again().present(secret)?.id]).toEqual([key.id, key.id])
  for (const odd of [
    '',
    'pk_',
    secret.slice(1),
    `${secret} `,
    ` ${secret}`,
    secret.toLowerCase() === secret ? 'x' : secret.toLowerCase(),
    'x'.repeat(46),
    `pk_${'!'.repeat(43)}`,
  ])
    expect(keys.present(odd)).toBeUndefined()
})

test('rotating gives the same key another secret; the old one is nobody’s', () => {
  const { keys } = made()
  const { key, secret } = keys.create('mine', { policy: { mode: 'strict', sources: [] }, concurrency: 3 })
  const rotated = keys.rotate(key.id)
  expect([rotated.key.id, rotated.key.concurrency, rotated.key.policy]).toEqual([
    key.id,
    3,
    { mode: 'strict', sources: [] },
  ])
  expect([keys.present(secret), keys.present(rotated.secret)?.id]).toEqual([undefined, key.id])
})

test('a label is given once, and again after its key was revoked', () => {
  const { keys } = made()
  const { key } = keys.create('mine')
  expect(() => keys.create('mine')).toThrow('exists already')
  keys.setState(key.id, 'revoked')
  expect(keys.create('mine').key.id).not.toBe(key.id)
})

test('an omitted policy means `default`; an explicit null means unbound', () => {
  const { keys } = made()
  expect([
    keys.create('a').key.policy,
    keys.create('b', { policy: null }).key.policy,
    keys.create('c', { policy: undefined }).key.policy,
  ]).toEqual([{ mode: 'default' }, null, { mode: 'default' }])
})

describe('state', () => {
  const allowed: readonly (readonly [AccessKey['state'], KeyState, boolean])[] = [
    ['pending', 'active', true],
    ['active', 'disabled', true],
    ['disabled', 'active', true],
    ['active', 'revoked', true],
    ['disabled', 'revoked', true],
    ['pending', 'revoked', true],
    ['revoked', 'active', false],
    ['revoked', 'disabled', false],
    ['active', 'pending', false],
    ['active', 'expired', false],
    ['pending', 'disabled', false],
  ]
  for (const [from, to, may] of allowed) {
    test(`${from} → ${to} ${may ? 'is' : 'is not'} allowed`, () => {
      const { keys } = made()
      const { key } = keys.create('mine', { state: from })
      if (may) expect(keys.setState(key.id, to).state).toBe(to)
      else expect(() => keys.setState(key.id, to)).toThrow('can not become')
    })
  }

  test('expiry follows the clock, disabling beats it, a new date brings the key back', () => {
    const { keys, turn } = made()
    const { key } = keys.create('mine', { expiresAtMs: 2_000 })
    turn(2_000)
    expect(() => keys.setState(key.id, 'active')).toThrow('expired')
    keys.change(key.id, { expiresAtMs: 9_000 })
    expect(keys.setState(key.id, 'disabled').state).toBe('disabled')
    turn(9_000)
    expect(keys.get(key.id)?.state).toBe('disabled')
  })
})

test('what is undefined in a change stays, what is null is set', () => {
  const { keys } = made()
  const { key } = keys.create('mine', { models: ['m'], concurrency: 2 })
  expect(keys.change(key.id, { models: undefined, concurrency: null })).toMatchObject({
    models: ['m'],
    concurrency: null,
  })
})

describe('several keys together', () => {
  const three = () => {
    const { keys, transactions } = made()
    const [one, two, gone] = ['one', 'two', 'gone'].map((label) => keys.create(label).key)
    if (one === undefined || two === undefined || gone === undefined) throw new Error('three keys were expected')
    transactions.length = 0
    return { keys, transactions, one, two, gone }
  }

  test('are saved in one transaction', () => {
    const { keys, transactions, one, two } = three()
    const changed = keys.changeAll([one, two].map(({ id }) => [id, { state: 'disabled', concurrency: 2 }]))
    expect(changed.map(({ state, concurrency }) => [state, concurrency])).toEqual(Array(2).fill(['disabled', 2]))
    expect([keys.get(one.id), keys.get(two.id)]).toEqual(changed)
    expect(transactions).toEqual([2])
  })

  test('stay as they are, all of them, when one may not be what is asked', () => {
    const { keys, transactions, one, gone } = three()
    keys.setState(gone.id, 'revoked')
    transactions.length = 0
    expect(() => keys.changeAll([one, gone].map(({ id }) => [id, { state: 'disabled' }]))).toThrow('revoked')
    expect([keys.get(one.id)?.state, transactions]).toEqual(['active', []])
  })
})

test('a new label must be free; its own one is', () => {
  const { keys } = made()
  const { key } = keys.create('one')
  keys.create('two')
  expect(keys.change(key.id, { label: 'one', concurrency: 1 }).concurrency).toBe(1)
  expect(() => keys.change(key.id, { label: 'two' })).toThrow('exists already')
  expect(keys.change(key.id, { label: 'three' }).label).toBe('three')
})
