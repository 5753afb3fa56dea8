/** Pools and matching, rule by rule (routing §3). */
import { describe, expect, test } from 'vitest'
import { deriveBackends } from '../../src/main/domain/backend.ts'
import { derivePools, splitSuffix } from '../../src/main/domain/pool.ts'
import type { Source } from '../../src/main/domain/source.ts'
import { Refusal } from '../../src/main/flow/trail.ts'
import { account, ask, claudeAccount, local, planFor, possibleFor, profile, shown, viewOf } from './kit.ts'

const model = (id: string, upstreamModel = id, aliases: readonly string[] = []) => ({
  id,
  upstreamModel,
  aliases,
  free: false,
})
const pools = (sources: readonly Source[], arrangements: Parameters<typeof derivePools>[1] = []) =>
  derivePools(deriveBackends(sources), arrangements)
const places = (found: ReturnType<ReturnType<typeof pools>['find']>) =>
  found?.pool.places.map((place) => `${place.backend.source.id}@${place.tier}.${place.position}`)

test('a fresh pool lists API profiles, then accounts, then local providers', () => {
  const found = pools([local('l', { models: [model('gpt-5.5')] }), account('a'), profile('p'), account('b')]).find(
    'gpt-5.5',
  )
  expect(places(found)).toEqual(['p@0.0', 'a@0.1', 'b@0.2', 'l@0.3'])
})

describe('matching takes the first kind that has any backend, and never mixes kinds', () => {
  const sources = [
    account('exact', { models: [model('x')] }),
    account('upstream', { models: [model('other', 'x'), model('u', 'only-upstream')] }),
    account('alias', { models: [model('third', 'third', ['x', 'only-upstream', 'only-alias'])] }),
  ]
  for (const [name, by, ids] of [
    ['x', 'model', ['exact@0.0']],
    ['only-upstream', 'upstream-model', ['upstream@0.0']],
    ['only-alias', 'alias', ['alias@0.0']],
  ] as const) {
    test(name, () => {
      const found = pools(sources).find(name)
      expect([found?.by, places(found)]).toEqual([by, ids])
    })
  }
  test('nothing', () => expect(pools(sources).find('nobody')).toBeNull())
  test('case counts', () => expect(pools(sources).find('X')).toBeNull())
})

describe('effort and thinking suffixes and [1m] are set aside for matching and go upstream as written', () => {
  for (const [asked, name, suffix] of [
    ['gpt-5.5-high', 'gpt-5.5', '-high'],
    ['gpt-5.5:xhigh', 'gpt-5.5', ':xhigh'],
    ['claude-opus-4-8[1m]', 'claude-opus-4-8', '[1m]'],
    ['claude-opus-4-8-thinking[1m]', 'claude-opus-4-8', '-thinking[1m]'],
    ['gpt-5.5(medium)', 'gpt-5.5', '(medium)'],
    ['gpt-5.5-highest', 'gpt-5.5-highest', ''],
    ['high', 'high', ''],
    ['-high', '-high', ''],
  ] as const) {
    test(asked, () => expect(splitSuffix(asked)).toEqual({ name, suffix }))
  }

  test('a model that is listed with its suffix is taken as written', () => {
    const found = pools([account('a', { models: [model('m'), model('m-high')] })])
    expect([found.find('m-high')?.suffix, found.find('m-high')?.pool.model, found.find('m-low')?.suffix]).toEqual([
      '',
      'm-high',
      '-low',
    ])
  })
})

