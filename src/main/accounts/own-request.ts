/** Headers of Pointsman's own calls with an account's credential, and what a failed one says in one clause. */
import type { Credential } from '../domain/credential.ts'
import type { UpstreamFailure, Web, WebAnswer } from '../ports.ts'
import { claudeOAuth, type Vendor } from './oauth-endpoints.ts'

/** A usage, profile or model read waits no longer than this, so that an import never hangs on one. */
export const readTimeoutMs = 5_000

/** No vendor client's name in it: the port adds Pointsman's own user agent (product, promise 4). */
export function accountHeaders(vendor: Vendor, credential: Credential): readonly string[] {
  if (credential.kind === 'api-key') return ['authorization', `Bearer ${credential.key}`, 'accept', 'application/json']
  const common = ['authorization', `Bearer ${credential.accessToken}`, 'accept', 'application/json']
  if (vendor === 'claude') {
    return [...common, 'anthropic-version', claudeOAuth.apiVersion, 'anthropic-beta', claudeOAuth.beta]
  }
  return [
    ...common,
    ...(credential.accountId === null ? [] : ['chatgpt-account-id', credential.accountId]),
    ...(credential.fedramp ? ['x-openai-fedramp', 'true'] : []),
  ]
}

export const isAnswer = (result: WebAnswer | UpstreamFailure): result is WebAnswer => 'status' in result

export interface ReadDeps {
  readonly web: Web
}

export function get(deps: ReadDeps, url: string, headers: readonly string[], proxy: string | null) {
  return deps.web.fetch({ url, method: 'GET', headers, body: null, proxy, timeoutMs: readTimeoutMs })
}

/** One clause without a full stop; never the body, which may echo what was sent. */
export function failureText(result: WebAnswer | UpstreamFailure): string {
  if (isAnswer(result)) return `the answer was HTTP ${result.status}`
  switch (result.kind) {
    case 'unreachable':
    case 'tls-untrusted':
    case 'malformed':
    case 'proxy':
    case 'no-room':
      return result.why
    case 'lost':
    case 'cut':
      return 'the connection was lost'
    case 'silent':
      return 'no answer came in time'
  }
}

/** The answer's JSON, or null when it isn't any: a guard page may come as HTML with status 200. */
export function jsonOf(answer: WebAnswer): unknown {
  try {
    return JSON.parse(answer.text)
  } catch {
    return null
  }
}
