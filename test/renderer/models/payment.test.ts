/** When an order begins to cost money: only when what is paid by use takes the place of what isn't. */
import { expect, test } from 'vitest'
import { newlyPaid } from '../../../src/renderer/models/payment.ts'
import type { Pool } from '../../../src/renderer/models/pools.ts'

const backend = (backendId: string, sourceType: string, free = false) => ({ backendId, sourceType, free })
const tiers = [
  [backend('plan', 'subscription'), backend('other', 'subscription')],
  [backend('key', 'api'), backend('gift', 'api', true), backend('here', 'local', true)],
]
const pool = (order: readonly string[], route: object | null = null) =>
  ({ tiers, serving: { order, route } }) as unknown as Pool

test.each([
  ['a key goes to the top', ['plan', 'key'], [['key'], ['plan']], 'key'],
  ['a key goes to the top, but can’t serve', ['plan'], [['key'], ['plan']], null],
  ['one that rests is passed by', ['plan', 'key'], [['other', 'key', 'plan']], 'key'],
  ['a subscription goes to the top', ['plan', 'other', 'key'], [['other', 'plan', 'key']], null],
  ['what is free goes to the top', ['plan', 'gift'], [['gift', 'plan']], null],
  ['a local model goes to the top', ['plan', 'here'], [['here', 'plan']], null],
  ['it is paid already', ['key', 'plan'], [['key'], ['plan']], null],
  ['nobody can serve', [], [['key'], ['plan']], null],
] as const)('%s', (_, order, after, paid) => {
  expect(newlyPaid(pool(order), after)?.backendId ?? null).toBe(paid)
})

test('under a rule the order counts for nothing', () => {
  expect(newlyPaid(pool(['plan', 'key'], { id: 'r' }), [['key'], ['plan']])).toBeNull()
})
