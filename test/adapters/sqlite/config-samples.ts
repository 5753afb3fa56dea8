/** Arbitrary values of what `pointsman.db` keeps, for property tests. */
import fc from 'fast-check'
import type { RoutePolicy } from '../../../src/main/domain/access-key.ts'
import type { Circuit, Health, Rest } from '../../../src/main/domain/health.ts'
import type { Arrangement } from '../../../src/main/domain/pool.ts'
import type { Snapshot } from '../../../src/main/domain/quota.ts'
import type { Binding } from '../../../src/main/domain/session.ts'
import type { Account, Source } from '../../../src/main/domain/source.ts'
import type { StoredKey } from '../../../src/main/ports.ts'
import type {
  BackendId,
  BudgetId,
  CredentialRef,
  KeyId,
  PoolId,
  SessionKey,
  SourceId,
} from '../../../src/shared/ids.ts'

const text = fc.string({ unit: 'grapheme', maxLength: 12 })
const orNull = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(of, { nil: null })
const lines = fc.array(text, { maxLength: 4 })
const time = fc.integer({ min: 0, max: 4e12 })
const count = fc.integer({ min: 0, max: 1e6 })
const flag = fc.boolean()
const percent = fc.double({ min: 0, max: 150, noNaN: true }).map((value) => value + 0)
const as = <T>(of: fc.Arbitrary<unknown>): fc.Arbitrary<T> => of as fc.Arbitrary<T>

export const anAccount: Account = {
  type: 'subscription',
  id: 'work' as SourceId,
  label: 'Work',
  active: true,
  models: [{ id: 'claude-opus-4-8', upstreamModel: 'claude-opus-4-8', aliases: ['opus'], free: false }],
  defaultModel: null,
  weight: 1,
  proxy: null,
  credentialRef: 'credential/work' as CredentialRef,
  createdAtMs: 1_790_000_000_000,
  updatedAtMs: 1_790_000_000_000,
  provider: 'claude',
  identity: { userId: 'u', workspaceId: 'w' },
  email: null,
  workspace: null,
  plan: 'max',
  custody: 'pointsman',
  path: null,
  serves: 'claude-code-only',
  reservePercent: 0,
  maySpendBeyondPlan: false,
  signedOut: null,
}

const common = {
  id: as<SourceId>(text),
  label: text,
  active: flag,
  models: fc.array(fc.record({ id: text, upstreamModel: text, aliases: lines, free: flag }), { maxLength: 3 }),
  defaultModel: orNull(text),
  weight: count,
  proxy: orNull(text),
  credentialRef: as<CredentialRef | null>(orNull(text)),
  createdAtMs: time,
  updatedAtMs: time,
}
const keyed = {
  ...common,
  dialects: fc.subarray(['messages', 'responses', 'chat'] as const),
  baseUrl: text,
  joins: lines,
}

export const source: fc.Arbitrary<Source> = fc.oneof(
  fc.record({
    ...common,
    type: fc.constant('subscription' as const),
    provider: fc.constantFrom('claude' as const, 'codex' as const),
    identity: orNull(fc.record({ userId: text, workspaceId: text })),
    email: orNull(text),
    workspace: orNull(text),
    plan: orNull(text),
    custody: fc.constantFrom('pointsman' as const, 'read-only' as const, 'setup-token' as const),
    path: orNull(text),
    serves: fc.constantFrom('claude-code-only' as const, 'codex-only' as const, 'any-client' as const),
    reservePercent: count,
    maySpendBeyondPlan: flag,
    signedOut: orNull(fc.record({ because: text, sinceMs: time })),
  }),
  fc.record({
    ...keyed,
    type: fc.constant('api' as const),
    provider: fc.constantFrom('anthropic-compatible' as const, 'openai-compatible' as const),
  }),
  fc.record({
    ...keyed,
    type: fc.constant('local' as const),
    provider: fc.constantFrom('ollama' as const, 'openai-compatible' as const),
  }),
)

