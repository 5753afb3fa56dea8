/** Recent use: tokens decay, times to the first content and failures are forgotten after an hour. */
import { describe, expect, test } from 'vitest'
import type { CallRecord, Execution } from '../../src/main/domain/call.ts'
import { RecentUse, recentRules } from '../../src/main/state/recent-use.ts'
import { type BackendId, type CallId, keyId, sourceId } from '../../src/shared/ids.ts'

const a = sourceId('a')
const onA = 'a:m' as BackendId
const hourMs = 3_600_000

const execution = (change: Partial<Execution> = {}): Execution => ({
  backendId: onA,
  sourceId: a,
  sourceLabel: 'a',
  upstreamModel: 'm',
  outcome: 'done',
  status: 200,
  because: 'done',
  sentence: '',
  startedMs: 0,
  firstByteMs: 10,
  totalMs: 0,
  usage: null,
  requestId: null,
  ...change,
})

const call = (atMs: number, change: Partial<CallRecord> = {}): CallRecord => ({
  id: '1' as CallId,
  startedMs: atMs,
  providerId: 'any',
  operation: 'generate',
  dialect: 'responses',
  requestedModel: 'm',
  upstreamModel: 'm',
  backendId: onA,
  sourceType: 'subscription',
  sourceId: a,
  sourceLabel: 'a',
  keyId: keyId('k'),
  outcome: 'done',
  status: 200,
  errorCode: null,
  session: null,
  client: null,
  stream: true,
  usage: { inputTokens: 600, cacheReadTokens: 500, cacheWriteTokens: 0, outputTokens: 400, reasoningTokens: 0 },
  cost: null,
  firstByteMs: 200,
  totalMs: 0,
  bytesIn: 0,
  bytesOut: 0,
  executions: [execution({ startedMs: atMs })],
  decision: {
    pool: null,
    strategy: null,
    reason: null,
    sentence: '',
    wanted: null,
    actual: null,
    seats: [],
    excluded: [],
    warnings: [],
    trail: [],
  },
  ...change,
})

test('tokens decay with an hour’s half-life, whenever they are asked for', () => {
  const recent = new RecentUse()
  recent.note(call(0))
  expect([0, hourMs, 2 * hourMs].map((atMs) => recent.tokens(a, atMs))).toEqual([1_000, 500, 250])
  recent.note(call(hourMs))
  expect([hourMs, 2 * hourMs].map((atMs) => recent.tokens(a, atMs))).toEqual([1_500, 750])
  expect(recent.tokens(sourceId('b'), 0)).toBe(0)
})

test('a clock set back does not make tokens grow', () => {
  const recent = new RecentUse()
  recent.note(call(hourMs))
  expect(recent.tokens(a, 0)).toBe(1_000)
})

describe('time to the first content', () => {
  test('counts from the attempt that answered, newer ones more', () => {
    const recent = new RecentUse()
    recent.note(call(0, { firstByteMs: 700, executions: [execution({ startedMs: 500 })] }))
    expect(recent.firstContentMs(onA, 0)).toBe(200)
    recent.note(call(1_000, { firstByteMs: 300 }))
    expect(recent.firstContentMs(onA, 1_000)).toBe(200 + recentRules.newest * 100)
  })
  test('is unmeasured after an hour, and for calls that did not end well', () => {
    const recent = new RecentUse()
    recent.note(call(0, { outcome: 'truncated' }))
    expect(recent.firstContentMs(onA, 0)).toBe(null)
    recent.note(call(0))
    expect([recent.firstContentMs(onA, hourMs), recent.firstContentMs(onA, hourMs + 1)]).toEqual([200, null])
  })
  test('is remembered for a bounded number of backends, the oldest going first', () => {
    const recent = new RecentUse()
    for (let n = 0; n <= recentRules.mostTimes; n += 1) recent.note(call(0, { backendId: `a:${n}` as BackendId }))
    expect([recent.firstContentMs('a:0' as BackendId, 0), recent.firstContentMs('a:1' as BackendId, 0)]).toEqual([
      null,
      200,
    ])
  })
})

test('failures of the source’s own count for an hour; limits, refused requests and clients that left do not', () => {
  const recent = new RecentUse()
  const failed = (because: string, outcome: Execution['outcome'] = 'failed') => execution({ outcome, because })
  recent.note(
    call(0, {
      executions: [
        failed('server-error'),
        failed('overloaded'),
        failed('lost', 'unknown-outcome'),
        failed('cut', 'truncated'),
        failed('exhausted'),
        failed('final'),
        failed('model-not-entitled'),
        failed('client-left', 'client-left'),
        execution(),
      ],
    }),
  )
  expect([recent.failures(a, 0), recent.failures(a, hourMs), recent.failures(a, hourMs + 1)]).toEqual([4, 4, 0])
})
