/** The Refresher on its way: when it renews, how, and once for however many callers (F60, F61, F64, F67). */
import { describe, expect, it } from 'vitest'
import type { Credential } from '../../src/main/domain/credential.ts'
import type { WebAnswer } from '../../src/main/ports.ts'
import { credentialRef } from '../../src/shared/ids.ts'
import {
  account,
  bench,
  codes,
  digest,
  expired,
  fresh,
  gate,
  HandWeb,
  hourMs,
  json,
  minuteMs,
  oauth,
  renewedNow,
  settle,
  startMs,
  work,
} from './kit.ts'

describe('a token that works', () => {
  it('is given without a request', async () => {
    const { refresher, source, web } = bench()
    expect(await refresher.tokenFor(source)).toEqual(oauth())
    expect(web.requests).toEqual([])
  })

  it('is given at once while it is renewed in the background, within six minutes of its end', async () => {
    const held = gate<WebAnswer>()
    const { refresher, source, web, clock, stored } = bench(oauth(), {}, new HandWeb(() => held.opened))
    clock.advance(8 * hourMs - 5 * minuteMs)
    const given = await refresher.tokenFor(source)
    expect(given).toMatchObject({ accessToken: 'sk-ant-oat01-old' })
    await settle()
    expect(web.requests).toHaveLength(1)
    held.open(fresh)
    await settle()
    expect(stored()).toMatchObject({ accessToken: 'sk-ant-oat01-new', refreshStarted: null })
  })
})

describe('a renewal', () => {
  it('is the vendor’s JSON request without a client name: Claude', async () => {
    const { refresher, source, web } = bench(expired, {}, new HandWeb(fresh))
    await refresher.tokenFor(source)
    expect(web.requests).toEqual([
      {
        url: 'https://platform.claude.com/v1/oauth/token',
        method: 'POST',
        headers: [
          'content-type',
          'application/json',
          'accept',
          'application/json',
          'anthropic-beta',
          'oauth-2025-04-20',
        ],
        body: JSON.stringify({
          grant_type: 'refresh_token',
          refresh_token: 'sk-ant-ort01-old',
          client_id: '9d1c250a-e61b-44d9-88ed-5944d1962f5e',
        }),
        proxy: null,
        timeoutMs: 30_000,
      },
    ])
  })

  it('is the vendor’s JSON request without scope: Codex', async () => {
    const { refresher, source, web } = bench(
      expired,
      { provider: 'codex', proxy: 'http://127.0.0.1:3128' },
      new HandWeb(fresh),
    )
    await refresher.tokenFor(source)
    expect(web.requests).toEqual([
      {
        url: 'https://auth.openai.com/oauth/token',
        method: 'POST',
        headers: ['content-type', 'application/json', 'accept', 'application/json'],
        body: JSON.stringify({
          grant_type: 'refresh_token',
          refresh_token: 'sk-ant-ort01-old',
          client_id: 'app_EMoamEEZ73f0CkXaXp7hrann',
        }),
        proxy: 'http://127.0.0.1:3128',
        timeoutMs: 30_000,
      },
    ])
  })

  it('is journalled before sending, and the journal goes with the new tokens in one write', async () => {
    const { refresher, source, vault, web } = bench(expired, {}, new HandWeb())
    let journalled: Credential | undefined
    web.next(() => {
      journalled = vault.records.get(credentialRef(work))
      return fresh
    })
    expect(await refresher.tokenFor(source)).toEqual(renewedNow)
    const started = { tokenHash: digest.sha256('sk-ant-ort01-old'), atMs: startMs }
    expect(journalled).toEqual({ ...expired, refreshStarted: started })
    expect(vault.writes).toEqual([{ ...expired, refreshStarted: started }, renewedNow])
  })

  it.each([
    [
      'no refresh token',
      { access_token: 'a2', expires_in: 60 },
      { accessToken: 'a2', refreshToken: 'sk-ant-ort01-old', expiresAtMs: startMs + 60_000 },
    ],
    [
      'no lifetime',
      { access_token: 'a2', refresh_token: 'r2' },
      { accessToken: 'a2', refreshToken: 'r2', expiresAtMs: null },
    ],
    [
      'a lifetime of zero',
      { access_token: 'a2', refresh_token: 'r2', expires_in: 0 },
      { accessToken: 'a2', refreshToken: 'r2', expiresAtMs: null },
    ],
  ])('keeps the old value of a missing field: %s', async (_, body, kept) => {
    const { refresher, source, stored } = bench(expired, {}, new HandWeb(json(200, body)))
    const given = await refresher.tokenFor(source)
    expect(given).toEqual({ ...expired, ...kept })
    expect(stored()).toEqual(given)
  })

  it('keeps a new refresh token that came without an access token, and does not ask again at once', async () => {
    const { refresher, source, stored, web } = bench(
      expired,
      {},
      new HandWeb(json(200, { refresh_token: 'r2' }), fresh),
    )
    expect(codes(await refresher.tokenFor(source))).toBe('token_unavailable')
    expect(stored()).toMatchObject({ accessToken: 'sk-ant-oat01-old', refreshToken: 'r2' })
    expect(codes(await refresher.tokenFor(source))).toBe('token_unavailable')
    expect(web.requests).toHaveLength(1)
  })

  it('F64 uses no new token before it is safe on disk', async () => {
    const { refresher, source, vault, web } = bench(expired, {}, new HandWeb())
    const disk = gate()
    web.next(() => {
      vault.gate = disk.opened
      return fresh
    })
    const given: unknown[] = []
    void Promise.resolve(refresher.tokenFor(source)).then((token) => given.push(token))
    await settle()
    void Promise.resolve(refresher.tokenFor(source)).then((token) => given.push(token))
    await settle()
    expect({ given: [...given], inMemory: vault.records.get(credentialRef(work)) }).toEqual({
      given: [],
      inMemory: renewedNow,
    })
    disk.open()
    await settle()
    expect(given).toEqual([renewedNow, renewedNow])
  })
})

