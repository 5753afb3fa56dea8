/** Route rules in the pure stages: which one holds, what it overrides, and what still stands over it (routing §3). */
import { describe, expect, test } from 'vitest'
import { fits, type RouteRule } from '../../src/main/domain/route-rule.ts'
import type { Source } from '../../src/main/domain/source.ts'
import { candidates } from '../../src/main/flow/40-candidates.ts'
import { explain } from '../../src/main/flow/explain.ts'
import { Refusal } from '../../src/main/flow/trail.ts'
import type { Ask, View } from '../../src/main/flow/view.ts'
import { withRules } from '../../src/main/state/sources.ts'
import type { BackendId } from '../../src/shared/ids.ts'
import { accessKey, account, ask, planFor, profile, shown, viewOf } from './kit.ts'

const rule = (id: string, backends: readonly string[], change: Partial<RouteRule> = {}): RouteRule => ({
  id,
  providerId: 'codex',
  matchModel: 'gpt-5.5',
  dialect: null,
  strategy: 'ordered',
  options: {},
  tiers: [backends.map((one) => one as BackendId)],
  enabled: true,
  revision: 1,
  createdAtMs: 0,
  updatedAtMs: 0,
  ...change,
})
const other = { id: 'gpt-6', upstreamModel: 'gpt-6', aliases: [], free: false }
const sources: readonly Source[] = [
  account('a'),
  account('b'),
  profile('outside', { joins: [], models: [other, { ...other, id: 'gpt-5.5', upstreamModel: 'gpt-5.5' }] }),
]
const viewWith = (rules: readonly RouteRule[], more: Parameters<typeof viewOf>[0] = {}): View => {
  const view = viewOf({ sources, ...more })
  return { ...view, picture: withRules(view.picture, rules) }
}
const by = (asked: Ask, view: View): string | undefined => {
  const bound = { ask: asked, policy: { mode: 'default' }, own: null, inherited: null } as const
  const found = candidates(bound as Parameters<typeof candidates>[0], view)
  return found instanceof Refusal ? found.problem.code : found.step?.because
}
const backA = 'a:gpt-5.5'
const backB = 'b:gpt-5.5'

describe('a pattern', () => {
  const haiku = { id: 'claude-haiku-4-5-20251001', upstreamModel: 'h', aliases: [], free: false }
  const small = [profile('small', { dialects: ['messages'], joins: ['claude'], models: [haiku] }), ...sources]
  const patterned = (...patterns: readonly (readonly [string, string])[]) =>
    patterns.map(([id, matchModel]) => rule(id, [id === 'b' ? backB : backA], { matchModel, providerId: 'any' }))
  const asked = (model: string) => ask({ providerId: 'claude', dialect: 'messages', model })
  test('serves every model that it fits, also one that nothing lists', () => {
    const view = viewWith(patterned(['a', '*haiku*']), { sources: small })
    expect(by(asked('claude-haiku-4-5-20251001'), view)).toBe('route:a')
    expect(by(asked('claude-haiku-9[1m]'), view)).toBe('route:a')
    expect(by(asked('claude-opus-4-8'), view)).not.toBe('route:a')
  })
  test('gives way to a name, and to a longer pattern', () => {
    const view = viewWith(
      [
        ...patterned(['a', '*haiku*'], ['b', 'claude-haiku-*']),
        rule('n', [backA], { matchModel: haiku.id, providerId: 'any' }),
      ],
      { sources: small },
    )
    expect([by(asked(haiku.id), view), by(asked('claude-haiku-9'), view), by(asked('x-haiku-9'), view)]).toEqual([
      'route:n',
      'route:b',
      'route:a',
    ])
  })
  test('for the small model leaves the conversation on its account', () => {
    const view = viewWith([rule('r', ['outside:gpt-6'])], { bound: { s1: 'a' } })
    const asked = ask({ session: 's1' as never })
    const plan = planFor(asked, view)
    expect([shown(plan), plan]).toMatchObject(['outside | only-candidate', { binds: null, wanted: null }])
    const named = planFor(asked, viewWith([rule('r', [backB, backA])], { bound: { s1: 'a' } }))
    expect([shown(named), named]).toMatchObject(['a b | affinity', { binds: 'a' }])
  })
  test('is no model of its own in lists', () => {
    const { picture } = viewWith(patterned(['a', '*haiku*']), { sources: small })
    expect(picture.routes.models('claude')).toEqual([])
  })
  test.each([
    ['*', 'anything', true],
    ['a*', 'a', true],
    ['a*a', 'a', false],
    ['a*b*c', 'axbxc', true],
    ['a*b*c', 'axc', false],
    ['*b*b*', 'ab', false],
    ['*-mini', 'gpt-5-mini', true],
    ['*-mini', 'gpt-5-mini-x', false],
  ])('%s and %s: %s', (pattern, name, expected) => {
    expect(fits(pattern, name)).toBe(expected)
  })
})

