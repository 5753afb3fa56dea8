/** Route policies: who may serve at all, in which order, by which folder, and the guard of the last moment (access.md). */
import { describe, expect, test } from 'vitest'
import type { FolderRule, RoutePolicy } from '../../src/main/domain/access-key.ts'
import { candidateLost } from '../../src/main/flow/second-look.ts'
import { Refusal } from '../../src/main/flow/trail.ts'
import { sourceId } from '../../src/shared/ids.ts'
import { accessKey, account, ask, planFor, shown, viewOf } from './kit.ts'

const [a, b, c] = [account('a'), account('b'), account('c')]
const ids = (...names: readonly string[]) => names.map(sourceId)
const tiers = [['a:gpt-5.5'], ['b:gpt-5.5'], ['c:gpt-5.5']] as never
const listed = { poolId: 'gpt-5.5' as never, tiers, disabled: [], strategy: 'ordered', options: {}, revision: 1 }
const situation = { sources: [a, b, c], arrangements: [listed] }
const under = (policy: RoutePolicy, change: object = {}) => {
  const key = accessKey({ policy })
  return planFor(ask({ key }), viewOf({ ...situation, key, ...change }))
}
const resting = (id: string) => ({
  health: { sources: new Map([[sourceId(id), { untilMs: 4e12, because: 'cooldown', sentence: 'Resting.' }]]) as never },
})

test.each<[string, RoutePolicy, object, string]>([
  ['default takes the pool’s order', { mode: 'default' }, {}, 'a b c | rank'],
  ['strict knows its accounts only', { mode: 'strict', sources: ids('c') }, {}, 'c | only-candidate'],
  [
    'strict with its account switched off is refused, whatever else there is',
    { mode: 'strict', sources: ids('c') },
    { sources: [a, b, { ...c, active: false }] },
    'upstream_binding_unavailable',
  ],
  [
    'a pool ignores tiers: its strategy orders all of its accounts together',
    { mode: 'pool', sources: ids('b', 'c'), strategy: 'least-used' },
    { quota: { b: { readings: [windowAt(80)], spent: [] }, c: { readings: [windowAt(10)], spent: [] } } },
    'c b | rank',
  ],
  [
    'a pool in listed order is in its own order, not in the models’ one',
    { mode: 'pool', sources: ids('c', 'a', 'b'), strategy: 'ordered' },
    {},
    'c a b | rank',
  ],
  ['strict with several tries them as they are listed', { mode: 'strict', sources: ids('c', 'b') }, {}, 'c b | rank'],
  [
    'several preferred ones stand first as they are listed',
    { mode: 'preferred', sources: ids('c', 'b'), fallback: 'default' },
    {},
    'c b a | rank',
  ],
  [
    'a fallback set has an order of its own too',
    { mode: 'preferred', sources: ids('b'), fallback: { sources: ids('c', 'a'), strategy: 'ordered' } },
    {},
    'b c a | rank',
  ],
  ['preferred stands first', { mode: 'preferred', sources: ids('c'), fallback: 'default' }, {}, 'c a b | rank'],
  [
    'preferred that rests stands behind its fallback',
    { mode: 'preferred', sources: ids('c'), fallback: 'default' },
    resting('c'),
    'a b c | rank',
  ],
  [
    'preferred with no fallback is alone',
    { mode: 'preferred', sources: ids('c'), fallback: 'none' },
    {},
    'c | only-candidate',
  ],
  [
    'preferred with a set of its own to fall back to',
    { mode: 'preferred', sources: ids('c'), fallback: { sources: ids('b'), strategy: 'ordered' } },
    {},
    'c b | rank',
  ],
])('%s', (_, policy, change, expected) => {
  expect(shown(under(policy, change))).toBe(expected)
})

function windowAt(usedPercent: number) {
  const times = { lengthMs: 604_800_000, resetAtMs: Date.UTC(2026, 11, 1), readAtMs: Date.UTC(2026, 10, 30, 12) }
  return { window: 'weekly', usedPercent, family: null, source: 'header' as const, ...times }
}

