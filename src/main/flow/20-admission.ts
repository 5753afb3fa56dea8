/** Admission: may this key ask this now (access.md, checks 4 to 7 and 9); pure. The slot (check 8) is taken by the spine. */

import { type AccessKey, policyFor } from '../domain/access-key.ts'
import { type Charges, isBillable } from '../domain/charges.ts'
import { spentBudget, unbound } from './key-budget.ts'
import { keyLost } from './second-look.ts'
import { Refusal, type Staged } from './trail.ts'
import type { Ask, View } from './view.ts'

/** An ask that its key allows, with the policy that counts for it (check 9: the snapshot). */
export interface Admitted {
  readonly ask: Ask
  readonly policy: NonNullable<Ask['key']['policy']>
  readonly charges: Charges
}

const noBudgets: Charges['budgets'] = new Map()

export function admit(ask: Ask, view: View): Staged<Admitted> | Refusal {
  const key = view.keys.get(ask.key.id) ?? ask.key
  const inactive = keyLost(key, view)
  if (inactive !== null) return inactive
  const refused = unbound(key, view)
  const policy = policyFor(key, ask.folders ?? [])
  if (refused !== null || policy === null) return refused ?? new Refusal('access_unavailable')
  const outside = outsideScope(ask, key)
  if (outside !== null) return new Refusal('access_scope_denied', { label: key.label, what: outside })
  const spent = isBillable(ask.operation) ? spentBudget(key, view) : null
  if (spent !== null) return spent
  if (view.settings.paused) return new Refusal('routing_paused')
  const step = { stage: 'admission', decision: 'admitted', because: policy.mode } as const
  const charges: Charges = {
    atMs: view.nowMs,
    keyBudget: isBillable(ask.operation) ? key.budgetId : null,
    budgets: view.budgets?.all ?? noBudgets,
    prices: view.settings.prices,
  }
  return { value: { ask, policy, charges }, step }
}

/** What the key doesn't allow, or null. */
function outsideScope(ask: Ask, key: AccessKey): string | null {
  if (key.providers !== null && !key.providers.includes(ask.providerId)) return `the provider ${ask.providerId}`
  if (key.operations !== null && !key.operations.includes(ask.operation)) return `the operation ${ask.operation}`
  const { model, serviceTier } = ask
  if (key.models !== null && model !== null && !key.models.includes(model)) return `the model ${model}`
  if (key.serviceTiers !== null && serviceTier !== null && !key.serviceTiers.includes(serviceTier)) {
    return `the service tier ${serviceTier}`
  }
  return null
}
