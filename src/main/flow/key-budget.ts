/** The budget of a key, and whether it lets the key's calls through (access.md, checks 4 and 7). Pure. */
import type { AccessKey } from '../domain/access-key.ts'
import type { Budget } from '../domain/budget.ts'
import { Refusal } from './trail.ts'
import type { View } from './view.ts'

/** Check 4: a key without a policy, or whose budget is missing or switched off, is refused; null when it is bound. */
export function unbound(key: AccessKey, view: View): Refusal | null {
  if (key.policy === null) return new Refusal('access_key_unbound', { label: key.label, why: 'has no route policy' })
  if (key.budgetId === null || budgetOf(key, view)?.enabled === true) return null
  return new Refusal('access_key_unbound', { label: key.label, why: 'has a budget that is switched off or gone' })
}

export const budgetOf = ({ budgetId }: AccessKey, view: View): Budget | null =>
  budgetId === null ? null : (view.budgets?.all.get(budgetId) ?? null)

/** Check 7: nothing is left in the running cycle. A balance that can't be told lets nothing through. */
export function spentBudget(key: AccessKey, view: View): Refusal | null {
  const budget = budgetOf(key, view)
  if (budget === null || view.budgets === undefined) return null
  try {
    if (view.budgets.left(budget, view.nowMs) > 0) return null
    const endsMs = view.budgets.endsMs(budget, view.nowMs)
    const retryAfterMs = endsMs === null ? null : Math.max(1_000, endsMs - view.nowMs)
    return new Refusal('billing_quota_exhausted', { label: budget.label }, { retryAfterMs })
  } catch {
    return new Refusal('access_unavailable')
  }
}
