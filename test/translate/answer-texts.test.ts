/** Texts of a Messages answer: which stand together, and the words of a refusal (bridge §2.1, §2.2). */
import { expect, test } from 'vitest'
import { type Any, answerOf, begun, block, context, said, sse, stopped, stream, unary, used } from './kit.ts'

const texts = (whole: Any): readonly string[] =>
  whole.output.flatMap(({ content }: Any) => content ?? []).map((part: Any) => part.text ?? `refused: ${part.refusal}`)

test('texts that stand together are one: what is cited stands in a block of its own, in the middle of a sentence', () => {
  const cited = block(
    1,
    { type: 'text', text: '' },
    { type: 'text_delta', text: 'he was born' },
    {
      type: 'citations_delta',
      citation: {},
    },
  )
  const empty = block(3, { type: 'text', text: '' })
  const events = [begun(), ...said(0, 'As read, '), ...cited, ...said(2, ' in'), ...empty, ...said(4, ' May.')]
  const all = [...events, ...stopped('end_turn')]
  expect(texts(stream('messages', 'responses', all).whole)).toEqual(['As read, he was born in May.'])
  expect(stream('messages', 'chat', all).whole.choices[0].message.content).toBe('As read, he was born in May.')
  const body = { type: 'message', content: ['a', 'b'].map((text) => ({ type: 'text', text })), stop_reason: 'end_turn' }
  expect(texts(unary('messages', 'responses', body).whole)).toEqual(['ab'])
})

test('what stands between keeps them apart: a call, a thought, and what the vendor ran itself', () => {
  const between = [
    used(1, 'a', 'f', '{}'),
    block(1, { type: 'redacted_thinking', data: 'd' }),
    block(1, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }),
  ]
  for (const events of between) {
    const all = [begun(), ...said(0, 'a'), ...events, ...said(2, 'b'), ...stopped('end_turn')]
    expect(texts(stream('messages', 'responses', all).whole)).toEqual(['a', 'b'])
    expect(stream('messages', 'chat', all).whole.choices[0].message.content).toBe('a\n\nb')
  }
})

test('a text that goes on is passed on at once, and is open until something else comes', () => {
  const answer = answerOf(context('messages', 'responses'))
  const push = (events: readonly unknown[]): string => answer.push(new TextEncoder().encode(sse(events)))
  push([begun(), ...said(0, 'a')])
  const next = push(said(1, 'b'))
  expect([next.includes('"delta":"b"'), next.includes('output_text.done')]).toEqual([true, false])
  expect(push(used(2, 'a', 'f', '{}'))).toMatch(/output_text\.done.*"text":"ab"/)
})

test('why a Messages model refused are the words of its refusal', () => {
  const details = (explanation: unknown) => ({ stop_details: { type: 'refusal', category: null, explanation } })
  const of = (client: 'responses' | 'chat', explanation: unknown, before: readonly object[]) =>
    stream('messages', client, [begun(), ...before, ...stopped('refusal', {}, details(explanation))]).whole
  const chat = of('chat', 'Because.', said(0, 'a')).choices[0]
  expect([chat.message.content, chat.message.refusal, chat.finish_reason]).toEqual(['a', 'Because.', 'content_filter'])
  expect(texts(of('responses', 'Because.', []))).toEqual(['refused: Because.'])
  for (const nothing of [null, '', 7])
    expect(texts(of('responses', nothing, []))).toEqual(['refused: The model declined to answer.'])
  expect(texts(of('responses', null, said(0, 'a')))).toEqual(['a'])
  const body = { type: 'message', content: [], stop_reason: 'refusal', ...details('Because.') }
  expect(unary('messages', 'chat', body).whole.choices[0].message.refusal).toBe('Because.')
  const ended = stream('messages', 'chat', [begun(), ...said(0, 'a'), ...stopped('end_turn', {}, details('Because.'))])
  expect(ended.whole.choices[0].message.refusal).toBeNull()
})
