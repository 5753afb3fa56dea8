/** Budgets over the whole core: refused when nothing is left, settled once per execution, and found again (access.md). */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRouterClient } from '@orpc/server'
import { expect, onTestFinished, test } from 'vitest'
import type { Budget } from '../../src/main/domain/budget.ts'
import type { Price } from '../../src/main/domain/rates.ts'
import { codexCli, response } from './asks.ts'
import { type Rig, type RigOptions, startRig, until } from './start-core.ts'

const usd = 1_000_000_000
const path = '/codex/v1/responses'
const plain = response({ stream: false })
const as = (key: string) => ({ headers: { ...codexCli().headers, authorization: `Bearer ${key}` } })

async function start(options: RigOptions = {}): Promise<Rig> {
  const rig = await startRig({ sources: ['codex-team'], ...options })
  onTestFinished(() => rig.close())
  return rig
}

const newBudget = ({ core }: Rig, change: Partial<Budget> = {}): Budget =>
  core.api.budgets.create({ label: 'play', amount: usd, cycle: 'none', timeZone: 'UTC', ...change })
const leftOf = ({ core }: Rig, { id }: Budget): number => core.api.budgets.left(core.api.budgets.find(id), Date.now())
const linesOf = ({ core }: Rig, { id }: Budget) => core.api.reader.ledger(id, 100)

test('a call takes its cost off the budget of its key, in one line of the ledger with the execution’s name', async () => {
  const rig = await start()
  const budget = newBudget(rig)
  const key = rig.newKey('mine', { budgetId: budget.id })
  expect((await rig.call(path, plain, as(key))).status).toBe(200)
  const { call } = await rig.latest()
  expect(call.cost).toBeGreaterThan(0)
  const lines = await linesOf(rig, budget)
  expect(lines.map(({ kind, amount, executionId, sum }) => ({ kind, amount, executionId, sum }))).toEqual([
    { kind: 'settle', amount: -(call.cost ?? 0), executionId: `${call.id}#1`, sum: -(call.cost ?? 0) },
  ])
  expect(leftOf(rig, budget)).toBe(usd - (call.cost ?? 0))
})

test('two keys share a budget; the call that uses it up is served, the next one of either is refused', async () => {
  const rig = await start()
  const budget = newBudget(rig, { amount: 1 })
  const [one, two] = [rig.newKey('one', { budgetId: budget.id }), rig.newKey('two', { budgetId: budget.id })]
  expect((await rig.call(path, plain, as(one))).status).toBe(200)
  expect(leftOf(rig, budget)).toBeLessThan(0)
  for (const key of [one, two]) {
    const answer = await rig.call(path, plain, as(key))
    expect([answer.status, answer.headers['x-pointsman-error']]).toEqual([429, 'billing_quota_exhausted'])
  }
  expect(await linesOf(rig, budget)).toHaveLength(1)
})

test.each([
  ['missing', { budgetId: 'budget_gone' as Budget['id'] }],
  ['switched off', {}],
])('a key whose budget is %s is refused as unbound', async (_, change) => {
  const rig = await start()
  const budget = newBudget(rig, { enabled: false })
  const answer = await rig.call(path, plain, as(rig.newKey('mine', { budgetId: budget.id, ...change })))
  expect([answer.status, answer.headers['x-pointsman-error']]).toEqual([403, 'access_key_unbound'])
})

test('a model without a price is refused to a key with a budget, and served once the person has set one', async () => {
  const rig = await start({ sources: [] })
  const models = [{ id: 'gpt-5.5', upstreamModel: 'gpt-unpriced', aliases: [], free: false }]
  await rig.add('openai-key', { models })
  const budget = newBudget(rig)
  const key = rig.newKey('mine', { budgetId: budget.id })
  const ask = () => rig.call('/v1/responses', plain, as(key))
  const refused = await ask()
  expect([refused.status, refused.headers['x-pointsman-error']]).toEqual([503, 'billing_price_unavailable'])
  const rates = { input: 1_000, cacheRead: 1_000, cacheWrite: 1_000, cacheWriteLong: 1_000, output: 1_000 }
  const price: Price = { model: 'gpt-unpriced', fromMs: 0, ...rates, long: null, tiers: {} }
  rig.set({ prices: [price] })
  expect((await ask()).status).toBe(200)
  const { call } = await rig.latest(2)
  const tokens = (call.usage?.inputTokens ?? 0) + (call.usage?.outputTokens ?? 0)
  expect([call.cost, leftOf(rig, budget)]).toEqual([tokens * 1_000, usd - tokens * 1_000])
})

