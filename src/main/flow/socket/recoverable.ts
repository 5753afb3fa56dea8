/** What becomes of a turn that builds on an earlier answer when its account fails: a word that its client recovers from. Pure. */
import type { Plan } from '../50-order.ts'
import type { Opened, Unanswered } from '../opened.ts'
import { Refusal, type Staged } from '../trail.ts'
import type { SocketTurn } from './socket-turn.ts'

/**
 * Nobody else can go on from there, so the client is told that the earlier answer is lost, and comes back with its
 * whole history, which any account can take (observed-clients, last section). An answer that was judged final, and
 * what concerns the client's own key, stays as it is.
 */
export function recoverable(
  tried: Staged<Opened | Unanswered> | Refusal,
  plan: Plan,
  turn: SocketTurn | undefined,
): Staged<Opened | Unanswered> | Refusal {
  if (turn?.isAnchored !== true) return tried
  const label = plan.order[0]?.backend.source.label ?? ''
  const lost = new Refusal('state_elsewhere', { label }, { excluded: plan.excluded })
  if (tried instanceof Refusal) return /^(?:access|billing)_/.test(tried.problem.code) ? tried : lost
  const { value } = tried
  if (value.kind === 'reset') return lost
  if (value.kind !== 'opened' || !value.filed) return tried
  value.incoming.abort()
  return lost
}
