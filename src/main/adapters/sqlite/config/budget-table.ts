/** Budgets and their balances. A budget that can't be read is missing, so its keys are refused. */
import type { Database } from 'better-sqlite3'
import type { BudgetId } from '../../../../shared/ids.ts'
import type { StoredBalance } from '../../../budget-ports.ts'
import { type Budget, type Cycle, cycles, isTimeZone } from '../../../domain/budget.ts'
import type { SkipRow } from './skipped.ts'

interface BudgetRow {
  readonly id: string
  readonly label: string
  readonly enabled: number
  readonly amount: number
  readonly cycle: string
  readonly time_zone: string
  readonly concurrency: number | null
  readonly created_ms: number
  readonly updated_ms: number
}

interface BalanceRow {
  readonly budget_id: string
  readonly cycle_ms: number
  readonly sum: number
  readonly entries: number
}

const keptCycles = 8

export function budgetTable(database: Database) {
  const all = database.prepare<[], BudgetRow>('SELECT * FROM budget ORDER BY created_ms, id')
  const save = database.prepare(
    'INSERT INTO budget (id, label, enabled, amount, cycle, time_zone, concurrency, created_ms, updated_ms,' +
      " detail_json) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, '{}')" +
      ' ON CONFLICT (id) DO UPDATE SET label = excluded.label, enabled = excluded.enabled, amount = excluded.amount,' +
      ' cycle = excluded.cycle, time_zone = excluded.time_zone, concurrency = excluded.concurrency,' +
      ' updated_ms = excluded.updated_ms',
  )
  const balances = database.prepare<[], BalanceRow>('SELECT * FROM budget_balance ORDER BY budget_id, cycle_ms')
  const saveBalance = database.prepare(
    'INSERT INTO budget_balance (budget_id, cycle_ms, sum, entries) VALUES (?, ?, ?, ?)' +
      ' ON CONFLICT (budget_id, cycle_ms) DO UPDATE SET sum = excluded.sum, entries = excluded.entries',
  )
  const forget = database.prepare(
    'DELETE FROM budget_balance WHERE budget_id = ? AND cycle_ms NOT IN' +
      ' (SELECT cycle_ms FROM budget_balance WHERE budget_id = ? ORDER BY cycle_ms DESC LIMIT ?)',
  )
  return {
    all(skip: SkipRow): readonly Budget[] {
      return all.all().flatMap((row) => {
        const budget = read(row)
        if (budget === undefined) skip('budget', row.id)
        return budget ?? []
      })
    },
    save({ id, label, enabled, amount, cycle, timeZone, concurrency, createdAtMs, updatedAtMs }: Budget): void {
      save.run(id, label, enabled ? 1 : 0, amount, cycle, timeZone, concurrency, createdAtMs, updatedAtMs)
    },
    balances(): readonly StoredBalance[] {
      return balances.all().map(({ budget_id, cycle_ms, sum, entries }) => ({
        budgetId: budget_id as BudgetId,
        cycleMs: cycle_ms,
        sum,
        entries,
      }))
    },
    saveBalance({ budgetId, cycleMs, sum, entries }: StoredBalance): void {
      saveBalance.run(budgetId, cycleMs, sum, entries)
      forget.run(budgetId, budgetId, keptCycles)
    },
  }
}

function read(row: BudgetRow): Budget | undefined {
  if (!cycles.some((known) => known === row.cycle) || !isTimeZone(row.time_zone)) return undefined
  return {
    id: row.id as BudgetId,
    label: row.label,
    enabled: row.enabled !== 0,
    amount: row.amount,
    cycle: row.cycle as Cycle,
    timeZone: row.time_zone,
    concurrency: row.concurrency,
    createdAtMs: row.created_ms,
    updatedAtMs: row.updated_ms,
  }
}