test('a fallback says who was wanted and why it was not taken', () => {
  const plan = under({ mode: 'preferred', sources: ids('c'), fallback: 'default' }, resting('c'))
  if (plan instanceof Refusal) throw plan
  expect([plan.wanted, plan.warnings]).toEqual(['c', ['Fallback: C was wanted. Resting.']])
})

test('wanted is the first named account that serves the model; where none does, nobody was', () => {
  const luna = { id: 'gpt-6-luna', upstreamModel: 'gpt-6-luna', aliases: [], free: false }
  const other = account('d', { models: [luna] })
  const change = { sources: [a, b, c, other] }
  const named = (...names: readonly string[]) =>
    under({ mode: 'preferred', sources: ids(...names), fallback: 'default' }, { ...change, ...resting('c') })
  const told = [named('d', 'c'), named('d'), named('c', 'a')].map((plan) => {
    if (plan instanceof Refusal) throw plan
    return [plan.wanted, plan.warnings]
  })
  expect(told).toEqual([
    ['c', ['Fallback: C was wanted. Resting.']],
    [null, []],
    ['c', []],
  ])
})

describe('folder rules', () => {
  const rule = (folder: string, id: string): FolderRule => ({
    folder,
    policy: { mode: 'strict', sources: ids(id) },
  })
  const folders = [rule('/home/me/play', 'b'), rule('/home/me/play/secret', 'c'), rule('C:\\tools', 'c')]
  const key = accessKey({ folders })
  test.each([
    ['no folder', [], 'a b c | rank'],
    ['a folder that no rule knows', ['/home/me/other'], 'a b c | rank'],
    ['a folder whose name only begins so', ['/home/me/playground'], 'a b c | rank'],
    ['the folder itself', ['/home/me/play/'], 'b | only-candidate'],
    ['a folder inside', ['/home/me/play/game'], 'b | only-candidate'],
    ['the longer rule', ['/home/me/play/secret/x'], 'c | only-candidate'],
    ['another spelling of a drive', ['c:/tools/app'], 'c | only-candidate'],
    ['a path that climbs out', ['/home/me/play/../other'], 'a b c | rank'],
    ['two folders of one rule', ['/home/me/play/x', '/home/me/play/y'], 'b | only-candidate'],
    ['two folders of different rules', ['/home/me/play/x', '/home/me/play/secret'], 'a b c | rank'],
  ])('%s', (_, from, expected) => {
    expect(shown(planFor(ask({ key, folders: from }), viewOf({ ...situation, key })))).toBe(expected)
  })

  test('a key without a policy stays refused, whatever its folders say', () => {
    const unbound = accessKey({ folders, policy: null })
    const view = viewOf({ ...situation, key: unbound })
    expect(shown(planFor(ask({ key: unbound, folders: ['/home/me/play'] }), view))).toBe('access_key_unbound')
  })
})

test('the look before sending finds an account that was removed, switched off or signed out meanwhile', () => {
  const plan = under({ mode: 'strict', sources: ids('c') })
  if (plan instanceof Refusal) throw plan
  const [only] = plan.order
  if (only === undefined) throw new Error('a candidate was expected')
  const later = (sources: readonly (typeof a)[]) => candidateLost(only, plan, viewOf({ ...situation, sources }))
  const out = { ...c, signedOut: { because: 'gone', sinceMs: 0 } }
  expect([later([a, b, c]), later([a, b]), later([a, b, { ...c, active: false }]), later([a, b, out])]).toEqual([
    null,
    'removed',
    'disabled',
    'signed-out',
  ])
})

test('the look before sending lets nothing pass that the policy does not name, even if it stands in the plan', () => {
  const plan = under({ mode: 'strict', sources: ids('c') })
  const wide = under({ mode: 'default' })
  if (plan instanceof Refusal || wide instanceof Refusal) throw new Error('plans were expected')
  const view = viewOf(situation)
  expect(wide.order.map((candidate) => candidateLost(candidate, plan, view))).toEqual(['policy', 'policy', null])
})
