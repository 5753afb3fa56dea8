/** Turns an authorisation code into a login at the Codex token endpoint (codex §1.3). */
import { type Problem, problem } from '../../shared/errors.ts'
import { asObject } from '../dialects/json.ts'
import type { Clock, Web } from '../ports.ts'
import type { HostOverrides } from '../providers/provider.ts'
import type { Login } from './login.ts'
import { codexOAuth, tokenUrl } from './oauth-endpoints.ts'
import { failureText, isAnswer, jsonOf } from './own-request.ts'
import { readCodexTokens } from './read-codex.ts'

export interface ExchangeDeps {
  readonly web: Web
  readonly clock: Clock
  readonly hosts: HostOverrides
}

export const signInFailed = (why: string): Problem => problem('sign_in_failed', { why })

const timeoutMs = 30_000

/** Never repeated: a code serves once, and a second try with it may end the grant of the first. */
export async function exchangeCode(
  code: string,
  verifier: string,
  redirectUri: string,
  proxy: string | null,
  { web, clock, hosts }: ExchangeDeps,
): Promise<Login | Problem> {
  const result = await web.fetch({
    url: tokenUrl('codex', hosts),
    method: 'POST',
    headers: ['content-type', 'application/x-www-form-urlencoded', 'accept', 'application/json'],
    body: form({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      client_id: codexOAuth.clientId,
      code_verifier: verifier,
    }),
    proxy,
    timeoutMs,
  })
  if (!isAnswer(result) || result.status !== 200) {
    const isRefused = isAnswer(result) && result.status >= 400 && result.status < 500
    return signInFailed(isRefused ? 'the vendor refused the sign-in code' : failureText(result))
  }
  return (
    readCodexTokens(asObject(jsonOf(result)) ?? {}, clock.nowMs()) ?? signInFailed('the vendor’s answer held no token')
  )
}

export const form = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
