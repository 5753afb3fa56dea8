/** Session: which account this conversation, or the one it came from, is bound to; pure (routing §5). */
import type { SourceId } from '../../shared/ids.ts'
import type { Admitted } from './20-admission.ts'
import type { Refusal, Staged } from './trail.ts'
import type { View } from './view.ts'

export interface Bound extends Admitted {
  /** The account this very conversation is bound to. */
  readonly own: SourceId | null
  /** The account of the nearest bound parent, where inheriting is on. */
  readonly inherited: SourceId | null
}

export function bind(admitted: Admitted, view: View): Staged<Bound> | Refusal {
  const { ask } = admitted
  const pinned = view.picture.sources.has(ask.providerId as SourceId) && isAccount(ask.providerId as SourceId, view)
  const own = ask.session === null || pinned ? null : (view.bindings.get(ask.session)?.sourceId ?? null)
  const inherited = own === null && !pinned && view.settings.inherit ? firstParent(admitted, view) : null
  const because = pinned ? 'pinned' : own !== null ? 'bound' : inherited !== null ? 'parent-bound' : 'unbound'
  const decision = own ?? inherited ?? 'none'
  return { value: { ...admitted, own, inherited }, step: { stage: 'session', decision, because } }
}

const isAccount = (id: SourceId, view: View): boolean => view.picture.sources.get(id)?.type === 'subscription'

function firstParent({ ask }: Admitted, view: View): SourceId | null {
  for (const parent of ask.parents) {
    const binding = view.bindings.get(parent)
    if (binding !== undefined) return binding.sourceId
  }
  return null
}
