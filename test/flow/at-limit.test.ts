/** What was chosen for a spent window: to move on, or to stay with the account and its limit. */
import { expect, it } from 'vitest'
import { defaultSettings, type Settings } from '../../src/main/domain/settings.ts'
import type { Plan } from '../../src/main/flow/50-order.ts'
import { isHeldByLimit } from '../../src/main/flow/at-limit.ts'
import { plan } from '../../src/main/flow/explain.ts'
import { Refusal } from '../../src/main/flow/trail.ts'
import type { View } from '../../src/main/flow/view.ts'
import { sourceId } from '../../src/shared/ids.ts'
import { account, arrangement, ask, profile, reading, session, snapshot, viewOf } from './picture.ts'

const nowMs = Date.UTC(2026, 10, 25, 9)
const resetAtMs = nowMs + 2 * 3_600_000
const week = (used: number) => snapshot(reading('weekly', used, resetAtMs, nowMs))
const sources = [account('a'), account('b'), profile('key')]
const pool = arrangement([['a', 'b'], ['key']], 'ordered')

const view = (atLimit: Settings['atLimit'], used: readonly number[], bindings: View['bindings'] = new Map()): View =>
  viewOf(sources, [pool], {
    nowMs,
    settings: { ...defaultSettings, atLimit },
    quota: new Map([
      [sourceId('a'), week(used[0])],
      [sourceId('b'), week(used[1])],
    ]),
    bindings,
  })
const boundTo = (id: string): View['bindings'] =>
  new Map([[session('s'), { session: session('s'), sourceId: sourceId(id), boundAtMs: nowMs, lastUsedMs: nowMs }]])
const bound = { ...ask(), session: session('s') }

const order = (found: Plan | Refusal): string =>
  found instanceof Refusal
    ? found.problem.code
    : found.order.map((candidate) => candidate.backend.source.label).join(' ')

it.each([
  ['move', [100, 0], 'b key'],
  ['ask', [100, 0], 'key'],
  ['wait', [100, 0], 'key'],
  ['ask', [0, 100], 'a key'],
  ['ask', [0, 0], 'a b key'],
] as const)('%s, used %j: %s', (atLimit, used, expected) => {
  expect(order(plan(ask(), view(atLimit, used)))).toBe(expected)
})

it('a conversation stays with its own account: served while it has room, held once it is spent', () => {
  expect(order(plan(bound, view('ask', [100, 0], boundTo('b'))))).toBe('b key')
  expect(order(plan(bound, view('ask', [0, 100], boundTo('b'))))).toBe('key')
  expect(order(plan(bound, view('move', [0, 100], boundTo('b'))))).toBe('a key')
})

it('without anything else the call ends with the limit, and says when it renews', () => {
  const alone = viewOf(sources.slice(0, 2), [arrangement([['a', 'b']], 'ordered')], {
    nowMs,
    settings: { ...defaultSettings, atLimit: 'ask' },
    quota: new Map([
      [sourceId('a'), week(100)],
      [sourceId('b'), week(10)],
    ]),
  })
  const found = plan(ask(), alone)
  if (!(found instanceof Refusal)) throw new Error('it is served')
  expect(found.problem.code).toBe('all_exhausted')
  expect(found.problem.sentence).toContain('you chose not to move on')
  expect(found.retryAfterMs).toBe(resetAtMs - nowMs)
})

it('during a call, what was tried before and turned out to be spent holds back its vendor’s others alone', () => {
  const before = plan(ask(), view('ask', [0, 0]))
  if (before instanceof Refusal) throw new Error('it is refused')
  const held = (now: View) => before.order.map((candidate) => isHeldByLimit(candidate, before, now))
  expect(held(view('ask', [0, 0]))).toEqual([false, false, false])
  expect(held(view('ask', [100, 0]))).toEqual([false, true, false])
  expect(held(view('move', [100, 0]))).toEqual([false, false, false])
})
