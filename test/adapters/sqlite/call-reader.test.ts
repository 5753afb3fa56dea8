/** Reading the call log: pages, filters, sums and exports agree with a plain list; the worker comes and goes. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { WorkerCallReader } from '../../../src/main/adapters/sqlite/call-reader.ts'
import { SqliteCallStore } from '../../../src/main/adapters/sqlite/call-store.ts'
import { type CallDatabase, callDatabase, callsFile } from '../../../src/main/adapters/sqlite/calls/call-database.ts'
import { CostlyCounts, older, page, stats, summary } from '../../../src/main/adapters/sqlite/calls/call-queries.ts'
import { openCurrent } from '../../../src/main/adapters/sqlite/database.ts'
import type { CallRecord, Outcome } from '../../../src/main/domain/call.ts'
import { stoodInFor } from '../../../src/main/domain/decision.ts'
import type { CallFilter, CallRow, CallTotals } from '../../../src/main/ports.ts'
import { callId, keyId, type SourceId, sourceId } from '../../../src/shared/ids.ts'
import { freshFolder, HandClock, systemClock, until } from './ground.ts'
import { sampleCall, sampleDecision, sampleExecution } from './sample-calls.ts'

const workerUrl = new URL('../../../src/main/adapters/sqlite/calls-reader.ts', import.meta.url)
const baseMs = 1_790_000_000_000
const hourMs = 3_600_000

const outcomes: readonly Outcome[] = ['done', 'refused', 'failed', 'truncated', 'client-left', 'interrupted']
const models = ['claude-opus-4-8', 'gpt-5.5', 'a_b', 'a%b', 'axb', 'Ünïcode', null]
const sources = ['work', 'home', null]
const idOrNull = (id: string | null): SourceId | null => (id === null ? null : sourceId(id))
const calls: fc.Arbitrary<readonly CallRecord[]> = fc
  .array(
    fc.record({
      afterMs: fc.integer({ min: 0, max: 2 * hourMs }),
      outcome: fc.constantFrom(...outcomes),
      requestedModel: fc.constantFrom(...models),
      upstreamModel: fc.constantFrom(...models),
      source: fc.constantFrom(...sources),
      wanted: fc.constantFrom(...sources),
      key: fc.constantFrom('key_a', 'key_b'),
      sentence: fc.constantFrom('Work kept this conversation.', 'HOME was next: 50% left.', 'back\\slash', ''),
      measured: fc.boolean(),
      attempts: fc.integer({ min: 0, max: 2 }),
    }),
    { maxLength: 30 },
  )
  .map((drafts) => {
    let startedMs = baseMs
    let lastId = 0
    return drafts.map(({ afterMs, source, wanted, key, sentence, measured, attempts, ...rest }) => {
      startedMs += afterMs
      lastId = Math.max(lastId + 1, startedMs * 1_000)
      return sampleCall(lastId, {
        ...rest,
        startedMs,
        sourceId: idOrNull(source),
        sourceLabel: source === null ? null : source.toUpperCase(),
        keyId: keyId(key),
        usage: measured ? sampleExecution.usage : null,
        executions: Array(attempts).fill(sampleExecution),
        decision: { ...sampleDecision, sentence, wanted: idOrNull(wanted), actual: idOrNull(source) },
      })
    })
  })

const filter: fc.Arbitrary<CallFilter> = fc.record(
  {
    sourceId: fc.constantFrom('work', 'nobody'),
    model: fc.constantFrom('claude-opus-4-8', 'a_b', 'gpt'),
    keyId: fc.constantFrom('key_a', 'key_c'),
    outcome: fc.constantFrom('done', 'interrupted', 'open', 'stood-in'),
    text: fc.constantFrom('', 'work', 'HOME', 'opus', 'a_b', '%', '\\', '17900000', 'ünï', 'nothing'),
    fromMs: fc.integer({ min: baseMs - hourMs, max: baseMs + 20 * hourMs }),
    toMs: fc.integer({ min: baseMs - hourMs, max: baseMs + 20 * hourMs }),
  },
  { requiredKeys: [] },
)

/** SQLite's LIKE folds ASCII only. */
const folded = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

function matches(call: CallRecord, { sourceId, model, keyId, outcome, text, fromMs, toMs }: CallFilter): boolean {
  const texts = [call.sourceLabel, call.requestedModel, call.upstreamModel, call.decision.sentence, call.id]
  return (
    (sourceId === undefined || call.sourceId === sourceId) &&
    (model === undefined || call.requestedModel === model || call.upstreamModel === model) &&
    (keyId === undefined || call.keyId === keyId) &&
    (outcome === undefined ||
      (outcome === 'stood-in' ? stoodInFor(call.decision) !== null : call.outcome === outcome)) &&
    (text === undefined || texts.some((one) => one !== null && folded(one).includes(folded(text)))) &&
    (fromMs === undefined || call.startedMs >= fromMs) &&
    (toMs === undefined || call.startedMs < toMs)
  )
}

