/**
 * Attempts and decision as the JSON of a `detail` row. What repeats in every row is a list without names, in the order
 * written here: names were two thirds of what a call cost to write.
 */
import type { BackendId, SourceId } from '../../../../shared/ids.ts'
import type { Execution, Outcome } from '../../../domain/call.ts'
import type { Decision, Step } from '../../../domain/decision.ts'
import type { Usage } from '../../../domain/usage.ts'
import { isNumber, isText, listOf, listWith, orNull, parsed, withFields } from '../shape.ts'

type UsageList = readonly [input: number, cacheRead: number, cacheWrite: number, output: number, reasoning: number]

type ExecutionList = readonly [
  backendId: BackendId,
  sourceId: SourceId,
  sourceLabel: string,
  upstreamModel: string,
  outcome: Outcome,
  status: number | null,
  because: string,
  sentence: string,
  startedMs: number,
  firstByteMs: number | null,
  totalMs: number,
  usage: UsageList | null,
  requestId: string | null,
]

type StepList = readonly [stage: Step['stage'], decision: string, because: string, elapsedMs: number]

const isUsage = listWith(isNumber, isNumber, isNumber, isNumber, isNumber)
const isExecutions = listOf(
  listWith(
    ...[isText, isText, isText, isText, isText, orNull(isNumber), isText, isText],
    ...[isNumber, orNull(isNumber), isNumber, orNull(isUsage), orNull(isText)],
  ),
)
const isList = listOf(withFields({}))
const isDecision = withFields({
  sentence: isText,
  seats: isList,
  excluded: isList,
  warnings: listOf(isText),
  trail: listOf(listWith(isText, isText, isText, isNumber)),
})

export const executionsJson = (executions: readonly Execution[]): string => JSON.stringify(executions.map(listOfOne))

const listOfOne = (execution: Execution): ExecutionList => [
  execution.backendId,
  execution.sourceId,
  execution.sourceLabel,
  execution.upstreamModel,
  execution.outcome,
  execution.status,
  execution.because,
  execution.sentence,
  execution.startedMs,
  execution.firstByteMs,
  execution.totalMs,
  execution.usage === null ? null : usageList(execution.usage),
  execution.requestId,
]

const usageList = (usage: Usage): UsageList => [
  usage.inputTokens,
  usage.cacheReadTokens,
  usage.cacheWriteTokens,
  usage.outputTokens,
  usage.reasoningTokens,
]

/** None when the row is damaged. */
export const readExecutions = (text: string | null): readonly Execution[] =>
  (parsed<readonly ExecutionList[]>(text ?? '[]', isExecutions) ?? []).map((list) => ({
    backendId: list[0],
    sourceId: list[1],
    sourceLabel: list[2],
    upstreamModel: list[3],
    outcome: list[4],
    status: list[5],
    because: list[6],
    sentence: list[7],
    startedMs: list[8],
    firstByteMs: list[9],
    totalMs: list[10],
    usage: list[11] === null ? null : readUsage(list[11]),
    requestId: list[12],
  }))

const readUsage = (list: UsageList): Usage => ({
  inputTokens: list[0],
  cacheReadTokens: list[1],
  cacheWriteTokens: list[2],
  outputTokens: list[3],
  reasoningTokens: list[4],
})

type StoredDecision = Omit<Decision, 'trail'> & { readonly trail: readonly StepList[] }

export const decisionJson = (decision: Decision): string =>
  JSON.stringify({
    ...decision,
    trail: decision.trail.map((step): StepList => [step.stage, step.decision, step.because, step.elapsedMs]),
  })

/** Null for a call that has none: it still runs, was interrupted, or its row is damaged. */
export function readDecision(text: string | null): Decision | null {
  const stored = parsed<StoredDecision>(text ?? '', isDecision)
  if (stored === undefined) return null
  const trail = stored.trail.map(([stage, decision, because, elapsedMs]) => ({ stage, decision, because, elapsedMs }))
  return { ...stored, trail }
}
