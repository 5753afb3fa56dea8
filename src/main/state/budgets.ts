/** Owner of budgets and their balances: read in memory by each request, settled once per execution (access.md, "Budgets"). */
import { PointsmanError } from '../../shared/errors.ts'
import type { BudgetId } from '../../shared/ids.ts'
import type { BudgetStore, Ledger, StoredBalance } from '../budget-ports.ts'
import { type Budget, cycleEnd, cycleStart, type LedgerEntry } from '../domain/budget.ts'
import type { Chance, Clock } from '../ports.ts'
import type { Announcer } from './announcer.ts'

/** What may be set; `undefined` leaves a part as it is. */
export type BudgetChange = {
  readonly [Part in keyof Omit<Budget, 'id' | 'createdAtMs' | 'updatedAtMs'>]?: Budget[Part] | undefined
}

/** Cycles remembered per budget: a clock that jumps back finds what was spent there. */
const mostCycles = 8
/** Executions remembered, so that none is counted twice; the file refuses older ones by itself. */
const mostExecutions = 20_000

interface Cycle {
  readonly fromMs: number
  readonly toMs: number
}

export class Budgets {
  readonly #store: BudgetStore
  readonly #ledger: Ledger
  readonly #clock: Clock
  readonly #chance: Chance
  readonly #announcer: Announcer
  #all: ReadonlyMap<BudgetId, Budget>
  readonly #balances = new Map<BudgetId, Map<number, StoredBalance>>()
  /** The cycle that runs: reading a time zone takes longer than the rest of admission. */
  readonly #cycles = new Map<BudgetId, Cycle>()
  readonly #settled = new Set<string>()
  readonly #changed = new Map<string, StoredBalance>()

  constructor(store: BudgetStore, ledger: Ledger, clock: Clock, chance: Chance, announcer: Announcer) {
    this.#store = store
    this.#ledger = ledger
    this.#clock = clock
    this.#chance = chance
    this.#announcer = announcer
    this.#all = new Map(store.budgets().map((budget) => [budget.id, budget]))
    for (const balance of store.balances()) this.#put(balance)
    // The ledger is ahead after a crash, behind after it was set aside.
    for (const found of ledger.sums()) {
      const known = this.#balances.get(found.budgetId)?.get(found.cycleMs)
      if (known === undefined || found.entries > known.entries) this.#put(found, true)
    }
  }

  /** Swapped whole with every change. */
  get all(): ReadonlyMap<BudgetId, Budget> {
    return this.#all
  }

  /** By id or label. */
  find(idOrLabel: string): Budget {
    const found =
      this.#all.get(idOrLabel as BudgetId) ?? [...this.#all.values()].find(({ label }) => label === idOrLabel)
    if (found === undefined) throw new PointsmanError('not_found', { what: `budget ${idOrLabel}` })
    return found
  }

  /** Integer nano-USD left in the running cycle; below zero by what was in flight. */
  left(budget: Budget, nowMs: number): number {
    return budget.amount + this.sum(budget, nowMs)
  }

  /** The running cycle's entries together. */
  sum(budget: Budget, nowMs: number): number {
    const cycleMs = this.#cycle(budget, nowMs).fromMs
    return this.#balances.get(budget.id)?.get(cycleMs)?.sum ?? 0
  }

  /** When the running cycle ends; null without one. */
  endsMs(budget: Budget, nowMs: number): number | null {
    const { toMs } = this.#cycle(budget, nowMs)
    return toMs === Number.POSITIVE_INFINITY ? null : toMs
  }

