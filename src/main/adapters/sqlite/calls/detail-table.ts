/** What is read only when a call is opened: every attempt, and why it went where it went (routing §8). */
import type { Database } from 'better-sqlite3'
import type { CallRecord, Execution } from '../../../domain/call.ts'
import type { Decision } from '../../../domain/decision.ts'
import { isNumber, isText, listOf, orNull, parsed, withFields } from '../shape.ts'

const isExecutions = listOf(
  withFields({
    backendId: isText,
    sourceId: isText,
    sourceLabel: isText,
    upstreamModel: isText,
    outcome: isText,
    status: orNull(isNumber),
    because: isText,
    sentence: isText,
    startedMs: isNumber,
    firstByteMs: orNull(isNumber),
    totalMs: isNumber,
    usage: orNull(withFields({})),
    requestId: orNull(isText),
  }),
)
const isList = listOf(withFields({}))
const isDecision = withFields({
  sentence: isText,
  seats: isList,
  excluded: isList,
  warnings: listOf(isText),
  trail: isList,
})

export function detailTable(database: Database) {
  const values = 'INTO detail (call_id, executions_json, decision_json) VALUES (?, ?, ?)'
  const add = database.prepare(`INSERT ${values}`)
  const replace = database.prepare(`REPLACE ${values}`)
  return {
    save({ id, executions, decision }: CallRecord, mayExist: boolean): void {
      const statement = mayExist ? replace : add
      statement.run(Number(id), JSON.stringify(executions), JSON.stringify(decision))
    },
  }
}

export const readExecutions = (text: string | null): readonly Execution[] =>
  parsed<Execution[]>(text ?? '[]', isExecutions) ?? []

/** Null for a call that has none: it still runs, or was interrupted. */
export const readDecision = (text: string | null): Decision | null => parsed<Decision>(text ?? '', isDecision) ?? null
