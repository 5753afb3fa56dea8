/** Rehearsal, rule by rule, on small logs written by hand. */
import { describe, expect, test } from 'vitest'
import type { CallDetail } from '../../src/main/domain/call-log.ts'
import type { SeatRecord } from '../../src/main/domain/decision.ts'
import type { Seat } from '../../src/main/domain/seat.ts'
import { rehearse } from '../../src/main/rehearsal/rehearse.ts'
import { seat } from '../strategies/kit.ts'
import { firstId, present, readerOf, rehearsed } from './kit.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const startMs = Date.UTC(2026, 10, 25, 9)

interface Line {
  readonly atMs?: number
  readonly session?: string | null
  /** Source that served; null: refused. */
  readonly served?: string | null
  readonly seats?: readonly SeatRecord[]
  readonly tokens?: number
  readonly reason?: string
  readonly strategy?: string | null
  readonly failed?: readonly string[]
  readonly cost?: number | null
  readonly pool?: string
  readonly excluded?: readonly unknown[]
  readonly outcome?: string
  readonly operation?: string
  /** Of the session stage. */
  readonly because?: string
}

const seatRecord = (source: string, position: number, change: Partial<SeatRecord> & { numbers?: Seat | null } = {}) =>
  ({
    backendId: `${source}:m`,
    label: source.toUpperCase(),
    tier: 0,
    position,
    usable: true,
    because: 'ready',
    usedPercent: 10,
    numbers: seat(`${source}:m`),
    windows: [{ window: 'weekly', usedPercent: 10, resetAtMs: startMs + 100 * hourMs, lengthMs: 168 * hourMs }],
    ...change,
  }) as SeatRecord

const used = (source: string, position: number, usedPercent: number, resetInHours = 100): SeatRecord =>
  seatRecord(source, position, {
    windows: [{ window: 'weekly', usedPercent, resetAtMs: startMs + resetInHours * hourMs, lengthMs: 168 * hourMs }],
  })

const two = [seatRecord('a', 0), seatRecord('b', 1)]

function log(...lines: readonly Line[]): readonly CallDetail[] {
  return lines.map((line, index) => {
    const { served = 'a', tokens = 1_000, failed = [], seats = two } = line
    const backendId = served === null ? null : `${served}:m`
    const failures = failed.map((source) => ({
      ...{ backendId: `${source}:m`, sourceId: source, outcome: 'failed', because: 'server-error' },
      ...{ startedMs: 0, totalMs: 0 },
    }))
    return {
      call: {
        id: String(firstId + index),
        startedMs: startMs + (line.atMs ?? index * minuteMs),
        operation: line.operation ?? 'generate',
        session: line.session === undefined ? `s${index}` : line.session,
        outcome: line.outcome ?? (served === null ? 'refused' : 'done'),
        errorCode: served === null ? 'all_exhausted' : null,
        requestedModel: 'm',
        upstreamModel: 'm',
        backendId,
        sourceId: served,
        usage: served === null ? null : { inputTokens: tokens, outputTokens: 0 },
        cost: line.cost ?? null,
        firstByteMs: 100,
        totalMs: 200,
      },
      executions: failures,
      decision: {
        pool: served === null && seats.length === 0 ? null : (line.pool ?? 'm'),
        strategy: line.strategy === undefined ? 'ordered' : line.strategy,
        reason: line.reason ?? 'rank',
        seats,
        excluded: line.excluded ?? [],
        trail: [{ stage: 'session', decision: 'a', because: line.because ?? 'unbound', elapsedMs: 0 }],
      },
    } as unknown as CallDetail
  })
}

const would = async (lines: readonly Line[], change: Parameters<typeof rehearsed>[1] = {}) => {
  const result = await rehearsed(log(...lines), change)
  return Object.fromEntries(result.sources.map(({ sourceId, wouldCalls }) => [sourceId, wouldCalls]))
}

