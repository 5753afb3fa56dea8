/** The open `calls.db` of the store: its tables, and the transactions that write them. */
import type { Database } from 'better-sqlite3'
import type { StoredBalance } from '../../../budget-ports.ts'
import type { LedgerEntry } from '../../../domain/budget.ts'
import type { CallRecord } from '../../../domain/call.ts'
import type { Clock, OpenCall } from '../../../ports.ts'
import type { StoreFile } from '../database.ts'
import type { Migration } from '../migration.ts'
import { callTable } from './call-table.ts'
import { detailTable } from './detail-table.ts'
import { ledgerTable } from './ledger-table.ts'
import { callLog } from './migrations/0010-call-log.ts'
import { ledger } from './migrations/0020-ledger.ts'
import { standIn } from './migrations/0030-stand-in.ts'
import { type Limits, type Purged, retention } from './retention.ts'
import { standInTable } from './stand-in-table.ts'

const callMigrations: readonly Migration[] = [callLog, ledger, standIn]

/** Checked in less than 0.3 s (F40). */
const quicklyCheckedBytes = 256 * 1024 * 1024

/** Never waits for a lock: the store tries again by itself, so that no stream has to stand still (F43). */
export const callsFile = (path: string, checkedAtOnceBytes = quicklyCheckedBytes): StoreFile => ({
  path,
  name: 'calls.db',
  synchronous: 'NORMAL',
  busyTimeoutMs: 0,
  migrations: callMigrations,
  shrinks: true,
  checkedAtOnceBytes,
})

export interface FinishedRow {
  readonly record: CallRecord
  /** It was written as an open row, or a first try may have reached the disk after all. */
  readonly mayExist: boolean
}

export interface CallDatabase {
  readonly database: Database
  lastId(): number
  saveFinished(rows: readonly FinishedRow[]): void
  saveOpen(calls: readonly OpenCall[]): void
  /** Ends every row that is still open, and those calls that have no row yet. */
  interrupt(unwritten: readonly OpenCall[]): void
  /** False when the execution was there already. */
  enter(entry: LedgerEntry): boolean
  sums(): readonly StoredBalance[]
  purgeStep(limits: Limits, clock: Clock): Purged
  close(): void
}

export function callDatabase(database: Database): CallDatabase {
  const call = callTable(database)
  const detail = detailTable(database)
  const standIns = standInTable(database)
  const lines = ledgerTable(database)
  const saveFinished = database.transaction((rows: readonly FinishedRow[]) => {
    for (const { record, mayExist } of rows) {
      call.save(record, mayExist)
      detail.save(record, mayExist)
      standIns.save(record)
      for (const entry of record.settles ?? []) lines.add(entry)
    }
  })
  const saveOpen = database.transaction((calls: readonly OpenCall[]) => {
    for (const open of calls) call.saveOpen(open, null)
  })
  const interrupt = database.transaction((unwritten: readonly OpenCall[]) => {
    for (const open of unwritten) call.saveOpen(open, 'interrupted')
    call.interruptOpen()
  })
  return {
    database,
    lastId: () => call.lastId(),
    saveFinished: (rows) => saveFinished.immediate(rows),
    saveOpen: (calls) => saveOpen.immediate(calls),
    interrupt: (unwritten) => interrupt.immediate(unwritten),
    enter: (entry) => lines.add(entry),
    sums: () => lines.sums(),
    purgeStep: retention(database),
    close: () => void database.close(),
  }
}
