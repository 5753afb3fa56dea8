/** A fresh look around each try: strict policies, disabled accounts and disabled keys hold to the last moment. Pure. */
import { type AccessKey, keyState } from '../domain/access-key.ts'
import type { Candidate } from './40-candidates.ts'
import type { Plan } from './50-order.ts'
import { isHeldByLimit } from './at-limit.ts'
import { standing } from './standing.ts'
import { Refusal } from './trail.ts'
import type { View } from './view.ts'

/**
 * An account that the key's policy doesn't name. Asked apart from everything that made the plan, so that no fault there
 * sends a strict key's request elsewhere (access.md, "Route policy").
 */
const strays = ({ backend }: Candidate, { policy }: Plan): boolean =>
  (policy.mode === 'strict' || policy.mode === 'pool') && !policy.sources.includes(backend.source.id)

/** Why the candidate can't be tried any more, or null. */
export function candidateLost(candidate: Candidate, plan: Plan, view: View): string | null {
  if (strays(candidate, plan)) return 'policy'
  const source = view.picture.sources.get(candidate.backend.source.id)
  if (source === undefined) return 'removed'
  const state = standing({ ...candidate, backend: { ...candidate.backend, source } }, plan, view)
  if (state.kind === 'excluded') return state.because
  return isHeldByLimit(candidate, plan, view) ? 'exhausted:limit-of-another' : null
}

/** The refusal for a key that was disabled or has expired meanwhile, or null. */
export function keyLost(asked: AccessKey, view: View): Refusal | null {
  const key = view.keys.get(asked.id) ?? asked
  const state = keyState(key, view.nowMs)
  return state === 'active' ? null : new Refusal('access_credential_inactive', { label: key.label, state })
}

/** A conversation is bound to who serves it, unless it is pinned or only away from its own account for a while. */
export function isBoundBy({ backend }: Candidate, { reason, own, candidates }: Plan): boolean {
  if (reason === 'pinned') return false
  return own === null || own === backend.source.id || !candidates.some((other) => other.backend.source.id === own)
}
