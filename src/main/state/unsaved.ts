/** Joins what the disk has refused with what has changed since, so that it is written as soon as that is possible (F36). */
import type { StateChange } from '../ports.ts'

const mostSamples = 5_000

export const nothingUnsaved: StateChange = { bindings: [], unbound: [], quota: new Map(), health: null }

export function isNothing({
  bindings,
  unbound,
  quota,
  health,
  history,
  owned = [],
  balances = [],
}: StateChange): boolean {
  const lists = [bindings, unbound, owned, balances, history?.samples ?? [], history?.lost ?? []]
  return health === null && quota.size === 0 && lists.every((list) => list.length === 0)
}

/** Later values win; a binding that has come back is no longer gone, and the other way round. */
export function joined(before: StateChange, now: StateChange): StateChange {
  if (isNothing(before)) return now
  const bound = new Set(now.bindings.map((binding) => binding.session))
  const gone = new Set(now.unbound)
  return {
    bindings: [...before.bindings.filter(({ session }) => !gone.has(session) && !bound.has(session)), ...now.bindings],
    unbound: [...before.unbound.filter((session) => !bound.has(session)), ...now.unbound],
    quota: new Map([...before.quota, ...now.quota]),
    health: now.health ?? before.health,
    history: {
      samples: [...(before.history?.samples ?? []), ...(now.history?.samples ?? [])].slice(-mostSamples),
      lost: [...(before.history?.lost ?? []), ...(now.history?.lost ?? [])].slice(-mostSamples),
    },
    owned: [...(before.owned ?? []), ...(now.owned ?? [])].slice(-mostSamples),
    balances: [...(before.balances ?? []), ...(now.balances ?? [])].slice(-mostSamples),
  }
}
