/** One read of a vendor's usage endpoint: GET, with the account's own token, under Pointsman's own name. */

import { claudeOAuth, codexOAuth, withHost } from '../accounts/oauth-endpoints.ts'
import { accountHeaders, failureText, get, isAnswer, jsonOf } from '../accounts/own-request.ts'
import type { Credential } from '../domain/credential.ts'
import type { UsageReport } from '../domain/quota.ts'
import type { Account } from '../domain/source.ts'
import type { UpstreamFailure, Web, WebAnswer } from '../ports.ts'
import { claudeUsage } from '../providers/claude-usage.ts'
import { codexUsage } from '../providers/codex-usage.ts'
import type { HostOverrides } from '../providers/index.ts'
import { headerLookup } from '../providers/raw-headers.ts'
import { readRetryAfter } from '../providers/retry-after.ts'

export type UsageRead =
  | { readonly kind: 'report'; readonly report: UsageReport }
  /** `why` is one clause of ours; `limited` when the endpoint's own limiter refused. */
  | {
      readonly kind: 'failed'
      readonly why: string
      readonly limited: boolean
      readonly retryAfterMs: number | null
    }

export interface ReadUsageDeps {
  readonly web: Web
  readonly hosts: HostOverrides
  nowMs(): number
}

/** Never rejects. */
export async function readUsage(account: Account, credential: Credential, deps: ReadUsageDeps): Promise<UsageRead> {
  const { provider } = account
  const url =
    provider === 'claude'
      ? withHost(claudeOAuth.usageUrl, deps.hosts.claude)
      : withHost(codexOAuth.usageUrl, deps.hosts.codex)
  const answer = await get(deps, url, accountHeaders(provider, credential), account.proxy)
  return readAnswer(provider, answer, deps.nowMs())
}

export function readAnswer(
  provider: Account['provider'],
  answer: WebAnswer | UpstreamFailure,
  nowMs: number,
): UsageRead {
  if (!isAnswer(answer) || answer.status !== 200) {
    const limited = isAnswer(answer) && answer.status === 429
    const askedMs = isAnswer(answer) ? readRetryAfter(headerLookup(answer.headers), '', nowMs) : null
    return { kind: 'failed', why: failureText(answer), limited, retryAfterMs: askedMs }
  }
  const body = jsonOf(answer)
  const report = provider === 'claude' ? claudeUsage(body, nowMs) : codexUsage(body, nowMs)
  if (report !== null) return { kind: 'report', report }
  return { kind: 'failed', why: 'the answer is not a usage report', limited: false, retryAfterMs: null }
}
