/** Access keys in memory: found by digest, shown once, moved between their states only as allowed (access.md). */
import { describe, expect, test } from 'vitest'
import type { AccessKey, KeyState } from '../../src/main/domain/access-key.ts'
import type { ConfigStore, StoredKey } from '../../src/main/ports.ts'
import { Announcer } from '../../src/main/state/announcer.ts'
import { isKeyShaped, Keys } from '../../src/main/state/keys.ts'

function made(stored: readonly StoredKey[] = []) {
  const saved = new Map<string, StoredKey>(stored.map((one) => [one.key.id, one]))
  let nowMs = 1_000
  let byte = 0
  const store = {
    keys: () => [...saved.values()],
    saveKey: (one: StoredKey) => void saved.set(one.key.id, one),
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
