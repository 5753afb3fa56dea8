/** Claude subscription accounts: Anthropic's own API with an OAuth token (claude §2, §4). */
import type { Credential } from '../domain/credential.ts'
import { claudeReadings, claudeSpent } from './claude-windows.ts'
import type { HeaderEdits, Provider } from './provider.ts'
import { readFailure } from './read-failure.ts'
import { openPaths, originOf } from './target.ts'

const host = 'https://api.anthropic.com'
/** The API refuses an OAuth token without it; the client may not know that an account will serve it (claude §2.2). */
const oauthBeta = 'oauth-2025-04-20'

/** Both wire dialects of OpenAI have private headers that are nobody else's business. */
export const openAiPrivate: readonly string[] = ['x-codex-', 'x-openai-', 'x-oai-', 'openai-']
export const anthropicVersion = ['anthropic-version', '2023-06-01'] as const

const edits: HeaderEdits = {
  dropPrefixes: openAiPrivate,
  list: { name: 'anthropic-beta', add: oauthBeta, remove: null },
  defaults: [anthropicVersion],
  credential: anthropicCredential,
}

/** `x-api-key` must be absent for a token, and the beta for a key (claude §2.2). */
export function anthropicCredential(credential: Credential): readonly string[] {
  return credential.kind === 'oauth'
    ? ['authorization', `Bearer ${credential.accessToken}`]
    : ['x-api-key', credential.key]
}

export const withoutOAuthBeta: HeaderEdits['list'] = { name: 'anthropic-beta', add: null, remove: oauthBeta }

export const claude: Provider = {
  kind: 'claude',
  streamOnly: false,
  target(_source, dialect, operation, query, hosts) {
    if (dialect !== 'messages' && operation !== 'list') return null
    const path = openPaths(dialect, operation)
    return path === null ? null : { origin: originOf(hosts.claude ?? host), path: `/v1${path}${query}` }
  },
  headers: () => edits,
  readings: claudeReadings,
  read: (answer) =>
    readFailure(answer, ({ rawHeaders }, retryAtMs, nowMs) => claudeSpent(rawHeaders, retryAtMs, nowMs)),
}
