/** Fills a `calls.db` with many calls, through the store's own tables but in large transactions. */
import { join } from 'node:path'
import { callsFile } from '../../src/main/adapters/sqlite/calls/call-database.ts'
import { callTable } from '../../src/main/adapters/sqlite/calls/call-table.ts'
import { detailTable } from '../../src/main/adapters/sqlite/calls/detail-table.ts'
import { openStore } from '../../src/main/adapters/sqlite/open-store.ts'
import type { CallRecord } from '../../src/main/domain/call.ts'

const rowsAtOnce = 20_000

/** `recordOf(0)` is the newest. Every row gets its attempts and decision only when `isWhole`. */
export function seedCalls(
  dataDir: string,
  count: number,
  recordOf: (place: number) => CallRecord,
  isWhole: (place: number) => boolean,
): void {
  const clock = { nowMs: Date.now, elapsedMs: () => performance.now(), after: () => () => {} }
  const { database } = openStore(callsFile(join(dataDir, 'calls.db')), clock)
  const calls = callTable(database)
  const details = detailTable(database)
  const addSome = database.transaction((from: number, to: number) => {
    for (let place = from; place > to; place -= 1) {
      const record = recordOf(place)
      calls.save(record, false)
      if (isWhole(place)) details.save(record, false)
    }
  })
  for (let from = count - 1; from >= 0; from -= rowsAtOnce) addSome.immediate(from, Math.max(-1, from - rowsAtOnce))
  database.pragma('wal_checkpoint(TRUNCATE)')
  database.close()
}
