/** Who lets whom in: headroom, reserve, gates, state that only one account can read, conversations moved by hand (routing §4, §5). */
import { describe, expect, test } from 'vitest'
import type { Gate } from '../../src/main/domain/gate.ts'
import type { Reading, Snapshot } from '../../src/main/domain/quota.ts'
import type { Binding } from '../../src/main/domain/session.ts'
import { type Shadow, wouldHave } from '../../src/main/flow/shadow.ts'
import { Refusal } from '../../src/main/flow/trail.ts'
import type { Ask, View } from '../../src/main/flow/view.ts'
import { Bindings } from '../../src/main/state/bindings.ts'
import { Rounds } from '../../src/main/state/rounds.ts'
import { type SourceId, sourceId } from '../../src/shared/ids.ts'
import { account, ask, nowMs, planFor, profile, type Situation, session, shown, viewOf } from './kit.ts'

const hour = 3_600_000
const [a, b, c] = [account('a'), account('b'), account('c')]

const read = (usedPercent: number, change: Partial<Reading> = {}): Reading => ({
  ...{ window: 'five-hour', usedPercent, lengthMs: 5 * hour, resetAtMs: nowMs + hour, family: null },
  ...{ source: 'header', readAtMs: nowMs - 60_000 },
  ...change,
})
const used = (usedPercent: number, change: Partial<Reading> = {}): Snapshot => ({
  readings: [read(usedPercent, change)],
  spent: [],
})
const tiers = (...groups: readonly (readonly string[])[]): NonNullable<Situation['arrangements']> => [
  {
    poolId: 'gpt-5.5' as never,
    tiers: groups.map((group) => group.map((id) => `${id}:gpt-5.5` as never)),
    disabled: [],
    strategy: null,
    options: {},
    revision: 1,
  },
]
const mine: Partial<Ask> = { session: session('s') }
const bound = { s: 'a' }

describe('low headroom', () => {
  const rows: readonly (readonly [string, Situation, Partial<Ask>, string])[] = [
    [
      'a new conversation skips an account with under 5 % left',
      { sources: [a, b], quota: { a: used(96) } },
      mine,
      'b a | rank',
    ],
    ['5 % is enough', { sources: [a, b], quota: { a: used(95) } }, mine, 'a b | rank'],
    [
      'the tightest window that counts the model decides',
      { sources: [a, b], quota: { a: { readings: [read(10), read(97, { window: 'weekly' })], spent: [] } } },
      mine,
      'b a | rank',
    ],
    [
      'another family’s window doesn’t count',
      { sources: [a, b], quota: { a: used(99, { window: 'five-hour:spark', family: 'spark' }) } },
      mine,
      'a b | rank',
    ],
    [
      'nor one that has passed its reset',
      { sources: [a, b], quota: { a: used(97, { resetAtMs: nowMs - 1 }) } },
      mine,
      'a b | rank',
    ],
    ['unless nothing else is usable', { sources: [a], quota: { a: used(96) } }, mine, 'a | only-candidate'],
    [
      'and before a lower tier',
      { sources: [a, b], quota: { a: used(96) }, arrangements: tiers(['a'], ['b']) },
      mine,
      'a b | rank',
    ],
    ['a bound conversation is unaffected', { sources: [a, b], quota: { a: used(99) }, bound }, mine, 'a b | affinity'],
    [
      'a subagent of it too',
      { sources: [a, b], quota: { a: used(99) }, bound: { parent: 'a' } },
      { session: session('child'), parents: [session('parent')] },
      'a b | inherit',
    ],
    [
      'the person sets the limit',
      { sources: [a, b], quota: { a: used(70) }, settings: { newSessionMinRemaining: 31 } },
      mine,
      'b a | rank',
    ],
    ['API keys have no headroom', { sources: [profile('k'), a], quota: { a: used(96) } }, mine, 'k a | rank'],
  ]
  test.each(rows)('%s', (_rule, situation, change, expected) => {
    expect(shown(planFor(ask(change), viewOf(situation)))).toBe(expected)
  })
})

