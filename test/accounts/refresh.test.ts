/** The Refresher by its failure rows: threats F61–F68, claude §1.4, codex §1.4. */
import { describe, expect, it } from 'vitest'
import type { Credential } from '../../src/main/domain/credential.ts'
import type { UpstreamFailure, WebAnswer } from '../../src/main/ports.ts'
import { credentialRef } from '../../src/shared/ids.ts'
import {
  account,
  bench,
  digest,
  fresh,
  gate,
  type HandSources,
  HandWeb,
  hourMs,
  json,
  minuteMs,
  oauth,
  settle,
  startMs,
  work,
} from './kit.ts'

const expired = oauth({ expiresAtMs: startMs - 1 })
const renewedNow = oauth({
  accessToken: 'sk-ant-oat01-new',
  refreshToken: 'sk-ant-ort01-new',
  expiresAtMs: startMs + 8 * hourMs,
})
const lost: UpstreamFailure = { kind: 'lost' }
const silent: UpstreamFailure = { kind: 'silent' }
const unreachable: UpstreamFailure = { kind: 'unreachable', why: 'the name does not resolve' }
const codes = (given: unknown): unknown => (given as { code?: unknown }).code

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
    void refresher.tokenFor(source).then((token) => given.push(token))
    await settle()
    void refresher.tokenFor(source).then((token) => given.push(token))
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

describe('F62 a rejected grant', () => {
  const rejections: readonly (readonly [string, WebAnswer])[] = [
    [
      'invalid_grant as RFC 6749',
      json(400, { error: 'invalid_grant', error_description: 'Refresh token not found or invalid' }),
    ],
    ['invalid_grant with 401', json(401, { error: 'invalid_grant' })],
    [
      'invalid_grant as Anthropic’s type',
      json(400, { type: 'error', error: { type: 'invalid_grant', message: 'no' } }),
    ],
    [
      'only the words, Anthropic’s shape',
      json(400, {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'Refresh token not found or invalid' },
      }),
    ],
    [
      'refresh_token_reused',
      json(401, {
        error: { message: 'Refresh token already used.', type: 'invalid_request_error', code: 'refresh_token_reused' },
      }),
    ],
    ['in capitals', json(401, { error: { code: 'Refresh_Token_Expired' } })],
    ['at the top level', json(401, { code: 'refresh_token_invalidated' })],
    ['session gone', json(401, { error: { code: 'app_session_terminated' } })],
    [
      'only the words, OpenAI’s',
      json(401, { error: { message: 'Your refresh token has already been used to generate a new access token.' } }),
    ],
  ]

  it.each(rejections)('F62 F65 signs the account out once and asks no more: %s', async (_, answer) => {
    const { refresher, source, web, now, clock, stored } = bench(expired, {}, new HandWeb(answer, fresh))
    expect(codes(await refresher.tokenFor(source))).toBe('needs_sign_in')
    expect(now().signedOut).toEqual({ because: expect.any(String), sinceMs: startMs })
    for (let minute = 0; minute < 60; minute += 1) {
      clock.advance(minuteMs)
      await refresher.renewDue()
      expect(codes(await refresher.tokenFor(now()))).toBe('needs_sign_in')
    }
    expect(web.requests).toHaveLength(1)
    // The stored credential is never wiped.
    expect(stored()).toEqual(expired)
  })

  it.each(rejections)('F62 uses what another writer stored meanwhile: %s', async (_, answer) => {
    const { refresher, source, web, vault, now, stored } = bench(expired, {}, new HandWeb())
    const other = oauth({ accessToken: 'other', refreshToken: 'other-refresh' })
    web.next(() => {
      vault.records.set(credentialRef(work), other)
      return answer
    })
    expect(await refresher.tokenFor(source)).toEqual(other)
    expect({ signedOut: now().signedOut, stored: stored() }).toEqual({ signedOut: null, stored: other })
  })

  it('F62 never writes over a login that another writer stored meanwhile', async () => {
    const { refresher, source, web, vault, stored } = bench(expired, {}, new HandWeb())
    const other = oauth({ accessToken: 'other', refreshToken: 'other-refresh' })
    web.next(() => {
      vault.records.set(credentialRef(work), other)
      return fresh
    })
    expect(await refresher.tokenFor(source)).toEqual(other)
    expect(stored()).toEqual(other)
  })

  it('F62 a sign-in that comes while the disk is writing is not signed out again', async () => {
    const { refresher, source, sources, vault, web, now } = bench(expired, {}, new HandWeb())
    const disk = gate()
    web.next(() => {
      vault.gate = disk.opened
      return json(400, { error: 'invalid_grant' })
    })
    const given = refresher.tokenFor(source)
    await settle()
    const other = oauth({ accessToken: 'other', refreshToken: 'other-refresh' })
    vault.records.set(credentialRef(work), other)
    sources.save(account())
    disk.open()
    await given
    expect(now().signedOut).toBe(null)
    expect(await refresher.tokenFor(source)).toEqual(other)
  })

  it('a new sign-in starts afresh after a dead grant', async () => {
    const { refresher, source, sources, vault, web } = bench(
      expired,
      {},
      new HandWeb(json(400, { error: 'invalid_grant' }), fresh),
    )
    await refresher.tokenFor(source)
    vault.records.set(credentialRef(work), { ...expired, refreshToken: 'second' })
    sources.save(account())
    expect(await refresher.tokenFor(account())).toMatchObject({ accessToken: 'sk-ant-oat01-new' })
    expect(web.requests).toHaveLength(2)
  })
})

