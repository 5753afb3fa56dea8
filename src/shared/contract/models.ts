/** Pools: one model with its ordered backends, and who would serve a call now. */
import { z } from 'zod'
import { announcement, dialect, done, id, input, list, member, modelName, nothing, sourceType, weight } from './base.ts'

const backend = z.object({
  backendId: z.string(),
  sourceType,
  sourceId: z.string(),
  sourceLabel: z.string(),
  /** Which upstream descriptor the source uses: `claude`, `codex`, `openai-compatible`, … */
  provider: z.string(),
  upstreamModel: z.string(),
  aliases: list(z.string()),
  free: z.boolean(),
  /** What its upstream speaks. */
  dialects: list(dialect),
  /** Clients of these dialects are served by translation; `models.losses` says what it loses. */
  translates: list(z.object({ from: dialect, to: dialect })),
  enabled: z.boolean(),
  weight: z.number(),
  health: z.enum(['unknown', 'healthy', 'degraded', 'unhealthy']),
  /** Would a fitting client's call be sent to it now. */
  usable: z.boolean(),
  /** `ready`, or the kebab-case reason why not. */
  because: z.string(),
  sentence: z.string(),
  untilMs: z.number().nullable(),
  /** Share used of its tightest window that counts this model; null when unknown. */
  usedPercent: z.number().nullable(),
  /** The window that `usedPercent` is of; null when unknown. */
  tightest: z
    .object({ window: z.string(), family: z.string().nullable(), resetAtMs: z.number().nullable() })
    .nullable(),
})

/** A new conversation of the client that fits the pool, asked of the router's own code. */
const serving = z.object({
  /** First path segment it was asked at. */
  address: z.string(),
  client: z.enum(['claude-code', 'codex', 'other']),
  dialect,
  /** The first would serve now, the second next, if that fails. */
  order: list(z.string()),
  /** `route:ID` when a route rule decides instead of this list. */
  route: z.string().nullable(),
  excluded: list(z.object({ backendId: z.string(), because: z.string(), sentence: z.string() })),
  /** Who would serve, or why nobody can. */
  sentence: z.string(),
})

const pool = z.object({
  id: z.string(),
  model: z.string(),
  /** The one that counts; the default strategy's where the pool has none of its own. */
  strategy: z.string(),
  usesDefaultStrategy: z.boolean(),
  /** False when there is no such strategy: the listed order stands. */
  strategyServed: z.boolean(),
  /** Options of the strategy that were set, by name. */
  strategyOptions: z.record(z.string(), z.number()),
  /** Whether what a translation would leave out is refused here; null: as the setting says for all. */
  strict: z.boolean().nullable(),
  /** The one that counts. */
  isStrict: z.boolean(),
  /** What `basedOn` refers to. */
  revision: z.number(),
  tiers: list(list(backend)),
  serving,
})

const strategy = z.object({
  id: z.string(),
  /** What it does. */
  sentence: z.string(),
  /** Your order stands as it is; otherwise it only breaks ties. */
  exact: z.boolean(),
  options: list(
    z.object({
      name: z.string(),
      sentence: z.string(),
      least: z.number(),
      most: z.number(),
      fallback: z.number(),
    }),
  ),
})

/** The pool's revision that the person saw; left out, nothing is checked. */
const basedOn = z.number().int().nonnegative()

const explainInput = input({
  /** First path segment: `claude`, `codex`, `any` or a source's id. */
  providerId: id,
  model: modelName.nullable(),
  dialect,
  /** As the client names it, or as the call log stores it. */
  sessionId: z.string().min(1).max(600).optional(),
  /** Id or label; left out, a key without limits. */
  keyId: id.optional(),
  /** `claude-code`, `codex` or any other; left out, the provider's own. */
  client: z.string().max(100).optional(),
  class: z.enum(['interactive', 'background']).optional(),
  folder: z.string().max(4_096).optional(),
})

const tiersInput = z.array(z.array(id).max(500)).max(50)

/** Of a route rule, as the person writes it. */
const ruleFields = {
  /** First path segment that it holds at; `any`: at every one that doesn't name a source. */
  providerId: id,
  /** As clients ask for it, without effort or thinking suffix; `*` stands for any letters, as in `*haiku*`. */
  matchModel: modelName,
  /** Null: clients of every style. */
  dialect: dialect.nullable().default(null),
  /** Null: the default strategy. */
  strategy: id.nullable().default('ordered'),
  options: z.record(z.string(), z.number()).default({}),
  /** Any model's backends, in order. */
  tiers: tiersInput.min(1),
  /** Whether what a translation would leave out is refused; null: as the setting says for all. */
  strict: z.boolean().nullable().default(null),
  enabled: z.boolean().default(true),
} as const

