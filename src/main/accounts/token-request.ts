/** One renewal at a vendor's token endpoint: the request, and what its answer means (claude §1.4, codex §1.4). */
import { asCount, asObject, asText, type JsonObject } from '../dialects/json.ts'
import type { OAuthCredential } from '../domain/credential.ts'
import type { UpstreamFailure, WebAnswer, WebRequest } from '../ports.ts'
import type { HostOverrides } from '../providers/provider.ts'
import { chatGptClaims, expiryOf, lifetimeOf } from './jwt.ts'
import { tokenText } from './login.ts'
import { claudeOAuth, codexOAuth, tokenUrl, type Vendor } from './oauth-endpoints.ts'
import { failureText, isAnswer, jsonOf } from './own-request.ts'

export type RenewalAnswer =
  /** A missing field keeps its old value. */
  | {
      readonly kind: 'tokens'
      readonly accessToken: string | null
      readonly refreshToken: string | null
      readonly expiresInMs: number | null
      readonly idToken: string | null
    }
  /** Proven to precede sending: the refresh token is untouched. */
  | { readonly kind: 'not-sent'; readonly why: string }
  /** The token may have been spent; never repeated at once (F63). */
  | { readonly kind: 'unknown'; readonly why: string }
  /** The endpoint answered, but not about the grant. */
  | { readonly kind: 'later'; readonly why: string; readonly retryAfterMs: number | null }
  /** A 401 that doesn't say why. */
  | { readonly kind: 'unclear'; readonly why: string }
  /** The vendor says the grant is dead. */
  | { readonly kind: 'rejected'; readonly code: string }

const timeoutMs = 30_000

export function renewalRequest(
  vendor: Vendor,
  refreshToken: string,
  proxy: string | null,
  hosts: HostOverrides,
): WebRequest {
  const client = vendor === 'claude' ? claudeOAuth.clientId : codexOAuth.clientId
  const headers = ['content-type', 'application/json', 'accept', 'application/json']
  return {
    url: tokenUrl(vendor, hosts),
    method: 'POST',
    headers: vendor === 'claude' ? [...headers, 'anthropic-beta', claudeOAuth.beta] : headers,
    body: JSON.stringify({ grant_type: 'refresh_token', refresh_token: refreshToken, client_id: client }),
    proxy,
    timeoutMs,
  }
}

export function readRenewal(result: WebAnswer | UpstreamFailure, nowMs: number): RenewalAnswer {
  const why = failureText(result)
  if (!isAnswer(result)) return readFailure(result, why)
  const { status } = result
  const body = asObject(jsonOf(result))
  if (status >= 200 && status < 300) return readTokens(body) ?? { kind: 'unknown', why: 'the answer held no token' }
  if (status === 408 || status === 429 || status >= 500 || status < 400) {
    return { kind: 'later', why, retryAfterMs: retryAfter(result.headers, nowMs) }
  }
  const code = status === 400 || status === 401 || status === 403 ? deadGrant(body) : null
  if (code !== null) return { kind: 'rejected', code }
  // A wrong host, a guard page or a request the vendor no longer understands says nothing about the grant.
  return status === 401 ? { kind: 'unclear', why } : { kind: 'later', why, retryAfterMs: null }
}

function readFailure(failure: UpstreamFailure, why: string): RenewalAnswer {
  switch (failure.kind) {
    case 'unreachable':
    case 'tls-untrusted':
    case 'proxy':
    case 'no-room':
      return { kind: 'not-sent', why }
    case 'lost':
    case 'silent':
    case 'malformed':
    case 'cut':
      return { kind: 'unknown', why }
  }
}

function readTokens(body: JsonObject | null): RenewalAnswer | null {
  const accessToken = tokenText(body?.access_token)
  const refreshToken = tokenText(body?.refresh_token)
  if (accessToken === null && refreshToken === null) return null
  const seconds = asCount(body?.expires_in)
  const expiresInMs = seconds === null || seconds === 0 ? null : Math.round(seconds * 1000)
  return { kind: 'tokens', accessToken, refreshToken, expiresInMs, idToken: tokenText(body?.id_token) }
}

const deadGrantCodes: ReadonlySet<string> = new Set([
  'invalid_grant',
  'refresh_token_expired',
  'refresh_token_reused',
  'refresh_token_invalidated',
  'token_expired',
  'app_session_terminated',
  'account_session_expired',
])

/**
 * `error` may be a string (RFC 6749) or an object with `code` or `type`; `code` may be at the top. Some answers put
 * it in words only. Returns one of our own words, never the vendor's text, which may echo the token.
 */
function deadGrant(body: JsonObject | null): string | null {
  const error = asObject(body?.error)
  const said = [error?.code, error?.type, body?.error, body?.code].map((value) => asText(value)?.toLowerCase() ?? '')
  const code = said.find((word) => deadGrantCodes.has(word))
  if (code !== undefined) return code
  const words = `${asText(error?.message) ?? ''} ${asText(body?.error_description) ?? ''}`.toLowerCase()
  if (words.includes('invalid_grant') || words.includes('refresh token not found or invalid')) return 'invalid_grant'
  if (/refresh token (has |was )?(been )?already (been )?used/.test(words)) return 'refresh_token_reused'
  return null
}

/** A wait of days is not believed: the account is tried again within the hour (field report 6). */
const longestRetryAfterMs = 60 * 60_000

function retryAfter(headers: readonly string[], nowMs: number): number | null {
  const at = headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'retry-after')
  const text = at < 0 ? '' : (headers[at + 1] ?? '').trim()
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, longestRetryAfterMs) : null
}

/** How long the new access token lives from now on; null when nothing says. */
export function lifetimeMs(answer: RenewalAnswer, nowMs: number): number | null {
  if (answer.kind !== 'tokens' || answer.accessToken === null) return null
  const expiresAtMs = expiryOf(answer.accessToken)
  return (
    answer.expiresInMs ??
    lifetimeOf(answer.accessToken) ??
    (expiresAtMs === null ? null : Math.max(0, expiresAtMs - nowMs))
  )
}

/** The credential after a renewal, its journal cleared. */
export function renewed(old: OAuthCredential, answer: RenewalAnswer, nowMs: number): OAuthCredential {
  if (answer.kind !== 'tokens') return { ...old, refreshStarted: null }
  const lifetime = lifetimeMs(answer, nowMs)
  const accessToken = answer.accessToken ?? old.accessToken
  const claims = chatGptClaims(answer.idToken ?? '', accessToken)
  return {
    ...old,
    accessToken,
    refreshToken: answer.refreshToken ?? old.refreshToken,
    expiresAtMs: answer.accessToken === null ? old.expiresAtMs : lifetime === null ? null : nowMs + lifetime,
    accountId: old.accountId ?? claims.accountId,
    fedramp: old.fedramp || claims.fedramp,
    renewedAtMs: nowMs,
    refreshStarted: null,
  }
}
