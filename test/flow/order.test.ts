/** Order: tiers before strategies, resting ones last, bindings before both, rounds committed by nobody here. */
import { describe, expect, test } from 'vitest'
import type { AccessKey } from '../../src/main/domain/access-key.ts'
import { applyEffect, healthy } from '../../src/main/domain/health.ts'
import type { Arrangement } from '../../src/main/domain/pool.ts'
import type { Snapshot } from '../../src/main/domain/quota.ts'
import { defaultSettings } from '../../src/main/domain/settings.ts'
import type { Source } from '../../src/main/domain/source.ts'
import type { Plan } from '../../src/main/flow/50-order.ts'
import { plan } from '../../src/main/flow/explain.ts'
import { Refusal } from '../../src/main/flow/trail.ts'
import type { Ask, View } from '../../src/main/flow/view.ts'
import { Rounds } from '../../src/main/state/rounds.ts'
import { keyId, sourceId } from '../../src/shared/ids.ts'
import {
  account,
  anyKey,
  arrangement,
  ask,
  backend,
  model,
  profile,
  reading,
  session,
  snapshot,
  viewOf,
} from './picture.ts'

const hourMs = 3_600_000
const nowMs = Date.UTC(2026, 10, 25, 9)
const inHours = (hours: number): number => nowMs + hours * hourMs

const three = [account('a'), account('b'), account('c')]
const week = (used: number, resetInHours: number): Snapshot =>
  snapshot(reading('five-hour', 10, inHours(3), nowMs), reading('weekly', used, inHours(resetInHours), nowMs))
const known = new Map(three.map(({ id }, index) => [id, week(20, 90 - 20 * index)]))

function planned(view: View, asked: Ask = ask()): Plan {
  const found = plan(asked, view)
  if (found instanceof Refusal) throw new Error(found.problem.sentence)
  return found
}
const labels = ({ order }: Plan): string => order.map((candidate) => candidate.backend.source.label).join(' ')
const view = (pool: Arrangement, change: Partial<View> = {}, sources: readonly Source[] = three): View =>
  viewOf(sources, [pool], { nowMs, quota: known, ...change })
const resting = (id: string) =>
  applyEffect(
    healthy,
    { sourceId: sourceId(id), backendId: backend(id), host: `https://${id}` },
    { kind: 'source-rests', because: 'cooldown', untilMs: inHours(1), sentence: 'It failed.' },
    nowMs,
    0.5,
  )
const bound = (to: string): View['bindings'] =>
  new Map([[session('s'), { session: session('s'), sourceId: sourceId(to), boundAtMs: nowMs, lastUsedMs: nowMs }]])

test('inside a tier the strategy orders, and a lower tier is used only after the one above', () => {
  expect(labels(planned(view(arrangement([['a', 'b', 'c']], 'reset-first'))))).toBe('c b a')
  expect(labels(planned(view(arrangement([['a', 'b'], ['c']], 'reset-first'))))).toBe('b a c')
})

test('resting ones are tried last, whatever the strategy says', () => {
  const pool = arrangement([['a', 'b', 'c']], 'reset-first')
  expect(labels(planned(view(pool, { health: resting('c') })))).toBe('b a c')
})

test('CLO: enabled candidates by priority, skipping those still in cooldown; QR: a higher tier wins while any in it is usable', () => {
  const pool = { ...arrangement([['b', 'a'], ['c']], 'ordered'), disabled: [backend('b')] }
  expect(labels(planned(view(pool)))).toBe('a c')
  expect(labels(planned(view(pool, { health: resting('a') })))).toBe('c a')
  expect(labels(planned(view(arrangement([['a', 'b'], ['c']], 'ordered'), { health: resting('a') })))).toBe('b c a')
})

test('QR: an account confirmed exhausted is left out, and the tier below it serves', () => {
  const spent = {
    ...week(97, 50),
    spent: [{ window: 'weekly', family: null, untilMs: inHours(50), sinceMs: nowMs }],
  }
  const quota = new Map(known).set(sourceId('a'), spent)
  const found = planned(view(arrangement([['a'], ['b', 'c']], 'ordered'), { quota }))
  expect([labels(found), found.excluded.map(({ because }) => because)]).toEqual(['b c', ['exhausted:weekly']])
})

test('QR: unknown or stale quota does not break a binding, but ranks no new conversation first', () => {
  const quota = new Map([...known].filter(([id]) => id !== 'a'))
  const pool = arrangement([['a', 'b', 'c']], 'reset-first')
  const rounds = new Rounds({ unit: () => 0.5 })
  rounds.commit(planned(view(pool, { quota, rounds })).turn!)
  expect(labels(planned(view(pool, { quota, rounds })))).toBe('c b a')
  const kept = planned(view(pool, { quota, rounds, bindings: bound('a') }), ask({ session: session('s') }))
  expect([labels(kept), kept.reason]).toEqual(['a c b', 'affinity'])
})

test('a pool without a strategy of its own has the default one', () => {
  const pool = { ...arrangement([['a', 'b', 'c']], ''), strategy: null }
  const settings = { ...defaultSettings, defaultStrategy: 'reset-first' }
  expect(planned(view(pool, { settings }))).toMatchObject({ strategy: 'reset-first', warnings: [] })
})

test('a stored strategy that isn’t registered means the listed order, and the decision says so', () => {
  const found = planned(view(arrangement([['b', 'c', 'a']], 'vanished')))
  expect([labels(found), found.strategy, found.warnings]).toEqual([
    'b c a',
    'ordered',
    ['There is no strategy vanished; your order stood.'],
  ])
})

