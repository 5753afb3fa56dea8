/** The simulated sign-in servers: codes, single-use refresh tokens, reuse, revocation, device codes. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Practice } from '../../src/main/practice/practice.ts'
import { begin, type Loose, message, refreshToken } from './fixture.ts'

const clients = {
  codex: { id: 'app_EMoamEEZ73f0CkXaXp7hrann', path: '/oauth/token', origin: 'codexAuth', account: 'codex-team' },
  claude: {
    id: '9d1c250a-e61b-44d9-88ed-5944d1962f5e',
    path: '/v1/oauth/token',
    origin: 'claudeAuth',
    account: 'claude-work',
  },
} as const
type Vendor = keyof typeof clients

const verifier = 'v'.repeat(43)
const challenge = createHash('sha256').update(verifier).digest('base64url')

async function token(practice: Practice, vendor: Vendor, fields: object): Promise<{ status: number; body: Loose }> {
  const { id, path, origin } = clients[vendor]
  const answer = await fetch(practice.origins[origin] + path, {
    method: 'POST',
    body: JSON.stringify({ client_id: id, ...fields }),
  })
  return { status: answer.status, body: await answer.json() }
}

const refresh = (practice: Practice, vendor: Vendor, value: string): ReturnType<typeof token> =>
  token(practice, vendor, { grant_type: 'refresh_token', refresh_token: value })

function authorizeUrl(practice: Practice, vendor: Vendor): string {
  const { id, origin } = clients[vendor]
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: id,
    redirect_uri: 'http://localhost:1455/auth/callback',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 's'.repeat(43),
  })
  return `${practice.origins[origin]}/oauth/authorize?${query}`
}

async function code(practice: Practice, vendor: Vendor): Promise<string> {
  const answer = await fetch(authorizeUrl(practice, vendor), { redirect: 'manual' })
  return new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? ''
}

describe.each(['codex', 'claude'] as const)('refresh at %s', (vendor) => {
  const { account } = clients[vendor]

  it('gives a new pair once and knows the old token when it comes again', async () => {
    const { practice } = await begin()
    const old = refreshToken(practice, account)
    const first = await refresh(practice, vendor, old)
    const again = await refresh(practice, vendor, old)
    const next = await refresh(practice, vendor, first.body.refresh_token)
    expect([first.status, again.status, next.status]).toEqual([200, vendor === 'codex' ? 401 : 400, 200])
    expect(vendor === 'codex' ? again.body.error.code : again.body.error).toBe(
      vendor === 'codex' ? 'refresh_token_reused' : 'invalid_grant',
    )
    expect(practice.tokens(account)).toEqual({ tokenRequests: 3, refreshes: 2, reuses: 1, revocations: 0 })
  })

  it('takes a form body as well', async () => {
    const { practice } = await begin()
    const { id, path, origin } = clients[vendor]
    const body = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: id,
      refresh_token: refreshToken(practice, account),
    })
    const answer = await fetch(practice.origins[origin] + path, { method: 'POST', body })
    expect([answer.status, ((await answer.json()) as Loose).token_type]).toEqual([200, 'Bearer'])
  })

  it('refuses the tokens of a revoked account until it is lifted', async () => {
    const { practice } = await begin()
    practice.fault(account, 'revoke')
    const refused = await refresh(practice, vendor, refreshToken(practice, account))
    practice.fault(account, 'none')
    const good = await refresh(practice, vendor, refreshToken(practice, account))
    expect([refused.status, good.status]).toEqual([vendor === 'codex' ? 401 : 400, 200])
  })

  it('refuses another client id', async () => {
    const { practice } = await begin()
    expect((await token(practice, vendor, { client_id: 'other', grant_type: 'refresh_token' })).status).toBe(401)
  })
})

describe('sign-in in the browser', () => {
  it('sends the browser back with a code that works once and only with its verifier', async () => {
    const { practice } = await begin()
    const redirect_uri = 'http://localhost:1455/auth/callback'
    const exchange = (value: string, code_verifier: string): ReturnType<typeof token> =>
      token(practice, 'codex', { grant_type: 'authorization_code', code: value, redirect_uri, code_verifier })
    const good = await code(practice, 'codex')
    const first = await exchange(good, verifier)
    const again = await exchange(good, verifier)
    const wrong = await exchange(await code(practice, 'codex'), 'w'.repeat(43))
    expect([first.status, again.status, wrong.status]).toEqual([200, 400, 400])
    expect(Object.keys(first.body).sort()).toEqual([
      'access_token',
      'expires_in',
      'id_token',
      'refresh_token',
      'scope',
      'token_type',
    ])
  })

  it('signs in whoever is expected, else the revoked one, else somebody new', async () => {
    const { practice } = await begin()
    const who = async (): Promise<string> => {
      const { body } = await token(practice, 'claude', {
        grant_type: 'authorization_code',
        code: await code(practice, 'claude'),
        redirect_uri: 'http://localhost:1455/auth/callback',
        code_verifier: verifier,
        state: 's',
      })
      return body.account.email_address
    }
    practice.expectSignIn('claude', 'claude-personal')
    const expected = await who()
    practice.expectSignIn('claude', null)
    practice.fault('claude-work', 'revoke')
    expect([expected, await who(), await who()]).toEqual([
      'claude-personal@practice.invalid',
      'claude-work@practice.invalid',
      'claude-new-3@practice.invalid',
    ])
  })

  it('serves a revoked account again after a new sign-in, but not with its old token', async () => {
    const { practice, call } = await begin()
    practice.fault('claude-work', 'revoke')
    const { accessToken } = practice.signIn('claude-work')
    const old = await call.claude('/v1/messages', message)
    const renewed = await call.claude('/v1/messages', message, { authorization: `Bearer ${accessToken}` })
    expect([old.status, renewed.status]).toEqual([401, 200])
  })

  it('never redirects to a host that is not this machine', async () => {
    const { practice } = await begin()
    const url = authorizeUrl(practice, 'codex').replace('localhost', 'example.test')
    expect((await fetch(url, { redirect: 'manual' })).status).toBe(400)
  })
})

describe('revocation and device codes', () => {
  it('ends a refresh token that the client revokes', async () => {
    const { practice } = await begin()
    const old = refreshToken(practice, 'codex-team')
    const revoked = await fetch(`${practice.origins.codexAuth}/oauth/revoke`, {
      method: 'POST',
      body: JSON.stringify({ token: old, token_type_hint: 'refresh_token', client_id: clients.codex.id }),
    })
    const after = await refresh(practice, 'codex', old)
    expect([revoked.status, after.body.error.code]).toEqual([200, 'refresh_token_invalidated'])
    expect(practice.tokens('codex-team')).toMatchObject({ revocations: 1, reuses: 0 })
  })

  it('lets a device code wait until it is approved, then hands out a code with its verifier', async () => {
    const { practice } = await begin()
    practice.expectSignIn('codex', 'codex-personal')
    const post = async (path: string, body: object): Promise<{ status: number; body: Loose }> => {
      const answer = await fetch(practice.origins.codexAuth + path, { method: 'POST', body: JSON.stringify(body) })
      return { status: answer.status, body: await answer.json() }
    }
    const asked = await post('/api/accounts/deviceauth/usercode', { client_id: clients.codex.id })
    const { device_auth_id, user_code } = asked.body
    const pending = await post('/api/accounts/deviceauth/token', { device_auth_id, user_code })
    await fetch(`${practice.origins.codexAuth}/codex/device`)
    const approved = await post('/api/accounts/deviceauth/token', { device_auth_id, user_code })
    const { authorization_code, code_verifier } = approved.body
    const exchanged = await token(practice, 'codex', {
      grant_type: 'authorization_code',
      code: authorization_code,
      code_verifier,
      redirect_uri: 'https://auth.openai.com/deviceauth/callback',
    })
    expect([asked.body.interval, pending.status, approved.status, exchanged.status]).toEqual(['1', 403, 200, 200])
  })

  it('answers a scripted failure of its own instead', async () => {
    const { practice } = await begin()
    practice.script('codexAuth', { reply: { kind: 'status', status: 503 } })
    practice.script('codex-team', { on: ['token'], reply: { kind: 'no-head', end: 'reset' } })
    const old = refreshToken(practice, 'codex-team')
    await expect(refresh(practice, 'codex', old)).rejects.toThrow()
    const answer = await fetch(`${practice.origins.codexAuth}/oauth/token`, {
      method: 'POST',
      body: JSON.stringify({ refresh_token: old }),
    })
    expect([answer.status, practice.tokens('codex-team').tokenRequests]).toEqual([503, 0])
  })
})
