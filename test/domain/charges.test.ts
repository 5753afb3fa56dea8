/** What a call settles: each execution whose usage was reported, once per budget, at the prices of its admission. */
import { expect, test } from 'vitest'
import { deriveBackends } from '../../src/main/domain/backend.ts'
import type { Budget } from '../../src/main/domain/budget.ts'
import type { Execution } from '../../src/main/domain/call.ts'
import { type Charges, settlements } from '../../src/main/domain/charges.ts'
import type { Price } from '../../src/main/domain/rates.ts'
import type { Source } from '../../src/main/domain/source.ts'
import { type BudgetId, callId } from '../../src/shared/ids.ts'
import { local, profile } from '../flow/kit.ts'

const rates = { input: 10, cacheRead: 1, cacheWrite: 10, cacheWriteLong: 20, output: 100 }
const price: Price = { model: 'gpt-5.5', fromMs: 0, ...rates, long: null, tiers: { priority: 2 } }
const budget = (id: string): Budget => ({
  ...{ id: id as BudgetId, label: id, enabled: true, amount: 1e9, cycle: 'none', timeZone: 'UTC' },
  ...{ concurrency: null, createdAtMs: 0, updatedAtMs: 0 },
})
const budgets = new Map(['play', 'own'].map((id) => [id as BudgetId, budget(id)]))
const usage = { inputTokens: 3, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 1, reasoningTokens: 0 }
const keyed = 'play' as BudgetId

const settle = (
  source: Source,
  outcomes: readonly (readonly [Execution['outcome'], Execution['usage']])[],
  change: Partial<Charges> = {},
  serviceTier: string | null = null,
) => {
  const [backend] = deriveBackends([source])
  const executions = outcomes.map(([outcome, reported]) => ({ outcome, usage: reported, startedMs: 5 }) as Execution)
  const charges = { atMs: 5, keyBudget: keyed, budgets, prices: [price], ...change }
  const entries = settlements(charges, { id: callId('7'), serviceTier }, executions, () => backend)
  return entries.map(({ budgetId, executionId, amount }) => `${budgetId} ${executionId} ${amount}`)
}

test.each<[string, readonly string[], readonly string[]]>([
  ['a served call', settle(profile('p'), [['done', usage]]), ['play 7#1 -130']],
  ['a cancelled call whose usage was reported', settle(profile('p'), [['client-left', usage]]), ['play 7#1 -130']],
  ['a cut answer without usage is unmeasured', settle(profile('p'), [['truncated', null]]), []],
  [
    'a failed attempt with usage, and the one that served',
    settle(profile('p'), [
      ['failed', usage],
      ['failed', null],
      ['done', usage],
    ]),
    ['play 7#1 -130', 'play 7#3 -130'],
  ],
  [
    'the key’s budget and the profile’s own',
    settle(profile('p', { budgetId: 'own' as BudgetId }), [['done', usage]]),
    ['play 7#1 -130', 'own 7#1 -130'],
  ],
  ['one budget for both counts once', settle(profile('p', { budgetId: keyed }), [['done', usage]]), ['play 7#1 -130']],
  ['a service tier by its factor', settle(profile('p'), [['done', usage]], {}, 'priority'), ['play 7#1 -260']],
  ['a local model costs nothing', settle(local('l'), [['done', usage]]), []],
  ['a key without a budget', settle(profile('p'), [['done', usage]], { keyBudget: null }), []],
  [
    'a budget that was not there at admission',
    settle(profile('p'), [['done', usage]], { keyBudget: 'later' as BudgetId }),
    [],
  ],
])('%s', (_, found, expected) => {
  expect(found).toEqual(expected)
})