describe('F63 an outcome that is not known', () => {
  const ambiguous: readonly (readonly [string, WebAnswer | UpstreamFailure])[] = [
    ['lost', lost],
    ['silent', silent],
    ['cut', { kind: 'cut' }],
    ['malformed', { kind: 'malformed', why: 'not HTTP' }],
    ['a 200 without a token', { status: 200, headers: [], text: '<html>' }],
  ]

  it.each(ambiguous)('F63 is not repeated while the access token lives, then tried once: %s', async (_, answer) => {
    const { refresher, source, web, clock, stored } = bench(oauth(), {}, new HandWeb(answer, fresh))
    clock.advance(8 * hourMs - 5 * minuteMs)
    await refresher.renewDue()
    const started = { tokenHash: digest.sha256('sk-ant-ort01-old'), atMs: clock.wallMs }
    expect(stored()).toEqual(oauth({ refreshStarted: started }))
    for (let round = 0; round < 4; round += 1) {
      clock.advance(minuteMs)
      await refresher.renewDue()
      expect(await refresher.tokenFor(source)).toEqual(oauth({ refreshStarted: started }))
    }
    expect(web.requests).toHaveLength(1)
    clock.advance(minuteMs)
    expect(await refresher.tokenFor(source)).toMatchObject({ accessToken: 'sk-ant-oat01-new', refreshStarted: null })
    expect(web.requests).toHaveLength(2)
  })

  it('F63 waits a minute when the access token is already dead, then ten between tries', async () => {
    const { refresher, source, web, clock } = bench(
      expired,
      {},
      new HandWeb().otherwise(() => lost),
    )
    const askedAfter = async (ms: number): Promise<number> => {
      clock.advance(ms)
      expect(codes(await refresher.tokenFor(source))).toBe('token_unavailable')
      return web.requests.length
    }
    const asked = []
    for (const ms of [0, 59_000, 1_000, 9 * minuteMs, minuteMs, 9 * minuteMs, minuteMs])
      asked.push(await askedAfter(ms))
    expect(asked).toEqual([1, 1, 2, 2, 3, 3, 4])
  })

  it('F63 F64 a journal left by a crash is honoured by the next process, whose message says what happened', async () => {
    const refreshStarted = { tokenHash: digest.sha256('sk-ant-ort01-old'), atMs: startMs }
    const left = oauth({ refreshStarted, expiresAtMs: startMs + 5 * minuteMs })
    const { refresher, source, web, clock, now } = bench(left, {}, new HandWeb(json(400, { error: 'invalid_grant' })))
    await refresher.renewDue()
    expect(await refresher.tokenFor(source)).toEqual(left)
    expect(web.requests).toHaveLength(0)
    clock.advance(5 * minuteMs)
    expect(codes(await refresher.tokenFor(source))).toBe('needs_sign_in')
    expect(now().signedOut?.because).toBe('an earlier renewal was cut off before its answer could be stored')
    expect(web.requests).toHaveLength(1)
  })

  it('F63 a journal about an earlier token does not stop a renewal', async () => {
    const refreshStarted = { tokenHash: digest.sha256('an older one'), atMs: startMs }
    const { refresher, web } = bench(oauth({ refreshStarted, expiresAtMs: startMs + minuteMs }), {}, new HandWeb(fresh))
    await refresher.renewDue()
    expect(web.requests).toHaveLength(1)
  })
})

