/** Who is excluded and who rests, row by row (routing §6). */
import { describe, expect, test } from 'vitest'
import type { Health } from '../../src/main/domain/health.ts'
import type { Snapshot } from '../../src/main/domain/quota.ts'
import { sourceId } from '../../src/shared/ids.ts'
import {
  accessKey,
  account,
  ask,
  claudeAccount,
  local,
  nowMs,
  planFor,
  profile,
  type Situation,
  shown,
  viewOf,
} from './kit.ts'

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
const hosts = (host: string): Partial<Health> => ({
  hosts: new Map([
    [host, { because: 'host-resting', sinceMs: 0, untilMs: nowMs + 1_000, failures: 1, sentence: 'Overloaded.' }],
  ]),
})

interface Row {
  readonly name: string
  readonly situation: Situation
  readonly ask?: Parameters<typeof ask>[0]
  readonly expected: string
}

const why = (row: Row): Record<string, string> => {
  const planned = planFor(ask(row.ask), viewOf(row.situation))
  return Object.fromEntries(planned.excluded.map((record) => [record.label.toLowerCase(), record.because]))
}

describe('excluded, never sent to', () => {
  const rows: readonly (Row & { readonly because: string })[] = [
    {
      name: 'switched off',
      situation: { sources: [account('x', { active: false }), b] },
      expected: 'b | only-candidate',
      because: 'disabled',
    },
    {
      name: 'signed out',
      situation: { sources: [account('x', { signedOut: { because: 'revoked', sinceMs: 0 } }), b] },
      expected: 'b | only-candidate',
      because: 'signed-out',
    },
    {
      name: 'a locked vault',
      situation: { sources: [account('x'), local('b', { models: b.models, joins: ['codex'] })], vaultOpen: false },
      expected: 'b | only-candidate',
      because: 'locked',
    },
    {
      name: 'not among the key’s accounts',
      situation: {
        sources: [account('x'), b],
        key: accessKey({ policy: { mode: 'pool', sources: [sourceId('b')], strategy: 'ordered' } }),
      },
      expected: 'b | only-candidate',
      because: 'policy',
    },
    {
      name: 'not entitled to the model',
      situation: { sources: [account('x'), b], health: { notEntitled: new Map([['x:gpt-5.5' as never, nowMs + 1]]) } },
      expected: 'b | only-candidate',
      because: 'model-not-entitled',
    },
    {
      name: 'for the Codex CLI only',
      situation: { sources: [account('x', { serves: 'codex-only' }), b] },
      expected: 'b | only-candidate',
      because: 'genuine-client-only',
    },
    {
      name: 'of another dialect, for what can’t be translated',
      ask: { operation: 'compact' },
      situation: { sources: [profile('x', { dialects: ['chat'] }), b] },
      expected: 'b | only-candidate',
      because: 'dialect-unbridgeable',
    },
    {
      name: 'with a spent window',
      situation: { sources: [account('x'), b], quota: { x: spent('weekly') } },
      expected: 'b | only-candidate',
      because: 'exhausted:weekly',
    },
    {
      name: 'read as full',
      situation: { sources: [account('x'), b], quota: { x: reading(100) } },
      expected: 'b | only-candidate',
      because: 'exhausted:weekly',
    },
    {
      name: 'spent with no named reset',
      situation: { sources: [account('x'), b], quota: { x: spent('unnamed', null) } },
      expected: 'b | only-candidate',
      because: 'exhausted:unnamed',
    },
  ]
  for (const row of rows) {
    test(row.name, () => {
      expect(shown(planFor(ask(row.ask), viewOf(row.situation)))).toBe(row.expected)
      expect(why(row).x).toBe(row.because)
    })
  }

  const usable: readonly Row[] = [
    {
      name: 'a window past its reset',
      situation: { sources: [a, b], quota: { a: spent('weekly', nowMs - 1) } },
      expected: 'a b | rank',
    },
    {
      name: 'a full reading past its reset',
      situation: { sources: [a, b], quota: { a: reading(100, nowMs - 1) } },
      expected: 'a b | rank',
    },
    {
      name: 'a spent window of another family',
      situation: { sources: [a, b], quota: { a: spent('weekly:fable', nowMs + 1, 'fable') } },
      expected: 'a b | rank',
    },
    {
      name: 'a full reading where spending beyond the plan is allowed, though it has no headroom for a new session',
      situation: {
        sources: [account('a', { maySpendBeyondPlan: true, createdAtMs: 0 }), b],
        quota: { a: reading(100) },
      },
      expected: 'b a | rank',
    },
    {
      name: 'an entitlement forgotten after its hour',
      situation: { sources: [a, b], health: { notEntitled: new Map([['a:gpt-5.5' as never, nowMs]]) } },
      expected: 'a b | rank',
    },
    {
      name: 'the Codex CLI itself',
      situation: { sources: [account('a', { serves: 'codex-only', createdAtMs: 0 }), b] },
      ask: { codexClient: true },
      expected: 'a b | rank',
    },
  ]
  for (const row of usable)
    test(`but not: ${row.name}`, () => expect(shown(planFor(ask(row.ask), viewOf(row.situation)))).toBe(row.expected))

  test('genuine Claude Code needs three of its four marks', () => {
    const view = viewOf({ sources: [claudeAccount('x')] })
    const marks = ['session-id', 'x-app', 'user-agent', 'user-id']
    const by = (count: number) =>
      shown(
        planFor(
          ask({
            providerId: 'claude',
            dialect: 'messages',
            model: 'claude-opus-4-8',
            claudeCodeMarks: marks.slice(0, count),
          }),
          view,
        ),
      )
    expect([0, 1, 2, 3, 4].map(by)).toEqual([
      'none_available',
      'none_available',
      'none_available',
      'x | only-candidate',
      'x | only-candidate',
    ])
  })

  test('one model family’s limit leaves the others alone', () => {
    const view = viewOf({
      sources: [claudeAccount('x'), claudeAccount('y')],
      quota: { x: spent('weekly:fable', nowMs + 1, 'fable') },
    })
    const by = (model: string) =>
      shown(
        planFor(
          ask({
            providerId: 'claude',
            dialect: 'messages',
            model,
            claudeCodeMarks: ['session-id', 'x-app', 'user-agent'],
          }),
          view,
        ),
      )
    expect([by('claude-fable-5-1'), by('claude-opus-4-8')]).toEqual(['y | only-candidate', 'x y | rank'])
  })
})

