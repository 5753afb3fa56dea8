/** The seeded sources as the program's own stores would hold them, with what they keep secret. */
import { backendId, type CredentialRef, credentialRef, poolId, type SourceId, sourceId } from '../../shared/ids.ts'
import type { Credential } from '../domain/credential.ts'
import type { Arrangement } from '../domain/pool.ts'
import type { Account, LocalProvider, Profile, Source, SourceModel } from '../domain/source.ts'
import type { OriginName } from './behaviour.ts'
import { apiModels, type CatalogueModel, claudeModels, codexModels, ollamaModels } from './catalogue.ts'
import type { Grants, Issued } from './grants.ts'
import { seedAccounts, seedKeys, seedLocal } from './seeds.ts'
import type { PracticeAccount, PracticeKey, PracticeLocal, World } from './world.ts'

/** What the composition root loads into its stores. */
export interface Seeds {
  readonly sources: readonly Source[]
  readonly credentials: ReadonlyMap<CredentialRef, Credential>
  /** Accounts first and the joined key below them, so that windows fill and a key only helps out. */
  readonly arrangements: readonly Arrangement[]
}

export const noSeeds: Seeds = { sources: [], credentials: new Map(), arrangements: [] }

/** Puts the seeds into the simulated world and signs each account in once. */
export function sow(world: World, grants: Grants, origins: Record<OriginName, string>, nowMs: number): Seeds {
  const credentials = new Map<CredentialRef, Credential>()
  const accounts = seedAccounts(nowMs).map((account, index) => {
    world.add(account)
    credentials.set(credentialRef(sourceId(account.id)), oauthCredential(account, grants.issue(account, nowMs), nowMs))
    return accountSource(account, nowMs + index)
  })
  const keys = seedKeys().map((key, index) => {
    world.add(key)
    credentials.set(credentialRef(sourceId(key.id)), { kind: 'api-key', key: key.key })
    return keySource(key, origins[key.origin], nowMs + 10 + index)
  })
  const sources = [...accounts, ...keys, localSource(seedLocal(), origins.ollamaHost, nowMs + 20)]
  return { sources, credentials, arrangements: arrange(accounts, keys) }
}

function arrange(accounts: readonly Account[], keys: readonly Profile[]): readonly Arrangement[] {
  const backends = (model: string, sources: readonly Source[]) =>
    sources.filter(({ models }) => models.some(({ id }) => id === model)).map(({ id }) => backendId(id, model))
  return [...claudeModels, ...codexModels].map(({ id }) => ({
    poolId: poolId(id),
    tiers: [backends(id, accounts), backends(id, keys)].filter((tier) => tier.length > 0),
    disabled: [],
    strategy: null,
    options: {},
    revision: 0,
  }))
}

/** The account as the program's own store would hold it after a sign-in. */
function accountSource(account: PracticeAccount, createdAtMs: number): Account {
  const id = sourceId(account.id)
  const claude = account.provider === 'claude'
  return {
    ...common(id, account.label, claude ? claudeModels : codexModels, createdAtMs, true),
    type: 'subscription',
    provider: account.provider,
    identity: { userId: account.userId, workspaceId: account.workspaceId },
    email: account.email,
    workspace: account.workspace,
    plan: planName(account),
    custody: 'pointsman',
    path: null,
    serves: claude ? 'claude-code-only' : 'any-client',
    reservePercent: 0,
    maySpendBeyondPlan: false,
    signedOut: null,
  }
}

function keySource(key: PracticeKey, origin: string, createdAtMs: number): Profile {
  const anthropic = key.origin === 'anthropicApi'
  return {
    ...common(sourceId(key.id), key.label, anthropic ? claudeModels : apiModels, createdAtMs, true),
    type: 'api',
    provider: anthropic ? 'anthropic-compatible' : 'openai-compatible',
    dialects: anthropic ? ['messages'] : ['responses', 'chat'],
    baseUrl: origin,
    joins: [anthropic ? 'claude' : 'codex'],
  }
}

const localSource = (local: PracticeLocal, origin: string, createdAtMs: number): LocalProvider => ({
  ...common(sourceId(local.id), local.label, ollamaModels, createdAtMs, false),
  type: 'local',
  provider: 'ollama',
  dialects: ['chat', 'messages', 'responses'],
  baseUrl: origin,
  joins: [],
})

export const oauthCredential = (account: PracticeAccount, issued: Issued, nowMs: number): Credential => ({
  kind: 'oauth',
  accessToken: issued.accessToken,
  refreshToken: issued.refreshToken,
  expiresAtMs: issued.expiresAtMs,
  accountId: account.provider === 'codex' ? account.workspaceId : null,
  fedramp: false,
  renewedAtMs: nowMs,
  refreshStarted: null,
})

function common(id: SourceId, label: string, models: readonly CatalogueModel[], createdAtMs: number, secret: boolean) {
  return {
    id,
    label,
    active: true,
    models: models.map((model): SourceModel => ({ id: model.id, upstreamModel: model.id, aliases: [], free: !secret })),
    defaultModel: null,
    weight: 1,
    proxy: null,
    credentialRef: secret ? credentialRef(id) : null,
    createdAtMs,
    updatedAtMs: createdAtMs,
  }
}

function planName({ provider, plan, rateLimitTier }: PracticeAccount): string {
  const times = /_(\d+)x$/.exec(rateLimitTier ?? '')?.[1]
  return provider === 'claude' && times !== undefined ? `${plan}_${times}x` : plan
}
