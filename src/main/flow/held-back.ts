/** Why an account that could serve is better left alone by this request: gates, reserve, low headroom; pure (routing §4, §5). */
import type { Resting } from '../domain/decision.ts'
import { type Gate, gateRules, isShut } from '../domain/gate.ts'
import { isResetPending, leftPercent, type Snapshot } from '../domain/quota.ts'
import type { Source } from '../domain/source.ts'
import type { Bound } from './30-session.ts'
import type { View } from './view.ts'

export interface HeldBack {
  readonly resting: Resting
  readonly untilMs: number | null
  readonly sentence: string
}

export function heldBack(
  source: Source,
  snapshot: Snapshot,
  family: string | null,
  usedPercent: number | null,
  bound: Bound,
  view: View,
): HeldBack | null {
  const gate = gateOf(source, snapshot, family, bound, view)
  if (gate !== null && isShut(gate, view.gates?.pending(source.id) ?? 0, view.nowMs)) {
    return { resting: 'gate', untilMs: gate.untilMs, sentence: gateSentence(gate) }
  }
  if (source.type !== 'subscription' || usedPercent === null || isOldHand(source, bound)) return null
  const left = leftPercent(usedPercent)
  if (!bound.ask.interactive && left < source.reservePercent) {
    const sentence = `${Math.round(left)} % left; ${source.reservePercent} % are kept from background work.`
    return { resting: 'reserve', untilMs: null, sentence }
  }
  if (left < view.settings.newSessionMinRemaining) {
    const sentence = `Only ${Math.round(left)} % left, too little to begin a conversation.`
    return { resting: 'low-headroom', untilMs: null, sentence }
  }
  return null
}

/** Conversations that live on this account, or whose parents do, are unaffected until it is truly exhausted. */
const isOldHand = (source: Source, { own, inherited, tied }: Bound): boolean =>
  own !== null || inherited === source.id || tied?.sourceId === source.id

/** The gate that stands before this account for this request, open or shut. */
export function gateOf(
  source: Source,
  snapshot: Snapshot,
  family: string | null,
  bound: Bound,
  view: View,
): Gate | null {
  if (source.type === 'subscription' && isResetPending(snapshot, family, view.nowMs)) {
    return { limit: gateRules.learners, untilMs: null, because: 'reset-pending' }
  }
  const gate = bound.own === source.id ? null : (view.gates?.failedOverTo(source.id) ?? null)
  return gate === null ? null : { ...gate, limit: view.settings.failoverAtOnce }
}

function gateSentence({ because, limit }: Gate): string {
  switch (because) {
    case 'learning':
      return 'One request is finding out what it has left.'
    case 'reset-pending':
      return 'Its limit should have renewed; one request is finding out.'
    case 'failed-over':
      return `Others fail over to it; only ${limit} at a time until one succeeds.`
  }
}