function rowOf({ executions, decision, ...rest }: CallRecord): CallRow {
  const attemptBackends = executions.map(({ backendId }) => backendId)
  const { sentence } = decision
  return { ...rest, stoodInFor: stoodInFor(decision), sentence, attempts: executions.length, attemptBackends }
}

const newestFirst = (records: readonly CallRecord[]): readonly CallRecord[] => [...records].reverse()

describe('against a plain list', () => {
  let store: CallDatabase
  const fill = (records: readonly CallRecord[]): void => {
    store.database.exec('DELETE FROM call; DELETE FROM detail; DELETE FROM stand_in')
    store.saveFinished(records.map((record) => ({ record, mayExist: false })))
  }
  beforeAll(() => {
    const folder = mkdtempSync(join(tmpdir(), 'pointsman-store-'))
    store = callDatabase(openCurrent(callsFile(join(folder, 'calls.db'))))
    return () => {
      store.close()
      rmSync(folder, { recursive: true })
    }
  })

  test('pages newest first, filters and counts', () => {
    const limit = fc.integer({ min: 0, max: 12 })
    fc.assert(
      fc.property(calls, filter, limit, fc.integer({ min: 0, max: 35 }), (records, filter, limit, offset) => {
        fill(records)
        const all = newestFirst(records).filter((record) => matches(record, filter))
        expect(page(store.database, limit, offset, filter)).toEqual({
          rows: all.slice(offset, offset + limit).map(rowOf),
          total: all.length,
          newer: 0,
        })
      }),
      { numRuns: 300 },
    )
  })

  test('a page up to a call leaves newer ones out and counts them, from either end', () => {
    const place = fc.integer({ min: 0, max: 35 })
    fc.assert(
      fc.property(calls, filter, place, place, fc.boolean(), (records, filter, offset, bound, oldestFirst) => {
        fill(records)
        const upToId = records[bound % Math.max(1, records.length)]?.id ?? callId('1')
        const all = newestFirst(records).filter((record) => matches(record, filter))
        const seen = all.filter(({ id }) => Number(id) <= Number(upToId))
        const inOrder = oldestFirst ? seen.toReversed() : seen
        const counts = new CostlyCounts(() => 0)
        expect(page(store.database, 5, offset, filter, { upToId, oldestFirst }, counts)).toEqual({
          rows: inOrder.slice(offset, offset + 5).map(rowOf),
          total: seen.length,
          newer: all.length - seen.length,
        })
      }),
      { numRuns: 300 },
    )
  })

  test('a count that took long is kept for half a minute, a quick one never', () => {
    let nowMs = 0
    let counted = 0
    const counts = new CostlyCounts(() => nowMs)
    const count = (key: string, tookMs: number) =>
      counts.of(key, () => {
        nowMs += tookMs
        counted += 1
        return counted
      })
    expect([count('a', 10), count('a', 10), count('a', 60), count('a', 60), count('b', 60)]).toEqual([1, 2, 3, 3, 4])
    nowMs += 30_000
    expect(count('b', 60)).toBe(5)
  })

  test('sums up who served and what it would have cost', () => {
    const range = fc.record({
      fromMs: fc.integer({ min: baseMs - hourMs, max: baseMs + 20 * hourMs }),
      toMs: fc.integer({ min: baseMs, max: baseMs + 40 * hourMs }),
    })
    const priced = fc.array(fc.option(fc.integer({ min: 0, max: 1_000_000_000 })), { minLength: 30, maxLength: 30 })
    fc.assert(
      fc.property(calls, range, priced, (records, range, prices) => {
        const withCosts = records.map((record, place) => ({ ...record, cost: prices[place] ?? null }))
        fill(withCosts)
        const inside = withCosts.filter(({ startedMs }) => startedMs >= range.fromMs && startedMs < range.toMs)
        const done = inside.filter(({ outcome }) => outcome === 'done')
        const costs = inside.flatMap(({ cost }) => (cost === null ? [] : [cost]))
        expect(summary(store.database, range)).toEqual({
          calls: inside.length,
          byFirstChoice: done.filter(({ executions }) => executions.length === 1).length,
          byFailover: done.filter(({ executions }) => executions.length > 1).length,
          priced: costs.length,
          cost: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
        })
      }),
      { numRuns: 100 },
    )
  })

  test('sums calls and tokens by hour and source, days beginning at local midnight', () => {
    const range = fc.record({
      fromMs: fc.integer({ min: baseMs - hourMs, max: baseMs + 20 * hourMs }),
      toMs: fc.integer({ min: baseMs, max: baseMs + 40 * hourMs }),
      stepMs: fc.constantFrom(hourMs, 24 * hourMs),
      offsetMs: fc.constantFrom(0, 2 * hourMs, -5.5 * hourMs),
    })
    fc.assert(
      fc.property(calls, range, (records, range) => {
        fill(records)
        const sums = new Map<string, CallTotals>()
        for (const call of records) {
          if (call.startedMs < range.fromMs || call.startedMs >= range.toMs) continue
          const slotMs = Math.floor((call.startedMs + range.offsetMs) / range.stepMs) * range.stepMs - range.offsetMs
          const key = `${slotMs} ${call.sourceId}`
          const old = sums.get(key)
          const plus = (
            name: 'inputTokens' | 'cacheReadTokens' | 'cacheWriteTokens' | 'outputTokens' | 'reasoningTokens',
          ) => (old?.[name] ?? 0) + (call.usage?.[name] ?? 0)
          sums.set(key, {
            slotMs,
            sourceId: call.sourceId,
            calls: (old?.calls ?? 0) + 1,
            failed: (old?.failed ?? 0) + (call.outcome === 'done' || call.outcome === 'client-left' ? 0 : 1),
            inputTokens: plus('inputTokens'),
            cacheReadTokens: plus('cacheReadTokens'),
            cacheWriteTokens: plus('cacheWriteTokens'),
            outputTokens: plus('outputTokens'),
            reasoningTokens: plus('reasoningTokens'),
            cost: 0,
          })
        }
        const order = (a: CallTotals, b: CallTotals) =>
          a.slotMs - b.slotMs || ((a.sourceId ?? '') < (b.sourceId ?? '') ? -1 : 1)
        expect(stats(store.database, range)).toEqual([...sums.values()].sort(order))
      }),
      { numRuns: 100 },
    )
  })

  test('exports every call of a filter once, whole, newest first, in steps', () => {
    fc.assert(
      fc.property(calls, filter, fc.integer({ min: 1, max: 7 }), (records, filter, step) => {
        fill(records)
        const exported: string[] = []
        for (let found = older(store.database, null, step, filter); found.length > 0; ) {
          exported.push(...found.map(({ call }) => call.id))
          found = older(store.database, callId(exported.at(-1) ?? ''), step, filter)
        }
        const wanted = newestFirst(records).filter((record) => matches(record, filter))
        expect(exported).toEqual(wanted.map(({ id }) => id))
      }),
      { numRuns: 50 },
    )
  })
})

