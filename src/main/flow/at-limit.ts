/**
 * What the person chose for a spent window (product, terms): `move` to another account, or not. Where not, the other
 * accounts of that vendor count as spent too, so that the call waits for the reset or ends with the limit; API
 * profiles and local models are not touched by it. Pure.
 */

import type { Bound } from './30-session.ts'
import type { Candidate } from './40-candidates.ts'
import type { Plan } from './50-order.ts'
import { standing } from './standing.ts'
import type { View } from './view.ts'

const because = 'exhausted:limit-of-another'
const sentence = 'Another account of this vendor is at its limit, and you chose not to move on.'

/** In listed order: the first spent account of a vendor holds back those behind it, unless the conversation has its own. */
export function stayAtLimit(
  listed: readonly Candidate[],
  { own, inherited }: Bound,
  { settings }: View,
): readonly Candidate[] {
  if (settings.atLimit === 'move') return listed
  const wanted = listed.find((candidate) => candidate.backend.source.id === (own ?? inherited))
  const isHeld = (candidate: Candidate, at: number): boolean => {
    const { source } = candidate.backend
    if (source.type !== 'subscription' || candidate.exhausted !== null || candidate === wanted) return false
    if (wanted?.backend.source.provider === source.provider) return wanted.exhausted !== null
    return listed.slice(0, at).some((earlier) => earlier.exhausted !== null && isSibling(earlier, candidate))
  }
  return listed.map((candidate, at) =>
    isHeld(candidate, at) ? { ...candidate, exhausted: because, resting: null, untilMs: null, sentence } : candidate,
  )
}

/** During a call: an account tried before this one turned out to be spent. */
export function isHeldByLimit(candidate: Candidate, plan: Plan, view: View): boolean {
  if (view.settings.atLimit === 'move' || candidate.backend.source.type !== 'subscription') return false
  const at = plan.order.findIndex(({ backend }) => backend.id === candidate.backend.id)
  return plan.order.slice(0, Math.max(at, 0)).some((earlier) => {
    if (!isSibling(earlier, candidate)) return false
    const now = standing(earlier, plan, view)
    return now.kind === 'possible' && now.exhausted !== null
  })
}

const isSibling = (one: Candidate, other: Candidate): boolean =>
  one.backend.source.type === 'subscription' && one.backend.source.provider === other.backend.source.provider
