/** Frames of the Responses WebSocket and what they are over HTTP (codex §2.5). */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EventData } from '../../src/main/dialects/event-data.ts'
import {
  answerId,
  errorFrame,
  eventBytes,
  eventType,
  frameFields,
  isLastType,
  readFrame,
  statedHeaders,
  statedStatus,
  type TurnFrame,
  turnFrame,
} from '../../src/main/dialects/frames.ts'
import { bytesOf } from '../../src/main/dialects/json.ts'
import { scanFields } from '../../src/main/dialects/scan.ts'

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
const readBytes = (bytes: Uint8Array): ReturnType<typeof readFrame> =>
  readFrame(bytes, scanFields([bytes], frameFields))
const read = (frame: object | string): ReturnType<typeof readFrame> =>
  readBytes(bytesOf(typeof frame === 'string' ? frame : JSON.stringify(frame)))
function turn(frame: object | string): TurnFrame {
  const found = read(frame)
  if (found.kind !== 'turn') throw new Error(`no turn but ${JSON.stringify(found)}`)
  return found
}
const bodyText = (frame: object | string): string => textOf(turn(frame).body)

describe('a turn', () => {
  test.each([
    ['the type first', '{"type":"response.create","stream":true,"model":"a"}', '{"stream":true,"model":"a"}'],
    ['the type last', '{"stream":true,"model":"a","type":"response.create"}', '{"stream":true,"model":"a"}'],
    ['the type between', '{"stream":true,"type":"response.create","model":"a"}', '{"stream":true,"model":"a"}'],
    ['space around', '{ "stream" : true , "type" : "response.create" }', '{ "stream" : true }'],
    ['an escaped key', '{"t\\u0079pe":"response.create","stream":true}', '{"stream":true}'],
    ['no stream', '{"type":"response.create","model":"a"}', '{"stream":true,"model":"a"}'],
    ['stream false', '{"type":"response.create","stream":false,"model":"a"}', '{"stream":true,"model":"a"}'],
    ['nothing else', '{"type":"response.create"}', '{"stream":true}'],
    ['generate true', '{"type":"response.create","generate":true,"stream":true}', '{"stream":true}'],
    ['generate false', '{"type":"response.create","generate":false,"stream":true}', '{"generate":false,"stream":true}'],
    ['a type inside', '{"type":"response.create","stream":true,"x":{"type":"y"}}', '{"stream":true,"x":{"type":"y"}}'],
  ])('with %s is the body of a request', (_name, frame, body) => {
    expect(bodyText(frame)).toBe(body)
  })

  test('comes out of its body byte for byte, as the Codex CLI writes it', () => {
    const members = fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), fc.jsonValue(), { maxKeys: 6 })
    fc.assert(
      fc.property(members, (more) => {
        const frame = JSON.stringify({ type: 'response.create', stream: true, ...omit(more) })
        expect(textOf(turnFrame([turn(frame).body]))).toBe(frame)
      }),
    )
  })

  test('whatever order and whatever values: the body holds every other member as it was', () => {
    const members = fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), fc.jsonValue(), { maxKeys: 6 })
    fc.assert(
      fc.property(members, fc.boolean(), (more, isFirst) => {
        const own = { type: 'response.create' }
        const others = omit(more)
        const frame = isFirst ? { ...own, ...others } : { ...others, ...own }
        expect(JSON.parse(bodyText(frame))).toEqual({ ...JSON.parse(JSON.stringify(others)), stream: true })
      }),
    )
  })

  test('tells what it builds on, that it only warms up, and whether it is stored', () => {
    const facts = ({ previous, isPrewarm, isStored }: TurnFrame) => ({ previous, isPrewarm, isStored })
    expect(facts(turn({ type: 'response.create', store: false, previous_response_id: 'resp_1' }))).toEqual({
      previous: 'resp_1',
      isPrewarm: false,
      isStored: false,
    })
    expect(facts(turn({ type: 'response.create', generate: false, previous_response_id: null }))).toEqual({
      previous: null,
      isPrewarm: true,
      isStored: true,
    })
    expect(turn({ type: 'response.create', previous_response_id: ' ' }).previous).toBeNull()
  })

  test('says in its metadata what HTTP says in headers, and nothing else of it becomes one', () => {
    const client_metadata = {
      'x-codex-turn-metadata': '{"request_kind":"turn"}',
      'x-codex-parent-thread-id': 'parent',
      ws_request_header_traceparent: '00-1-2-3',
      'x-codex-installation-id': 'install',
      authorization: 'Bearer other',
      'x-openai-subagent': 'two\r\nlines',
      'x-codex-window-id': 7,
    }
    expect(turn({ type: 'response.create', client_metadata }).headers).toEqual([
      ...['x-codex-turn-metadata', '{"request_kind":"turn"}'],
      ...['x-codex-parent-thread-id', 'parent', 'traceparent', '00-1-2-3'],
    ])
  })

  test.each([
    ['{"type":"response.cancel"}', { kind: 'other-type', type: 'response.cancel' }],
    ['{}', { kind: 'other-type', type: '' }],
    ['[]', { kind: 'not-json', why: 'it is not an object' }],
    ['{"type":"response.create"', { kind: 'not-json', why: 'it ends too early' }],
    ['{"type":"response.create","type":1}', { kind: 'duplicate', field: 'type' }],
  ])('%s is none', (frame, problem) => {
    expect(read(frame)).toEqual(problem)
  })

  test('T6.6 whatever the bytes, reading never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        expect(typeof readBytes(bytes).kind).toBe('string')
      }),
    )
  })
})

