/** Route rules: seen, written, removed, and what one would change. */
import { PointsmanError } from '../../shared/errors.ts'
import { type BackendId, slug } from '../../shared/ids.ts'
import { splitSuffix } from '../domain/pool.ts'
import { fits, isPattern, isTwin, type RouteRule, ruleName } from '../domain/route-rule.ts'
import { ownStrictness } from '../domain/settings.ts'
import { type Dialect, dialectsOf } from '../domain/source.ts'
import { explain } from '../flow/explain.ts'
import { askOf } from '../flow/explain-ask.ts'
import type { RouteRuleChange, SourcesPicture } from '../state/sources.ts'
import { withRules } from '../state/sources.ts'
import { optionProblem } from '../strategies/options.ts'
import { findStrategy } from '../strategies/registry.ts'
import type { ApiDeps } from './api-deps.ts'
import { checkStrategy } from './check-strategy.ts'
import { members } from './implement.ts'
import { anyKey } from './stand.ts'
import { setStrictness } from './strictness.ts'

const invalid = (why: string): PointsmanError => new PointsmanError('invalid_input', { why })

type Written = Omit<RouteRuleChange, 'id' | 'tiers'> & {
  readonly id?: string | undefined
  readonly tiers: readonly (readonly string[])[]
}

export function routeRules(deps: ApiDeps) {
  const { sources } = deps
  return {
    routes: members.models.routes.handler(() => sources.picture.routes.rules.map((rule) => shown(rule, deps))),
    setRoute: members.models.setRoute.handler(({ input: { basedOn, strict, ...written } }) => {
      const rule = sources.saveRule(checked(written, deps), basedOn ?? null)
      setStrictness(ruleName(rule), strict, deps)
      return shown(rule, deps)
    }),
    removeRoute: members.models.removeRoute.handler(({ input: { id, basedOn } }) => {
      sources.removeRule(id, basedOn ?? null)
      setStrictness(ruleName({ id }), null, deps)
      return { ok: true as const }
    }),
    previewRoute: members.models.previewRoute.handler(({ input: { strict: _, ...input } }) => {
      const rule = { ...checked(input, deps), revision: 0, createdAtMs: 0, updatedAtMs: 0 }
      const { picture } = sources
      // A twin would be refused when it is saved; here it stands in for what it would replace.
      const others = picture.routes.rules.filter((one) => one.id !== rule.id && !isTwin(one, rule))
      const view = deps.view()
      const { providerId } = rule
      const model = sampleOf(rule.matchModel, picture)
      const ask = askOf({ providerId, model, dialect: rule.dialect ?? usual(rule, picture) }, anyKey, deps.digest)
      return {
        before: explain(ask, view),
        after: explain(ask, { ...view, picture: withRules(picture, [...others, rule]) }),
      }
    }),
  }
}

function shown(rule: RouteRule, { sources, view }: ApiDeps) {
  const backends = new Map(sources.picture.backends.map((backend) => [backend.id, backend]))
  const { id, providerId, matchModel, dialect, strategy, options, enabled, revision } = rule
  return {
    ...{ id, providerId, matchModel, dialect, strategy, options, enabled, revision },
    strategyServed: findStrategy(strategy ?? view().settings.defaultStrategy) !== undefined,
    strict: ownStrictness(ruleName(rule), view().settings),
    tiers: rule.tiers.map((tier) =>
      tier.map((backendId) => {
        const backend = backends.get(backendId)
        return { backendId, sourceLabel: backend?.source.label ?? null, exists: backend !== undefined }
      }),
    ),
  }
}

/** A rule keeps backends that are gone while it is edited: their source may come back. */
function checked({ tiers, ...written }: Written, deps: ApiDeps): RouteRuleChange {
  const { picture } = deps.sources
  const { providerId, matchModel, strategy, options } = written
  const rules = new Map(picture.routes.rules.map((rule) => [rule.id, rule]))
  const known = written.id === undefined ? undefined : rules.get(written.id)
  if (written.id !== undefined && known === undefined) {
    throw new PointsmanError('not_found', { what: `route rule ${written.id}` })
  }
  if (!picture.addresses.has(providerId)) throw invalid(`there is no address ${providerId}`)
  if (deps.sources.all().some(({ id, type }) => id === providerId && type === 'subscription')) {
    throw invalid(`the address ${providerId} names one account and no other serves there`)
  }
  const { suffix } = splitSuffix(matchModel)
  if (suffix !== '' && picture.pools.find(matchModel)?.suffix === suffix) {
    throw invalid(`leave out the suffix ${suffix}; it goes upstream as it is asked for`)
  }
  const named = tiers.flat()
  if (named.length === 0) throw invalid('a rule needs a backend')
  const twice = named.find((id, at) => named.indexOf(id) !== at)
  if (twice !== undefined) throw invalid(`${twice} is named twice`)
  const exists = new Set<string>([...picture.backends.map(({ id }) => id), ...(known?.tiers.flat() ?? [])])
  const missing = named.find((id) => !exists.has(id))
  if (missing !== undefined) throw invalid(`there is no backend ${missing}`)
  checkStrategy(strategy)
  const served = findStrategy(strategy ?? deps.view().settings.defaultStrategy)
  const problem = optionProblem(served?.options ?? [], options)
  if (problem !== null) throw invalid(problem)
  const id: string = known?.id ?? slug(`${providerId} ${matchModel}`, new Set(rules.keys()))
  const filled = tiers.filter((tier) => tier.length > 0).map((tier) => tier.map((name) => name as BackendId))
  return { ...written, id, tiers: filled }
}

/** A model that a pattern stands for, to show what the rule would do. */
function sampleOf(matchModel: string, { pools }: SourcesPicture): string {
  if (!isPattern(matchModel)) return matchModel
  const found = pools.list.find(({ model }) => fits(matchModel, model))
  return found?.model ?? matchModel.replaceAll('*', '')
}

/** A rule for every style is asked as the first backend's own client would. */
function usual(rule: RouteRuleChange, { backends }: SourcesPicture): Dialect {
  const first = backends.find(({ id }) => id === rule.tiers[0]?.[0])
  return (first && dialectsOf(first.source)[0]) ?? 'responses'
}
