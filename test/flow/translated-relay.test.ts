/** The translated relay in time: heartbeats between events, the end of an upstream that only pings, slow clients. */
import { expect, test } from 'vitest'
import type { Delivered } from '../../src/main/flow/delivered.ts'
import { Incoming } from '../../src/main/flow/incoming.ts'
import type { Opened, SentTranslation } from '../../src/main/flow/opened.ts'
import { deliverTranslated } from '../../src/main/flow/translated-relay.ts'
import type { Exchange } from '../../src/main/ports.ts'
import { KeptThoughts } from '../../src/main/state/kept-thoughts.ts'
import { begun, context, said, sse, stopped } from '../translate/kit.ts'
import { handClock } from './hand-clock.ts'
import { ask, profile } from './kit.ts'

function rig(stream = true, contentType = 'text/event-stream') {
  const clock = handClock()
  const out: string[] = []
  let status = 0
  let headers: readonly string[] = []
  let ended = false
  let drain = (): void => {}
  let slow = false
  const leaving = new AbortController()
  const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
  const io = {
    gone: leaving.signal,
    begin: (given: number, raw: readonly string[]) => {
      status = given
      headers = raw
    },
    write: (bytes: Uint8Array) => {
      out.push(text(bytes))
      return !slow
    },
    onDrain: (resume: () => void) => {
      drain = resume
    },
    end: (last?: Uint8Array) => {
      if (last !== undefined) out.push(text(last))
      ended = true
    },
  } as unknown as Exchange
  const paused: boolean[] = []
  let aborted = false
  const inflate = { watch: () => null, decode: async () => 'corrupt' as const }
  const incoming = new Incoming({ dialect: 'messages', holdMs: 2_000, whole: false, clock, inflate })
  incoming.attach({
    pause: () => paused.push(true),
    resume: () => paused.push(false),
    abort: () => {
      aborted = true
    },
  })
  incoming.head(200, ['content-type', contentType, 'retry-after', '3', 'anthropic-ratelimit-x', '1'])
  const translation: SentTranslation = {
    request: {} as never,
    dialect: 'messages',
    context: context('messages', 'responses'),
    lost: [],
    strict: false,
    warnings: [{ code: 'seed_dropped', path: 'seed', action: 'dropped' }],
  }
  const source = profile('key')
  const backend = { source, upstreamModel: 'u' }
  const opened = { kind: 'opened', candidate: { backend }, incoming, translation } as unknown as Opened
  const call = { ...ask(), id: 'call-1', startedMs: 0, stream } as never
  const deps = { clock, inflate, thoughts: new KeptThoughts(clock) } as never
  const goOn = async () => null
  const delivered = deliverTranslated(opened, translation, call, io, deps, goOn)
  const push = (events: readonly unknown[]): void => incoming.data(new TextEncoder().encode(sse(events)))
  return {
    clock,
    incoming,
    push,
    delivered,
    all: () => out.join(''),
    state: () => ({ status, ended, aborted, paused }),
    header: (name: string) => headers[headers.indexOf(name) + 1],
    slowDown: (on: boolean) => {
      slow = on
    },
    drain: () => drain(),
    leave: () => leaving.abort(),
  }
}

/** The outcome, once there is one. */
function endings(delivered: Promise<Delivered>): readonly string[] {
  const outcomes: string[] = []
  void delivered.then(({ outcome, release }) => {
    outcomes.push(outcome)
    release()
  })
  return outcomes
}

test('BerriAI/litellm#36024 a silent stream gets a comment every 15 seconds, between events and not after the end', async () => {
  const { clock, push, all, delivered, incoming } = rig()
  push([begun()])
  clock.advance(31_000)
  expect(all().split(': keep-alive\n\n').length - 1).toBe(2)
  expect(all().replaceAll(': keep-alive\n\n', '')).toMatch(/^event: response\.created\n/)
  push([...said(0, 'Hi'), ...stopped('end_turn')])
  incoming.end()
  const { outcome, release } = await delivered
  const before = all()
  clock.advance(60_000)
  expect([outcome, all()]).toEqual(['done', before])
  release()
  expect(all()).toContain('event: response.completed')
})