describe('resting, tried last', () => {
  const rows: readonly Row[] = [
    { name: 'a cool-down', situation: { sources: [a, b, c], health: rests('a') }, expected: 'b c a | rank' },
    { name: 'a burst', situation: { sources: [a, b], health: rests('a', 'burst') }, expected: 'b a | rank' },
    {
      name: 'billing, without a timer',
      situation: { sources: [a, b], health: rests('a', 'billing', null) },
      expected: 'b a | rank',
    },
    {
      name: 'a rest that is over',
      situation: { sources: [a, b], health: rests('a', 'cooldown', nowMs) },
      expected: 'a b | rank',
    },
    {
      name: 'a host under pressure, last of all',
      situation: { sources: [profile('p'), a, b], health: { ...rests('a'), ...hosts('https://p.test') } },
      expected: 'b a p | rank',
    },
    {
      name: 'a whole vendor’s host',
      situation: { sources: [a, b, profile('p')], health: hosts('https://codex.test') },
      expected: 'p a b | rank',
    },
    {
      name: 'a half-open circuit while its trial runs',
      situation: {
        sources: [a, b],
        health: { circuits: new Map([[sourceId('a'), { kind: 'half-open', probeSinceMs: nowMs - 1, opened: 1 }]]) },
      },
      expected: 'b a | rank',
    },
    {
      name: 'a trial that never came back does not count for ever',
      situation: {
        sources: [a, b],
        health: {
          circuits: new Map([[sourceId('a'), { kind: 'half-open', probeSinceMs: nowMs - 600_000, opened: 1 }]]),
        },
      },
      expected: 'a b | rank',
    },
    {
      name: 'everybody: in listed order',
      situation: {
        sources: [a, b],
        health: { sources: new Map([...(rests('a').sources ?? []), ...(rests('b').sources ?? [])]) },
      },
      expected: 'a b | rank',
    },
  ]
  for (const row of rows)
    test(row.name, () => expect(shown(planFor(ask(row.ask), viewOf(row.situation)))).toBe(row.expected))
})

describe('tiers', () => {
  const arrangements = [
    {
      poolId: 'gpt-5.5' as never,
      tiers: [['b:gpt-5.5'], ['c:gpt-5.5', 'a:gpt-5.5']] as never,
      disabled: [],
      strategy: null,
      options: {},
      revision: 1,
    },
  ]
  test('stand in their order', () =>
    expect(shown(planFor(ask(), viewOf({ sources: [a, b, c], arrangements })))).toBe('b c a | rank'))
  test('a resting one above goes behind the usable ones below', () =>
    expect(shown(planFor(ask(), viewOf({ sources: [a, b, c], arrangements, health: rests('b') })))).toBe(
      'c a b | rank',
    ))
  test('a strategy nobody knows means listed order', () => {
    const odd = [{ ...arrangements[0], strategy: 'from-the-future' }] as never
    expect(shown(planFor(ask(), viewOf({ sources: [a, b, c], arrangements: odd })))).toBe('b c a | rank')
  })
})
