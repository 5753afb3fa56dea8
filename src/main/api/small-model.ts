/** Claude Code's small, fast model on a backend of the person's choice: one route rule that stands for its names (claude §6). */
import { PointsmanError } from '../../shared/errors.ts'
import { type BackendId, slug } from '../../shared/ids.ts'
import { type RouteRule, ruleName } from '../domain/route-rule.ts'
import type { ApiDeps } from './api-deps.ts'
import { setStrictness } from './strictness.ts'

const place = { providerId: 'claude', matchModel: '*haiku*', dialect: 'messages' } as const

const ruleIn = ({ sources }: Pick<ApiDeps, 'sources'>): RouteRule | undefined =>
  sources.picture.routes.rules.find(
    ({ providerId, matchModel, dialect }) =>
      providerId === place.providerId && matchModel === place.matchModel && dialect === place.dialect,
  )

export function smallModel(deps: Pick<ApiDeps, 'sources'>): { readonly backendId: string | null } {
  const rule = ruleIn(deps)
  return { backendId: rule?.enabled === true ? (rule.tiers[0]?.[0] ?? null) : null }
}

export function setSmallModel(backendId: string | null, deps: ApiDeps) {
  const { sources } = deps
  const { backends, routes } = sources.picture
  const known = ruleIn(deps)
  if (backendId === null) {
    if (known !== undefined) {
      sources.removeRule(known.id, null)
      setStrictness(ruleName(known), null, deps)
    }
    return smallModel(deps)
  }
  if (!backends.some(({ id }) => id === backendId))
    throw new PointsmanError('not_found', { what: `backend ${backendId}` })
  const id: string = known?.id ?? slug('claude small', new Set(routes.rules.map((rule) => rule.id)))
  const tiers = [[backendId as BackendId]]
  sources.saveRule({ ...place, id, strategy: 'ordered', options: {}, tiers, enabled: true }, null)
  return smallModel(deps)
}