describe('reserve', () => {
  const kept = account('kept', { reservePercent: 30, createdAtMs: 0 })
  const background: Partial<Ask> = { ...mine, interactive: false }
  const rows: readonly (readonly [string, Situation, Partial<Ask>, string])[] = [
    [
      'is kept from new background work',
      { sources: [kept, b], quota: { kept: used(80) } },
      background,
      'b kept | rank',
    ],
    ['not from a person', { sources: [kept, b], quota: { kept: used(80) } }, mine, 'kept b | rank'],
    ['not while there is more than it', { sources: [kept, b], quota: { kept: used(60) } }, background, 'kept b | rank'],
    [
      'not from what is bound',
      { sources: [kept, b], quota: { kept: used(80) }, bound: { s: 'kept' } },
      background,
      'kept b | affinity',
    ],
    [
      'is tried last, after a lower tier',
      { sources: [kept, b], quota: { kept: used(80) }, arrangements: tiers(['kept'], ['b']) },
      background,
      'b kept | rank',
    ],
    [
      'one account behaves as if there were no router',
      { sources: [kept], quota: { kept: used(80) } },
      background,
      'kept | only-candidate',
    ],
  ]
  test.each(rows)('%s', (_rule, situation, change, expected) => {
    expect(shown(planFor(ask(change), viewOf(situation)))).toBe(expected)
  })
})

const gated = (
  situation: Situation,
  pending: Readonly<Record<string, number>>,
  failedOver: readonly string[] = [],
): View => {
  const gate: Gate = { limit: 2, untilMs: nowMs + 30_000, because: 'failed-over' }
  return {
    ...viewOf(situation),
    gates: {
      pending: (id: SourceId) => pending[id] ?? 0,
      failedOverTo: (id: SourceId) => (failedOver.includes(id) ? gate : null),
    },
  }
}

describe('gates', () => {
  const pendingReset = { readings: [read(100, { resetAtMs: nowMs - 1 })], spent: [] }
  const endedMark = {
    readings: [],
    spent: [{ window: 'unnamed', family: null, untilMs: nowMs - 1, sinceMs: nowMs - hour }],
  }
  const two: Situation = { sources: [a, b] }
  const rows: readonly (readonly [string, View, Partial<Ask>, string])[] = [
    [
      'an exhausted window past its reset is usable',
      gated({ ...two, quota: { a: pendingReset } }, {}),
      mine,
      'a b | rank',
    ],
    [
      'but lets in one at a time until a reading arrives',
      gated({ ...two, quota: { a: pendingReset } }, { a: 1 }),
      mine,
      'b a | rank',
    ],
    ['a mark whose time is over is the same', gated({ ...two, quota: { a: endedMark } }, { a: 1 }), mine, 'b a | rank'],
    [
      'also for a bound conversation: elsewhere for this request',
      gated({ ...two, quota: { a: pendingReset }, bound }, { a: 1 }),
      mine,
      'b a | failover',
    ],
    ['an account just failed over to lets in two', gated(two, { a: 1 }, ['a']), mine, 'a b | rank'],
    ['and no third', gated(two, { a: 2 }, ['a']), mine, 'b a | rank'],
    [
      'as many as the person allows',
      gated({ ...two, settings: { failoverAtOnce: 5 } }, { a: 4 }, ['a']),
      mine,
      'a b | rank',
    ],
    ['those who live there are not kept out', gated({ ...two, bound }, { a: 9 }, ['a']), mine, 'a b | affinity'],
    [
      'a window that merely passed its reset with room is no gate',
      gated({ ...two, quota: { a: used(50, { resetAtMs: nowMs - 1 }) } }, { a: 5 }),
      mine,
      'a b | rank',
    ],
    ['under listed order nobody has to learn first', gated(two, { a: 5 }), mine, 'a b | rank'],
    [
      'MAG’s strategies let one request find out about an unknown account',
      gated({ ...two, settings: { defaultStrategy: 'smart' }, quota: { b: used(10) } }, {}),
      mine,
      'a b | rank',
    ],
    [
      'and no second meanwhile',
      gated({ ...two, settings: { defaultStrategy: 'smart' }, quota: { b: used(10) } }, { a: 1 }),
      mine,
      'b a | rank',
    ],
    [
      'unknown quota never breaks a binding',
      gated({ ...two, settings: { defaultStrategy: 'smart' }, quota: { b: used(10) }, bound }, { a: 3 }),
      mine,
      'a b | affinity',
    ],
  ]
  test.each(rows)('%s', (_rule, view, change, expected) => {
    expect(shown(planFor(ask(change), view))).toBe(expected)
  })
})