const routeRule = z.object({
  id: z.string(),
  providerId: z.string(),
  matchModel: z.string(),
  dialect: dialect.nullable(),
  strategy: z.string().nullable(),
  strategyServed: z.boolean(),
  options: z.record(z.string(), z.number()),
  tiers: list(list(z.object({ backendId: z.string(), sourceLabel: z.string().nullable(), exists: z.boolean() }))),
  strict: z.boolean().nullable(),
  enabled: z.boolean(),
  /** What `basedOn` refers to. */
  revision: z.number(),
})

const reason = z.object({ backendId: z.string(), because: z.string() })

const translation = z.object({
  /** The client's dialect, and the upstream's. */
  from: dialect,
  to: dialect,
  losses: list(
    z.object({
      /** Stable, kebab-case. */
      id: z.string(),
      /** `dropped` becomes `refused` where strictness is on. */
      action: z.enum(['refused', 'dropped', 'emulated', 'moved', 'clamped']),
      sentence: z.string(),
    }),
  ),
})

const explained = z.object({
  /** `route:ID` when a route rule decides. */
  route: z.string().nullable(),
  order: list(reason),
  excluded: list(reason),
  sentence: z.string(),
})

export const models = {
  pools: member.input(nothing).output(list(pool)),
  strategies: member.input(nothing).output(list(strategy)),
  /** Backends that `tiers` doesn't name follow in the last tier. */
  setOrder: member.input(input({ poolId: id, tiers: z.array(z.array(id).max(500)).max(50), basedOn })).output(pool),
  /** Without `poolId`: in every pool that has this backend. */
  setEnabled: member
    .input(input({ backendId: id, enabled: z.boolean(), poolId: id.optional(), basedOn: basedOn.optional() }))
    .output(list(pool)),
  /** Null: the default strategy. */
  setStrategy: member
    .input(
      input({
        poolId: id,
        strategy: id.nullable(),
        /** By name, as `models.strategies` lists them; those left out have their default. */
        options: z.record(z.string(), z.number()).optional(),
        basedOn: basedOn.optional(),
      }),
    )
    .output(pool),
  /** For one pool, or the rule `route:ID`; null: as the setting says for all. Answers what counts. */
  setStrict: member
    .input(input({ poolId: id, strict: z.boolean().nullable() }))
    .output(z.object({ strict: z.boolean().nullable(), isStrict: z.boolean() })),
  /** `weight` counts for the whole source, the rest for this model on it. */
  setBackend: member
    .input(
      input({
        backendId: id,
        weight: weight.optional(),
        aliases: z.array(modelName).max(50).optional(),
        free: z.boolean().optional(),
      }),
    )
    .output(list(pool)),
  /**
   * A subscription is asked for its models and its usage, with its own login: free, and no request to a model. A key or a local
   * provider gets one small request; where it doesn't speak every dialect, one streamed tool call through each translation
   * instead, of at most 1,024 tokens. Changes nothing.
   */
  test: member.input(input({ backendId: id })).output(
    z.object({
      ok: z.boolean(),
      code: z.string().nullable(),
      sentence: z.string(),
      elapsedMs: z.number(),
      translations: list(z.object({ from: dialect, to: dialect, ok: z.boolean(), sentence: z.string() })),
    }),
  ),
  /** What calls lose at a backend that doesn't speak their client's dialect; nothing where it speaks all or serves its own client only. */
  losses: member.input(input({ backendId: id })).output(list(translation)),
  explain: member.input(explainInput).output(
    explained.extend({
      /** Tokens that would be read uncached, where the session would leave its account; null: none or not known. */
      switchCostTokens: z.number().nullable(),
    }),
  ),
  /** Rules that stand in place of the derived pools. */
  routes: member.input(nothing).output(list(routeRule)),
  /** Without `id` a new one. */
  setRoute: member.input(input({ id: id.optional(), ...ruleFields, basedOn: basedOn.optional() })).output(routeRule),
  removeRoute: member.input(input({ id, basedOn: basedOn.optional() })).output(done),
  /** What a rule would change for a new conversation; changes nothing. */
  previewRoute: member
    .input(input({ id: id.optional(), ...ruleFields }))
    .output(z.object({ before: explained, after: explained })),
  /** The open conversations of a pool go where a new one would, each at its next request. */
  moveConversations: member.input(input({ poolId: id })).output(z.object({ count: z.number() })),
  changed: announcement,
}