  create(change: BudgetChange & Pick<Budget, 'label' | 'amount' | 'cycle' | 'timeZone'>): Budget {
    this.#mustBeFree(change.label, null)
    const nowMs = this.#clock.nowMs()
    const { label, amount, cycle, timeZone, enabled = true, concurrency = null } = change
    const id = `budget_${[...this.#chance.bytes(6)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
    const facts = { label, amount, cycle, timeZone, enabled, concurrency }
    return this.#save({ id: id as BudgetId, ...facts, createdAtMs: nowMs, updatedAtMs: nowMs })
  }

  change(id: BudgetId, change: BudgetChange): Budget {
    const budget = this.find(id)
    if (change.label !== undefined) this.#mustBeFree(change.label, id)
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
    return this.#save({ ...budget, ...given, updatedAtMs: this.#clock.nowMs() })
  }

  /** Counts settlements whose rows are on their way to the ledger; one that was counted is passed over. */
  settle(entries: readonly LedgerEntry[]): void {
    for (const entry of entries) if (this.#isNew(entry)) this.#count(entry)
  }

  /** By hand; in the file before it counts. */
  enter(id: BudgetId, by: Pick<LedgerEntry, 'kind' | 'amount' | 'executionId' | 'note'>): void {
    const budget = this.find(id)
    const nowMs = this.#clock.nowMs()
    const entry: LedgerEntry = { budgetId: budget.id, atMs: nowMs, cycleMs: cycleStart(budget, nowMs), ...by }
    if (!this.#ledger.enter(entry)) {
      throw new PointsmanError('already_exists', { what: `A ${by.kind} of ${by.executionId}` })
    }
    this.#count(entry)
  }

  /** Balances that changed since they were last taken. */
  takeChanges(): readonly StoredBalance[] {
    const changed = [...this.#changed.values()]
    this.#changed.clear()
    return changed
  }

  #isNew({ budgetId, executionId, kind }: LedgerEntry): boolean {
    if (executionId === null) return true
    const name = `${budgetId} ${executionId} ${kind}`
    if (this.#settled.has(name)) return false
    this.#settled.add(name)
    const [oldest] = this.#settled.size > mostExecutions ? this.#settled : []
    if (oldest !== undefined) this.#settled.delete(oldest)
    return true
  }

  #count({ budgetId, cycleMs, amount }: LedgerEntry): void {
    const { sum, entries } = this.#balances.get(budgetId)?.get(cycleMs) ?? { sum: 0, entries: 0 }
    this.#put({ budgetId, cycleMs, sum: sum + amount, entries: entries + 1 }, true)
    this.#announcer.changed('accounts')
  }

  #put(balance: StoredBalance, isChange = false): void {
    const { budgetId, cycleMs } = balance
    const cycles = this.#balances.get(budgetId) ?? new Map<number, StoredBalance>()
    this.#balances.set(budgetId, cycles)
    // Set anew so that it is the youngest.
    cycles.delete(cycleMs)
    cycles.set(cycleMs, balance)
    const [oldest] = cycles.size > mostCycles ? cycles.keys() : []
    if (oldest !== undefined) cycles.delete(oldest)
    if (isChange) this.#changed.set(`${budgetId} ${cycleMs}`, balance)
  }

  #cycle(budget: Budget, nowMs: number): Cycle {
    const known = this.#cycles.get(budget.id)
    if (known !== undefined && nowMs >= known.fromMs && nowMs < known.toMs) return known
    const toMs = cycleEnd(budget, nowMs) ?? Number.POSITIVE_INFINITY
    const cycle = { fromMs: cycleStart(budget, nowMs), toMs }
    this.#cycles.set(budget.id, cycle)
    return cycle
  }

  #mustBeFree(label: string, own: BudgetId | null): void {
    for (const budget of this.#all.values()) {
      if (budget.label === label && budget.id !== own) {
        throw new PointsmanError('already_exists', { what: `A budget labelled ${label}` })
      }
    }
  }

  #save(budget: Budget): Budget {
    this.#store.saveBudget(budget)
    this.#all = new Map(this.#all).set(budget.id, budget)
    this.#cycles.delete(budget.id)
    this.#announcer.changed('accounts')
    return budget
  }
}
