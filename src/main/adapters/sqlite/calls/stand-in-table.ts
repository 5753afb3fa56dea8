/** Who was wanted where another account served, by call. */
import type { Database } from 'better-sqlite3'
import type { CallRecord } from '../../../domain/call.ts'
import { stoodInFor } from '../../../domain/decision.ts'

export function standInTable(database: Database) {
  const add = database.prepare('INSERT OR REPLACE INTO stand_in (call_id, wanted) VALUES (?, ?)')
  return {
    save({ id, decision }: CallRecord): void {
      const wanted = stoodInFor(decision)
      if (wanted !== null) add.run(Number(id), wanted)
    },
  }
}
