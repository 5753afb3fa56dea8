/** A history that goes to another dialect and comes back is the same (bridge §8, 7 and 10). */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Dialect } from '../../src/main/domain/source.ts'
import { wrap } from '../../src/main/translate/opaque.ts'
import { type Any, begun, block, issuer, request, said, stopped, stream, translated, used } from './kit.ts'

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
/** What would be read as the mark of a failed tool is left out: there the two can't be told apart. */
const plain = text.filter((made) => !made.startsWith('[tool error] '))
const value = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null))
const inputs = fc.dictionary(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 6 }), value, { maxKeys: 3 })

interface Turn {
  readonly asked: string
  readonly said: string
  readonly calls: readonly {
    readonly input: Record<string, unknown>
    readonly result: string
    readonly failed: boolean
  }[]
  /** Results come back in another order than the calls. */
  readonly reversed: boolean
}

const turns: fc.Arbitrary<readonly Turn[]> = fc.array(
  fc.record({
    asked: plain,
    said: plain,
    calls: fc.array(fc.record({ input: inputs, result: plain, failed: fc.boolean() }), { maxLength: 3 }),
    reversed: fc.boolean(),
  }),
  { minLength: 1, maxLength: 4 },
)

const id = (turn: number, at: number): string => `call_${turn}_${at}`

function messagesOf(list: readonly Turn[]): Any {
  const messages = list.flatMap((turn, n): object[] => {
    const uses = turn.calls.map(({ input }, at) => ({ type: 'tool_use', id: id(n, at), name: `tool_${at}`, input }))
    const results = turn.calls.map(({ result, failed }, at) => ({
      type: 'tool_result',
      tool_use_id: id(n, at),
      content: result,
      ...(failed ? { is_error: true } : {}),
    }))
    const back = turn.reversed ? results.reverse() : results
    return [
      { role: 'user', content: [{ type: 'text', text: turn.asked }] },
      { role: 'assistant', content: [{ type: 'text', text: turn.said }, ...uses] },
      ...(back.length === 0
        ? []
        : [
            { role: 'user', content: back },
            { role: 'assistant', content: [{ type: 'text', text: 'next' }] },
          ]),
    ]
  })
  return {
    model: 'm',
    max_tokens: 1_000,
    system: [{ type: 'text', text: 'Be brief.' }],
    messages: [...messages, { role: 'user', content: [{ type: 'text', text: 'go on' }] }],
    tools: [{ name: 'tool_0', description: 'd', input_schema: { type: 'object', properties: {} } }],
  }
}

const systemItem = (text: string): object => ({
  type: 'message',
  role: 'developer',
  content: [{ type: 'input_text', text }],
})

const names = { model: 'm', stream: false } as const

function there(from: Dialect, to: Dialect, body: Any): Any {
  return request(from, to, body, names).body
}

describe('A → B → A is equal in the subset that both can say', () => {
  for (const other of ['responses', 'chat'] as const) {
    test(`Messages → ${other} → Messages`, () => {
      fc.assert(
        fc.property(turns, (list) => {
          const body = messagesOf(list)
          const back = there(other, 'messages', there('messages', other, body))
          expect([back.messages, back.system, back.tools, back.max_tokens]).toEqual([
            body.messages,
            body.system,
            body.tools,
            body.max_tokens,
          ])
        }),
        { numRuns: 500 },
      )
    })
  }

  for (const [from, other] of [
    ['responses', 'messages'],
    ['responses', 'chat'],
    ['chat', 'messages'],
    ['chat', 'responses'],
  ] as const) {
    test(`${from} → ${other} → ${from}`, () => {
      fc.assert(
        fc.property(turns, (list) => {
          const body = there('messages', from, messagesOf(list))
          const back = there(other, from, there(from, other, body))
          // Chat's system message stays a message; another vendor's instructions become one.
          const said = ({ input, messages, instructions }: Any): readonly Any[] =>
            instructions === undefined ? (input ?? messages) : [systemItem(instructions), ...input]
          const seen = (made: Any): unknown => [said(made), made.tools]
          expect(seen(back)).toEqual(seen(body))
        }),
        { numRuns: 500 },
      )
    })
  }
})

test('the same request gives the same bytes', () => {
  fc.assert(
    fc.property(turns, fc.constantFrom('responses' as const, 'chat' as const), (list, to) => {
      const body = messagesOf(list)
      expect(translated('messages', to, body)).toEqual(translated('messages', to, body))
    }),
    { numRuns: 200 },
  )
})

describe('thoughts go to the client and back to their issuer, byte for byte', () => {
  const thoughts = fc.record({
    thinking: text,
    signature: fc.base64String({ minLength: 24, maxLength: 40 }),
    redacted: fc.base64String({ minLength: 24, maxLength: 40 }),
  })
  test('of Messages, through a Responses client', () => {
    fc.assert(
      fc.property(thoughts, ({ thinking, signature, redacted }) => {
        const { whole } = stream('messages', 'responses', [
          begun(),
          ...block(
            0,
            { type: 'thinking', thinking: '' },
            { type: 'thinking_delta', thinking },
            { type: 'signature_delta', signature },
          ),
          ...block(1, { type: 'redacted_thinking', data: redacted }),
          ...said(2, 'so'),
          ...used(3, 'call_1', 'f', '{"x":1}'),
          ...stopped('tool_use'),
        ])
        const input = [
          { role: 'user', content: 'a' },
          ...whole.output,
          { type: 'function_call_output', call_id: 'call_1', output: 'x' },
        ]
        expect(there('responses', 'messages', { model: 'm', input }).messages[1].content).toEqual([
          { type: 'thinking', thinking, signature },
          { type: 'redacted_thinking', data: redacted },
          { type: 'text', text: 'so' },
          { type: 'tool_use', id: 'call_1', name: 'f', input: { x: 1 } },
        ])
      }),
      { numRuns: 300 },
    )
  })

  test('of Responses, through a Messages client, and to nobody else', () => {
    fc.assert(
      fc.property(thoughts, ({ thinking, signature: blob }) => {
        const item = {
          type: 'reasoning',
          id: 'r',
          summary: [{ type: 'summary_text', text: thinking }],
          encrypted_content: blob,
        }
        const call = { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{}' }
        const { whole } = stream('responses', 'messages', [
          { type: 'response.completed', response: { output: [item, call] } },
        ])
        const messages = [
          { role: 'user', content: 'a' },
          { role: 'assistant', content: whole.content },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'x' }] },
        ]
        const own = there('messages', 'responses', { model: 'm', messages }).input[1]
        expect(own).toEqual({ type: 'reasoning', summary: item.summary, encrypted_content: blob })
        const other = request('messages', 'responses', { model: 'm', messages }, { issuer: 'another' })
        expect([JSON.stringify(other.body).includes(blob), other.codes]).toEqual([false, ['reasoning_dropped']])
      }),
      { numRuns: 300 },
    )
  })

  test('a wrapped value is wrapped once and never changed', () => {
    const wrapped = wrap(issuer, { kind: 'signature', data: 'Sig' })
    expect(wrapped).toBe(wrap(issuer, { kind: 'signature', data: 'Sig' }))
    expect(wrapped).toMatch(/^rb1\.[A-Za-z0-9_-]+$/)
  })
})