describe('a stored arrangement', () => {
  const sources = [account('a'), account('b'), account('c'), account('d')]
  const arranged = (tiers: readonly (readonly string[])[], disabled: readonly string[] = []) =>
    pools(sources, [
      {
        poolId: 'gpt-5.5' as never,
        tiers: tiers.map((tier) => tier.map((id) => `${id}:gpt-5.5`)) as never,
        disabled: disabled.map((id) => `${id}:gpt-5.5`) as never,
        strategy: 'ordered',
        options: {},
        revision: 4,
      },
    ]).find('gpt-5.5')

  test('gives tiers and positions; backends it does not name follow in its last tier', () => {
    expect(places(arranged([['c'], ['b']]))).toEqual(['c@0.0', 'b@1.0', 'a@1.1', 'd@1.2'])
  })
  test('forgets backends that are gone and tiers that are empty', () => {
    expect(places(arranged([['gone'], ['d', 'gone'], []]))).toEqual(['d@0.0', 'a@0.1', 'b@0.2', 'c@0.3'])
  })
  test('switches backends off in this pool only', () => {
    expect(
      arranged([], ['b'])
        ?.pool.places.filter((place) => !place.enabled)
        .map((place) => place.backend.source.id),
    ).toEqual(['b'])
  })
  test('keeps strategy and revision', () => {
    expect([arranged([])?.pool.strategy, arranged([])?.pool.revision]).toEqual(['ordered', 4])
  })
})

describe('an address filters its pool', () => {
  const sources = [
    profile('joined'),
    profile('apart', { joins: [] }),
    account('one'),
    account('two'),
    claudeAccount('claude-one'),
    local('house', { models: [model('gpt-5.5')] }),
  ]
  const view = viewOf({ sources })
  for (const [providerId, expected] of [
    ['codex', 'joined one two | rank'],
    ['any', 'joined apart one two house | rank'],
    ['one', 'one | pinned'],
    ['apart', 'apart | pinned'],
    ['house', 'house | pinned'],
    ['nowhere', 'model_not_served'],
  ]) {
    test(`${providerId} → ${expected}`, () =>
      expect(shown(planFor(ask({ providerId: providerId ?? '' }), view))).toBe(expected))
  }

  test('a dialect that has to be translated is served too, but a compaction is not', () => {
    expect(shown(planFor(ask({ providerId: 'any', dialect: 'chat' }), view))).toBe('joined apart one two house | rank')
    expect(shown(planFor(ask({ providerId: 'any', dialect: 'messages', operation: 'compact' }), view))).toBe(
      'house | only-candidate',
    )
  })
})

describe('a model that no source lists', () => {
  const view = viewOf({ sources: [account('one'), claudeAccount('claude-one'), profile('joined')] })
  const genuine = { claudeCodeMarks: ['session-id', 'x-app', 'user-agent'], dialect: 'messages' as const }
  test('goes to the vendor’s accounts as written', () => {
    expect(shown(planFor(ask({ model: 'gpt-9' }), view))).toBe('one | only-candidate')
    expect(shown(planFor(ask({ model: 'claude-9', providerId: 'claude', ...genuine }), view))).toBe(
      'claude-one | only-candidate',
    )
    const possible = possibleFor(ask({ model: 'gpt-9[1m]' }), view)
    expect(
      possible instanceof Refusal
        ? null
        : [possible.candidates[0]?.backend.upstreamModel, possible.candidates[0]?.backend.listed, possible.suffix],
    ).toEqual(['gpt-9[1m]', false, ''])
  })
  test('goes to a pinned account, and nowhere else', () => {
    expect(shown(planFor(ask({ model: 'gpt-9', providerId: 'one' }), view))).toBe('one | pinned')
    for (const providerId of ['any', 'joined'])
      expect(shown(planFor(ask({ model: 'gpt-9', providerId }), view))).toBe('model_not_served')
  })
  test('names what is served in the refusal', () => {
    const refused = planFor(ask({ model: 'gpt-9', providerId: 'joined' }), view)
    expect(refused instanceof Refusal ? refused.problem.next : '').toContain('gpt-5.5')
  })
})

describe('a request without a model', () => {
  test('uses the provider’s default', () => {
    const view = viewOf({ sources: [account('one', { models: [model('a'), model('b')], defaultModel: 'b' })] })
    const possible = possibleFor(ask({ model: null }), view)
    expect(possible instanceof Refusal ? null : possible.match?.pool.model).toBe('b')
  })
  test('uses the first model where none is set, and is refused at `any`', () => {
    const view = viewOf({ sources: [account('one')] })
    const possible = possibleFor(ask({ model: null }), view)
    expect(possible instanceof Refusal ? null : possible.match?.pool.model).toBe('gpt-5.5')
    expect(shown(planFor(ask({ model: null, providerId: 'any' }), view))).toBe('model_not_served')
  })
})