describe('a rule overrides the derived pool', () => {
  test('its backends in its order, and no others', () => {
    expect(shown(planFor(ask(), viewWith([])))).toBe('a b | rank')
    expect(shown(planFor(ask(), viewWith([rule('r', [backB])])))).toBe('b | only-candidate')
    expect(shown(planFor(ask(), viewWith([rule('r', [backB, backA])])))).toBe('b a | rank')
  })
  test('it reaches a source that doesn’t join the address, and another model on it', () => {
    expect(shown(planFor(ask(), viewWith([rule('r', ['outside:gpt-6', backA])])))).toBe('outside a | rank')
  })
  test('what a pool switched off is still served where a rule names it', () => {
    const arrangements = [
      {
        poolId: 'gpt-5.5' as never,
        tiers: [],
        disabled: [backB as BackendId],
        strategy: null,
        options: {},
        revision: 1,
      },
    ]
    expect(shown(planFor(ask(), viewWith([rule('r', [backB])], { arrangements })))).toBe('b | only-candidate')
  })
  test('its tiers are tiers', () => {
    const tiers = [[backB as BackendId], [backA as BackendId]]
    const planned = planFor(ask(), viewWith([rule('r', [], { tiers })]))
    expect(planned instanceof Refusal ? [] : planned.order.map(({ tier }) => tier)).toEqual([0, 1])
  })
  test('the decision names it, and its rounds are its own', () => {
    const view = viewWith([rule('r', [backB, backA], { strategy: 'rotate' })])
    expect(by(ask(), view)).toBe('route:r')
    const planned = planFor(ask(), view)
    expect(planned instanceof Refusal ? null : [planned.match?.pool.id, planned.strategy, planned.turn?.scope]).toEqual(
      ['route:r', 'rotate', 'route:r#0'],
    )
    expect(explain(ask(), view).route).toBe('route:r')
  })
})

describe('a rule holds', () => {
  const at = (change: Partial<RouteRule>): View => viewWith([rule('r', [backB], change)])
  for (const [what, change, asked, holds] of [
    ['at its own address', {}, {}, true],
    ['not at another one', { providerId: 'claude' }, {}, false],
    ['everywhere, when it is for any address', { providerId: 'any' }, {}, true],
    ['at `any` itself only when it is for any', {}, { providerId: 'any' }, false],
    ['not at an account’s own address', { providerId: 'any' }, { providerId: 'a' }, false],
    ['for its client style', { dialect: 'responses' }, {}, true],
    ['not for another style', { dialect: 'messages' }, {}, false],
    ['not for another model', { matchModel: 'gpt-6' }, {}, false],
    ['with the suffix that goes upstream', {}, { model: 'gpt-5.5-high' }, true],
    ['not while it is switched off', { enabled: false }, {}, false],
    ['not once none of its backends is left', { tiers: [['gone:gpt-5.5' as BackendId]] }, {}, false],
    ['for a model that no source lists', { matchModel: 'gpt-9' }, { model: 'gpt-9' }, true],
  ] as const satisfies readonly (readonly [string, Partial<RouteRule>, Partial<Ask>, boolean])[]) {
    test(what, () => {
      expect(by(ask(asked), at(change)) === 'route:r').toBe(holds)
    })
  }
  test('the closer one: the address before the style, both before neither', () => {
    const rules = [
      rule('neither', [backA], { providerId: 'any' }),
      rule('style', [backA], { providerId: 'any', dialect: 'responses' }),
      rule('address', [backA]),
      rule('both', [backA], { dialect: 'responses' }),
    ]
    for (const id of ['both', 'address', 'style', 'neither']) {
      const left = rules.slice(0, rules.findIndex((one) => one.id === id) + 1)
      expect(by(ask(), viewWith(left))).toBe(`route:${id}`)
    }
  })
})

test('suffix and upstream name of a rule’s backend go upstream', () => {
  const planned = planFor(ask({ model: 'gpt-5.5-high' }), viewWith([rule('r', ['outside:gpt-6'])]))
  expect(planned instanceof Refusal ? null : [planned.order[0]?.backend.upstreamModel, planned.suffix]).toEqual([
    'gpt-6',
    '-high',
  ])
})

test('what keeps an account away keeps it away under a rule too: the key’s policy, its switch, its sign-in', () => {
  const view = viewWith([rule('r', [backA, backB])])
  const key = accessKey({ policy: { mode: 'strict', sources: ['b' as never] } })
  expect(shown(planFor(ask({ key }), { ...view, keys: { get: () => key } }))).toBe('b | only-candidate')
  const off = viewWith([rule('r', [backA, backB])], { sources: [account('a', { active: false }), account('b')] })
  expect(shown(planFor(ask(), off))).toBe('b | only-candidate')
})
