/** Sources to describe upstreams with; only what a descriptor reads differs. */

import type { Account, Dialect, LocalProvider, Profile } from '../../src/main/domain/source.ts'
import type { HostOverrides } from '../../src/main/providers/provider.ts'
import { credentialRef, sourceId } from '../../src/shared/ids.ts'

const common = {
  active: true,
  models: [],
  defaultModel: null,
  weight: 1,
  proxy: null,
  createdAtMs: 0,
  updatedAtMs: 0,
} as const

export const account = (provider: 'claude' | 'codex'): Account => ({
  ...common,
  id: sourceId('work'),
  label: 'Work',
  type: 'subscription',
  provider,
  identity: null,
  email: null,
  workspace: null,
  plan: null,
  custody: 'pointsman',
  path: null,
  serves: 'any-client',
  reservePercent: 0,
  maySpendBeyondPlan: false,
  signedOut: null,
  credentialRef: credentialRef(sourceId('work')),
})

export const profile = (
  provider: Profile['provider'],
  baseUrl: string,
  dialects: readonly Dialect[] = ['messages', 'responses', 'chat'],
): Profile => ({
  ...common,
  id: sourceId('key'),
  label: 'Key',
  type: 'api',
  provider,
  baseUrl,
  dialects,
  joins: [],
  credentialRef: credentialRef(sourceId('key')),
})

export const localProvider = (baseUrl = 'http://127.0.0.1:11434'): LocalProvider => ({
  ...common,
  id: sourceId('ollama'),
  label: 'Ollama',
  type: 'local',
  provider: 'ollama',
  baseUrl,
  dialects: ['messages', 'responses', 'chat'],
  joins: [],
  credentialRef: null,
})

export const noOverrides: HostOverrides = { claude: null, claudeAuth: null, codex: null, codexAuth: null }