export const arrangement: fc.Arbitrary<Arrangement> = fc.record({
  poolId: as<PoolId>(text),
  tiers: as<BackendId[][]>(fc.array(lines, { maxLength: 3 })),
  disabled: as<BackendId[]>(lines),
  strategy: orNull(text),
  options: fc.dictionary(text, fc.integer({ min: 0, max: 100 }), { maxKeys: 3, noNullPrototype: true }),
  revision: count,
})

const sources = as<SourceId[]>(lines)
const policy: fc.Arbitrary<RoutePolicy> = fc.oneof(
  fc.constant({ mode: 'default' as const }),
  fc.record({ mode: fc.constant('strict' as const), sources }),
  fc.record({
    mode: fc.constant('preferred' as const),
    sources,
    fallback: fc.oneof(fc.constantFrom('default' as const, 'none' as const), fc.record({ sources, strategy: text })),
  }),
  fc.record({ mode: fc.constant('pool' as const), sources, strategy: text }),
)

export const storedKey: fc.Arbitrary<StoredKey> = fc.record({
  digest: fc.stringMatching(/^[0-9a-f]{64}$/),
  key: fc.record({
    id: as<KeyId>(fc.stringMatching(/^key_[a-z]{6}$/)),
    label: text,
    preview: text,
    state: fc.constantFrom('pending' as const, 'active' as const, 'disabled' as const, 'revoked' as const),
    expiresAtMs: orNull(time),
    policy: orNull(policy),
    providers: orNull(lines),
    models: orNull(lines),
    operations: orNull(fc.subarray(['generate', 'count', 'compact', 'list'] as const)),
    serviceTiers: orNull(lines),
    concurrency: orNull(count),
    budgetId: as<BudgetId | null>(orNull(text)),
    createdAtMs: time,
    updatedAtMs: time,
  }),
})

/** Used lately, seen from the tests' clock. */
export const binding: fc.Arbitrary<Binding> = fc.record({
  session: as<SessionKey>(fc.stringMatching(/^[0-9a-f]{64}$/)),
  sourceId: as<SourceId>(text),
  boundAtMs: time,
  lastUsedMs: fc.integer({ min: 1_790_000_000_000, max: 1_800_000_000_000 }),
})

export const snapshot: fc.Arbitrary<Snapshot> = fc.record({
  readings: fc.array(
    fc.record({
      window: text,
      usedPercent: percent,
      lengthMs: orNull(time),
      resetAtMs: orNull(time),
      family: orNull(text),
      source: fc.constantFrom('header' as const, 'poll' as const, 'estimate' as const),
      readAtMs: time,
    }),
    { maxLength: 3 },
  ),
  spent: fc.array(fc.record({ window: text, family: orNull(text), untilMs: orNull(time), sinceMs: time }), {
    maxLength: 2,
  }),
})

const rest: fc.Arbitrary<Rest> = fc.record({
  because: fc.constantFrom(
    'cooldown' as const,
    'burst' as const,
    'host-resting' as const,
    'billing' as const,
    'key-rejected' as const,
    'unreachable' as const,
  ),
  sinceMs: time,
  untilMs: orNull(time),
  failures: count,
  sentence: text,
})
const circuit: fc.Arbitrary<Circuit> = fc.oneof(
  fc.record({ kind: fc.constant('closed' as const), failuresAtMs: fc.array(time, { maxLength: 3 }) }),
  fc.record({ kind: fc.constant('open' as const), sinceMs: time, probeAtMs: time, opened: count }),
  fc.record({ kind: fc.constant('half-open' as const), probeSinceMs: time, opened: count }),
)
const mapOf = <K extends string, V>(value: fc.Arbitrary<V>): fc.Arbitrary<ReadonlyMap<K, V>> =>
  fc.array(fc.tuple(as<K>(text), value), { maxLength: 4 }).map((entries) => new Map(entries))

export const health: fc.Arbitrary<Health> = fc.record({
  sources: mapOf<SourceId, Rest>(rest),
  hosts: mapOf<string, Rest>(rest),
  notEntitled: mapOf<BackendId, number>(time),
  circuits: mapOf<SourceId, Circuit>(circuit),
  lastFailureMs: mapOf<SourceId, number>(time),
})