test('BerriAI/litellm#36024 a stream that has said nothing yet is kept alive too', () => {
  const { clock, all } = rig()
  clock.advance(31_000)
  expect(all()).toBe(': keep-alive\n\n'.repeat(2))
})

test('Wei-Shaw/sub2api#1707 an upstream that says nothing but pings is given up after five minutes', async () => {
  const { clock, push, all, delivered, state } = rig()
  push([begun(), ...said(0, 'Hi').slice(0, 2)])
  const outcomes = endings(delivered)
  for (let minute = 0; minute < 6; minute += 1) {
    clock.advance(60_000)
    push([{ type: 'ping' }])
  }
  await new Promise(setImmediate)
  expect([
    outcomes,
    /"type":"response\.failed".*"code":"server_error".*stopped in the middle/.test(all()),
    state().aborted,
  ]).toEqual([['error-midstream'], true, true])
})

test('Wei-Shaw/sub2api#1707 an upstream that goes on is not', async () => {
  const { clock, push, delivered } = rig()
  const outcomes = endings(delivered)
  push([begun(), ...said(0, 'Hi').slice(0, 1)])
  for (let minute = 0; minute < 6; minute += 1) {
    clock.advance(60_000)
    push(said(0, 'Hi').slice(1, 2))
  }
  await new Promise(setImmediate)
  expect(outcomes).toEqual([])
})

test('BerriAI/litellm#37140 a client that leaves an answer that has begun lets its upstream go, stream or not', async () => {
  for (const stream of [true, false]) {
    const { push, leave, state, delivered } = rig(stream)
    push([begun(), ...said(0, 'Hi').slice(0, 2)])
    leave()
    expect(state()).toMatchObject({ aborted: true, ended: false })
    expect((await delivered).outcome).toBe('client-left')
  }
})

test('a slow client pauses the upstream until it has caught up', () => {
  const { push, state, slowDown, drain } = rig()
  slowDown(true)
  push([begun(), ...said(0, 'Hi').slice(0, 2)])
  drain()
  expect(state().paused.slice(-2)).toEqual([true, false])
})

test('a failure before the first byte has a status, and one answer waits until it is whole', async () => {
  const failed = rig()
  failed.push([{ type: 'error', error: { type: 'overloaded_error', message: 'busy' } }])
  const first = await failed.delivered
  first.release()
  expect([first.outcome, failed.state().status, JSON.parse(failed.all()).error.code]).toEqual([
    'failed',
    503,
    'server_is_overloaded',
  ])
  const whole = rig(false)
  whole.push([begun(), ...said(0, 'Hi')])
  whole.clock.advance(40_000)
  expect(whole.all()).toBe('')
  whole.push(stopped('end_turn'))
  const second = await whole.delivered
  second.release()
  expect([second.status, JSON.parse(whole.all()).output[0].content[0].text]).toEqual([200, 'Hi'])
})

test('what an answer in one piece has lost stands in its head', async () => {
  const { push, delivered, header } = rig(false)
  const search = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }
  push([begun(), { type: 'content_block_start', index: 0, content_block: search }, ...stopped('end_turn')])
  const { release } = await delivered
  release()
  expect(header('x-pointsman-warnings')).toBe('seed_dropped,server_tool_hidden')
})

test('an upstream that says nothing but pings is given up by a client that waits for one answer, too', async () => {
  const { clock, push, all, delivered, state } = rig(false)
  push([begun(), ...said(0, 'Hi').slice(0, 2)])
  const outcomes = endings(delivered)
  for (let minute = 0; minute < 6; minute += 1) {
    clock.advance(60_000)
    push([{ type: 'ping' }])
  }
  await new Promise(setImmediate)
  expect([outcomes, state().status, JSON.parse(all()).error.code, state().aborted]).toEqual([
    ['failed'],
    504,
    'timeout',
    true,
  ])
})

test('an answer in one piece is waited for', async () => {
  const { clock, incoming, delivered } = rig(false, 'application/json')
  incoming.data(new TextEncoder().encode('{'))
  const outcomes = endings(delivered)
  clock.advance(400_000)
  await new Promise(setImmediate)
  expect(outcomes).toEqual([])
})
