/** Session: which account this conversation, or the one it came from, is bound to; pure (routing §5). */
import type { SourceId } from '../../shared/ids.ts'
import { isWarm } from '../domain/session.ts'
import type { Admitted } from './20-admission.ts'
import type { Refusal, Staged } from './trail.ts'
import type { View } from './view.ts'

export interface Bound extends Admitted {
  /** The account this very conversation is bound to, while it is warm. */
  readonly own: SourceId | null
  /** The account of the nearest warm parent, where inheriting is on. */
  readonly inherited: SourceId | null
  /** The account it was on before it went cold, for up to 30 days: it wins ties. */
  readonly remembered?: SourceId | null | undefined
  /** Whose state the request builds on; `strict`: nobody else can read it. */
  readonly tied?: Tied | null | undefined
  /** The person has moved this conversation since its last request. */
  readonly moved?: boolean | undefined
}

export interface Tied {
  readonly sourceId: SourceId
  readonly strict: boolean
}

export function bind(admitted: Admitted, view: View): Staged<Bound> | Refusal {
  const { ask } = admitted
  const pinned = view.picture.sources.get(ask.providerId as SourceId)?.type === 'subscription'
  const binding = ask.session === null || pinned || view.listedOnly ? undefined : view.bindings.get(ask.session)
  const isOn = binding !== undefined && binding.moved !== 'anew' && isWarm(binding, view.nowMs)
  const own = isOn ? binding.sourceId : null
  const moved = binding?.moved !== undefined
  const seeks = own === null && !pinned && !moved && !view.listedOnly && view.settings.inherit
  const inherited = seeks ? firstParent(admitted, view) : null
  const remembered = own === null && !moved ? (binding?.sourceId ?? null) : null
  const tied = pinned ? null : tiedTo(admitted, binding?.sourceId ?? null, view)
  const because = pinned
    ? 'pinned'
    : tied !== null
      ? 'builds-on'
      : own !== null
        ? 'bound'
        : inherited !== null
          ? 'parent-bound'
          : 'unbound'
  const decision = tied?.sourceId ?? own ?? inherited ?? 'none'
  return {
    value: { ...admitted, own, inherited, remembered, tied, moved },
    step: { stage: 'session', decision, because },
  }
}

function firstParent({ ask }: Admitted, view: View): SourceId | null {
  for (const parent of ask.parents) {
    const binding = view.bindings.get(parent)
    if (binding !== undefined && binding.moved !== 'anew' && isWarm(binding, view.nowMs)) return binding.sourceId
  }
  return null
}

/** An earlier answer whose maker isn't remembered lies, most likely, where the conversation was. */
function tiedTo({ ask }: Admitted, bound: SourceId | null, view: View): Tied | null {
  for (const { kind, hash } of ask.holds ?? []) {
    const strict = kind !== 'turn-state'
    const sourceId = view.owners?.get(hash) ?? (strict ? bound : null)
    if (sourceId !== null) return { sourceId, strict }
  }
  return null
}
