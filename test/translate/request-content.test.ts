/** Nothing that a client says goes without a word: content is carried, or it is refused with its place (bridge §0, §1.4). */
import { describe, expect, test } from 'vitest'
import { type Any, refusalOf, request, translated } from './kit.ts'
import { directions } from './sane-requests.ts'

const ask = { role: 'user', content: 'a' }
const messages = (...list: readonly unknown[]): object => ({ model: 'm', max_tokens: 100, messages: list })
const chat = (...list: readonly unknown[]): object => ({ model: 'm', messages: list })
const input = (...list: readonly unknown[]): object => ({ model: 'm', input: list })
const made = { messages, responses: input, chat }

describe.each(directions)('$from → $to', ({ from, to }) => {
  const turns = (...list: readonly unknown[]): object => made[from](...list)
  test('content of no known shape is refused, not skipped', () => {
    const shapes: readonly unknown[] = [{ text: 'hello' }, 'hello', null, 7]
    expect(shapes.map((part) => refusalOf(from, to, turns({ role: 'user', content: [part] }, ask)))).toEqual(
      shapes.map(() => 'content_unknown'),
    )
    expect(refusalOf(from, to, turns({ role: 'user', content: { type: 'text', text: 'hello' } }, ask))).toBe(
      'content_unknown',
    )
    expect(refusalOf(from, to, turns('hello', ask))).toBe('content_unknown')
    expect(refusalOf(from, to, turns({ role: 'user', content: null }, ask))).toBe('carried')
  })
  test('the place of what is refused is told', () => {
    const found = translated(from, to, turns(ask, { role: 'user', content: ['hello'] }))
    const list = from === 'responses' ? 'input' : 'messages'
    expect(found).toMatchObject({ kind: 'refused', path: `${list}[1].content[0]` })
  })
})

test('a system turn that holds more than text is refused', () => {
  const picture = { type: 'input_image', image_url: 'https://x.test/a' }
  const text = { type: 'input_text', text: 's' }
  for (const role of ['system', 'developer']) {
    const turn = { role, content: [text, picture] }
    expect([
      refusalOf('responses', 'messages', input(turn, ask)),
      refusalOf('responses', 'chat', input(ask, turn, ask)),
    ]).toEqual(['content_unknown', 'content_unknown'])
  }
  const change = { type: 'tool_addition', tool: { type: 'tool_reference', name: 'f' } }
  expect(refusalOf('messages', 'chat', messages(ask, { role: 'system', content: [change] }))).toBe('content_unknown')
})
test('an item that is only an id refers to one that is stored elsewhere', () => {
  for (const item of [{ id: 'msg_1' }, { id: 'msg_1', type: null }])
    expect(refusalOf('responses', 'chat', input(item, ask))).toBe('context_not_portable')
})
test('a result of no known shape is refused', () => {
  const use = { type: 'tool_use', id: 't', name: 'f', input: {} }
  const result = { type: 'tool_result', tool_use_id: 't', content: { found: 1 } }
  const turns = [ask, { role: 'assistant', content: [use] }, { role: 'user', content: [result] }]
  expect(refusalOf('messages', 'responses', messages(...turns))).toBe('content_unknown')
  const call = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }
  const output = { type: 'function_call_output', call_id: 'c', output: { found: 1 } }
  expect(refusalOf('responses', 'messages', input(ask, call, output))).toBe('content_unknown')
})
test('an earlier answer in sound is refused', () => {
  expect(refusalOf('chat', 'responses', chat(ask, { role: 'assistant', audio: { id: 'x' } }, ask))).toBe(
    'audio_not_portable',
  )
})
test('the name of a speaker is left out with a warning, that of a function says whose result it is', () => {
  expect(request('chat', 'messages', chat({ ...ask, name: 'bob' })).codes).toEqual(['name_dropped'])
  const old = [
    { role: 'assistant', function_call: { name: 'f', arguments: '{}' } },
    { role: 'function', name: 'f', content: 'x' },
  ]
  expect(request('chat', 'messages', chat(ask, ...old)).codes).toEqual([])
})
test('which model stood in for another is left out of the history', () => {
  const hop = { type: 'fallback', from: { model: 'a' }, to: { model: 'b' } }
  const { body, codes } = request(
    'messages',
    'chat',
    messages(ask, { role: 'assistant', content: [hop, { type: 'text', text: 'x' }] }, ask),
  )
  expect([body.messages[1].content, codes]).toEqual(['x', ['server_tool_history_dropped']])
})
test('a document of parts keeps its title', () => {
  const document = (title: unknown): object => ({
    type: 'document',
    title,
    source: { type: 'content', content: [{ type: 'text', text: 'body' }] },
  })
  const texts = (title: unknown): Any =>
    request('messages', 'responses', messages({ role: 'user', content: [document(title)] })).body.input[0].content.map(
      ({ text }: Any) => text,
    )
  expect([texts('T'), texts(null), texts('')]).toEqual([['T', 'body'], ['body'], ['body']])
})
