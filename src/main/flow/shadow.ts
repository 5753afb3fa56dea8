/** Shadow mode: listed order serves, and beside it is recorded what routing would have done (QR, routing §5). */
import type { ShadowRecord } from '../domain/decision.ts'
import type { Bindings } from '../state/bindings.ts'
import type { Rounds } from '../state/rounds.ts'
import { plan } from './explain.ts'
import { Refusal } from './trail.ts'
import type { Ask, View } from './view.ts'

/** Would-be bindings and rounds, apart from the real ones and in memory only. */
export interface Shadow {
  readonly bindings: Bindings
  readonly rounds: Rounds
}

/** Null while routing itself serves. */
export function wouldHave(ask: Ask, view: View, shadow: Shadow): ShadowRecord | null {
  if (view.listedOnly !== true) return null
  const planned = plan(ask, { ...view, listedOnly: false, bindings: shadow.bindings, rounds: shadow.rounds })
  if (planned instanceof Refusal) {
    return { backendId: null, label: null, strategy: null, reason: planned.problem.code, order: [] }
  }
  if (planned.turn !== null) shadow.rounds.commit(planned.turn)
  if (ask.session !== null && planned.binds !== null) {
    shadow.bindings.confirm(ask.session, planned.binds, view.nowMs, ask.model)
  }
  const [first] = planned.order
  return {
    backendId: first?.backend.id ?? null,
    label: first?.backend.source.label ?? null,
    strategy: planned.strategy,
    reason: planned.reason,
    order: planned.order.slice(0, 50).map(({ backend }) => backend.id),
  }
}