test('an API profile whose own budget is used up is passed over, and refused when it stands alone', async () => {
  const rig = await start({ sources: [] })
  const budget = newBudget(rig, { amount: 0 })
  await rig.add('openai-key', { budgetId: budget.id })
  const answer = await rig.call('/v1/responses', plain)
  expect([answer.status, answer.headers['x-pointsman-error']]).toEqual([429, 'all_exhausted'])
  expect((await rig.latest()).decision?.excluded.map(({ because }) => because)).toEqual(['exhausted:budget'])
  rig.core.api.budgets.change(budget.id, { amount: usd })
  expect((await rig.call('/v1/responses', plain)).status).toBe(200)
  expect(leftOf(rig, budget)).toBeLessThan(usd)
})

test('a tight budget runs one call at a time, and the one that waited sees what the first one cost', async () => {
  const rig = await start()
  const budget = newBudget(rig, { amount: 1, concurrency: 1 })
  const key = rig.newKey('mine', { budgetId: budget.id })
  rig.practice.script('codex-team', { delayMs: 100, reply: { kind: 'vendor' } })
  const first = rig.call(path, plain, as(key))
  await rig.practice.waitFor(({ sourceId }) => sourceId === 'codex-team')
  const second = rig.call(path, plain, as(key))
  expect((await first).status).toBe(200)
  const answer = await second
  expect([answer.status, answer.headers['x-pointsman-error']]).toEqual([429, 'billing_quota_exhausted'])
  expect(rig.practice.seen({ sourceId: 'codex-team' })).toHaveLength(1)
})

test('a key that changes its budget while a call runs leaves that call’s cost with the old one', async () => {
  const rig = await start()
  const [old, fresh] = [newBudget(rig), newBudget(rig, { label: 'work' })]
  const secret = rig.newKey('mine', { budgetId: old.id })
  rig.practice.script('codex-team', { delayMs: 100, reply: { kind: 'vendor' } })
  const running = rig.call(path, plain, as(secret))
  await rig.practice.waitFor(({ sourceId }) => sourceId === 'codex-team')
  rig.core.api.keys.change(rig.core.api.keys.find('mine').id, { budgetId: fresh.id })
  expect((await running).status).toBe(200)
  expect([leftOf(rig, old) < usd, leftOf(rig, fresh)]).toEqual([true, usd])
})

test('a refund is made once, an adjustment as often as wanted, and both count', async () => {
  const rig = await start()
  const budget = newBudget(rig)
  const refund = { kind: 'refund', amount: 5, executionId: '1#1', note: null } as const
  rig.core.api.budgets.enter(budget.id, refund)
  expect(() => rig.core.api.budgets.enter(budget.id, refund)).toThrow('exists already')
  for (const amount of [7, -2]) {
    rig.core.api.budgets.enter(budget.id, { kind: 'adjust', amount, executionId: null, note: 'by hand' })
  }
  expect(leftOf(rig, budget)).toBe(usd + 10)
  expect((await linesOf(rig, budget)).map(({ amount, sum }) => [amount, sum])).toEqual([
    [-2, 10],
    [7, 12],
    [5, 5],
  ])
})

test('balances are the same after a restart, also when the call log was deleted', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'pointsman-budgets-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const first = await startRig({ sources: ['codex-team'], dataDir })
  const budget = newBudget(first)
  await first.call(path, plain, as(first.newKey('mine', { budgetId: budget.id })))
  await first.rows()
  const left = await until(() => (leftOf(first, budget) < usd ? leftOf(first, budget) : null), 'the settlement')
  await first.close()
  const second = await startRig({ dataDir })
  expect(leftOf(second, budget)).toBe(left)
  await second.close()
  rmSync(join(dataDir, 'calls.db'))
  const third = await startRig({ dataDir })
  expect(leftOf(third, budget)).toBe(left)
  await third.close()
})

test('a rehearsal puts calls that would have gone elsewhere at the person’s own prices', async () => {
  const rig = await start({ sources: ['codex-team', 'codex-personal'] })
  expect((await rig.call(path, plain)).status).toBe(200)
  const { usage } = (await rig.latest()).call
  const used = (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0)
  const rates = { input: 7, cacheRead: 7, cacheWrite: 7, cacheWriteLong: 7, output: 7 }
  rig.set({ prices: [{ model: 'gpt-5.5', fromMs: 0, ...rates, long: null, tiers: {} }] })
  const { rehearsal } = createRouterClient(rig.core.router, { context: {} })
  const tiers = [['codex-personal:gpt-5.5'], ['codex-team:gpt-5.5']]
  const { moved, would } = await rehearsal.run({ poolId: 'gpt-5.5', tiers })
  expect(moved).toBe(1)
  expect([would.cost, would.costUnknown]).toEqual([used * 7, 0])
})
