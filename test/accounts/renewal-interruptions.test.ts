/** Renewals whose account goes meanwhile, and vaults in trouble (F36, F68). */
import { describe, expect, it } from 'vitest'
import type { WebAnswer } from '../../src/main/ports.ts'
import {
  account,
  bench,
  codes,
  expired,
  fresh,
  gate,
  type HandSources,
  HandWeb,
  minuteMs,
  oauth,
  renewedNow,
  settle,
  startMs,
  work,
} from './kit.ts'

describe('F68 an account that goes while it is renewed', () => {
  it('F68 deleted: nothing is written late', async () => {
    const held = gate<WebAnswer>()
    const { refresher, source, sources, vault } = bench(expired, {}, new HandWeb(() => held.opened))
    const given = refresher.tokenFor(source)
    await settle()
    sources.remove(work)
    vault.records.clear()
    held.open(fresh)
    expect(codes(await given)).toBe('not_found')
    expect(vault.records.size).toBe(0)
  })

  it('F68 deleted while the disk writes: the record is removed again', async () => {
    const { refresher, source, sources, vault, web } = bench(expired, {}, new HandWeb())
    const disk = gate()
    web.next(() => {
      vault.gate = disk.opened
      return fresh
    })
    const given = refresher.tokenFor(source)
    await settle()
    sources.remove(work)
    disk.open()
    expect(codes(await given)).toBe('not_found')
    expect(vault.records.size).toBe(0)
  })

  it('F68 deleted while the journal is written: nothing is sent', async () => {
    const { refresher, source, sources, vault, web } = bench(expired)
    const disk = gate()
    vault.gate = disk.opened
    const given = refresher.tokenFor(source)
    await settle()
    sources.remove(work)
    vault.records.clear()
    disk.open()
    expect(codes(await given)).toBe('not_found')
    expect({ requests: web.requests, records: vault.records.size }).toEqual({ requests: [], records: 0 })
  })

  it('F68 signed out by its owner: the credential does not rise again', async () => {
    const held = gate<WebAnswer>()
    const { refresher, source, sources, vault } = bench(expired, {}, new HandWeb(() => held.opened))
    const given = refresher.tokenFor(source)
    await settle()
    vault.records.clear()
    sources.signedOut(work, 'you signed it out')
    held.open(fresh)
    expect(codes(await given)).toBe('needs_sign_in')
    expect(vault.records.size).toBe(0)
  })

  it.each([
    ['removed', (sources: HandSources) => sources.remove(work), 'not_found'],
    ['made read-only', (sources: HandSources) => sources.save(account({ credentialRef: null })), 'needs_sign_in'],
  ] as const)('F68 %s with its record still there: nothing is written late', async (_, change, code) => {
    const held = gate<WebAnswer>()
    const { refresher, source, sources, vault, stored } = bench(expired, {}, new HandWeb(() => held.opened))
    const given = refresher.tokenFor(source)
    await settle()
    const before = stored()
    change(sources)
    held.open(fresh)
    expect(codes(await given)).toBe(code)
    expect({ stored: stored(), writes: vault.writes.length }).toEqual({ stored: before, writes: 1 })
  })

  it('F68 deactivated: its record stays deactivated, and its login is not lost', async () => {
    const held = gate<WebAnswer>()
    const { refresher, source, sources, now, stored } = bench(expired, {}, new HandWeb(() => held.opened))
    const given = refresher.tokenFor(source)
    await settle()
    sources.save(account({ active: false }))
    held.open(fresh)
    await given
    expect({ account: now(), stored: stored() }).toEqual({ account: account({ active: false }), stored: renewedNow })
  })
})

describe('a vault in trouble', () => {
  it('F36 a full disk: an expired token is renewed, used from memory and reported', async () => {
    const { refresher, source, vault, log } = bench(expired, {}, new HandWeb(fresh))
    vault.isFull = true
    expect(await refresher.tokenFor(source)).toEqual(renewedNow)
    expect(await refresher.tokenFor(source)).toEqual(renewedNow)
    expect(log.events).toEqual(['vault-write-failed', 'vault-write-failed', 'token-renewed'])
  })

  it('F36 a full disk: a token that still works is not risked', async () => {
    const soon = oauth({ expiresAtMs: startMs + 5 * minuteMs })
    const { refresher, source, vault, web, stored } = bench(soon, {}, new HandWeb(fresh))
    vault.isFull = true
    await refresher.renewDue()
    expect({ requests: web.requests, stored: stored() }).toEqual({ requests: [], stored: soon })
    expect(await refresher.tokenFor(source)).toEqual(soon)
  })

  it.each([
    ['locked', 'vault_locked'],
    ['hung', 'vault_hung'],
    ['key-missing', 'vault_key_missing'],
    ['unavailable', 'vault_unavailable'],
  ] as const)('%s: says so and signs nobody out', async (state, code) => {
    const { refresher, source, vault, now } = bench()
    vault.closed = { kind: 'keychain', state, why: 'for a reason' }
    await refresher.renewDue()
    expect(codes(await refresher.tokenFor(source))).toBe(code)
    expect(now().signedOut).toBe(null)
  })

  it('without a record the account is signed out', async () => {
    const { refresher, source, now } = bench(null)
    expect(codes(await refresher.tokenFor(source))).toBe('needs_sign_in')
    expect(now().signedOut?.because).toBe('no sign-in is stored for it')
  })

  it('a broken port is reported, never thrown', async () => {
    const { refresher, source, log } = bench(expired, {}, new HandWeb(() => Promise.reject(new Error('bug'))))
    expect(codes(await refresher.tokenFor(source))).toBe('internal')
    expect(log.events).toEqual(['renewal-broke'])
  })
})

describe('closing', () => {
  it('waits until a rotated token is in the vault', async () => {
    const held = gate<WebAnswer>()
    const { refresher, source, stored } = bench(expired, {}, new HandWeb(() => held.opened))
    void refresher.tokenFor(source)
    let closed = false
    const closing = refresher.close().then(() => {
      closed = true
    })
    await settle()
    expect(closed).toBe(false)
    held.open(fresh)
    await closing
    expect(stored()).toEqual(renewedNow)
  })

  it('F50 waits four seconds at most for a request that hangs, whose journal stays', async () => {
    const { refresher, source, stored, clock } = bench(expired, {}, new HandWeb(() => new Promise(() => {})))
    void refresher.tokenFor(source)
    const closing = refresher.close()
    clock.advance(4_000)
    await closing
    expect(stored()).toMatchObject({ refreshToken: 'sk-ant-ort01-old', refreshStarted: { atMs: startMs } })
  })
})
