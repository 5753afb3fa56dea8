/** Whether an order makes new conversations be paid for by use; pure. */
import type { Backend, Pool } from './pools.ts'
import type { Tiers } from './rows.ts'

/** The one that would be paid from then on; null where nobody would, somebody is already, or a rule stands over the order. */
export function newlyPaid({ tiers, serving }: Pool, after: Tiers): Backend | null {
  if (serving.route !== null) return null
  const backends = new Map(tiers.flat().map((backend) => [backend.backendId, backend]))
  const ready = new Set(serving.order)
  const first = after.flat().find((id) => ready.has(id))
  const [next, now] = [first, serving.order[0]].map((id) => backends.get(id ?? ''))
  return next !== undefined && isPaid(next) && now !== undefined && !isPaid(now) ? next : null
}

const isPaid = ({ sourceType, free }: Backend): boolean => sourceType === 'api' && !free