describe('a failure that leaves the grant alone', () => {
  const passing: readonly (readonly [string, WebAnswer | UpstreamFailure])[] = [
    ['unreachable', unreachable],
    ['untrusted certificate', { kind: 'tls-untrusted', why: 'self-signed' }],
    ['proxy', { kind: 'proxy', why: 'refused' }],
    ['408', json(408, {})],
    ['429', json(429, { type: 'error', error: { type: 'rate_limit_error', message: 'slow down' } })],
    ['500', json(500, {})],
    ['503 HTML', { status: 503, headers: [], text: '<html>' }],
    ['529', json(529, { type: 'error', error: { type: 'overloaded_error' } })],
    ['404 of a dead host', json(404, { type: 'error', error: { type: 'not_found_error' } })],
    ['403 of a guard page', { status: 403, headers: [], text: '<html>Just a moment' }],
    ['400 of another kind', json(400, { error: 'invalid_request' })],
    ['a redirect', json(302, {})],
  ]

  it.each(passing)('backs off, keeps the credential and clears the journal: %s', async (_, answer) => {
    const { refresher, source, web, clock, stored, now } = bench(
      expired,
      {},
      new HandWeb().otherwise(() => answer),
    )
    for (let second = 0; second < 3600; second += 5) {
      expect(codes(await refresher.tokenFor(source))).toBe('token_unavailable')
      clock.advance(5_000)
    }
    // 5, 10, 20, 40, 80, 160 s, then every 5 min: not a loop, not for ever.
    expect(web.requests.length).toBe(17)
    expect({ stored: stored(), signedOut: now().signedOut }).toEqual({ stored: expired, signedOut: null })
    web.next(fresh)
    clock.advance(5 * minuteMs)
    expect(await refresher.tokenFor(source)).toMatchObject({ accessToken: 'sk-ant-oat01-new' })
  })

  it.each([
    ['seconds', '120', 120_000],
    ['a date', new Date(startMs + 120_000).toUTCString(), 120_000],
    ['18 days, capped at an hour', '1555200', hourMs],
  ])('honours retry-after: %s', async (_, value, waitMs) => {
    const limited = json(429, {}, ['content-type', 'application/json', 'Retry-After', value])
    const { refresher, source, web, clock } = bench(expired, {}, new HandWeb(limited, fresh))
    await refresher.tokenFor(source)
    clock.advance(waitMs - 1)
    await refresher.tokenFor(source)
    expect(web.requests).toHaveLength(1)
    clock.advance(1)
    await refresher.tokenFor(source)
    expect(web.requests).toHaveLength(2)
  })

  it('gives the token that still works meanwhile', async () => {
    const { refresher, source, clock } = bench(oauth(), {}, new HandWeb(unreachable))
    clock.advance(8 * hourMs - minuteMs)
    await refresher.renewDue()
    expect(await refresher.tokenFor(source)).toEqual(oauth())
  })

  it('signs out after three 401s in a row that don’t say why, minutes apart', async () => {
    const { refresher, source, web, clock, now } = bench(
      expired,
      {},
      new HandWeb().otherwise(() => json(401, { detail: 'Unauthorized' })),
    )
    const states = []
    for (let minute = 0; minute < 5; minute += 1) {
      await refresher.tokenFor(source)
      states.push([web.requests.length, now().signedOut === null])
      clock.advance(minuteMs)
    }
    expect(states).toEqual([
      [1, true],
      [2, true],
      [2, true],
      [3, false],
      [3, false],
    ])
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
