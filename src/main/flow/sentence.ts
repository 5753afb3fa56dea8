/** The one sentence that says which account served a call, and why. Pure. */
import type { Execution } from '../domain/call.ts'
import type { ChoiceReason } from '../domain/decision.ts'
import type { Ending } from './ending.ts'
import type { Opened } from './opened.ts'

export function decisionSentence(ending: Ending, executions: readonly Execution[]): string {
  const { opened, refusal, plan, outcome } = ending
  if (refusal !== null) return refusal.problem.sentence
  if (opened === null) return unanswered(outcome, executions)
  const { id, label } = opened.candidate.backend.source
  // The attempt that is told of is its last one: of a kept refusal another may have followed.
  const own = executions.findLastIndex((execution) => execution.sourceId === id)
  const earlier = executions.filter((_, index) => index !== own)
  const moved = earlier.some((execution) => execution.sourceId !== id)
  const reason = plan === null ? null : moved && firstOnly.has(plan.reason) ? 'next' : plan.reason
  const chosen = reason === null ? '' : choice(reason, wantedLabel(ending))
  const after = earlier.length === 0 ? '' : ` after ${earlier.map(step).join(', then ')}`
  return `${label} ${verb(outcome, opened)}${chosen}${after}.`
}

function verb(outcome: Ending['outcome'], { filed, translation }: Opened): string {
  switch (outcome) {
    case 'done':
      return 'served this call'
    case 'client-left':
      return 'was serving this call when the client left'
    case 'interrupted':
      return 'was serving this call when Pointsman ended'
    case 'truncated':
      return 'began to serve this call and was cut off'
    case 'error-midstream':
      return 'began to serve this call and reported a failure'
    default:
      if (!filed) return 'refused this call'
      return `refused this call last, and its answer was passed on ${translation == null ? 'unchanged' : 'in this client’s style'}`
  }
}

/** Reasons that hold for a plan's first account; whoever serves after it only stands next. */
const firstOnly: ReadonlySet<string> = new Set<ChoiceReason>(['affinity', 'inherit', 'rank', 'none-trustworthy'])

function choice(reason: ChoiceReason | 'next', wanted: string | null): string {
  switch (reason) {
    case 'next':
      return ' as the next in the order'
    case 'pinned':
      return ' because the address names it'
    case 'affinity':
      return ' because this conversation is bound to it'
    case 'inherit':
      return ' because the conversation it belongs to is bound to it'
    case 'failover':
      return ` because the conversation’s own account, ${wanted ?? 'another one'}, can not serve now`
    case 'rank':
      return ' because it stands first in the order'
    case 'only-candidate':
      return ' because it is the only one that can'
    case 'rebind:moved-by-user':
      return ' because you moved this conversation'
    case 'none-trustworthy':
      return ' in listed order because nothing is known of the quotas'
    default:
      return ` because ${wanted ?? 'the account'}, to which the conversation was bound, is gone (${reason.slice(7)})`
  }
}

function wantedLabel({ plan }: Ending): string | null {
  if (plan === null || plan.wanted === null) return null
  const known = plan.candidates.find((candidate) => candidate.backend.source.id === plan.wanted)
  return known?.backend.source.label ?? plan.wanted
}

const step = (execution: Execution): string => `${execution.sourceLabel} (${execution.sentence.replace(/\.$/, '')})`

function unanswered(outcome: Ending['outcome'], executions: readonly Execution[]): string {
  if (outcome === 'done') return 'The tokens were estimated here: the model’s host does not count them.'
  const tried = executions.map(step).join(', then ')
  if (outcome === 'client-left') return tried === '' ? 'The client left.' : `The client left while trying: ${tried}.`
  if (outcome === 'interrupted') {
    return `Pointsman ended while trying${tried === '' ? '' : `: ${tried}`}.`
  }
  return `No account answered: ${tried === '' ? 'nothing was tried' : tried}.`
}
