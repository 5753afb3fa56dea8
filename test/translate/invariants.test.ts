/** The ten stream invariants over generated answers, in each direction (bridge §8); 2,000 each, 200,000 in the deep run. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Dialect } from '../../src/main/domain/source.ts'
import { byId, expected, forClient, restOf, sameInput, toolsOf } from './expected.ts'
import { type Answer, answers, cutAt, plain } from './generated.ts'
import { type Content, checks, contentOf, wholeContent } from './invariants.ts'
import { answerOf, context, eventsIn, type Streamed, streamBytes, unary } from './kit.ts'
import { bytesOf, eventsOf, wholeOf } from './streamed.ts'

const runs = Number(process.env.POINTSMAN_TRANSLATE_STREAMS ?? 2_000)
const boundMs = Math.max(120_000, runs * 60)

const dialects = ['messages', 'responses', 'chat'] as const
const directions = dialects.flatMap((upstream) =>
  dialects.filter((client) => client !== upstream).map((client) => ({ upstream, client })),
)

const noUsage = { fresh: 0, read: 0, written: 0, out: 0, thought: 0 }
const places = fc.array(fc.nat(20_000), { maxLength: 6 })
/** Without the one that the limit cut: a client sees of it that it is unfinished. */
const comparable = (client: Dialect, { stop, parts }: Answer, calls: Content['calls']): readonly unknown[] => {
  const cut = stop === 'cut' ? parts.at(-1) : undefined
  const custom = new Set(parts.flatMap((each) => (each.kind === 'call' && each.custom !== null ? [each.id] : [])))
  return byId(
    calls
      .filter(([id]) => cut?.kind !== 'call' || id !== cut.id)
      .map(([id, name, input]) => [id, name, custom.has(id) && client !== 'messages' ? input : sameInput(input)]),
  )
}

