/** What holds for every strategy: the check of its order, the registry, fitting keys, options. */
import { describe, expect, test } from 'vitest'
import { optionProblem } from '../../src/main/strategies/options.ts'
import { ordered } from '../../src/main/strategies/ordered.ts'
import { findStrategy, registryOf, strategies } from '../../src/main/strategies/registry.ts'
import { freshRound } from '../../src/main/strategies/round-state.ts'
import { smart } from '../../src/main/strategies/smart.ts'
import { apply, first, fitFirst, type Strategy } from '../../src/main/strategies/strategy.ts'
import { apiKey, nowMs, seat } from './kit.ts'

const seats = [seat('a'), seat('b'), seat('c')]
const answering = (order: unknown): Strategy => ({
  ...ordered,
  order: () => ({ order: order as number[], next: { ...freshRound, turn: 9 } }),
})

describe('an order that isn’t a permutation leaves the seats in their listed order', () => {
  test.each([
    ['too short', [0, 1]],
    ['too long', [0, 1, 2, 2]],
    ['one twice', [0, 1, 1]],
    ['outside', [0, 1, 3]],
    ['negative', [-1, 0, 1]],
    ['a fraction', [0, 1, 1.5]],
    ['no list', { length: 3 }],
    ['nothing', undefined],
  ])('%s', (_name, order) => {
    const applied = apply(answering(order), 'p', seats, nowMs, freshRound)
    expect(applied).toEqual({ order: [0, 1, 2], next: freshRound, untrusted: false, failedOpen: true })
  })
})

test('a strategy that throws leaves the seats in their listed order', () => {
  const throwing: Strategy = {
    ...ordered,
    order: () => {
      throw new Error('oops')
    },
  }
  expect(apply(throwing, 'p', seats, nowMs, freshRound).failedOpen).toBe(true)
})

test('it is asked with two seats or more', () => {
  const applied = apply(answering('never asked'), 'p', [seat('a')], nowMs, freshRound)
  expect(applied).toEqual({ order: [0], next: freshRound, untrusted: false, failedOpen: false })
})

test('first puts the best before the others in their order; none leaves them', () => {
  expect([first(2, 4), first(0, 3), first(-1, 3)]).toEqual([
    [2, 0, 1, 3],
    [0, 1, 2],
    [0, 1, 2],
  ])
})

test('among API keys those that fit better go first, each kept in its order among those alike; accounts stay', () => {
  const mixed = [apiKey('k0'), seat('a1'), apiKey('k2'), apiKey('k3'), seat('a4'), apiKey('k5')]
  expect(fitFirst([5, 1, 0, 4, 2, 3], mixed, [2, 0, 3, 2, 9, 2])).toEqual([2, 1, 5, 4, 0, 3])
  expect(fitFirst([1, 0, 4], mixed, [0, 0, 0, 0, 9])).toEqual([1, 0, 4])
})

describe('the registry', () => {
  test('serves the thirteen of the design under their names, ordered alone exact', () => {
    expect(strategies.map(({ id }) => id)).toEqual([
      'ordered',
      'smart',
      'rotate',
      'least-used',
      'pace',
      'weighted',
      'free-first',
      'reset-first',
      'quota-pressure',
      'balanced',
      'latency',
      'fill-first',
      'healthiest',
    ])
    expect(strategies.filter(({ exact }) => exact)).toEqual([ordered])
    expect(strategies.filter(({ byUse }) => byUse).map(({ id }) => id)).toEqual(['least-used', 'pace'])
    expect(strategies.filter(({ byFree }) => byFree).map(({ id }) => id)).toEqual(['free-first'])
  })
  test('find gives smart for no name, and nothing for one that nobody serves', () => {
    expect([findStrategy(''), findStrategy('constructor')]).toEqual([smart, undefined])
  })
  test('registering one already served stacks: the last serves until it is removed', () => {
    const registry = registryOf([smart])
    const [one, two] = [answering([2, 1, 0]), answering([1, 0, 2])]
    const removeOne = registry.register('smart', one)
    const removeTwo = registry.register('smart', two)
    const found = [registry.find('smart')]
    removeOne()
    removeOne()
    found.push(registry.find('smart'))
    removeTwo()
    found.push(registry.find('smart'))
    expect(found).toEqual([two, two, smart])
  })
  test('served says whether a name is served now', () => {
    const registry = registryOf([])
    const remove = registry.register('mine', ordered)
    const before = registry.served('mine')
    remove()
    expect([before, registry.served('mine'), registry.served('')]).toEqual([true, false, false])
  })
})

test.each([
  [{ fiveHourSoftLimit: 70 }, null],
  [{ fiveHourSoftLimit: 101 }, 'fiveHourSoftLimit must be a number from 0 to 100'],
  [{ fiveHourSoftLimit: Number.NaN }, 'fiveHourSoftLimit must be a number from 0 to 100'],
  [{ fiveHourSoftLimit: '70' }, 'fiveHourSoftLimit must be a number from 0 to 100'],
  [{ lowShare: 70 }, 'the strategy has no option lowShare; it has fiveHourSoftLimit'],
])('options are checked against the strategy’s own: %j', (options, problem) => {
  expect(optionProblem(findStrategy('balanced')!.options, options)).toBe(problem)
})
