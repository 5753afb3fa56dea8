/** Budgets: made, changed, looked into, corrected by hand. */
import { PointsmanError } from '../../shared/errors.ts'
import { readLabel } from '../accounts/profile.ts'
import { type Budget, isTimeZone } from '../domain/budget.ts'
import type { ApiDeps } from './api-deps.ts'
import { members, mustBe } from './implement.ts'
import { countingPrices } from './prices.ts'

const shownLines = 500

export function budgets(deps: ApiDeps) {
  const shown = (budget: Budget) => budgetView(budget, deps)
  return {
    list: members.budgets.list.handler(() => [...deps.budgets.all.values()].map(shown)),
    create: members.budgets.create.handler(({ input: { label, timeZone = ownTimeZone(), ...rest } }) => {
      checkTimeZone(timeZone)
      return shown(deps.budgets.create({ ...rest, label: mustBe(readLabel(label)).text, timeZone }))
    }),
    update: members.budgets.update.handler(({ input: { id, label, ...rest } }) => {
      if (rest.timeZone !== undefined) checkTimeZone(rest.timeZone)
      const renamed = label === undefined ? undefined : mustBe(readLabel(label)).text
      return shown(deps.budgets.change(deps.budgets.find(id).id, { ...rest, label: renamed }))
    }),
    prices: members.budgets.prices.handler(() => countingPrices(deps)),
    ledger: members.budgets.ledger.handler(async ({ input: { id, limit = shownLines } }) => {
      const budget = deps.budgets.find(id)
      const lines = await deps.reader.ledger(budget.id, limit)
      return lines.map(({ sum, ...line }) => ({ ...line, balance: budget.amount + sum }))
    }),
    adjust: members.budgets.adjust.handler(({ input: { id, amount, kind = 'adjust', executionId, note } }) => {
      const budget = deps.budgets.find(id)
      if (kind === 'refund' && (executionId === undefined || amount <= 0)) {
        throw new PointsmanError('invalid_input', { why: 'a refund names its execution and gives something back' })
      }
      if (amount === 0) throw new PointsmanError('invalid_input', { why: 'an amount of nothing changes nothing' })
      deps.budgets.enter(budget.id, { kind, amount, executionId: executionId ?? null, note: note ?? null })
      return shown(budget)
    }),
  }
}

function budgetView(budget: Budget, { budgets, keys, sources, clock }: ApiDeps) {
  const nowMs = clock.nowMs()
  const left = budgets.left(budget, nowMs)
  return {
    ...budget,
    left,
    spent: budget.amount - left,
    resetAtMs: budgets.endsMs(budget, nowMs),
    keys: keys.all().flatMap((key) => (key.budgetId === budget.id && key.state !== 'revoked' ? [key.label] : [])),
    sources: sources.all().flatMap((source) => (source.budgetId === budget.id ? [source.id] : [])),
  }
}

const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

function checkTimeZone(name: string): void {
  if (!isTimeZone(name)) throw new PointsmanError('invalid_input', { why: `there is no time zone ${name}` })
}
