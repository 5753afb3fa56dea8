/** Record: one row with every attempt and the whole decision, committed before the answer's last byte (routing §8). */
import type { CallRecord, Execution, Outcome } from '../domain/call.ts'
import { costOn, isBillable, settlements } from '../domain/charges.ts'
import type { Decision } from '../domain/decision.ts'
import type { CallStore } from '../ports.ts'
import type { Opened } from './60-attempt.ts'
import type { Ending } from './ending.ts'
import { execution } from './execution.ts'
import { decisionSentence } from './sentence.ts'
import { translatedWords } from './spoken-dialect.ts'
import type { Trail } from './trail.ts'

/** Files the call; `released` runs once its row is committed. */
export function record(ending: Ending, trail: Trail, nowElapsed: number, store: CallStore, released: () => void): void {
  const { call, plan, opened, refusal, outcome, usage } = ending
  const executions =
    opened === null || opened.filed ? trail.executions : [...trail.executions, lastRow(ending, nowElapsed)]
  const last = executions.at(-1)
  const served = opened === null ? null : opened.candidate.backend
  trail.note({ stage: 'record', decision: outcome, because: last?.because ?? refusal?.problem.code ?? outcome })
  const { atMs, prices } = ending.charges ?? { atMs: call.startedMs, prices: [] }
  const decision: Decision = {
    pool: plan?.match?.pool.id ?? null,
    strategy: plan?.strategy ?? null,
    reason: plan?.reason ?? null,
    sentence: decisionSentence(ending, executions),
    wanted: plan?.wanted ?? null,
    actual: served?.source.id ?? null,
    seats: plan?.seats ?? [],
    excluded: plan?.excluded ?? refusal?.excluded ?? [],
    warnings: [...warningsOf(ending), ...fallbackAfterTry(ending, executions)],
    trail: trail.steps,
    ...(ending.shadow === null ? {} : { shadow: ending.shadow }),
  }
  const row: CallRecord = {
    id: call.id,
    startedMs: call.startedMs,
    providerId: call.providerId,
    operation: call.operation,
    dialect: call.dialect,
    requestedModel: call.model,
    upstreamModel: served?.upstreamModel ?? null,
    backendId: served?.id ?? null,
    sourceType: served?.source.type ?? null,
    sourceId: served?.source.id ?? null,
    sourceLabel: served?.source.label ?? null,
    keyId: call.key.id,
    outcome,
    status: ending.status,
    errorCode: refusal?.problem.code ?? null,
    session: call.session,
    client: call.client,
    stream: call.stream,
    usage,
    cost: served === null || usage === null ? null : costOn(served, usage, call.serviceTier, atMs, prices),
    firstByteMs: ending.firstByteMs === null ? null : Math.round(ending.firstByteMs),
    totalMs: Math.round(trail.elapsedMs()),
    bytesIn: call.body?.length ?? 0,
    bytesOut: ending.bytesOut,
    executions,
    decision,
    settles: settledBy(ending, executions),
  }
  store.finish(row, released)
}

/** Every attempt for itself, by the backend that the plan had: also of a failed or cancelled call (access.md). */
function settledBy({ call, plan, charges }: Ending, executions: readonly Execution[]): CallRecord['settles'] {
  if (charges === null || charges.budgets.size === 0 || !isBillable(call.operation)) return undefined
  const backends = new Map(plan?.candidates.map(({ backend }) => [backend.id, backend]))
  const entries = settlements(charges, call, executions, ({ backendId }) => backends.get(backendId))
  return entries.length === 0 ? undefined : entries
}

/** The strategy's, and that the account served for money: its window is used up and it may spend more (routing §4). */
function warningsOf({ plan, opened, outcome }: Ending): readonly string[] {
  const warnings = [...(plan?.warnings ?? []), ...(opened === null ? [] : translationWords(opened))]
  if (opened === null || outcome === 'failed') return warnings
  const { usedPercent, backend } = opened.candidate
  const { source } = backend
  const beyond = source.type === 'subscription' && source.maySpendBeyondPlan && (usedPercent ?? 0) >= 100
  return beyond ? [...warnings, `${source.label} served this call beyond its plan, which is paid for.`] : warnings
}

/** A preferred account that was tried and could not serve: the plan could not know it (access.md, "Route policy"). */
function fallbackAfterTry({ plan, opened }: Ending, executions: readonly Execution[]): readonly string[] {
  const actual = opened?.candidate.backend.source.id
  if (plan?.policy.mode !== 'preferred' || actual === undefined || plan.policy.sources.includes(actual)) return []
  const { sources } = plan.policy
  const tried = executions.find(({ sourceId }) => sources.includes(sourceId))
  return tried === undefined ? [] : [`Fallback: ${tried.sourceLabel} was wanted. ${tried.sentence}`]
}

/** What the translation could not carry, for the person. */
function translationWords({ translation }: Opened): readonly string[] {
  if (translation === null) return []
  const { client, upstream } = translation.context
  const losses = translation.warnings.map(
    ({ code, path, action }) => `${code.replaceAll('_', ' ')} (${path}): ${action}.`,
  )
  const answered = translation.lost.map((code) => `${code.replaceAll('_', ' ')} (its answer).`)
  const strict = translation.strict ? ['Translation is strict here: nothing of the request was left out.'] : []
  return [translatedWords(client, upstream), ...strict, ...losses, ...answered]
}

/** The attempt whose answer was passed on. */
function lastRow({ opened, outcome, lastUsage }: Ending, nowElapsed: number): Execution {
  if (opened === null) throw new Error('an execution needs an opened answer')
  const judged = outcome === 'failed' ? opened.refusal : null
  const row = execution(opened, nowElapsed, {
    outcome,
    because: judged?.because ?? outcome,
    sentence: judged?.sentence ?? lastSentence(outcome, opened.incoming.status),
  })
  return { ...row, usage: lastUsage }
}

function lastSentence(outcome: Outcome, status: number): string {
  switch (outcome) {
    case 'done':
      return 'It answered.'
    case 'truncated':
      return 'Its answer was cut off before the end; the client saw the cut.'
    case 'error-midstream':
      return 'It reported a failure in the middle of its answer; the client saw it.'
    case 'client-left':
      return 'The client left before the answer was complete.'
    case 'interrupted':
      return 'Pointsman ended before the answer was complete.'
    default:
      return `It answered with status ${status}, which was passed on unchanged.`
  }
}
