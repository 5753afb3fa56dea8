/** Who is first and why: bindings, the only candidate, keys and their policies (routing §5, access.md). */
import { describe, expect, test } from 'vitest'
import type { AccessKey } from '../../src/main/domain/access-key.ts'
import type { Health } from '../../src/main/domain/health.ts'
import type { Snapshot } from '../../src/main/domain/quota.ts'
import { explain } from '../../src/main/flow/explain.ts'
import { Refusal } from '../../src/main/flow/trail.ts'
import { sourceId } from '../../src/shared/ids.ts'
import { accessKey, account, ask, nowMs, planFor, type Situation, session, shown, viewOf } from './kit.ts'

const [a, b, c] = [account('a'), account('b'), account('c')]
const spent = (
  window = 'five-hour',
  untilMs: number | null = nowMs + 60_000,
  family: string | null = null,
): Snapshot => ({ readings: [], spent: [{ window, family, untilMs, sinceMs: nowMs - 1 }] })
const reading = (
  usedPercent: number,
  resetAtMs: number | null = nowMs + 60_000,
  family: string | null = null,
): Snapshot => ({
  readings: [
    { window: 'weekly', usedPercent, lengthMs: null, resetAtMs, family, source: 'header', readAtMs: nowMs - 1 },
  ],
  spent: [],
})
const rests = (id: string, because = 'cooldown', untilMs: number | null = nowMs + 1_000): Partial<Health> => ({
  sources: new Map([
    [sourceId(id), { because: because as never, sinceMs: 0, untilMs, failures: 1, sentence: 'It failed.' }],
  ]),
})

interface Row {
  readonly name: string
  readonly situation: Situation
  readonly ask?: Parameters<typeof ask>[0]
  readonly expected: string
}