describe('F61 many callers', () => {
  it('F61 cause one request at expiry and all get its token', async () => {
    const { refresher, source, web } = bench(expired, {}, new HandWeb(fresh))
    const given = await Promise.all(Array.from({ length: 200 }, () => refresher.tokenFor(source)))
    expect(given).toEqual(Array(200).fill(renewedNow))
    expect(web.requests).toHaveLength(1)
  })

  it('F61 cause one request for a burst of 401s, early and late ones alike', async () => {
    const { refresher, source, web } = bench(oauth(), {}, new HandWeb(fresh))
    const force = 'sk-ant-oat01-old'
    const burst = await Promise.all(Array.from({ length: 50 }, () => refresher.tokenFor(source, { force })))
    const late = await refresher.tokenFor(source, { force })
    expect([...burst, late]).toEqual(Array(51).fill(renewedNow))
    expect(web.requests).toHaveLength(1)
  })
})

describe('a 401 upstream', () => {
  it('renews once; if the new token is refused too, the account is signed out without a second request', async () => {
    const { refresher, source, web, now } = bench(oauth(), {}, new HandWeb(fresh))
    expect(await refresher.tokenFor(source, { force: 'sk-ant-oat01-old' })).toEqual(renewedNow)
    expect(codes(await refresher.tokenFor(source, { force: 'sk-ant-oat01-new' }))).toBe('needs_sign_in')
    expect(web.requests).toHaveLength(1)
    expect(now().signedOut?.because).toBe('its vendor refuses even a token that was just renewed')
  })

  it('F65 renews again when the last forced renewal is over ten minutes old', async () => {
    const { refresher, source, web, clock } = bench(oauth(), {}, new HandWeb(fresh, fresh))
    await refresher.tokenFor(source, { force: 'sk-ant-oat01-old' })
    clock.advance(10 * minuteMs)
    await refresher.tokenFor(source, { force: 'sk-ant-oat01-new' })
    expect(web.requests).toHaveLength(2)
  })

  it('uses a newer stored token without a request', async () => {
    const { refresher, source, web } = bench()
    expect(await refresher.tokenFor(source, { force: 'one before' })).toEqual(oauth())
    expect(web.requests).toEqual([])
  })

  it('renews no setup-token: it is signed out', async () => {
    const setup = oauth({ refreshToken: null, expiresAtMs: null, renewedAtMs: 0 })
    const { refresher, source, web, now } = bench(setup, { custody: 'setup-token' })
    await refresher.renewDue()
    expect(await refresher.tokenFor(source)).toEqual(setup)
    expect(codes(await refresher.tokenFor(source, { force: setup.accessToken }))).toBe('needs_sign_in')
    expect({ requests: web.requests, because: now().signedOut?.because }).toEqual({
      requests: [],
      because: 'its setup-token is no longer accepted; make a new one',
    })
  })
})

