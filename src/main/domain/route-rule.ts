/** Route rules: a person's own list of backends for a model at an address, in place of the derived pool (routing §3). */
import { type BackendId, poolId, type SourceId } from '../../shared/ids.ts'
import type { Backend } from './backend.ts'
import { type Match, type Pool, type PoolOptions, splitSuffix } from './pool.ts'
import type { Dialect } from './source.ts'

export interface RouteRule {
  readonly id: string
  /** First path segment that it holds at; `any`: at every one that doesn't name a source. */
  readonly providerId: string
  /** As clients ask for it, without effort or thinking suffix; `*` stands for any letters, as in `*haiku*`. */
  readonly matchModel: string
  /** Null: clients of every style. */
  readonly dialect: Dialect | null
  /** Null: the default strategy. */
  readonly strategy: string | null
  readonly options: PoolOptions
  readonly tiers: readonly (readonly BackendId[])[]
  readonly enabled: boolean
  /** Grows with every change; a command based on an older one is a conflict. */
  readonly revision: number
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

export interface Routes {
  /** As stored, by id. */
  readonly rules: readonly RouteRule[]
  /** The rule that decides, as a match; null: the model's own pool does. */
  find(providerId: string, model: string, dialect: Dialect): Match | null
  /** Models that a rule alone serves at this address. */
  models(providerId: string): readonly Pool[]
}

/** How a decision names the rule that gave its places. */
export const ruleName = ({ id }: Pick<RouteRule, 'id'>): `route:${string}` => `route:${id}`

/** Two rules of which neither is the closer one would make the choice an accident. */
export const isTwin = (one: RouteRule, other: RouteRule): boolean =>
  one.id !== other.id &&
  one.providerId === other.providerId &&
  one.matchModel === other.matchModel &&
  one.dialect === other.dialect

/** `sourceIds`: addresses of one source alone; only a rule that names the address itself holds there. */
export function deriveRoutes(
  rules: readonly RouteRule[],
  backends: readonly Backend[],
  sourceIds: ReadonlySet<SourceId>,
): Routes {
  const byId = new Map(backends.map((backend) => [backend.id, backend]))
  const live = rules.filter(({ enabled }) => enabled).map((rule) => ({ rule, pool: poolOf(rule, byId) }))
  // A rule of which no backend is left doesn't count: the model's own order stands, and the list says so.
  const serving = live.filter(({ pool }) => pool.places.length > 0)
  const holdsAt = (rule: RouteRule, providerId: string): boolean =>
    rule.providerId === providerId || (rule.providerId === 'any' && !sourceIds.has(providerId as SourceId))
  const holding = (providerId: string, dialect: Dialect) =>
    serving.filter(({ rule }) => holdsAt(rule, providerId) && (rule.dialect === null || rule.dialect === dialect))
  const exactly = (providerId: string, name: string, dialect: Dialect) =>
    holding(providerId, dialect)
      .filter(({ rule }) => rule.matchModel === name)
      .sort((a, b) => closeness(b.rule, providerId) - closeness(a.rule, providerId))[0]
  // A name says more than a pattern, and the longer pattern more than the shorter.
  const loosely = (providerId: string, name: string, dialect: Dialect) =>
    holding(providerId, dialect)
      .filter(({ rule }) => isPattern(rule.matchModel) && fits(rule.matchModel, name))
      .sort(
        (a, b) =>
          b.rule.matchModel.length - a.rule.matchModel.length ||
          closeness(b.rule, providerId) - closeness(a.rule, providerId),
      )[0]
  return {
    rules,
    find(providerId, model, dialect) {
      const written = exactly(providerId, model, dialect)
      if (written !== undefined) return { pool: written.pool, by: ruleName(written.rule), suffix: '' }
      const { name, suffix } = splitSuffix(model)
      const exact = suffix === '' ? undefined : exactly(providerId, name, dialect)
      const found = exact ?? loosely(providerId, name, dialect)
      return found === undefined ? null : { pool: found.pool, by: ruleName(found.rule), suffix }
    },
    models: (providerId) =>
      serving.filter(({ rule }) => !isPattern(rule.matchModel) && holdsAt(rule, providerId)).map(({ pool }) => pool),
  }
}

/** Claude Code names real ids, and new ones come: its small, fast model is `*haiku*` (claude §6). */
export const isPattern = (matchModel: string): boolean => matchModel.includes('*')

/** Piece by piece, so that no pattern can take long. */
export function fits(pattern: string, name: string): boolean {
  const [first = '', ...pieces] = pattern.split('*')
  const last = pieces.pop()
  if (last === undefined) return pattern === name
  if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last)) return false
  const middle = name.slice(first.length, name.length - last.length)
  let at = 0
  for (const piece of pieces) {
    const found = middle.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return true
}

/** The address counts before the style. */
const closeness = (rule: RouteRule, providerId: string): number =>
  (rule.providerId === providerId ? 2 : 0) + (rule.dialect === null ? 0 : 1)

/** Backends whose source or model is gone are left out, and a tier without any vanishes. */
function poolOf(rule: RouteRule, byId: ReadonlyMap<BackendId, Backend>): Pool {
  const tiers = rule.tiers
    .map((tier) => tier.map((id) => byId.get(id)).filter((backend) => backend !== undefined))
    .filter((tier) => tier.length > 0)
  const places = tiers.flatMap((members, tier) =>
    members.map((backend, position) => ({ backend, tier, position, enabled: true })),
  )
  const { matchModel: model, strategy, options, revision } = rule
  return { id: poolId(ruleName(rule)), model, places, strategy, options, revision }
}
