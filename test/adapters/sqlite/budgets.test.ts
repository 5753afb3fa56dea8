/** Migrations 0060 and 0020: budgets and balances come back as saved; a ledger line is there once per execution and stays. */
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { callsFile } from '../../../src/main/adapters/sqlite/calls/call-database.ts'
import { ledgerLines, ledgerTable } from '../../../src/main/adapters/sqlite/calls/ledger-table.ts'
import { callLog } from '../../../src/main/adapters/sqlite/calls/migrations/0010-call-log.ts'
import { ledger } from '../../../src/main/adapters/sqlite/calls/migrations/0020-ledger.ts'
import { standIn } from '../../../src/main/adapters/sqlite/calls/migrations/0030-stand-in.ts'
import { retention } from '../../../src/main/adapters/sqlite/calls/retention.ts'
import { SqliteConfigStore } from '../../../src/main/adapters/sqlite/config-store.ts'
import { migrate } from '../../../src/main/adapters/sqlite/migration.ts'
import { openStore } from '../../../src/main/adapters/sqlite/open-store.ts'
import type { StoredBalance } from '../../../src/main/budget-ports.ts'
import type { Budget, LedgerEntry } from '../../../src/main/domain/budget.ts'
import type { BudgetId } from '../../../src/shared/ids.ts'
import { freshFolder, HandClock, stomp, systemClock } from './ground.ts'

const budgetId = 'budget_1' as BudgetId
const times = { createdAtMs: 1, updatedAtMs: 2 }
const play: Budget = {
  ...{ id: budgetId, label: 'play', enabled: true, amount: 5e9, cycle: 'week' },
  ...{ timeZone: 'Europe/Berlin', concurrency: 1, ...times },
}
const nothing = { bindings: [], unbound: [], quota: new Map(), health: null }

test('budgets and the balances of their last eight cycles come back; an unreadable budget is missing and told', () => {
  const path = join(freshFolder(), 'pointsman.db')
  const first = new SqliteConfigStore({ path, clock: new HandClock() })
  first.saveBudget({ ...play, amount: 1 })
  first.saveBudget(play)
  first.saveBudget({ ...play, id: 'budget_2' as BudgetId })
  const balances = Array.from({ length: 10 }, (_, n): StoredBalance => ({ budgetId, cycleMs: n, sum: -n, entries: n }))
  first.saveState({ ...nothing, balances })
  first.saveState({ ...nothing, balances: [{ budgetId, cycleMs: 9, sum: -90, entries: 10 }] })
  first.close()
  const database = new Database(path)
  database.exec(`UPDATE budget SET time_zone = 'Nowhere/Land' WHERE id = 'budget_2'`)
  database.close()
  const skipped: string[] = []
  const store = new SqliteConfigStore({
    path,
    clock: new HandClock(),
    onSkip: (table, id) => skipped.push(`${table} ${id}`),
  })
  onTestFinished(() => store.close())
  expect(store.budgets()).toEqual([play])
  expect(skipped).toEqual(['budget budget_2'])
  expect(store.balances().map(({ cycleMs, sum }) => [cycleMs, sum])).toEqual([
    [2, -2],
    [3, -3],
    [4, -4],
    [5, -5],
    [6, -6],
    [7, -7],
    [8, -8],
    [9, -90],
  ])
})

function openLedger() {
  const database = new Database(':memory:')
  onTestFinished(() => void database.close())
  migrate(database, [callLog, ledger, standIn])
  return { database, table: ledgerTable(database) }
}
const entry = (change: Partial<LedgerEntry>): LedgerEntry => ({
  ...{ budgetId, atMs: 0, kind: 'settle', amount: -5, executionId: null, cycleMs: 0, note: null },
  ...change,
})

test('an execution is settled once per budget; sums and lines follow', () => {
  const { database, table } = openLedger()
  const other = 'budget_2' as BudgetId
  const settled = entry({ executionId: '1#1' })
  expect([settled, settled, { ...settled, budgetId: other }, entry({}), entry({ cycleMs: 7 })].map(table.add)).toEqual([
    true,
    false,
    true,
    true,
    true,
  ])
  expect(table.sums()).toEqual([
    { budgetId, cycleMs: 0, sum: -10, entries: 2 },
    { budgetId, cycleMs: 7, sum: -5, entries: 1 },
    { budgetId: other, cycleMs: 0, sum: -5, entries: 1 },
  ])
  expect(ledgerLines(database, budgetId, 2).map(({ cycleMs, sum }) => [cycleMs, sum])).toEqual([
    [7, -5],
    [0, -10],
  ])
})

test('retention forgets old lines of cycles that are over, and keeps the last cycle whole', () => {
  const { database, table } = openLedger()
  for (const cycleMs of [1, 1, 2, 2]) table.add(entry({ cycleMs }))
  const purge = retention(database)
  const limits = { retentionDays: 1, retentionBytes: 1e9, forgetsByAge: true }
  for (let turn = 0; turn < 10; turn += 1)
    purge(limits, { nowMs: () => 1e12, elapsedMs: () => turn * 1_000, after: () => () => {} })
  expect(table.sums()).toEqual([{ budgetId, cycleMs: 2, sum: -10, entries: 2 }])
})

test('F40 a damaged configuration gives back its budgets and what was counted against them', () => {
  const path = join(freshFolder(), 'pointsman.db')
  const first = new SqliteConfigStore({ path, clock: new HandClock() })
  const budgets = Array.from({ length: 60 }, (_, n) => ({ ...play, id: `budget_${n}` as BudgetId, label: `play ${n}` }))
  const balances = budgets.map(({ id }, n): StoredBalance => ({ budgetId: id, cycleMs: 7, sum: -n, entries: n }))
  for (const one of budgets) first.saveBudget(one)
  first.saveState({ ...nothing, balances })
  first.close()
  stomp(path, [1])
  const store = new SqliteConfigStore({ path, clock: new HandClock() })
  onTestFinished(() => store.close())
  expect(store.recovery).toMatchObject({ rows: { budget: 60, budget_balance: 60 }, complete: true })
  expect(new Set(store.budgets())).toEqual(new Set(budgets))
  const byBudget = (list: readonly StoredBalance[]) => list.map(({ budgetId: id, sum }) => `${id} ${sum}`).sort()
  expect(byBudget(store.balances())).toEqual(byBudget(balances))
})

test('F40 a damaged call log gives back the ledger: the same sums, and still no execution twice', () => {
  const path = join(freshFolder(), 'calls.db')
  const sound = openStore(callsFile(path), systemClock).database
  const table = ledgerTable(sound)
  const entries = Array.from({ length: 300 }, (_, n) => entry({ executionId: `${n}#1`, amount: -n, cycleMs: n % 3 }))
  for (const one of entries) table.add(one)
  const sums = table.sums()
  sound.close()
  stomp(path, [1])
  const { database, recovery } = openStore(callsFile(path), systemClock)
  onTestFinished(() => void database.close())
  expect(recovery?.rows).toMatchObject({ ledger: 300 })
  const again = ledgerTable(database)
  expect(again.sums()).toEqual(sums)
  expect(entries.map((one) => again.add(one)).filter(Boolean)).toEqual([])
})
