/** Lines of the ledger; never changed, and an execution that is there already is not written again. */
import type { Database } from 'better-sqlite3'
import type { BudgetId } from '../../../../shared/ids.ts'
import type { LedgerLine, StoredBalance } from '../../../budget-ports.ts'
import type { EntryKind, LedgerEntry } from '../../../domain/budget.ts'

interface LedgerRow {
  readonly budget_id: string
  readonly at_ms: number
  readonly kind: string
  readonly amount: number
  readonly execution_id: string | null
  readonly cycle_ms: number
  readonly note: string | null
  readonly sum: number
}

interface SumRow {
  readonly budget_id: string
  readonly cycle_ms: number
  readonly sum: number
  readonly entries: number
}

export function ledgerTable(database: Database) {
  const add = database.prepare(
    'INSERT OR IGNORE INTO ledger (budget_id, at_ms, kind, amount, execution_id, cycle_ms, note)' +
      ' VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const sums = database.prepare<[], SumRow>(
    'SELECT budget_id, cycle_ms, sum(amount) AS sum, count(*) AS entries FROM ledger GROUP BY budget_id, cycle_ms' +
      ' ORDER BY budget_id, cycle_ms',
  )
  return {
    /** False when the execution was there already. */
    add({ budgetId, atMs, kind, amount, executionId, cycleMs, note }: LedgerEntry): boolean {
      return add.run(budgetId, atMs, kind, amount, executionId, cycleMs, note).changes > 0
    },
    sums(): readonly StoredBalance[] {
      return sums.all().map(({ budget_id, cycle_ms, sum, entries }) => ({
        budgetId: budget_id as BudgetId,
        cycleMs: cycle_ms,
        sum,
        entries,
      }))
    },
  }
}

/** Newest first, each with its cycle's sum so far. */
export function ledgerLines(database: Database, budgetId: BudgetId, limit: number): readonly LedgerLine[] {
  const rows = database
    .prepare<[string, number], LedgerRow>(
      'SELECT *, sum(amount) OVER (PARTITION BY cycle_ms ORDER BY id) AS sum FROM ledger WHERE budget_id = ?' +
        ' ORDER BY id DESC LIMIT ?',
    )
    .all(budgetId, limit)
  return rows.map((row) => ({
    budgetId: row.budget_id as BudgetId,
    atMs: row.at_ms,
    kind: row.kind as EntryKind,
    amount: row.amount,
    executionId: row.execution_id,
    cycleMs: row.cycle_ms,
    note: row.note,
    sum: row.sum,
  }))
}