describe('a conversation', () => {
  const bound = { s: 'b', p: 'c' }
  const mine = { session: session('s') }
  const fresh = { session: session('new') }
  const rows: readonly Row[] = [
    {
      name: 'bound and usable keeps its account',
      situation: { sources: [a, b, c], bound },
      ask: mine,
      expected: 'b a c | affinity',
    },
    {
      name: 'bound and unknown quota keeps it too',
      situation: { sources: [a, b, c], bound, quota: { b: reading(99) } },
      ask: mine,
      expected: 'b a c | affinity',
    },
    {
      name: 'bound and spent goes elsewhere',
      situation: { sources: [a, b, c], bound, quota: { b: spent() } },
      ask: mine,
      expected: 'a c | failover',
    },
    {
      name: 'bound and resting goes elsewhere',
      situation: { sources: [a, b, c], bound, health: rests('b') },
      ask: mine,
      expected: 'a c b | failover',
    },
    { name: 'bound and removed', situation: { sources: [a, c], bound }, ask: mine, expected: 'a c | rebind:removed' },
    {
      name: 'bound and signed out',
      situation: { sources: [a, account('b', { signedOut: { because: 'x', sinceMs: 0 } }), c], bound },
      ask: mine,
      expected: 'a c | rebind:signed-out',
    },
    {
      name: 'bound and switched off',
      situation: { sources: [a, account('b', { active: false }), c], bound },
      ask: mine,
      expected: 'a c | rebind:disabled',
    },
    {
      name: 'bound and no longer allowed',
      situation: { sources: [a, b], bound, key: accessKey({ policy: { mode: 'strict', sources: [sourceId('a')] } }) },
      ask: mine,
      expected: 'a | rebind:policy',
    },
    {
      name: 'bound and not entitled any more',
      situation: { sources: [a, b], bound, health: { notEntitled: new Map([['b:gpt-5.5' as never, nowMs + 1]]) } },
      ask: mine,
      expected: 'a | rebind:model-not-entitled',
    },
    { name: 'unbound is ranked', situation: { sources: [a, b], bound }, ask: fresh, expected: 'a b | rank' },
    {
      name: 'unbound with a bound parent inherits',
      situation: { sources: [a, b, c], bound },
      ask: { ...fresh, parents: [session('p')] },
      expected: 'c a b | inherit',
    },
    {
      name: 'the nearest bound parent counts',
      situation: { sources: [a, b, c], bound },
      ask: { ...fresh, parents: [session('nobody'), session('s'), session('p')] },
      expected: 'b a c | inherit',
    },
    {
      name: 'a parent that rests is ranked',
      situation: { sources: [a, b, c], bound, health: rests('c') },
      ask: { ...fresh, parents: [session('p')] },
      expected: 'a b c | rank',
    },
    {
      name: 'inheriting switched off',
      situation: { sources: [a, b, c], bound, settings: { inherit: false } },
      ask: { ...fresh, parents: [session('p')] },
      expected: 'a b c | rank',
    },
    {
      name: 'cold for two hours is ranked, its old account winning ties only',
      situation: { sources: [a, b, c], bound, idleMs: 2 * 3_600_000 + 1 },
      ask: mine,
      expected: 'a b c | rank',
    },
    {
      name: 'a cold parent is not inherited from',
      situation: { sources: [a, b, c], bound, idleMs: 2 * 3_600_000 + 1 },
      ask: { ...fresh, parents: [session('p')] },
      expected: 'a b c | rank',
    },
    {
      name: 'pinned ignores its binding',
      situation: { sources: [a, b], bound },
      ask: { ...mine, providerId: 'a' },
      expected: 'a | pinned',
    },
    {
      name: 'without a session only the ranking counts',
      situation: { sources: [a, b], bound },
      ask: {},
      expected: 'a b | rank',
    },
  ]
  for (const row of rows)
    test(row.name, () => expect(shown(planFor(ask(row.ask), viewOf(row.situation)))).toBe(row.expected))

  test('is bound by this call only where it was unbound, inherits or must be chosen anew', () => {
    const binds = (asked: Parameters<typeof ask>[0], situation: Situation): string | null => {
      const planned = planFor(ask(asked), viewOf({ bound, ...situation }))
      return planned instanceof Refusal ? 'refused' : planned.binds
    }
    expect([
      binds(fresh, { sources: [a, b] }),
      binds({ ...fresh, parents: [session('p')] }, { sources: [a, b, c] }),
      binds(mine, { sources: [a, c] }),
      binds(mine, { sources: [a, b], quota: { b: spent() } }),
      binds({ ...mine, providerId: 'a' }, { sources: [a, b] }),
      binds({}, { sources: [a, b] }),
    ]).toEqual(['a', 'c', 'a', null, null, null])
  })
})

describe('the only candidate is asked whatever its state', () => {
  for (const [name, situation, expected] of [
    ['spent', { sources: [a], quota: { a: spent() } }, 'a | only-candidate'],
    ['resting', { sources: [a], health: rests('a') }, 'a | only-candidate'],
    [
      'resting beside an excluded one',
      { sources: [a, account('x', { active: false })], health: rests('a') },
      'a | only-candidate',
    ],
    ['spent beside a spent one', { sources: [a, b], quota: { a: spent(), b: spent() } }, 'all_exhausted'],
    ['signed out', { sources: [account('x', { signedOut: { because: 'x', sinceMs: 0 } })] }, 'none_available'],
    [
      'outside the policy',
      { sources: [a], key: accessKey({ policy: { mode: 'pool', sources: [], strategy: 'ordered' } }) },
      'none_available',
    ],
    [
      'outside a strict policy',
      { sources: [a], key: accessKey({ policy: { mode: 'strict', sources: [sourceId('gone')] } }) },
      'upstream_binding_unavailable',
    ],
  ] as const satisfies readonly (readonly [string, Situation, string])[]) {
    test(`${name} → ${expected}`, () =>
      expect(shown(planFor(ask({ key: (situation as Situation).key ?? accessKey() }), viewOf(situation)))).toBe(
        expected,
      ))
  }

  test('all spent: 429 until the first of them is back, naming labels and no e-mail', () => {
    const refused = planFor(
      ask(),
      viewOf({ sources: [a, b], quota: { a: spent('weekly', nowMs + 90_000), b: spent('five-hour', nowMs + 30_000) } }),
    )
    if (!(refused instanceof Refusal)) throw new Error('it was planned')
    expect([refused.problem.status, refused.retryAfterMs]).toEqual([429, 30_000])
    expect(refused.problem.sentence).toBe(
      'Every account for gpt-5.5 is used up: A: Weekly window spent; B: 5-hour window spent.',
    )
    expect(refused.problem.next).toContain('2026-11-30 12:00 UTC')
  })

  test('a refusal shows only sources that the key may see', () => {
    const key = accessKey({ policy: { mode: 'pool', sources: [sourceId('a')], strategy: 'ordered' } })
    const refused = planFor(ask({ key }), viewOf({ sources: [account('a', { active: false }), b], key }))
    expect(refused instanceof Refusal ? refused.problem.sentence : '').toBe(
      'No account for gpt-5.5 can serve now: A: Switched off.',
    )
  })
})

