/** What each failure of a renewal leads to: threats F62, F63, F65, claude §1.4, codex §1.4. */
import { describe, expect, it } from 'vitest'
import type { UpstreamFailure, WebAnswer } from '../../src/main/ports.ts'
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
  settle,
  startMs,
  work,
} from './kit.ts'

const lost: UpstreamFailure = { kind: 'lost' }
const silent: UpstreamFailure = { kind: 'silent' }
const unreachable: UpstreamFailure = { kind: 'unreachable', why: 'the name does not resolve' }

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
