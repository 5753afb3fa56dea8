/** Budgets: soft amounts of money per cycle, in the budget's own time zone, with an append-only ledger (access.md, EXT). */
import type { BudgetId } from '../../shared/ids.ts'

export type Cycle = 'day' | 'week' | 'month' | 'none'
export const cycles: readonly Cycle[] = ['day', 'week', 'month', 'none']

export interface Budget {
  readonly id: BudgetId
  readonly label: string
  readonly enabled: boolean
  /** Integer nano-USD per cycle. */
  readonly amount: number
  readonly cycle: Cycle
  /** IANA name, kept with the budget: moving house doesn't move its days. */
  readonly timeZone: string
  /** Running calls at once over all its keys; 1 is "tight": the worst overrun is one call. Null: no cap. */
  readonly concurrency: number | null
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

export type EntryKind = 'settle' | 'adjust' | 'refund'

/** One line of the ledger; `amount` is what it does to the balance: a settlement is negative. */
export interface LedgerEntry {
  readonly budgetId: BudgetId
  readonly atMs: number
  readonly kind: EntryKind
  /** Integer nano-USD. */
  readonly amount: number
  /** `CALL#ATTEMPT` of a settlement, or null. A second entry of the same execution is not written. */
  readonly executionId: string | null
  /** Start of the cycle it counts in. */
  readonly cycleMs: number
  readonly note: string | null
}

/** What is spent and left in one cycle. */
export interface Balance {
  readonly cycleMs: number
  /** Sum of the ledger's entries of that cycle: negative by what was settled. */
  readonly sum: number
}

/** The sum of one cycle's entries, and how many there are: tells a ledger that was set aside from one that went on. */
export interface StoredBalance {
  readonly budgetId: BudgetId
  readonly cycleMs: number
  /** Integer nano-USD. */
  readonly sum: number
  readonly entries: number
}

/** Amount plus the ledger's sum of the running cycle; may go below zero by the calls in flight. */
export function left(budget: Budget, balance: Balance | null, nowMs: number): number {
  const cycleMs = cycleStart(budget, nowMs)
  return budget.amount + (balance !== null && balance.cycleMs === cycleMs ? balance.sum : 0)
}

/** A balance with one more entry; a new cycle begins at zero, an older one's late entry leaves the newer one alone. */
export function withEntry(balance: Balance | null, entry: Pick<LedgerEntry, 'amount' | 'cycleMs'>): Balance {
  if (balance === null || entry.cycleMs > balance.cycleMs) return { cycleMs: entry.cycleMs, sum: entry.amount }
  if (entry.cycleMs < balance.cycleMs) return balance
  return { cycleMs: balance.cycleMs, sum: balance.sum + entry.amount }
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** When the cycle that holds `atMs` began: local midnight, Monday's, or the first's; 0 without a cycle. */
export function cycleStart({ cycle, timeZone }: Pick<Budget, 'cycle' | 'timeZone'>, atMs: number): number {
  if (cycle === 'none') return 0
  const { year, month, day, weekday } = localDate(atMs, timeZone)
  switch (cycle) {
    case 'day':
      return midnight(year, month, day, timeZone)
    case 'week':
      return midnight(year, month, day - weekday, timeZone)
    case 'month':
      return midnight(year, month, 1, timeZone)
  }
}

/** When the next cycle begins, or null without one. */
export function cycleEnd(budget: Pick<Budget, 'cycle' | 'timeZone'>, atMs: number): number | null {
  const { cycle, timeZone } = budget
  if (cycle === 'none') return null
  const { year, month, day, weekday } = localDate(atMs, timeZone)
  switch (cycle) {
    case 'day':
      return midnight(year, month, day + 1, timeZone)
    case 'week':
      return midnight(year, month, day - weekday + 7, timeZone)
    case 'month':
      return midnight(year, month + 1, 1, timeZone)
  }
}

interface LocalDate {
  readonly year: number
  /** From 1. */
  readonly month: number
  readonly day: number
  /** 0 is Monday. */
  readonly weekday: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const parts = {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  } as const
  const made = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...parts })
  formats.set(timeZone, made)
  return made
}

/** True for a name that `Intl` knows. */
export function isTimeZone(name: string): boolean {
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

function localDate(atMs: number, timeZone: string): LocalDate {
  const wall = wallMs(atMs, timeZone)
  const date = new Date(wall)
  const weekday = (date.getUTCDay() + 6) % 7
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate(), weekday }
}

/** The wall clock there, written as if it were UTC. */
function wallMs(atMs: number, timeZone: string): number {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/** Local midnight as a point in time; where the clock jumps over it, the first moment of that day. */
function midnight(year: number, month: number, day: number, timeZone: string): number {
  const wanted = Date.UTC(year, month - 1, day)
  let guess = wanted
  for (let turn = 0; turn < 3; turn += 1) guess += wanted - wallMs(guess, timeZone)
  if (wallMs(guess, timeZone) >= wanted) return guess
  // Midnight doesn't exist that day: the clock went forward over it.
  for (let at = guess; at < guess + dayMs; at += hourMs / 4) if (wallMs(at, timeZone) >= wanted) return at
  return guess
}