describe('who would have served', () => {
  test('another strategy sends new conversations elsewhere', async () => {
    expect(await would([{}, {}, {}, {}], { strategy: 'rotate' })).toEqual({ a: 2, b: 2 })
  })
  test('another order of the pool counts, tiers and all', async () => {
    const tiers = [['b:m'], ['a:m']]
    expect(await would([{}, {}], { poolId: 'm', tiers })).toEqual({ a: 0, b: 2 })
  })
  test('what an order does not name follows in its last tier', async () => {
    const seats = [...two, seatRecord('c', 2)]
    expect(await would([{ seats, failed: ['b'] }], { poolId: 'm', tiers: [['b:m']] })).toEqual({ a: 1, b: 0, c: 0 })
  })
  test('a conversation stays where it is warm', async () => {
    const lines = [0, 1, 2].map(() => ({ session: 'one' }))
    expect(await would(lines, { strategy: 'rotate' })).toEqual({ a: 3, b: 0 })
  })
  test('a conversation that went cold is ranked anew', async () => {
    const lines = [{ session: 'one' }, { session: 'one', atMs: 3 * hourMs }]
    expect(await would(lines, { strategy: 'rotate' })).toEqual({ a: 1, b: 1 })
  })
  test('what was resting then rests now, and what failed then fails again', async () => {
    const resting = [seatRecord('a', 0, { usable: false, because: 'cooldown' }), seatRecord('b', 1)]
    expect(await would([{ seats: resting, served: 'b' }])).toEqual({ a: 0, b: 1 })
    expect(await would([{ served: 'b', failed: ['a'] }])).toEqual({ a: 0, b: 1 })
  })
  test('pinned calls and calls of other pools stay as they were', async () => {
    const tiers = [['b:m'], ['a:m']]
    expect(await would([{ reason: 'pinned' }, { pool: 'other' }, {}], { poolId: 'm', tiers })).toEqual({ a: 2, b: 1 })
  })
  test('what builds on the state of one account stays with it', async () => {
    const tiers = [['b:m'], ['a:m']]
    expect(await would([{ session: 'one', because: 'builds-on' }, {}], { poolId: 'm', tiers })).toEqual({ a: 1, b: 1 })
  })
  test('new conversations skip an account with less left than the threshold', async () => {
    const seats = [used('a', 0, 80), used('b', 1, 10)]
    expect(await would([{ seats }], { newSessionMinRemaining: 25 })).toEqual({ a: 0, b: 1 })
    expect(await would([{ seats }], { newSessionMinRemaining: 15 })).toEqual({ a: 1, b: 0 })
  })
  test('a threshold of the strategy counts', async () => {
    const windows = (hours: number, five: number) => [
      { window: 'weekly', usedPercent: 10, resetAtMs: startMs + hours * hourMs, lengthMs: 168 * hourMs },
      { window: 'five-hour', usedPercent: five, resetAtMs: startMs + 2 * hourMs, lengthMs: 5 * hourMs },
    ]
    const seats = [seatRecord('a', 0, { windows: windows(20, 60) }), seatRecord('b', 1, { windows: windows(90, 10) })]
    expect(await would([{ seats }], { strategy: 'balanced' })).toEqual({ a: 1, b: 0 })
    expect(await would([{ seats }], { strategy: 'balanced', options: { fiveHourSoftLimit: 50 } })).toEqual({
      a: 0,
      b: 1,
    })
  })
})

/** Each call of 1,000 tokens takes 10 % of a's week. */
const filling = (count: number, from = 0): readonly Line[] =>
  Array.from({ length: count }, (_, index) => ({ seats: [used('a', 0, from + 10 * index), used('b', 1, 0)] }))

describe('quota', () => {
  test('what a would not have used is left: a call that was refused is served', async () => {
    const spent = { because: 'exhausted:weekly', backendId: 'a:m', label: 'A', untilMs: startMs + 100 * hourMs }
    const refused = { served: null, seats: [], excluded: [spent] }
    const result = await rehearsed(log(...filling(10), refused), { strategy: 'rotate' })
    expect([result.actual.refused, result.would.refused]).toEqual([1, 0])
    expect(result.unknowns.join()).toContain('refused have no tokens')
  })
  test('what a would have used beyond its week is refused', async () => {
    const lines = [...filling(9), ...[0, 1, 2].map(() => ({ served: 'b', seats: [used('a', 0, 90)] }))]
    // Each of the three takes 10 % more of a, the only one that could serve them.
    expect((await rehearsed(log(...lines))).would).toMatchObject({ refused: 2, served: 10 })
  })
  test('percent lost at each reset, as it was and as it would have been', async () => {
    const later = { atMs: 101 * hourMs, seats: [used('a', 0, 0, 268), used('b', 1, 0, 268)] }
    const result = await rehearsed(log(...filling(6), later), { strategy: 'rotate' })
    // a was used to 60 %, half of which would have gone to b, of which nothing was measured.
    expect(result.windows).toEqual([
      { window: 'weekly', actualEnded: 2, wouldEnded: 2, actualLostPercent: 70, wouldLostPercent: 85 },
    ])
    expect(result.unknowns.join()).toContain('not known for b weekly')
  })
  test('without any measure of a token the quota stays as it was read', async () => {
    const seats = [used('a', 0, 97), used('b', 1, 10)]
    expect((await rehearsed(log({ seats }, { seats }))).would.refused).toBe(0)
  })
})