test('options are the pool’s own', () => {
  const quota = new Map(known).set(
    sourceId('c'),
    snapshot(reading('five-hour', 60, inHours(3), nowMs), reading('weekly', 20, inHours(10), nowMs)),
  )
  const first = (options: Arrangement['options']): string =>
    labels(planned(view(arrangement([['a', 'b', 'c']], 'balanced', options), { quota })))
  expect([first({}), first({ fiveHourSoftLimit: 50 })]).toEqual(['c b a', 'b a c'])
})

test('a usable binding wins over tiers, drag and strategy', () => {
  const pool = arrangement([['b', 'c'], ['a']], 'reset-first')
  const found = planned(view(pool, { bindings: bound('a') }), ask({ session: session('s') }))
  expect([labels(found), found.reason]).toEqual(['a c b', 'affinity'])
})

describe('rounds', () => {
  const rounds = new Rounds({ unit: () => 0.5 })
  const pool = arrangement([['a', 'b', 'c']], 'rotate')

  test('an explanation reads the round and leaves it; only a commit moves it on', () => {
    const look = (): string => labels(planned(view(pool, { rounds })))
    expect([look(), look()]).toEqual(['a b c', 'a b c'])
    rounds.commit(planned(view(pool, { rounds })).turn!)
    expect(look()).toBe('b c a')
  })

  test('weighted: a request that affinity keeps is charged to the seat that keeps it', () => {
    const own = new Rounds({ unit: () => 0.5 })
    const even = arrangement([['a', 'b', 'c']], 'weighted')
    const served: string[] = []
    for (let n = 0; n < 9; n += 1) {
      const isBound = n % 3 === 0
      const found = isBound
        ? planned(view(even, { rounds: own, bindings: bound('c') }), ask({ session: session('s') }))
        : planned(view(even, { rounds: own }))
      own.commit(found.turn!)
      served.push(labels(found).charAt(0))
    }
    expect(served.filter((_, n) => n % 3 === 0)).toEqual(['c', 'c', 'c'])
    expect([...served].sort().join('')).toBe('aaabbbccc')
  })

  test('a request that a lower tier keeps is charged to nobody above', () => {
    const own = new Rounds({ unit: () => 0.5 })
    const tiers = arrangement([['a', 'b'], ['c']], 'weighted')
    const found = planned(view(tiers, { rounds: own, bindings: bound('c') }), ask({ session: session('s') }))
    own.commit(found.turn!)
    expect([labels(found), own.get('gpt-5.5#0').charges]).toEqual(['c a b', new Map()])
  })

  test('one seat is not asked', () => {
    expect(planned(view(arrangement([['a']], 'rotate'), {}, [account('a')])).turn).toBe(null)
  })

  test('a key with an order of its own has its own round', () => {
    const key: AccessKey = {
      ...anyKey,
      id: keyId('key_own'),
      policy: { mode: 'pool', sources: three.map(({ id }) => id), strategy: 'rotate' },
    }
    const found = planned(view(pool, { rounds, keys: new Map() }), ask({ key }))
    expect([found.strategy, labels(found), found.turn!.scope]).toEqual(['rotate', 'a b c', 'gpt-5.5#0@key_own'])
  })
})

describe('with nothing trustworthy known', () => {
  const pool = arrangement([['b', 'a', 'c']], 'reset-first')
  test('the listed order stands and no binding is written', () => {
    const found = planned(view(pool, { quota: new Map() }), ask({ session: session('new') }))
    expect([labels(found), found.reason, found.binds]).toEqual(['b a c', 'none-trustworthy', null])
  })
  test('a binding still holds', () => {
    const found = planned(view(pool, { quota: new Map(), bindings: bound('c') }), ask({ session: session('s') }))
    expect([labels(found), found.reason]).toEqual(['c b a', 'affinity'])
  })
  test('MAG’s strategies rank the unknown first instead, and bind', () => {
    const smart = { ...pool, strategy: 'smart' }
    const some = new Map([...known].slice(0, 1))
    const found = planned(view(smart, { quota: some }), ask({ session: session('new') }))
    expect([labels(found), found.reason, found.binds]).toEqual(['b c a', 'rank', 'b'])
  })
})

test('of API keys the one whose model has the large context asked for goes first, unless the order is law', () => {
  const upstreamModel = 'gpt-5.5-large[1m]'
  const large = profile('l', { models: [{ id: model, upstreamModel, aliases: [], free: false }] })
  const order = (strategy: string): string =>
    labels(
      planned(
        view(arrangement([['k', 'l']], strategy), { quota: new Map() }, [profile('k'), large]),
        ask({ model: `${model}[1m]` }),
      ),
    )
  expect([order('healthiest'), order('ordered')]).toEqual(['l k', 'k l'])
})

test('the decision keeps each seat’s numbers as the strategy saw them, and its windows', () => {
  const { seats } = planned(view(arrangement([['a', 'b', 'c']], 'reset-first')))
  expect(seats[0]).toEqual({
    backendId: backend('c'),
    label: 'c',
    tier: 0,
    position: 2,
    usable: true,
    because: 'ready',
    usedPercent: 20,
    numbers: {
      key: backend('c'),
      account: true,
      known: true,
      learns: false,
      used: 20,
      soonMs: [inHours(50), inHours(3)],
      pace: 80 / 50,
      weight: 1,
      resting: false,
      tokens: 0,
      free: false,
      credits: false,
      long: { leftPercent: 80, renewsAtMs: inHours(50) },
      fiveHourUsed: 10,
      maxAgeMs: 15 * 60_000,
      firstContentMs: null,
      failures: 0,
    },
    windows: [
      { window: 'five-hour', usedPercent: 10, resetAtMs: inHours(3), lengthMs: null },
      { window: 'weekly', usedPercent: 20, resetAtMs: inHours(50), lengthMs: null },
    ],
  })
})
