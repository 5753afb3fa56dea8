/** The simulated sign-in servers: authorize, token, revoke, device code (claude §1, codex §1). */
import { createHash } from 'node:crypto'
import type { ErrorName, PracticeOperation } from './behaviour.ts'
import { claudeError, claudeFailure } from './claude-errors.ts'
import type { Grants, Issued } from './grants.ts'
import { namedError } from './openai-errors.ts'
import { type Ask, json, type Planned, stringOf, text, type Vendor } from './vendor.ts'
import type { PracticeAccount } from './world.ts'

export interface Desk {
  readonly grants: Grants
  /** Who is signing in: asked once for each authorisation. */
  arrival(provider: 'claude' | 'codex'): PracticeAccount
  /** Device codes that a person has approved, by user code. */
  readonly devices: Map<string, { readonly id: string; approved: boolean }>
}

const clientIds = {
  claude: '9d1c250a-e61b-44d9-88ed-5944d1962f5e',
  codex: 'app_EMoamEEZ73f0CkXaXp7hrann',
} as const

const operations: Readonly<Record<string, PracticeOperation>> = {
  'GET /oauth/authorize': 'authorize',
  'POST /oauth/token': 'token',
  'POST /v1/oauth/token': 'token',
  'POST /oauth/revoke': 'revoke',
  'POST /api/accounts/deviceauth/usercode': 'device',
  'POST /api/accounts/deviceauth/token': 'device',
  'GET /codex/device': 'device',
}

export function signIn(provider: 'claude' | 'codex', desk: Desk): Vendor {
  const operation = (ask: Ask): PracticeOperation => operations[`${ask.method} ${ask.path}`] ?? 'other'
  return {
    operation,
    source: (ask) => desk.grants.owner(field(ask, 'refresh_token') ?? field(ask, 'token')),
    error: (ask, _source, name: ErrorName) =>
      provider === 'claude' ? claudeError(claudeFailure(name), ask.ordinal) : namedError(name, 'codex'),
    answer(ask) {
      switch (operation(ask)) {
        case 'authorize':
          return authorize(ask, provider, desk)
        case 'token':
          return token(ask, provider, desk)
        case 'revoke':
          desk.grants.revoke(field(ask, 'token') ?? '')
          return json(200, {})
        case 'device':
          return provider === 'codex' ? device(ask, desk) : notFound()
        default:
          return notFound()
      }
    },
  }
}

const notFound = (): Planned => json(404, { type: 'error', error: { type: 'not_found_error', message: 'Not found' } })

/** Both forms of token request bodies are accepted (claude §1.4, codex §1.4). */
function field(ask: Ask, name: string): string | null {
  if (ask.json !== null) return stringOf(ask.json[name])
  return new URLSearchParams(new TextDecoder().decode(ask.body)).get(name)
}

