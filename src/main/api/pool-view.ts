/** Pools as the Models tab shows them: tiers of backends, each with its state and its reason. */
import { PointsmanError } from '../../shared/errors.ts'
import { healthState } from '../domain/health.ts'
import type { Place, Pool } from '../domain/pool.ts'
import { isStrict, ownStrictness } from '../domain/settings.ts'
import type { Source } from '../domain/source.ts'
import type { View } from '../flow/view.ts'
import { findStrategy } from '../strategies/registry.ts'
import type { ApiDeps } from './api-deps.ts'
import { servingOf } from './serving.ts'
import { type Stand, standOf, windowsOf } from './stand.ts'
import { translatesFrom } from './translations.ts'

export function poolView(pool: Pool, view: View, { calls }: ApiDeps) {
  const tiers: ReturnType<typeof backendView>[][] = []
  for (const place of pool.places) {
    tiers[place.tier] ??= []
    tiers[place.tier]?.push(backendView(place, view, calls.hasServed(place.backend.source.id)))
  }
  const { id, model, strategy: own, revision, options: strategyOptions } = pool
  const strategy = own ?? view.settings.defaultStrategy
  return {
    ...{ id, model, revision },
    ...{ strategy, strategyOptions },
    usesDefaultStrategy: own === null,
    strategyServed: findStrategy(strategy) !== undefined,
    strict: ownStrictness(id, view.settings),
    isStrict: isStrict(id, view.settings),
    tiers,
    serving: servingOf(pool, view),
  }
}

function backendView(place: Place, view: View, hasServed: boolean) {
  const { backend, enabled } = place
  const { source, upstreamModel, aliases, free, dialects } = backend
  return {
    backendId: backend.id,
    sourceType: source.type,
    sourceId: source.id,
    sourceLabel: source.label,
    provider: source.provider,
    ...{ upstreamModel, aliases, free, dialects, enabled },
    translates: translatesFrom(source),
    weight: source.weight,
    health: healthState(view.health, source.id, hasServed, view.nowMs),
    ...withTightest(standOf(place, view), source, view),
  }
}

/** The window that the share is of: a spent one first, since it is what the sentence tells of. */
function withTightest(stand: Stand, source: Source, view: View) {
  const { usedPercent, because } = stand
  const named = because.startsWith('exhausted:') ? because.slice('exhausted:'.length) : null
  const found = windowsOf(source, view).find(({ window, usedPercent: used, resetAtMs }) =>
    named === null ? used === usedPercent && (resetAtMs ?? view.nowMs + 1) > view.nowMs : window === named,
  )
  if (found === undefined || (usedPercent === null && named === null)) return { ...stand, tightest: null }
  const { window, family, resetAtMs } = found
  return { ...stand, tightest: { window, family, resetAtMs } }
}

export function mustGetPool({ sources }: ApiDeps, id: string): Pool {
  const found = sources.picture.pools.list.find((pool) => pool.id === id)
  if (found === undefined) throw new PointsmanError('not_found', { what: `pool ${id}` })
  return found
}
