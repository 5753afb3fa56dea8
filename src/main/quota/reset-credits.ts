/** Banked resets of a Codex account: listed, and spent only by the person's explicit wish (codex §4.2). */
import { type Problem, problem } from '../../shared/errors.ts'
import { codexOAuth, withHost } from '../accounts/oauth-endpoints.ts'
import { accountHeaders, failureText, get, isAnswer, jsonOf, readTimeoutMs } from '../accounts/own-request.ts'
import type { Credential } from '../domain/credential.ts'
import type { Account } from '../domain/source.ts'
import type { Digest, Web } from '../ports.ts'
import type { HostOverrides } from '../providers/index.ts'
import { isoAtMs, numberOf, objectOf, objectsOf, wordOf } from '../providers/usage-json.ts'

export interface ResetCredit {
  readonly id: string
  /** `available` can be spent. */
  readonly status: string
  readonly title: string | null
  readonly grantedAtMs: number | null
  readonly expiresAtMs: number | null
}

export interface ResetCredits {
  readonly available: number
  readonly credits: readonly ResetCredit[]
}

export interface SpentReset {
  /** `reset`, `nothing_to_reset`, `no_credit`, `already_redeemed`, or another word of the vendor's. */
  readonly code: string
  readonly windowsReset: number | null
}

export interface ResetDeps {
  readonly web: Web
  readonly hosts: HostOverrides
  readonly digest: Pick<Digest, 'sha256'>
  nowMs(): number
}

export async function listResets(
  account: Account,
  credential: Credential,
  deps: ResetDeps,
): Promise<ResetCredits | Problem> {
  const { label } = account
  const url = withHost(codexOAuth.resetCreditsUrl, deps.hosts.codex)
  const answer = await get(deps, url, accountHeaders('codex', credential), account.proxy)
  if (!isAnswer(answer) || answer.status !== 200)
    return problem('usage_unreadable', { label, why: failureText(answer) })
  const body = objectOf(jsonOf(answer))
  if (body === null) return problem('usage_unreadable', { label, why: 'the answer is not a list of resets' })
  const nowMs = deps.nowMs()
  const credits = objectsOf(body.credits).flatMap((credit) => {
    const id = wordOf(credit.id)
    if (id === null) return []
    const grantedAtMs = isoAtMs(credit.granted_at, nowMs)
    const expiresAtMs = isoAtMs(credit.expires_at, nowMs)
    return [{ id, status: wordOf(credit.status) ?? 'unknown', title: wordOf(credit.title), grantedAtMs, expiresAtMs }]
  })
  const counted = credits.filter((credit) => credit.status === 'available').length
  return { available: Math.floor(numberOf(body.available_count, 1_000) ?? counted), credits }
}

/**
 * Can't be undone. The redeem id follows from account and credit, so that a retry, also after a restart, is the same
 * request to the vendor and never spends a second one.
 */
export async function spendReset(
  account: Account,
  credential: Credential,
  creditId: string,
  deps: ResetDeps,
): Promise<SpentReset | Problem> {
  const { label } = account
  const redeemId = uuidOf(deps.digest.sha256(`reset\n${account.identity?.workspaceId ?? account.id}\n${creditId}`))
  const answer = await deps.web.fetch({
    url: withHost(codexOAuth.spendResetUrl, deps.hosts.codex),
    method: 'POST',
    headers: [...accountHeaders('codex', credential), 'content-type', 'application/json'],
    body: JSON.stringify({ redeem_request_id: redeemId, credit_id: creditId }),
    proxy: account.proxy,
    timeoutMs: readTimeoutMs,
  })
  const body = isAnswer(answer) ? objectOf(jsonOf(answer)) : null
  const code = wordOf(body?.code) ?? wordOf(objectOf(body?.detail)?.code)
  if (!isAnswer(answer) || code === null) return problem('usage_unreadable', { label, why: failureText(answer) })
  return { code, windowsReset: numberOf(body?.windows_reset, 1_000) }
}

/** A version 4 UUID out of a digest's hex. */
function uuidOf(hex: string): string {
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-')
}
