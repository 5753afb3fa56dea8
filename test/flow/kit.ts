/** A picture to decide on: sources, keys and states with small defaults, for the tests of the pure stages. */
import type { AccessKey } from '../../src/main/domain/access-key.ts'
import { type Health, healthy } from '../../src/main/domain/health.ts'
import type { Arrangement } from '../../src/main/domain/pool.ts'
import type { Snapshot } from '../../src/main/domain/quota.ts'
import { defaultSettings, type Settings } from '../../src/main/domain/settings.ts'
import type { Account, LocalProvider, Profile, Source } from '../../src/main/domain/source.ts'
import { admit } from '../../src/main/flow/20-admission.ts'
import { bind } from '../../src/main/flow/30-session.ts'
import { candidates, type Possible } from '../../src/main/flow/40-candidates.ts'
import { order, type Plan } from '../../src/main/flow/50-order.ts'
import { Refusal, type Staged } from '../../src/main/flow/trail.ts'
import type { Ask, View } from '../../src/main/flow/view.ts'
import { pictureOf } from '../../src/main/state/sources.ts'
import { freshRound } from '../../src/main/strategies/round-state.ts'
import { credentialRef, type SessionKey, sourceId } from '../../src/shared/ids.ts'

export const nowMs = Date.UTC(2026, 10, 30, 12)

let created = 0
const common = (id: string, models: readonly string[]) => ({
  id: sourceId(id),
  label: id.toUpperCase(),
  active: true,
  models: models.map((model) => ({ id: model, upstreamModel: model, aliases: [], free: false })),
  defaultModel: null,
  weight: 1,
  proxy: null,
  credentialRef: credentialRef(sourceId(id)),
  createdAtMs: ++created,
  updatedAtMs: 0,
})

export const account = (id: string, change: Partial<Account> = {}): Account => ({
  ...common(id, ['gpt-5.5']),
  type: 'subscription',
  provider: 'codex',
  identity: null,
  email: 'never@shown.invalid',
  workspace: null,
  plan: 'plus',
  custody: 'pointsman',
  path: null,
  serves: 'any-client',
  reservePercent: 0,
  maySpendBeyondPlan: false,
  signedOut: null,
  ...change,
})

export const claudeAccount = (id: string, change: Partial<Account> = {}): Account =>
  account(id, {
    provider: 'claude',
    serves: 'claude-code-only',
    models: common(id, ['claude-opus-4-8', 'claude-fable-5-1']).models,
    ...change,
  })

export const profile = (id: string, change: Partial<Profile> = {}): Profile => ({
  ...common(id, ['gpt-5.5']),
  type: 'api',
  provider: 'openai-compatible',
  dialects: ['responses', 'chat'],
  baseUrl: `https://${id}.test`,
  joins: ['codex'],
  ...change,
})

export const local = (id: string, change: Partial<LocalProvider> = {}): LocalProvider => ({
  ...common(id, ['llama']),
  type: 'local',
  provider: 'ollama',
  dialects: ['responses', 'chat', 'messages'],
  baseUrl: 'http://127.0.0.1:11434',
  joins: [],
  credentialRef: null,
  ...change,
})

export const accessKey = (change: Partial<AccessKey> = {}): AccessKey => ({
  id: 'key_1' as never,
  label: 'mine',
  preview: 'pk_…abcd',
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
  ...change,
})

export interface Situation {
  readonly sources?: readonly Source[]
  readonly arrangements?: readonly Arrangement[]
  readonly settings?: Partial<Settings>
  readonly health?: Partial<Health>
  readonly quota?: Readonly<Record<string, Snapshot>>
  /** Session → source id. */
  readonly bound?: Readonly<Record<string, string>>
  /** How long the bound sessions have not been used. */
  readonly idleMs?: number
  readonly vaultOpen?: boolean
  readonly key?: AccessKey
}

export function viewOf(situation: Situation = {}): View {
  const sources = situation.sources ?? []
  const key = situation.key ?? accessKey()
  return {
    nowMs,
    settings: { ...defaultSettings, ...situation.settings },
    picture: pictureOf(
      sources,
      situation.arrangements ?? [],
      (source) => `https://${source.type === 'subscription' ? source.provider : source.id}.test`,
    ),
    health: { ...healthy, ...situation.health },
    quota: new Map(Object.entries(situation.quota ?? {}).map(([id, snapshot]) => [sourceId(id), snapshot])),
    bindings: {
      get(session) {
        const id = situation.bound?.[session]
        return id === undefined
          ? undefined
          : { session, sourceId: sourceId(id), boundAtMs: 0, lastUsedMs: nowMs - (situation.idleMs ?? 0) }
      },
    },
    rounds: { get: () => freshRound },
    recent: { tokens: () => 0, firstContentMs: () => null, failures: () => 0 },
    keys: { get: (id) => (id === key.id ? key : undefined) },
    vaultOpen: situation.vaultOpen ?? true,
  }
}

export const ask = (change: Partial<Ask> & { readonly sessionText?: string } = {}): Ask => ({
  providerId: 'codex',
  dialect: 'responses',
  operation: 'generate',
  model: 'gpt-5.5',
  serviceTier: null,
  key: accessKey(),
  session: null,
  parents: [],
  interactive: true,
  claudeCodeMarks: [],
  codexClient: false,
  ...change,
})

export const session = (text: string): SessionKey => text as SessionKey

const value = <T>(staged: Staged<T> | Refusal): T => {
  if (staged instanceof Refusal) throw staged
  return staged.value
}

/** Stages 20 to 40; a refusal of any of them comes back as it is. */
export function possibleFor(asked: Ask, view: View): Possible | Refusal {
  try {
    return value(candidates(value(bind(value(admit(asked, view)), view)), view))
  } catch (cause) {
    if (cause instanceof Refusal) return cause
    throw cause
  }
}

/** Stages 20 to 50. */
export function planFor(asked: Ask, view: View): Plan | Refusal {
  const possible = possibleFor(asked, view)
  if (possible instanceof Refusal) return possible
  const planned = order(possible, view)
  return planned instanceof Refusal ? planned : planned.value
}

/** `a b | reason` or the refusal's code, for tables. */
export function shown(planned: Plan | Refusal): string {
  if (planned instanceof Refusal) return planned.problem.code
  return `${planned.order.map((candidate) => candidate.backend.source.id).join(' ')} | ${planned.reason}`
}
