/** Admission: may this key ask this now (access.md, checks 4 to 6); pure. The slot (check 8) is taken by the spine. */
import { keyState } from '../domain/access-key.ts'
import { Refusal, type Staged } from './trail.ts'
import type { Ask, View } from './view.ts'

/** An ask that its key allows, with the policy that counts for it (check 9: the snapshot). */
export interface Admitted {
  readonly ask: Ask
  readonly policy: NonNullable<Ask['key']['policy']>
}

export function admit(ask: Ask, view: View): Staged<Admitted> | Refusal {
  const key = view.keys.get(ask.key.id) ?? ask.key
  const state = keyState(key, view.nowMs)
  if (state !== 'active') return new Refusal('access_credential_inactive', { label: key.label, state })
  if (key.policy === null) return new Refusal('access_key_unbound', { label: key.label })
  const outside = outsideScope(ask, view)
  if (outside !== null) return new Refusal('access_scope_denied', { label: key.label, what: outside })
  if (view.settings.paused) return new Refusal('routing_paused')
  const step = { stage: 'admission', decision: 'admitted', because: key.policy.mode } as const
  return { value: { ask, policy: key.policy }, step }
}

/** What the key doesn't allow, or null. */
function outsideScope(ask: Ask, view: View): string | null {
  const key = view.keys.get(ask.key.id) ?? ask.key
  if (key.providers !== null && !key.providers.includes(ask.providerId)) return `the provider ${ask.providerId}`
  if (key.operations !== null && !key.operations.includes(ask.operation)) return `the operation ${ask.operation}`
  const { model, serviceTier } = ask
  if (key.models !== null && model !== null && !key.models.includes(model)) return `the model ${model}`
  if (key.serviceTiers !== null && serviceTier !== null && !key.serviceTiers.includes(serviceTier)) {
    return `the service tier ${serviceTier}`
  }
  return null
}