/** Nobody is asked anything: the browser is sent back at once, as whoever is expected. */
function authorize(ask: Ask, provider: 'claude' | 'codex', desk: Desk): Planned {
  const { query } = ask
  const redirect = query.get('redirect_uri') ?? ''
  const challenge = query.get('code_challenge')
  // The vendor's own page, which shows the code to be pasted, or a listener of this machine (claude §1.1, codex §1.1).
  const isPage = provider === 'claude' && redirect === 'https://platform.claude.com/oauth/code/callback'
  const isKnown = isPage || /^http:\/\/(localhost|127\.0\.0\.1):\d+\/[^#]*$/.test(redirect)
  const fits =
    query.get('response_type') === 'code' &&
    query.get('client_id') === clientIds[provider] &&
    query.get('code_challenge_method') === 'S256' &&
    (query.get('state') ?? '') !== ''
  if (!fits || !isKnown || challenge === null) return text(400, 'This sign-in request is not valid.', 'text/plain')
  const target = new URL(redirect)
  target.searchParams.set('code', desk.grants.code(desk.arrival(provider), challenge, redirect))
  target.searchParams.set('state', query.get('state') ?? '')
  return {
    kind: 'answer',
    status: 302,
    headers: ['location', target.href, 'content-length', '0'],
    pieces: [],
    events: false,
  }
}

function token(ask: Ask, provider: 'claude' | 'codex', desk: Desk): Planned {
  const { grants } = desk
  const owner = grants.owner(field(ask, 'refresh_token'))
  if (owner !== null) grants.count(owner.id, 'tokenRequests')
  if (field(ask, 'client_id') !== clientIds[provider]) return json(401, { error: 'invalid_client' })
  switch (field(ask, 'grant_type')) {
    case 'refresh_token': {
      const outcome = grants.refresh(field(ask, 'refresh_token'), ask.nowMs)
      if (outcome.kind === 'issued') return json(200, tokenBody(outcome.issued, ask.nowMs))
      return provider === 'claude' ? claudeDead() : codexDead(outcome.kind)
    }
    case 'authorization_code': {
      const account = grants.redeem(field(ask, 'code'), field(ask, 'code_verifier'), field(ask, 'redirect_uri'))
      if (account === null) return json(400, { error: 'invalid_grant', error_description: 'The code is not valid' })
      if (provider === 'claude' && field(ask, 'state') === null) return json(400, { error: 'invalid_request' })
      grants.count(account.id, 'tokenRequests')
      return json(200, { ...tokenBody(grants.issue(account, ask.nowMs), ask.nowMs), ...identity(account) })
    }
    default:
      return json(400, { error: 'unsupported_grant_type' })
  }
}

const claudeDead = (): Planned =>
  json(400, { error: 'invalid_grant', error_description: 'Refresh token not found or invalid' })

function codexDead(kind: 'spent' | 'revoked' | 'unknown'): Planned {
  const code =
    kind === 'spent'
      ? 'refresh_token_reused'
      : kind === 'revoked'
        ? 'refresh_token_invalidated'
        : 'refresh_token_expired'
  return json(401, {
    error: { message: 'The refresh token can no longer be used.', type: 'invalid_request_error', code },
  })
}

const tokenBody = (issued: Issued, nowMs: number): object => ({
  token_type: 'Bearer',
  access_token: issued.accessToken,
  ...(issued.refreshToken === null ? {} : { refresh_token: issued.refreshToken }),
  ...(issued.idToken === null ? {} : { id_token: issued.idToken }),
  expires_in: Math.floor((issued.expiresAtMs - nowMs) / 1000),
  scope: issued.scopes.join(' '),
})

/** Comes with a code exchange only (claude §1.3). */
const identity = (account: PracticeAccount): object =>
  account.provider === 'codex'
    ? {}
    : {
        account: { uuid: account.userId, email_address: account.email },
        organization: { uuid: account.workspaceId, name: account.workspace },
      }

function device(ask: Ask, { devices, grants, arrival }: Desk): Planned {
  if (ask.path === '/codex/device') {
    for (const waiting of devices.values()) waiting.approved = true
    return text(200, '<!DOCTYPE html><title>Practice</title><p>Approved. You can close this page.</p>', 'text/html')
  }
  if (ask.path.endsWith('/usercode')) {
    if (field(ask, 'client_id') !== clientIds.codex) return json(401, { error: 'invalid_client' })
    const id = `practice-device-${ask.ordinal}`
    const userCode = `PRAC-${String(ask.ordinal).padStart(5, '0')}`
    devices.set(userCode, { id, approved: false })
    return json(200, { device_auth_id: id, user_code: userCode, interval: '1' })
  }
  const waiting = devices.get(field(ask, 'user_code') ?? '')
  if (waiting === undefined || waiting.id !== field(ask, 'device_auth_id'))
    return json(400, { error: 'invalid_request' })
  if (!waiting.approved) return json(403, { error: { code: 'deviceauth_authorization_pending' } })
  devices.delete(field(ask, 'user_code') ?? '')
  const verifier = `practice-verifier-${ask.ordinal}`.padEnd(43, 'x')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const code = grants.code(arrival('codex'), challenge, null)
  return json(200, { authorization_code: code, code_challenge: challenge, code_verifier: verifier })
}
