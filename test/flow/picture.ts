/** A picture to decide on, made of a few sources: for tests of the pure stages, the simulated month and the bench. */
import type { AccessKey } from '../../src/main/domain/access-key.ts'
import { healthy } from '../../src/main/domain/health.ts'
import type { Arrangement } from '../../src/main/domain/pool.ts'
import type { Reading, Snapshot } from '../../src/main/domain/quota.ts'
import { defaultSettings } from '../../src/main/domain/settings.ts'
import type { Account, Profile, Source } from '../../src/main/domain/source.ts'
import type { Ask, View } from '../../src/main/flow/view.ts'
import { RecentUse } from '../../src/main/state/recent-use.ts'
import { Rounds } from '../../src/main/state/rounds.ts'
import { pictureOf } from '../../src/main/state/sources.ts'
import { type BackendId, backendId, keyId, poolId, type SessionKey, sourceId } from '../../src/shared/ids.ts'

export const model = 'gpt-5.5'
const models = [{ id: model, upstreamModel: model, aliases: [], free: false }]

const common = (id: string) => ({
  id: sourceId(id),
  label: id,
  active: true,
  models,
  defaultModel: null,
  weight: 1,
  proxy: null,
  credentialRef: null,
  createdAtMs: 0,
  updatedAtMs: 0,
})

export const account = (id: string, change: Partial<Account> = {}): Account => ({
  ...common(id),
  type: 'subscription',
  provider: 'codex',
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
  ...change,
})

export const profile = (id: string, change: Partial<Profile> = {}): Profile => ({
  ...common(id),
  type: 'api',
  provider: 'openai-compatible',
  dialects: ['responses'],
  baseUrl: `http://${id}.test`,
  joins: ['codex'],
  ...change,
})

export const anyKey: AccessKey = {
  id: keyId('key_any'),
  label: 'any',
  preview: '',
  state: 'active',
  expiresAtMs: null,
  policy: { mode: 'default' },
  providers: null,
  models: null,
  operations: null,
  serviceTiers: null,
  concurrency: null,
  budgetId: null,
  createdAtMs: 0,
  updatedAtMs: 0,
}

export const ask = (change: Partial<Ask> = {}): Ask => ({
  providerId: 'codex',
  dialect: 'responses',
  operation: 'generate',
  model,
  serviceTier: null,
  key: anyKey,
  session: null,
  parents: [],
  interactive: true,
  claudeCodeMarks: [],
  codexClient: true,
  ...change,
})

export const session = (name: string): SessionKey => name as SessionKey
export const backend = (source: string): BackendId => backendId(sourceId(source), model)

export const arrangement = (
  tiers: readonly (readonly string[])[],
  strategy: string,
  options: Arrangement['options'] = {},
): Arrangement => ({
  poolId: poolId(model),
  tiers: tiers.map((tier) => tier.map(backend)),
  disabled: [],
  strategy,
  options,
  revision: 1,
})

export const reading = (window: string, usedPercent: number, resetAtMs: number | null, readAtMs: number): Reading => ({
  window,
  usedPercent,
  lengthMs: null,
  resetAtMs,
  family: window.split(':')[1] ?? null,
  source: 'header',
  readAtMs,
})

export const snapshot = (...readings: readonly Reading[]): Snapshot => ({ readings, spent: [] })

export function viewOf(
  sources: readonly Source[],
  arrangements: readonly Arrangement[],
  change: Partial<View> & { readonly nowMs: number },
): View {
  return {
    settings: defaultSettings,
    picture: pictureOf(sources, arrangements, (source) => `https://${source.id}`),
    health: healthy,
    quota: new Map(),
    bindings: new Map(),
    rounds: new Rounds({ unit: () => 0.99 }),
    recent: new RecentUse(),
    keys: new Map([[anyKey.id, anyKey]]),
    vaultOpen: true,
    ...change,
  }
}