test('answers from a worker that starts with the first question and stops after 30 s without one', async () => {
  const path = join(freshFolder(), 'calls.db')
  const clock = new HandClock()
  const limits = () => ({ retentionDays: 36_500, retentionBytes: 2 ** 40, forgetsByAge: true })
  const reader = new WorkerCallReader({ path, clock, workerUrl })
  onTestFinished(() => reader.close())
  expect(reader.isRunning).toBe(false)
  expect(await reader.page(10, 0, {})).toEqual({ rows: [], total: 0, newer: 0 })

  const store = new SqliteCallStore({ path, clock: systemClock, limits, work: reader })
  onTestFinished(() => store.close())
  const call = sampleCall(baseMs * 1_000)
  await new Promise<void>((resolve) => store.finish(call, resolve))
  expect(await reader.page(10, 0, {})).toEqual({ rows: [rowOf(call)], total: 1, newer: 0 })
  expect((await reader.get(call.id))?.executions).toEqual(call.executions)
  expect(await reader.get(callId('1'))).toBeNull()
  expect(await reader.get(callId(`1' OR '1`))).toBeNull()
  expect(await reader.older(null, 5)).toHaveLength(1)
  expect(await reader.isSound()).toBe(true)
  await reader.checkpoint('truncate')

  clock.forward(29_999)
  expect(reader.isRunning).toBe(true)
  clock.forward(1)
  await until(() => !reader.isRunning, 'the worker to stop')
  expect((await reader.page(10, 0, {})).total).toBe(1)
  await reader.close()
  await expect(reader.page(10, 0, {})).rejects.toMatchObject({ problem: { code: 'store_unreadable' } })
})

test('a page that nobody waits for any more is not read; what was begun is, and what comes after it', async () => {
  const reader = new WorkerCallReader({ path: join(freshFolder(), 'calls.db'), clock: systemClock, workerUrl })
  onTestFinished(() => reader.close())
  const ended: string[] = []
  const asked = (name: string, left?: AbortSignal) =>
    reader.page(10, 0, {}, {}, left).then(
      () => ended.push(`${name} read`),
      () => ended.push(`${name} left`),
    )
  const leaving = new AbortController()
  const all = [asked('first', leaving.signal), asked('second', leaving.signal), asked('third')]
  leaving.abort()
  await Promise.all(all)
  expect(ended).toEqual(['second left', 'first read', 'third read'])
  // One that had left before it asked.
  expect(await Promise.all([asked('fourth'), asked('fifth', AbortSignal.abort())])).toHaveLength(2)
  expect(ended.slice(3)).toEqual(['fifth left', 'fourth read'])
})
