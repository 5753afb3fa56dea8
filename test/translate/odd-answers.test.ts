/** Answers with something odd anywhere in their events: nothing throws, and the client's stream is whole all the same. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { forClient, toolsOf } from './expected.ts'
import { answers } from './generated.ts'
import { checks } from './invariants.ts'
import { context, streamBytes, unary } from './kit.ts'
import { directions, placesIn, replaced } from './sane-requests.ts'
import { bytesOf, eventsOf, wholeOf } from './streamed.ts'

const runs = Number(process.env.POINTSMAN_TRANSLATE_STREAMS ?? 2_000)

/** Values of every type, and names that every object has. */
const odd = fc.constantFrom<unknown>(
  ...[null, true, 0, -1, 1.5, 1e300, '', ' ', 'x', [], {}, [null], [[]], [7], { a: 1 }],
  ...['__proto__', 'constructor', 'toString', 'length', '\ud83d', '[DONE]', 'error', '}', '\n\n'],
  ...[{ error: null }, { error: 'x' }, { type: 'text' }, { text: 'x' }, { index: 0 }, { function: {} }],
)
const change = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ how: fc.constant('replace' as const), at: fc.nat(999), place: fc.nat(999), by: odd }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      how: fc.constantFrom('drop' as const, 'repeat' as const, 'first' as const),
      at: fc.nat(999),
    }),
  },
)

describe.each(directions)('$to upstream, $from client', ({ from: client, to: upstream }) => {
  const place = (value: unknown, at: number, by: unknown): unknown => {
    const places = placesIn(value)
    return replaced(value, places[at % places.length] ?? [], by)
  }

  test('in a stream', () => {
    fc.assert(
      fc.property(answers, fc.array(change, { minLength: 1, maxLength: 3 }), (given, changes) => {
        const answer = forClient(given, client)
        let events = [...eventsOf(upstream, answer)]
        for (const each of changes) {
          const at = each.at % events.length
          const event = events[at]
          if (each.how === 'replace') events[at] = place(event, each.place, each.by)
          else if (each.how === 'drop') events.splice(at, 1)
          else if (each.how === 'repeat') events.splice(at, 0, event)
          else events = [event, ...events]
          if (events.length === 0) return
        }
        const {
          text,
          whole,
          status,
          answer: made,
        } = streamBytes(context(upstream, client, { tools: toolsOf(answer, upstream) }), [bytesOf(events)])
        const ending = checks[client](text, false)
        expect([ending, status === 200, made.failure === null]).toEqual([
          ending,
          ending === 'ended',
          ending === 'ended',
        ])
        expect(typeof JSON.stringify(whole)).toBe('string')
      }),
      { numRuns: runs },
    )
  }, 120_000)

  test('in one piece', () => {
    fc.assert(
      fc.property(answers, fc.array(fc.tuple(fc.nat(999), odd), { minLength: 1, maxLength: 3 }), (given, changes) => {
        const answer = forClient(given, client)
        const body = changes.reduce<unknown>((before, [at, by]) => place(before, at, by), wholeOf(upstream, answer))
        const { text, whole, status } = unary(upstream, client, body as object, { tools: toolsOf(answer, upstream) })
        const ending = checks[client](text, false)
        expect([ending, status === 200]).toEqual([ending, ending === 'ended'])
        expect(typeof JSON.stringify(whole)).toBe('string')
      }),
      { numRuns: runs },
    )
  }, 120_000)
})

test('the words of a refusal are a part of their own, whatever index a call has that was cut off', () => {
  const events = [
    { type: 'message_start', message: {} },
    { type: 'content_block_start', index: 1e300, content_block: { type: 'tool_use', id: 'a', name: 'f', input: {} } },
    { type: 'content_block_delta', index: 1e300, delta: { type: 'input_json_delta', partial_json: '{"a' } },
    { type: 'message_delta', delta: { stop_reason: 'refusal', stop_details: { explanation: 'No.' } } },
    { type: 'message_stop' },
  ]
  const { text } = streamBytes(context('messages', 'responses'), [bytesOf(events)])
  expect(checks.responses(text, false)).toBe('ended')
  expect(text).toContain('No.')
})