const own = new Set(['type', 'stream', 'generate', 'previous_response_id', 'store', 'client_metadata', '__proto__'])
const omit = (members: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !own.has(name)))

describe('an event', () => {
  test('has a type wherever it stands', () => {
    const types = ['{"type":"response.done","x":1}', '{"x":1,"type":"error"}', '{"x":1}', 'no json', '{"type":"cut']
    expect(types.map((event) => eventType(bytesOf(event)))).toEqual(['response.done', 'error', null, null, null])
  })

  test('is the last of its answer or is not', () => {
    const named = ['response.completed', 'response.failed', 'response.incomplete', 'response.done', 'error']
    expect(named.every(isLastType)).toBe(true)
    expect(['response.created', 'response.output_item.done', 'codex.rate_limits', null].some(isLastType)).toBe(false)
  })

  test('names its answer, also where the id comes late', () => {
    expect(answerId(bytesOf('{"type":"response.completed","response":{"id":"resp_1","output":[]}}'))).toBe('resp_1')
    const late = { type: 'response.completed', response: { output: 'x'.repeat(5_000), id: 'resp_2' } }
    expect(answerId(bytesOf(JSON.stringify(late)))).toBe('resp_2')
    expect(answerId(bytesOf('{"type":"response.completed"}'))).toBeNull()
  })

  test('in a stream is read back as it was, over any cut of the bytes and any line end', () => {
    const frames = fc.array(
      fc.jsonValue().map((value) => JSON.stringify({ value })),
      { maxLength: 5 },
    )
    fc.assert(
      fc.property(
        frames,
        fc.array(fc.nat(200), { maxLength: 6 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        (all, cuts, end) => {
          const stream = all.map((frame) => textOf(eventBytes(bytesOf(frame)))).join(': a comment\n')
          const bytes = bytesOf(`event: x\n${stream}`.replaceAll('\n', end))
          const got: string[] = []
          const events = new EventData((data) => got.push(textOf(data)))
          const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
          for (let at = 0; at + 1 < places.length; at += 1) events.push(bytes.subarray(places[at], places[at + 1]))
          events.end()
          expect(got).toEqual(all)
        },
      ),
    )
  })

  test('of several data lines is one, and one without a blank line behind it counts at the end', () => {
    const got: string[] = []
    const events = new EventData((data) => got.push(textOf(data)))
    events.push(bytesOf('\ufeffdata: {"a":\ndata:1}\n\nid: 7\n\ndata: last'))
    expect(got).toEqual(['{"a":\n1}'])
    events.end()
    expect(got).toEqual(['{"a":\n1}', 'last'])
  })

  test('with line ends of its own stays one line of a stream', () => {
    expect(textOf(eventBytes(bytesOf('{\r\n\t"a": "b\\n"\n}')))).toBe('data: {   "a": "b\\n" }\n\n')
  })
})

describe('a refusal', () => {
  const parsed = (...args: Parameters<typeof errorFrame>): unknown => JSON.parse(textOf(errorFrame(...args)))

  test('carries its status, the vendor’s own error and the headers that are not of the body', () => {
    const headers = ['Content-Type', 'application/json', 'Retry-After', '7', 'x-pointsman-error', 'none_available']
    const error = { type: 'server_error', code: 'busy', message: 'Busy.' }
    expect(parsed(503, headers, bytesOf(JSON.stringify({ error })))).toEqual({
      type: 'error',
      status: 503,
      error,
      headers: { 'retry-after': '7', 'x-pointsman-error': 'none_available' },
    })
  })

  test.each([
    ['{"detail":"Unauthorized"}', 401, { type: 'invalid_request_error', code: null, message: 'Unauthorized' }],
    ['<html>', 502, { type: 'server_error', code: null, message: 'The upstream answered with status 502.' }],
    ['', 500, { type: 'server_error', code: null, message: 'The upstream answered with status 500.' }],
  ])('of %s says what can be said', (body, status, error) => {
    expect(parsed(status, [], bytesOf(body))).toEqual({ type: 'error', status, error, headers: {} })
  })

  test('that came as a frame stays as it came', () => {
    const frame = bytesOf('{ "type":"error", "status_code":429, "error":{}, "headers":{"x-a":1} }')
    expect(errorFrame(429, [], frame)).toBe(frame)
  })

  test('states a status and headers, in either spelling, or none', () => {
    expect([{ status: 429 }, { status_code: 503 }, { status: 200 }, { status: 'x' }, {}].map(statedStatus)).toEqual([
      429,
      503,
      ...[null, null, null],
    ])
    expect(statedHeaders({ headers: { 'x-a': 1, 'x-b': 'two', 'x-c': null } })).toEqual(['x-a', '1', 'x-b', 'two'])
  })
})
