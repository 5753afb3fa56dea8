/** A turn that a Messages upstream pauses for a tool of its own: what was said, the request that goes on, the sum (bridge §2.2). */
import { expect, test } from 'vitest'
import { goingOn } from '../../src/main/translate/said-blocks.ts'
import { type Any, answerOf, begun, block, context, request, said, sse, stopped, used } from './kit.ts'

const bytes = (events: readonly unknown[]): Uint8Array => new TextEncoder().encode(sse(events))

test('a turn that may be paused waits for what goes on, five times at most; its usage is the sum', () => {
  const answer = answerOf(context('messages', 'responses', { mayPause: true }))
  const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }
  const result = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }
  const first = [
    begun(),
    ...block(
      0,
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: 'I ' },
      { type: 'thinking_delta', thinking: 'look.' },
      { type: 'signature_delta', signature: 'sig' },
    ),
    ...block(
      1,
      search,
      { type: 'input_json_delta', partial_json: '{"query":' },
      { type: 'input_json_delta', partial_json: '"x"}' },
    ),
    ...block(2, result),
    ...block(3, { type: 'text', text: '' }),
  ]
  answer.push(bytes([...first, ...stopped('pause_turn', { output_tokens: 7 })]))
  expect(answer.paused).toEqual([
    { type: 'thinking', thinking: 'I look.', signature: 'sig' },
    { ...search, input: { query: 'x' } },
    result,
  ])
  expect(answer.end()).toBe('')
  for (let n = 1; n <= 4; n += 1) {
    answer.goOn()
    answer.push(bytes([begun(), ...said(0, `${n} `), ...stopped('pause_turn', { output_tokens: 7 })]))
    expect([answer.over, answer.paused?.length]).toEqual([false, 3 + n])
  }
  answer.goOn()
  answer.push(bytes([begun(), ...said(0, 'end'), ...stopped('pause_turn', { output_tokens: 7 })]))
  const { body } = answer.unary() as { body: Any }
  expect([body.status, answer.lost, body.usage.output_tokens]).toEqual([
    'incomplete',
    ['server_tool_hidden', 'paused_turn_ended'],
    42,
  ])
  expect(body.output.flatMap((item: Any) => item.content ?? []).map((part: Any) => part.text)).toEqual([
    '1 ',
    '2 ',
    '3 ',
    '4 ',
    'end',
  ])
})

test('a pause beside a call for the client ends the turn: the call has no result yet', () => {
  const answer = answerOf(context('messages', 'chat', { mayPause: true }))
  answer.push(bytes([begun(), ...used(0, 'a', 'f', '{}'), ...stopped('pause_turn')]))
  expect([answer.over, answer.paused]).toEqual([true, null])
})

test('what goes on stands behind the request, in the assistant’s own turn where it ends with one', () => {
  const messages = [{ role: 'user', content: 'q' }]
  const told = [{ type: 'text', text: 'b' }]
  const turn = (text: string) => JSON.parse(goingOn(text, told) ?? '').messages
  expect(turn(JSON.stringify({ model: 'm', messages }))).toEqual([...messages, { role: 'assistant', content: told }])
  const begunTurn = [...messages, { role: 'assistant', content: 'a' }]
  expect(turn(JSON.stringify({ messages: begunTurn }))).toEqual([
    ...messages,
    { role: 'assistant', content: [{ type: 'text', text: 'a' }, ...told] },
  ])
  expect(goingOn('no json', told)).toBeNull()
})

test('only where the upstream runs a tool of its own may its turn be paused', () => {
  const ask = (tools: readonly object[]) => ({ model: 'm', input: 'q', tools })
  const may = (tools: readonly object[]) =>
    request('responses', 'messages', ask(tools), { abilities: { webSearch: true } }).context.mayPause
  expect([may([{ type: 'web_search' }]), may([])]).toEqual([true, false])
})