test('switches and cold starts are counted for both ways, by day', async () => {
  const lines = [
    { session: 'one', served: 'a' },
    { session: 'one', served: 'b' },
    { session: 'one', served: 'b', atMs: 90 * minuteMs },
    { session: null, served: 'a', atMs: 24 * hourMs },
  ]
  const result = await rehearsed(log(...lines))
  expect([result.actual.switches, result.actual.coldStarts, result.would.switches, result.would.coldStarts]).toEqual([
    1, 3, 0, 2,
  ])
  expect(result.days.map(({ actual }) => actual.served)).toEqual([3, 1])
})

test('cost moves with the call where the other’s price is known, and is unknown elsewhere', async () => {
  const lines = [{ served: 'b', cost: 500, tokens: 100 }, { cost: 40 }, { cost: 40 }]
  const known = await rehearsed(log(...lines), { poolId: 'm', tiers: [['b:m'], ['a:m']] })
  expect([known.actual.cost, known.would.cost, known.would.costUnknown]).toEqual([580, 10_500, 0])
  const unknown = await rehearsed(log({ cost: 40 }), { poolId: 'm', tiers: [['b:m'], ['a:m']] })
  expect([unknown.would.cost, unknown.would.costUnknown]).toEqual([0, 1])
})

test('a price that is known for the other counts before what the log knows of it', async () => {
  const lines = [{ served: 'b', cost: 500, tokens: 100 }, { cost: 40 }, { cost: 40 }]
  const cost = (backendId: string, { inputTokens }: { readonly inputTokens: number }, atMs: number) =>
    backendId === 'b:m' && atMs > startMs + minuteMs ? inputTokens * 2 : null
  const priced = await rehearsed(log(...lines), { poolId: 'm', tiers: [['b:m'], ['a:m']] }, { cost })
  // Its own, by the mean of the log before the price begins, by the price.
  expect(priced.would.cost).toBe(500 + 5_000 + 2_000)
})

describe('what counts', () => {
  test('open calls, counts, lists and calls that nobody answered tell nothing', async () => {
    const quiet = [{ operation: 'count' }, { operation: 'list' }]
    const result = await rehearsed(log(...quiet, {}))
    expect([result.calls, result.skipped]).toEqual([1, 2])
  })
  test('only calls since the given time', async () => {
    const result = await rehearsed(log({}, {}, {}), { fromMs: startMs + minuteMs })
    expect([result.calls, result.toMs]).toEqual([2, startMs + 2 * minuteMs])
  })
  test('an empty log says so', async () => {
    expect(await rehearsed([])).toMatchObject({ calls: 0, toMs: null, sources: [], windows: [], days: [] })
  })
  test('calls of older versions, without numbers, are taken as far as they go', async () => {
    const { numbers: _numbers, windows: _windows, ...old } = seatRecord('a', 0)
    const result = await rehearsed(log({ seats: [old as SeatRecord, seatRecord('b', 1)] }), { strategy: 'smart' })
    expect([result.calls, result.unknowns.join().includes('older version')]).toEqual([1, true])
  })
  test('subagents are ranked as new conversations, and that is said', async () => {
    const result = await rehearsed(log({ reason: 'inherit' }))
    expect(result.unknowns.join()).toContain('parents of 1 calls')
  })
  test('it reads in small pages and ends early when the caller has left', async () => {
    const whole = log(...Array.from({ length: 95 }, () => ({})))
    const limits: number[] = []
    const reader = readerOf(whole)
    const left = { aborted: false }
    const counting = {
      older: (before: Parameters<typeof reader.older>[0], limit: number) => {
        limits.push(limit)
        left.aborted = limits.length === 3
        return reader.older(before, limit)
      },
    }
    const ask = {
      fromMs: 0,
      offsetMs: 0,
      strategy: null,
      options: null,
      poolId: null,
      tiers: null,
      newSessionMinRemaining: 5,
    }
    await rehearse(ask, counting, present, left)
    expect(limits).toEqual([20, 20, 20])
  })
})
