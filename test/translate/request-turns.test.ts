/** System texts and turns where each dialect has its place for them, and histories that are out of order (bridge §1.2, §1.3). */
import { describe, expect, test } from 'vitest'
import { translateRequest } from '../../src/main/translate/translate-request.ts'
import { type Any, hash, refusalOf, request, task, translated } from './kit.ts'
import { directions, sane } from './sane-requests.ts'

const ask = { role: 'user', content: 'a' }
const messages = (...list: readonly unknown[]): object => ({ model: 'm', max_tokens: 100, messages: list })
const chat = (...list: readonly unknown[]): object => ({ model: 'm', messages: list })
const input = (...list: readonly unknown[]): object => ({ model: 'm', input: list })

describe('system texts', () => {
  const told = [
    { role: 'system', content: 's' },
    { role: 'developer', content: 'd' },
  ]
  test('of Chat stay what they are for Responses, in their roles', () => {
    const { body } = request('chat', 'responses', chat(...told, ask))
    expect([body.instructions, body.input.map(({ role, content }: Any) => [role, content[0].text])]).toEqual([
      undefined,
      [
        ['system', 's'],
        ['developer', 'd'],
        ['user', 'a'],
      ],
    ])
  })
  test('are instructions for the private backend, which is asked as its CLI asks it', () => {
    const { body } = request('chat', 'responses', chat(...told, ask), { abilities: { cliFieldsOnly: true } })
    expect([body.instructions, body.input.length]).toEqual(['s\n\nd', 1])
  })
  test('in front are a developer’s only where models reason', () => {
    const first = (efforts: readonly 'low'[], developerRole: boolean): string =>
      request('messages', 'chat', { ...messages(ask), system: 's' }, { abilities: { efforts, developerRole } }).body
        .messages[0].role
    expect([first(['low'], true), first([], true), first(['low'], false)]).toEqual(['developer', 'system', 'system'])
  })
  test('that are empty ask nothing', () => {
    expect(refusalOf('chat', 'messages', chat({ role: 'system', content: '' }))).toBe('conversation_empty')
    expect(refusalOf('responses', 'chat', { model: 'm', instructions: '', input: [] })).toBe('conversation_empty')
  })
})

test('a history of which nothing can be told is refused', () => {
  const thought = { type: 'reasoning', summary: [{ type: 'summary_text', text: 't' }], encrypted_content: 'e' }
  const seal = { role: 'assistant', content: [{ type: 'thinking', thinking: 't', signature: 'e' }] }
  expect([
    refusalOf('responses', 'messages', { ...input(thought), instructions: 's' }),
    refusalOf('responses', 'chat', input(thought)),
    refusalOf('messages', 'responses', messages(seal)),
  ]).toEqual(['conversation_empty', 'conversation_empty', 'conversation_empty'])
})
test('a call without a name takes only its own result with it', () => {
  const call = (name: string): object => ({ type: 'function_call', call_id: 'c', name, arguments: '{}' })
  const output = { type: 'function_call_output', call_id: 'c', output: 'x' }
  const found = translated('responses', 'messages', input(ask, call(''), call('f'), output))
  const warnings = [{ code: 'call_without_name', path: 'input', action: 'dropped' }]
  expect(found).toMatchObject({ kind: 'translated', warnings })
  const { body } = request('responses', 'messages', input(ask, call(''), call('f'), output))
  expect(body.messages[2].content).toEqual([{ type: 'tool_result', tool_use_id: 'c', content: 'x' }])
})
test('an empty text in a result is left out', () => {
  const use = { type: 'tool_use', id: 't', name: 'f', input: {} }
  const parts = ['', 'x'].map((text) => ({ type: 'document', source: { type: 'text', data: text } }))
  const result = { type: 'tool_result', tool_use_id: 't', content: parts }
  const turns = [ask, { role: 'assistant', content: [use] }, { role: 'user', content: [result] }]
  expect(request('messages', 'responses', messages(...turns)).body.input[2].output).toBe('x')
})

describe.each(directions)('$from → $to', ({ from, to }) => {
  test('fields of any name and number are told of in a few plain codes', () => {
    const odd = { 'b\u00fc\r\nx': 1, ...Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`field${at}`, at])) }
    const { codes } = request(from, to, { ...sane[from], ...odd })
    expect([codes.includes('field_dropped'), codes.includes('field3_dropped'), codes.length < 50]).toEqual([
      true,
      true,
      true,
    ])
    expect(codes.filter((code) => !/^[a-z0-9_]+$/.test(code))).toEqual([])
  })
  test('values inside values by the thousand are refused', () => {
    const depth = 50_000
    const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`
    const tool = { responses: { parameters: 'DEEP' }, messages: { input_schema: 'DEEP' }, chat: {} }[from]
    const named = { type: 'function', name: 'g', function: { name: 'g', parameters: 'DEEP' }, ...tool }
    const text = JSON.stringify({ ...sane[from], tools: [...sane[from].tools, named] })
    const found = translateRequest(text.replaceAll('"DEEP"', `{"a":${deep}}`), task(from, to), hash)
    expect(found).toMatchObject({ kind: 'refused', code: 'body_too_deep' })
  })
})

test('where system texts go up front, the turns around them stand together', () => {
  const said = (role: string, content: string): object => ({ role, content })
  const { body } = request(
    'responses',
    'chat',
    input(ask, said('assistant', 'b'), said('developer', 's'), said('assistant', 'c'), said('developer', 't'), ask),
    { abilities: { systemFirstOnly: true, developerRole: false } },
  )
  expect(body.messages.map(({ role, content }: Any) => [role, content])).toEqual([
    ['system', 's\n\nt'],
    ['user', 'a'],
    ['assistant', 'b\n\nc'],
    ['user', 'a'],
  ])
})
test('a thought of which nothing else is left is told of', () => {
  const turn = { role: 'assistant', content: [{ type: 'thinking', thinking: 't', signature: '' }] }
  const { codes } = request('messages', 'chat', messages(ask, turn, ask), { abilities: { echoReasoning: true } })
  expect(codes).toEqual(['reasoning_dropped'])
})