describe('a key', () => {
  const sources = [a, b]
  for (const [change, expected] of [
    [{}, 'a b | rank'],
    [{ state: 'disabled' }, 'access_credential_inactive'],
    [{ state: 'revoked' }, 'access_credential_inactive'],
    [{ state: 'pending' }, 'access_credential_inactive'],
    [{ expiresAtMs: nowMs }, 'access_credential_inactive'],
    [{ expiresAtMs: nowMs + 1 }, 'a b | rank'],
    [{ policy: null }, 'access_key_unbound'],
    [{ providers: ['claude'] }, 'access_scope_denied'],
    [{ providers: [] }, 'access_scope_denied'],
    [{ operations: ['count'] }, 'access_scope_denied'],
    [{ models: ['other'] }, 'access_scope_denied'],
    [{ models: ['gpt-5.5'], providers: ['codex'], operations: ['generate'] }, 'a b | rank'],
    [{ policy: { mode: 'preferred', sources: [sourceId('b')], fallback: 'default' } }, 'b a | rank'],
    [{ policy: { mode: 'preferred', sources: [sourceId('b')], fallback: 'none' } }, 'b | only-candidate'],
    [
      {
        policy: {
          mode: 'preferred',
          sources: [sourceId('gone')],
          fallback: { sources: [sourceId('b')], strategy: 'ordered', options: {} },
        },
      },
      'b | only-candidate',
    ],
    [{ policy: { mode: 'strict', sources: [sourceId('b')] } }, 'b | only-candidate'],
  ] as readonly (readonly [Partial<AccessKey>, string])[]) {
    test(`${JSON.stringify(change)} → ${expected}`, () => {
      const key = accessKey(change)
      expect(shown(planFor(ask({ key }), viewOf({ sources, key })))).toBe(expected)
    })
  }
  test('paused routing refuses whatever the key', () =>
    expect(shown(planFor(ask(), viewOf({ sources, settings: { paused: true } })))).toBe('routing_paused'))
  test('the newest state counts, not the one that came with the request', () => {
    expect(shown(planFor(ask({ key: accessKey() }), viewOf({ sources, key: accessKey({ state: 'disabled' }) })))).toBe(
      'access_credential_inactive',
    )
  })
})

test('an explanation is the plan of a real request', () => {
  const view = viewOf({ sources: [a, b, account('x', { active: false })], health: rests('a') })
  expect(explain(ask(), view)).toEqual({
    route: null,
    order: [
      { backendId: 'b:gpt-5.5', because: 'rank' },
      { backendId: 'a:gpt-5.5', because: 'cooldown' },
    ],
    excluded: [{ backendId: 'x:gpt-5.5', because: 'disabled' }],
    sentence: 'B would serve now. Next, if that fails: A.',
  })
})
