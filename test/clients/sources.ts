/** Adds the simulator's accounts, and keys of two of its hosts, as a person would: by importing a login, by making a profile. */
import type { Source } from '../../src/main/domain/source.ts'
import type { Practice } from '../../src/main/practice/practice.ts'
import type { SourceId } from '../../src/shared/ids.ts'
import type { Program as Built } from '../program/run-program.ts'
import type { Taps } from './program.ts'

/** Hosts that take a key of no vendor: an official key goes to its vendor's own host only. */
const hosts = {
  'anthropic-host': { origin: 'anthropicApi', dialects: ['messages'], joins: ['claude'], modelsOf: 'anthropic-key' },
  'openai-host': { origin: 'openaiApi', dialects: ['responses', 'chat'], joins: ['codex'], modelsOf: 'openai-key' },
} as const
const isHost = (id: string): id is keyof typeof hosts => Object.hasOwn(hosts, id)

/** The label is the id wanted, since a source's id is made of its first label. */
export async function addSource(id: string, practice: Practice, taps: Taps, rpc: Built['rpc']): Promise<void> {
  if (isHost(id)) {
    const { origin, dialects, joins, modelsOf } = hosts[id]
    const apiKey = `key-of-${id}`
    practice.addKey(origin, id, apiKey)
    const models = seedOf(modelsOf, practice).models.map((model) => ({ id: model.id }))
    await rpc('profiles.create', { kind: 'api', label: id, dialects, baseUrl: taps[origin].url, joins, models, apiKey })
    return
  }
  const seed = seedOf(id, practice)
  if (seed.type !== 'subscription') throw new Error(`${id} is not an account`)
  const { provider } = seed
  await rpc('accounts.import', { provider, label: id, credential: loginFile(provider, seed.id, practice) })
}

function seedOf(id: string, { seeds }: Practice): Source {
  const seed = seeds.sources.find((source) => source.id === id)
  if (seed === undefined) throw new Error(`the simulator has no ${id}`)
  return seed
}

/** The vendor's own file after a sign-in (claude §1.6, codex §1.8). */
function loginFile(provider: 'claude' | 'codex', id: SourceId, practice: Practice): unknown {
  const { accessToken, refreshToken, idToken, scopes, expiresAtMs } = practice.signIn(id)
  if (provider === 'claude') return { claudeAiOauth: { accessToken, refreshToken, expiresAt: expiresAtMs, scopes } }
  const tokens = {
    id_token: idToken,
    access_token: accessToken,
    refresh_token: refreshToken,
    account_id: practice.account(id).workspaceId,
  }
  return { OPENAI_API_KEY: null, tokens, last_refresh: new Date().toISOString() }
}
