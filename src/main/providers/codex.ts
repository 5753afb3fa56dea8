/** Codex accounts: the ChatGPT backend, not a documented API (codex §2, §4). */
import { codexFull, codexReadings, codexSpent } from './codex-windows.ts'
import type { Envelope } from './envelope.ts'
import type { HeaderEdits, Provider } from './provider.ts'
import { soon } from './raw-headers.ts'
import { readFailure, says } from './read-failure.ts'
import { openPaths, originOf } from './target.ts'

const host = 'https://chatgpt.com'
const base = '/backend-api/codex'

const edits: HeaderEdits = {
  // Organisation and project belong to the key they came with, and Anthropic's headers never go here (bridge §1.1).
  dropPrefixes: ['openai-organization', 'openai-project', 'anthropic-'],
  list: null,
  defaults: [],
  credential(credential) {
    if (credential.kind === 'api-key') return ['authorization', `Bearer ${credential.key}`]
    const set = ['authorization', `Bearer ${credential.accessToken}`]
    if (credential.accountId !== null) set.push('chatgpt-account-id', credential.accountId)
    if (credential.fedramp) set.push('x-openai-fedramp', 'true')
    return set
  },
}

/** `resets_at` in epoch seconds, else `resets_in_seconds`; neither in the past nor over a year ahead (codex §4.5). */
function statedReset({ error }: Envelope, nowMs: number): number | null {
  const at = soon(typeof error.resets_at === 'number' ? error.resets_at * 1_000 : null, nowMs)
  const after = error.resets_in_seconds
  return at ?? soon(typeof after === 'number' ? nowMs + after * 1_000 : null, nowMs)
}

export const codex: Provider = {
  kind: 'codex',
  streamOnly: true,
  sockets: true,
  target(_source, dialect, operation, query, hosts) {
    // The ChatGPT backend counts for nobody: its own CLI never asks (codex §2.3).
    if (operation === 'count' || (dialect !== 'responses' && operation !== 'list')) return null
    const path = openPaths(dialect, operation)
    return path === null ? null : { origin: originOf(hosts.codex ?? host), path: `${base}${path}${query}` }
  },
  headers: () => edits,
  readings: codexReadings,
  read: (answer) =>
    readFailure(answer, (envelope, retryAtMs, nowMs) =>
      says(envelope, 'usage_limit_reached')
        ? codexSpent(envelope.rawHeaders, statedReset(envelope, nowMs) ?? retryAtMs, nowMs)
        : codexFull(envelope.rawHeaders, nowMs),
    ),
}