describe.each(directions)('$upstream upstream, $client client', ({ upstream, client }) => {
  /** The answer as this upstream gives it, and the client's translation of it. */
  const prepared = (given: Answer) => {
    const answer = forClient(given, client)
    return {
      answer,
      made: context(upstream, client, { tools: toolsOf(answer, upstream) }),
      bytes: bytesOf(eventsOf(upstream, answer)),
    }
  }

  test(
    'valid in its dialect, the same for any byte split, the same as the whole answer, the same twice',
    () => {
      fc.assert(
        fc.property(answers, places, (given, at) => {
          const { answer, made, bytes } = prepared(given)
          const once = streamBytes(made, [bytes])
          expect(checks[client](once.text)).toBe('ended')
          // 5 and 10.
          expect(streamBytes(made, cutAt(bytes, at)).text).toBe(once.text)
          // 8 and what was said.
          const { text, refusal, thought, stop, calls } = contentOf(client, once.text)
          const wanted = expected(answer, upstream, client)
          expect({ text, refusal, thought, calls: comparable(client, answer, calls) }).toEqual({
            text: wanted.text,
            refusal: wanted.refusal,
            thought: wanted.thought,
            calls: wanted.calls,
          })
          // 4.
          const { calls: wholeCalls, ...whole } = wholeContent(client, once.whole)
          expect({ ...whole, calls: byId(comparable(client, { ...answer, stop: 'end' }, wholeCalls)) }).toEqual({
            ...{ text, refusal, thought, stop },
            calls: wanted.calls,
          })
          const lost = [...once.answer.lost].sort()
          expect({ stop, lost, ...restOf(client, once.whole) }).toEqual({
            ...{ stop: wanted.stop, lost: wanted.lost },
            ...{ seals: wanted.seals, searches: wanted.searches, usage: wanted.usage },
          })
        }),
        { numRuns: runs },
      )
    },
    boundMs,
  )

  test(
    'a cut at any byte is a failure in every style, and never a finished call',
    () => {
      fc.assert(
        fc.property(answers, fc.nat(1_000_000), fc.boolean(), (given, place, cleanly) => {
          const { made, bytes } = prepared(given)
          const at = place % bytes.length
          const { text, status } = streamBytes(made, [bytes.subarray(0, at)], cleanly ? 'end' : 'cut')
          if (text === '' && client !== 'responses') throw new Error('nothing was said')
          const ending = checks[client](text)
          if (ending === 'ended') {
            // Everything that counts had arrived.
            expect(text).toBe(streamBytes(made, [bytes.subarray(0, at)]).text)
            return
          }
          expect(status).toBeGreaterThanOrEqual(400)
          const whole = contentOf(client, streamBytes(made, [bytes]).text)
          for (const [id, input] of finishedCalls(client, text)) {
            expect(whole.calls.find(([known]) => known === id)?.[2]).toBe(input)
          }
        }),
        { numRuns: runs },
      )
    },
    boundMs,
  )

  test('an answer in one piece is the same as its stream', () => {
    fc.assert(
      fc.property(answers, (given) => {
        const { answer, made, bytes } = prepared(given)
        if (answer.stop === 'cut') return
        const streamed = streamBytes(made, [bytes])
        const whole = unary(upstream, client, wholeOf(upstream, answer), made)
        expect(checks[client](whole.text)).toBe('ended')
        const of = ({ whole: body }: Streamed) => {
          const { calls, ...rest } = wholeContent(client, body)
          return { ...rest, calls: comparable(client, answer, calls), ...restOf(client, body) }
        }
        expect([of(whole), whole.answer.lost.toSorted()]).toEqual([of(streamed), streamed.answer.lost.toSorted()])
      }),
      { numRuns: Math.ceil(runs / 4) },
    )
  })

  test(
    'a mutated stream never throws and never ends twice',
    () => {
      fc.assert(
        fc.property(
          answers,
          fc.array(fc.tuple(fc.nat(100_000), fc.nat(255)), { minLength: 1, maxLength: 4 }),
          (given, changes) => {
            const { made, bytes: all } = prepared(given)
            const bytes = Uint8Array.from(all)
            for (const [at, byte] of changes) bytes[at % bytes.length] = byte
            const { text } = streamBytes(made, [bytes])
            const ends = [
              /"type":"message_stop"/g,
              /"type":"response\.(?:completed|incomplete|failed)"/g,
              /data: \[DONE\]/g,
            ]
            for (const end of ends) expect(text.match(end)?.length ?? 0).toBeLessThanOrEqual(1)
            expect(
              text === '' ||
                /message_stop|event: error|response\.(?:completed|incomplete|failed)|\[DONE\]|"error":\{/.test(text),
            ).toBe(true)
          },
        ),
        { numRuns: Math.ceil(runs / 4) },
      )
    },
    boundMs,
  )
})

/** Calls whose block or item was closed, with their input; Chat closes nothing before its finish chunk. */
function finishedCalls(client: Dialect, text: string): readonly (readonly [id: string, input: string])[] {
  const events = eventsIn(text)
  if (client === 'responses') {
    return events
      .filter(({ type, item }) => type === 'response.output_item.done' && item.call_id !== undefined)
      .filter(({ item }) => item.status === 'completed')
      .map(({ item }) => [item.call_id, item.arguments ?? item.input])
  }
  if (client === 'chat') return []
  const closed = new Set(events.filter(({ type }) => type === 'content_block_stop').map(({ index }) => index))
  return events
    .filter(
      ({ type, index, content_block: made }) =>
        type === 'content_block_start' && made.type === 'tool_use' && closed.has(index),
    )
    .map(({ index, content_block: made }) => [
      made.id,
      events
        .filter((event) => event.type === 'content_block_delta' && event.index === index)
        .map(({ delta }) => delta.partial_json ?? '')
        .join(''),
    ])
}

/** Few letters, so that sequences come about, and their beginnings. */
const letters = fc.array(fc.string({ unit: fc.constantFrom('E', 'N', 'D', ' '), minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 8,
})

test('a stop sequence cuts the text at its first place, however the text comes, and nothing behind it is said', () => {
  const asked = directions.filter(({ upstream, client }) => upstream !== 'messages' && client !== 'responses')
  fc.assert(
    fc.property(
      fc.constantFrom(...asked),
      letters,
      fc.subarray(['END', 'ND', 'N E', 'DD'], { minLength: 1 }),
      (way, pieces, stops) => {
        const part = { kind: 'text' as const, pieces }
        const answer: Answer = { parts: [part], stop: 'end', cutAt: 0, usage: noUsage, order: [], manner: plain }
        const { upstream, client } = way
        const once = streamBytes(context(upstream, client, { stops }), [bytesOf(eventsOf(upstream, answer))])
        const all = pieces.join('')
        const met = stops.map((stop) => all.indexOf(stop)).filter((at) => at >= 0)
        const content = contentOf(client, once.text)
        expect(checks[client](once.text)).toBe('ended')
        expect(once.answer.cut).toBe(met.length > 0)
        expect(wholeContent(client, once.whole).text).toBe(content.text)
        if (met.length === 0) {
          expect(content.text).toBe(all)
          return
        }
        // Which of two is met first depends on the pieces; the text is cut before one of them, and holds none.
        expect(met.map((at) => all.slice(0, at))).toContain(content.text)
        expect(stops.filter((stop) => content.text.includes(stop))).toEqual([])
        if (client === 'messages') expect(stops).toContain(once.whole.stop_sequence)
      },
    ),
    { numRuns: runs },
  )
})

test('F16 to F22: what can’t be read ends in the dialect’s own error, never clean and never in a crash', () => {
  const broken = [
    'data: {"type":"message_start","message"\n\n',
    'data: [1,2]\n\n',
    'data: "text"\n\n',
    'data: null\n\n',
    'event: x\ndata: {\n\n',
    '\u0000\u0001\n\n',
    'data: {"choices":"none"}\n\ndata: {"choices":[7]}\n\n',
    'data: {"type":"response.output_item.done"}\n\n',
    'data: {"type":"content_block_delta","index":"x","delta":5}\n\n',
    '<html>502</html>',
    '',
  ]
  for (const { upstream, client } of directions) {
    for (const text of broken) {
      const { text: out, status } = streamBytes(context(upstream, client), [new TextEncoder().encode(text)])
      expect([checks[client](out), status >= 400]).toEqual(['failed', true])
    }
  }
})

test('a first event is passed on as soon as its own bytes are there', () => {
  for (const { upstream, client } of directions) {
    const answer: Answer = {
      parts: [{ kind: 'text', pieces: ['Hi'] }],
      stop: 'end',
      usage: { fresh: 1, read: 0, written: 0, out: 1, thought: 0 },
      order: [],
      manner: plain,
      cutAt: 0,
    }
    const events = eventsOf(upstream, answer)
    const at = events.findIndex((event) => JSON.stringify(event).includes('"Hi"'))
    const translation = answerOf(context(upstream, client))
    expect(translation.push(bytesOf(events.slice(0, at + 1)))).toContain('Hi')
  }
})

test('a whole answer of one dialect is the same as its stream in the other', () => {
  const message = {
    type: 'message',
    content: [
      { type: 'text', text: 'Hi' },
      { type: 'tool_use', id: 'a', name: 'f', input: { x: 1 } },
    ],
    stop_reason: 'tool_use',
    usage: { input_tokens: 3, output_tokens: 4 },
  }
  for (const client of ['responses', 'chat'] as const) {
    const { whole, text } = unary('messages', client, message)
    expect(wholeContent(client, whole)).toEqual(contentOf(client, text))
  }
})
