/** What a call is charged to, fixed when it is admitted: a change while it runs never moves its cost (access.md, check 9). */
import type { BudgetId, CallId } from '../../shared/ids.ts'
import type { Backend } from './backend.ts'
import { type Budget, cycleStart, type LedgerEntry } from './budget.ts'
import type { Execution } from './call.ts'
import { costOf, priceOf } from './price.ts'
import type { Price } from './rates.ts'
import type { Operation } from './source.ts'
import type { Usage } from './usage.ts'

export interface Charges {
  readonly atMs: number
  readonly keyBudget: BudgetId | null
  /** As they were. */
  readonly budgets: ReadonlyMap<BudgetId, Budget>
  /** The person's own prices, as they were. */
  readonly prices: readonly Price[]
}

export const uncharged = (atMs: number): Charges => ({ atMs, keyBudget: null, budgets: new Map(), prices: [] })

/** Counting and listing cost nothing at any vendor. */
export const isBillable = (operation: Operation): boolean => operation === 'generate' || operation === 'compact'

/** A backend whose calls cost nothing; every other one needs a price. */
export const isFree = ({ free, source }: Backend): boolean => free || source.type === 'local'

/** Whether what it serves can be put into money. */
export const hasPrice = (backend: Backend, atMs: number, prices: readonly Price[]): boolean =>
  isFree(backend) || priceOf(backend.upstreamModel, atMs, prices) !== null

/** Integer nano-USD by list price, for a subscription the API-equivalent; null when no price is known. */
export function costOn(
  backend: Backend,
  usage: Usage,
  serviceTier: string | null,
  atMs: number,
  prices: readonly Price[],
): number | null {
  if (isFree(backend)) return 0
  const price = priceOf(backend.upstreamModel, atMs, prices)
  return price === null ? null : costOf(usage, price, serviceTier)
}

export const executionId = (call: CallId, attempt: number): string => `${call}#${attempt}`

/**
 * One settlement per execution whose usage was reported, for the key's budget and for the source's own. An execution
 * without usage is unmeasured: nothing is guessed.
 */
export function settlements(
  charges: Charges,
  call: { readonly id: CallId; readonly serviceTier: string | null },
  executions: readonly Execution[],
  backendOf: (execution: Execution) => Backend | undefined,
): readonly LedgerEntry[] {
  const { atMs, keyBudget, budgets, prices } = charges
  const entries: LedgerEntry[] = []
  executions.forEach((execution, index) => {
    const backend = backendOf(execution)
    if (backend === undefined || execution.usage === null) return
    const charged = new Set([keyBudget, ownBudget(backend)])
    for (const id of charged) {
      const budget = id === null ? undefined : budgets.get(id)
      if (budget === undefined) continue
      const cost = costOn(backend, execution.usage, call.serviceTier, atMs, prices)
      if (cost === null || cost === 0) continue
      entries.push({
        budgetId: budget.id,
        atMs: execution.startedMs,
        kind: 'settle',
        amount: -cost,
        executionId: executionId(call.id, index + 1),
        cycleMs: cycleStart(budget, atMs),
        note: null,
      })
    }
  })
  return entries
}

/** The budget of an API profile itself, or null. */
export const ownBudget = ({ source }: Pick<Backend, 'source'>): BudgetId | null => source.budgetId ?? null