describe('a conversation that went cold', () => {
  const cold: Situation = { sources: [a, b, c], bound: { s: 'b' }, idleMs: 3 * hour }
  const even = { a: used(50), b: used(50), c: used(50) }
  const strategies: readonly (readonly [string, string])[] = [
    ['ordered', 'a b c'],
    ['smart', 'b a c'],
    ['least-used', 'b a c'],
    ['reset-first', 'b a c'],
    ['quota-pressure', 'b a c'],
  ]
  test.each(strategies)(
    'under %s goes to %s: its last owner wins ties and nothing else',
    (defaultStrategy, expected) => {
      const planned = planFor(ask(mine), viewOf({ ...cold, quota: even, settings: { defaultStrategy } }))
      expect(shown(planned)).toBe(`${expected} | rank`)
    },
  )
  test('a better account still wins', () => {
    const quota = { ...even, b: used(60) }
    const view = viewOf({ ...cold, quota, settings: { defaultStrategy: 'least-used' } })
    expect(shown(planFor(ask(mine), view))).toBe('a c b | rank')
  })
})

describe('state of an earlier answer', () => {
  const holds = (kind: 'previous-response' | 'container' | 'turn-state') => [{ kind, hash: 'h' }]
  const owned = (situation: Situation, owner: string | null): View => ({
    ...viewOf(situation),
    owners: { get: () => (owner === null ? undefined : sourceId(owner)) },
  })
  const spentB: Snapshot = {
    readings: [],
    spent: [{ window: 'weekly', family: null, untilMs: nowMs + hour, sinceMs: nowMs }],
  }
  const two: Situation = { sources: [a, b] }
  const rows: readonly (readonly [string, View, Partial<Ask>, string])[] = [
    [
      'an earlier answer stays with its account, and nobody else is asked',
      owned(two, 'b'),
      { holds: holds('previous-response') },
      'b | affinity',
    ],
    ['a container too', owned(two, 'b'), { holds: holds('container') }, 'b | affinity'],
    [
      'it wins over the conversation’s binding',
      owned({ ...two, bound }, 'b'),
      { ...mine, holds: holds('previous-response') },
      'b | affinity',
    ],
    [
      'an unknown maker is looked for where the conversation is',
      owned({ ...two, bound: { s: 'b' } }, null),
      { ...mine, holds: holds('container') },
      'b | affinity',
    ],
    [
      'also when that has gone cold',
      owned({ ...two, bound: { s: 'b' }, idleMs: 3 * hour }, null),
      { ...mine, holds: holds('container') },
      'b | affinity',
    ],
    ['nothing is known: ranked', owned(two, null), { holds: holds('previous-response') }, 'a b | rank'],
    [
      'its account is spent: the turn ends with the vendor’s own recoverable error',
      owned({ ...two, quota: { b: spentB } }, 'b'),
      { holds: holds('previous-response') },
      'state_elsewhere',
    ],
    [
      'its account is gone: the same',
      owned({ sources: [a] }, 'b'),
      { holds: holds('previous-response') },
      'state_elsewhere',
    ],
    ['a turn’s token prefers its account', owned(two, 'b'), { holds: holds('turn-state') }, 'b a | affinity'],
    [
      'and moves on without it where that can’t serve',
      owned({ ...two, quota: { b: spentB } }, 'b'),
      { holds: holds('turn-state') },
      'a | only-candidate',
    ],
  ]
  test.each(rows)('%s', (_rule, view, change, expected) => {
    expect(shown(planFor(ask(change), view))).toBe(expected)
  })

  test('one turn elsewhere doesn’t move the conversation', () => {
    const planned = planFor(ask({ ...mine, holds: holds('turn-state') }), owned({ ...two, bound }, 'b'))
    expect(planned instanceof Refusal ? null : [planned.order[0]?.backend.source.id, planned.binds]).toEqual([
      'b',
      null,
    ])
  })
})

