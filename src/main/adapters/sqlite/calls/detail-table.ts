/** What is read only when a call is opened: every attempt, and why it went where it went (routing §8). */
import type { Database } from 'better-sqlite3'
import type { CallRecord } from '../../../domain/call.ts'
import { decisionJson, executionsJson } from './detail-json.ts'

export function detailTable(database: Database) {
  const values = 'INTO detail (call_id, executions_json, decision_json) VALUES (?, ?, ?)'
  const add = database.prepare(`INSERT ${values}`)
  const replace = database.prepare(`REPLACE ${values}`)
  return {
    save({ id, executions, decision }: CallRecord, mayExist: boolean): void {
      const statement = mayExist ? replace : add
      statement.run(Number(id), executionsJson(executions), decisionJson(decision))
    },
  }
}
