/** Pools and strategies: what the person arranges. */
import { PointsmanError } from '../../shared/errors.ts'
import type { BackendId } from '../../shared/ids.ts'
import type { Backend } from '../domain/backend.ts'
import type { Arrangement, Pool } from '../domain/pool.ts'
import { ruleName } from '../domain/route-rule.ts'
import { isWarm } from '../domain/session.ts'
import { optionProblem } from '../strategies/options.ts'
import { findStrategy, strategies } from '../strategies/registry.ts'
import { announcements } from './announcements.ts'
import type { ApiDeps } from './api-deps.ts'
import { isOfPool } from './bindings.ts'
import { checkStrategy } from './check-strategy.ts'
import { explainFor } from './explain.ts'
import { members } from './implement.ts'
import { mustGetPool, poolView } from './pool-view.ts'
import { routeRules } from './route-rules.ts'
import { setStrictness } from './strictness.ts'
import { testBackend } from './test-backend.ts'
import { lossesAt } from './translations.ts'

const invalid = (why: string): PointsmanError => new PointsmanError('invalid_input', { why })

export function models(deps: ApiDeps) {
  const { sources } = deps
  const shown = (id: string) => poolView(mustGetPool(deps, id), deps.view(), deps)
  const arrange = (pool: Pool, change: Partial<Arrangement>, basedOn: number | undefined): void => {
    const { tiers, disabled, strategy } = sources.arrangement(pool.id)
    sources.arrange({ poolId: pool.id, tiers, disabled, strategy, ...change }, basedOn ?? null)
  }
  const poolsWith = (id: string): readonly Pool[] => {
    const found = sources.picture.pools.list.filter((pool) => pool.places.some(({ backend }) => backend.id === id))
    if (found.length === 0) throw new PointsmanError('not_found', { what: `backend ${id}` })
    return found
  }
  return {
    pools: members.models.pools.handler(() => {
      const view = deps.view()
      return sources.picture.pools.list.map((pool) => poolView(pool, view, deps))
    }),
    strategies: members.models.strategies.handler(() => strategies),
    setOrder: members.models.setOrder.handler(({ input: { poolId, tiers, basedOn } }) => {
      const pool = mustGetPool(deps, poolId)
      arrange(pool, { tiers: checkedTiers(pool, tiers) }, basedOn)
      return shown(poolId)
    }),
    setEnabled: members.models.setEnabled.handler(({ input: { backendId, enabled, poolId, basedOn } }) => {
      const all = poolsWith(backendId)
      const chosen = poolId === undefined ? all : all.filter((pool) => pool.id === mustGetPool(deps, poolId).id)
      if (chosen.length === 0) throw invalid(`${backendId} is not in the pool ${poolId}`)
      // A revision belongs to one pool; half a change would be worse than none.
      if (basedOn !== undefined && chosen.length > 1)
        throw invalid('basedOn needs a poolId: several pools have this backend')
      for (const pool of chosen) {
        const others = sources.arrangement(pool.id).disabled.filter((id) => id !== backendId)
        arrange(pool, { disabled: enabled ? others : [...others, backendId as BackendId] }, basedOn)
      }
      return chosen.map(({ id }) => shown(id))
    }),
    setStrategy: members.models.setStrategy.handler(({ input: { poolId, strategy, options = {}, basedOn } }) => {
      const pool = mustGetPool(deps, poolId)
      checkStrategy(strategy)
      const { options: rules = [] } = findStrategy(strategy ?? deps.view().settings.defaultStrategy) ?? {}
      const problem = optionProblem(rules, options)
      if (problem !== null) throw invalid(problem)
      arrange(pool, { strategy, options }, basedOn)
      return shown(poolId)
    }),
    setStrict: members.models.setStrict.handler(({ input: { poolId, strict } }) => {
      const isRule = sources.picture.routes.rules.some((rule) => ruleName(rule) === poolId)
      return setStrictness(isRule ? poolId : mustGetPool(deps, poolId).id, strict, deps)
    }),
    setBackend: members.models.setBackend.handler(({ input: { backendId, weight, aliases, free } }) => {
      const [pool] = poolsWith(backendId)
      const { source } = mustFind(pool, backendId)
      const model = backendId.slice(source.id.length + 1)
      sources.save({
        ...source,
        weight: weight ?? source.weight,
        models: source.models.map((known) =>
          known.id === model ? { ...known, aliases: aliases ?? known.aliases, free: free ?? known.free } : known,
        ),
        updatedAtMs: deps.clock.nowMs(),
      })
      return poolsWith(backendId).map(({ id }) => shown(id))
    }),
    test: members.models.test.handler(({ input: { backendId } }) => {
      const [pool] = poolsWith(backendId)
      return testBackend(mustFind(pool, backendId), deps)
    }),
    losses: members.models.losses.handler(({ input: { backendId } }) => {
      const [pool] = poolsWith(backendId)
      return [...lossesAt(mustFind(pool, backendId))]
    }),
    explain: members.models.explain.handler(({ input }) => explainFor(input, deps)),
    ...routeRules(deps),
    moveConversations: members.models.moveConversations.handler(({ input: { poolId } }) => {
      const nowMs = deps.clock.nowMs()
      const ofPool = isOfPool(poolId, deps)
      return { count: deps.bindings.move((binding) => isWarm(binding, nowMs) && ofPool(binding), null, nowMs) }
    }),
    changed: members.models.changed.handler(({ signal }) => announcements('models', deps, signal)),
  }
}

function mustFind(pool: Pool | undefined, id: string): Backend {
  const found = pool?.places.find(({ backend }) => backend.id === id)?.backend
  if (found === undefined) throw new PointsmanError('not_found', { what: `backend ${id}` })
  return found
}

/** Every backend at most once, and of this pool. */
function checkedTiers(pool: Pool, tiers: readonly (readonly string[])[]): readonly (readonly BackendId[])[] {
  const members = new Map(pool.places.map(({ backend }) => [backend.id as string, backend.id]))
  const named = tiers.flat()
  const twice = named.find((id, at) => named.indexOf(id) !== at)
  if (twice !== undefined) throw invalid(`${twice} is named twice`)
  const foreign = named.find((id) => !members.has(id))
  if (foreign !== undefined) throw invalid(`${foreign} is not in the pool ${pool.id}`)
  return tiers
    .map((tier) => tier.map((id) => members.get(id)).filter((id) => id !== undefined))
    .filter((tier) => tier.length > 0)
}