describe('the schedule', () => {
  it('F67 renews each minute what is due, whatever state routing gives the account, and only what is ours', async () => {
    const { refresher, sources, vault, web, clock } = bench(
      oauth(),
      {},
      new HandWeb().otherwise(() => fresh),
    )
    const others = [
      account({ id: 'off' as never, active: false }),
      account({ id: 'out' as never, signedOut: { because: 'x', sinceMs: 0 } }),
      account({ id: 'setup' as never, custody: 'setup-token' }),
    ]
    for (const other of others) {
      sources.save(other)
      vault.records.set(credentialRef(other.id), oauth({ refreshToken: `rt-${other.id}` }))
    }
    refresher.start()
    for (let minute = 0; minute < 8 * 60 - 6; minute += 1) {
      clock.advance(minuteMs)
      await settle()
    }
    expect(web.requests.length).toBe(0)
    clock.advance(minuteMs)
    await settle()
    expect(web.requests.map(({ body }) => JSON.parse(body ?? '').refresh_token)).toEqual(['sk-ant-ort01-old'])
    await refresher.close()
    expect(clock.waiting).toBe(0)
  })

  it('renews a token without a known end when it is eight days old', async () => {
    const ageless = oauth({ expiresAtMs: null })
    const { refresher, web, clock } = bench(ageless, {}, new HandWeb(fresh))
    clock.advance(8 * 24 * hourMs - 1)
    await refresher.renewDue()
    expect(web.requests).toHaveLength(0)
    clock.advance(1)
    await refresher.renewDue()
    expect(web.requests).toHaveLength(1)
  })

  it('renews a short-lived token in the last quarter of its life, not at every call', async () => {
    const brief = json(200, { access_token: 'brief', refresh_token: 'r2', expires_in: 40 })
    const { refresher, source, web, clock } = bench(expired, {}, new HandWeb(brief, fresh))
    await refresher.tokenFor(source)
    clock.advance(29_000)
    await refresher.tokenFor(source)
    expect(web.requests).toHaveLength(1)
    clock.advance(1_000)
    await refresher.tokenFor(source)
    await settle()
    expect(web.requests).toHaveLength(2)
  })

  it.each([
    ['an hour ahead', hourMs],
    ['ten years ahead', 10 * 365 * 24 * hourMs],
  ])('F60 a clock that jumps %s causes one renewal, and jumping back none', async (_, jumpMs) => {
    const { refresher, source, web, clock } = bench(
      oauth({ expiresAtMs: startMs + hourMs }),
      {},
      new HandWeb().otherwise(() => fresh),
    )
    clock.wallMs += jumpMs
    for (let call = 0; call < 10; call += 1) await refresher.tokenFor(source)
    expect(web.requests).toHaveLength(1)
    clock.wallMs -= jumpMs
    for (let call = 0; call < 10; call += 1) await refresher.tokenFor(source)
    expect(web.requests).toHaveLength(1)
    // The wall clock now says years; the monotonic one knows better.
    clock.advance(8 * hourMs)
    await refresher.tokenFor(source)
    expect(web.requests).toHaveLength(2)
  })
})
