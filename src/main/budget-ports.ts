/** What budgets need from the stores: budgets and balances in `pointsman.db`, the ledger in `calls.db`. */
import type { BudgetId } from '../shared/ids.ts'
import type { Budget, LedgerEntry, StoredBalance } from './domain/budget.ts'

export type { StoredBalance } from './domain/budget.ts'

/** In `pointsman.db`. */
export interface BudgetStore {
  budgets(): readonly Budget[]
  saveBudget(budget: Budget): void
  balances(): readonly StoredBalance[]
}

/** In `calls.db`, append-only; settlements come with the rows of their calls. */
export interface Ledger {
  /** Durable when it returns; throws `store_write_failed` while the disk refuses. False when it was there already. */
  enter(entry: LedgerEntry): boolean
  /** What the file knows of each cycle; nothing while it can't be read. */
  sums(): readonly StoredBalance[]
}

/** A ledger line with the cycle's sum up to and with it. */
export interface LedgerLine extends LedgerEntry {
  readonly sum: number
}

export interface LedgerReader {
  /** Newest first. */
  ledger(budgetId: BudgetId, limit: number): Promise<readonly LedgerLine[]>
}