describe('moved by the person', () => {
  const boundToA = (change: Partial<Binding>, order: readonly string[]): View => ({
    ...viewOf({ sources: [a, b], arrangements: tiers(order) }),
    bindings: {
      get: (id) => ({ session: id, sourceId: a.id, boundAtMs: 0, lastUsedMs: nowMs, ...change }),
    },
  })
  const rows: readonly (readonly [string, View, string])[] = [
    ['to a chosen account', boundToA({ sourceId: b.id, moved: 'here' }, ['a', 'b']), 'b a | rebind:moved-by-user'],
    ['to wherever a new one would go', boundToA({ moved: 'anew' }, ['b', 'a']), 'b a | rebind:moved-by-user'],
    ['which may be where it was', boundToA({ moved: 'anew' }, ['a', 'b']), 'a b | rebind:moved-by-user'],
    ['not moved: it stays', boundToA({}, ['b', 'a']), 'a b | affinity'],
  ]
  test.each(rows)('%s', (_rule, view, expected) => {
    expect(shown(planFor(ask(mine), view))).toBe(expected)
  })
})

describe('shadow mode', () => {
  const shadow = (): Shadow => ({ bindings: new Bindings([], nowMs), rounds: new Rounds({ unit: () => 0 }) })
  const situation: Situation = {
    sources: [a, b],
    quota: { a: used(60), b: used(10) },
    settings: { defaultStrategy: 'least-used' },
  }
  const listed = (more: Situation = {}): View => ({ ...viewOf({ ...situation, ...more }), listedOnly: true })

  test('listed order serves, bindings or not, and what routing would have done is said', () => {
    const view = listed({ bound: { s: 'b' } })
    expect(shown(planFor(ask(mine), view))).toBe('a b | rank')
    expect(wouldHave(ask(mine), view, shadow())).toEqual({
      backendId: 'b:gpt-5.5',
      label: 'B',
      strategy: 'least-used',
      reason: 'rank',
      order: ['b:gpt-5.5', 'a:gpt-5.5'],
    })
  })

  test('it keeps its own would-be bindings', () => {
    const own = shadow()
    wouldHave(ask(mine), listed(), own)
    const later = listed({ quota: { a: used(0), b: used(90) } })
    expect(wouldHave(ask(mine), later, own)).toMatchObject({ label: 'B', reason: 'affinity' })
  })

  test('and its own rounds', () => {
    const own = shadow()
    const view = listed({ settings: { defaultStrategy: 'rotate' } })
    const labels = [1, 2, 3].map(() => wouldHave(ask({}), view, own)?.label)
    expect(new Set(labels).size).toBe(2)
    expect(labels[0]).toBe(labels[2])
  })

  test('a refusal is said by its code, and while routing serves there is nothing to say', () => {
    expect(wouldHave(ask({ model: 'nobody-has-it', providerId: 'any' }), listed(), shadow())?.reason).toBe(
      'model_not_served',
    )
    expect(wouldHave(ask(mine), viewOf(situation), shadow())).toBe(null)
  })
})
