/** Who would serve now, next, and why: the same pure stages as a real request (architecture, "The flow"). */
import { admit } from './20-admission.ts'
import { bind } from './30-session.ts'
import { candidates } from './40-candidates.ts'
import { order, type Plan } from './50-order.ts'
import { Refusal } from './trail.ts'
import type { Ask, View } from './view.ts'

export interface Explanation {
  /** `route:ID` when a route rule decides. */
  readonly route: string | null
  readonly order: readonly { readonly backendId: string; readonly because: string }[]
  readonly excluded: readonly { readonly backendId: string; readonly because: string }[]
  readonly sentence: string
}

export function explain(ask: Ask, view: View): Explanation {
  const planned = plan(ask, view)
  const route = ruleOf(ask, view)
  if (planned instanceof Refusal) {
    const excluded = planned.excluded.map(({ backendId, because }) => ({ backendId, because }))
    return { route, order: [], excluded, sentence: planned.problem.sentence }
  }
  const [first, second] = planned.order
  const next = second === undefined ? '' : ` Next, if that fails: ${second.backend.source.label}.`
  const name = first?.backend.source.label ?? 'Nothing'
  return {
    route,
    order: planned.order.map((candidate, index) => ({
      backendId: candidate.backend.id,
      because: index === 0 ? planned.reason : (candidate.resting ?? candidate.exhausted ?? 'ready'),
    })),
    excluded: planned.excluded.map(({ backendId, because }) => ({ backendId, because })),
    sentence: `${name} would serve now.${next}`,
  }
}

/** `route:ID` of the rule that decides this ask, or null. */
export function ruleOf({ model, providerId, dialect }: Ask, { picture }: View): string | null {
  return model === null ? null : (picture.routes.find(providerId, model, dialect)?.by ?? null)
}

/** Stages 20 to 50 on one picture. */
export function plan(ask: Ask, view: View): Plan | Refusal {
  const admitted = admit(ask, view)
  if (admitted instanceof Refusal) return admitted
  const bound = bind(admitted.value, view)
  if (bound instanceof Refusal) return bound
  const possible = candidates(bound.value, view)
  if (possible instanceof Refusal) return possible
  const planned = order(possible.value, view)
  return planned instanceof Refusal ? planned : planned.value
}
