/** The order that a key's policy lists its accounts in, where it has one of its own (access.md, "Route policy"). Pure. */

import type { SourceId } from '../../shared/ids.ts'
import type { RoutePolicy } from '../domain/access-key.ts'
import type { Candidate, Possible } from './40-candidates.ts'

/** The accounts of a policy that has no tiers, in the person's order: one set, or the named ones and their fallback. */
export function listedBy(policy: RoutePolicy): readonly string[] | null {
  switch (policy.mode) {
    case 'default':
      return null
    case 'strict':
    case 'pool':
      return policy.sources
    case 'preferred':
      return typeof policy.fallback === 'object' ? [...policy.sources, ...policy.fallback.sources] : null
  }
}

/** The account that a `preferred` policy would have: the first named one that serves the model at all, or null. */
export function preferredOf({ policy, candidates, excluded }: Possible): SourceId | null {
  if (policy.mode !== 'preferred') return null
  const serves = (id: SourceId): boolean =>
    candidates.some(({ backend }) => backend.source.id === id) ||
    excluded.some(({ backendId }) => backendId.startsWith(`${id}:`))
  return policy.sources.find(serves) ?? null
}

/** As listed; an account's own backends keep their order among themselves. */
export function inListedOrder(candidates: readonly Candidate[], sources: readonly string[]): readonly Candidate[] {
  const placeOf = ({ backend }: Candidate): number => {
    const place = sources.indexOf(backend.source.id)
    return place < 0 ? sources.length : place
  }
  return [...candidates].sort((a, b) => placeOf(a) - placeOf(b))
}
