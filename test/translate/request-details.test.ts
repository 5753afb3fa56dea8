/** Details that only one dialect has: told of where they go, let be where they say what holds anyway (bridge §0, §4). */
import { describe, expect, test } from 'vitest'
import { refusalOf, request, translated } from './kit.ts'

const ask = { role: 'user', content: 'a' }
const messages = (more: object = {}): object => ({ model: 'm', max_tokens: 100, messages: [ask], ...more })
const chat = (more: object = {}): object => ({ model: 'm', messages: [ask], ...more })
const input = (more: object = {}): object => ({ model: 'm', input: 'a', ...more })
const fn = (more: object): object => ({ type: 'function', name: 'f', parameters: {}, ...more })

test('what holds anyway may be said', () => {
  const penalties = { frequency_penalty: 0, presence_penalty: 0 }
  expect([
    refusalOf('chat', 'messages', chat(penalties), { strict: true }),
    refusalOf('responses', 'messages', input({ truncation: 'disabled' }), { strict: true }),
    refusalOf('messages', 'responses', messages({ speed: 'standard' }), { strict: true }),
    refusalOf('chat', 'messages', chat({ frequency_penalty: 0.5 }), { strict: true }),
    refusalOf('responses', 'messages', input({ truncation: 'auto' }), { strict: true }),
    refusalOf('messages', 'responses', messages({ speed: 'fast' }), { strict: true }),
  ]).toEqual(['carried', 'carried', 'carried', 'frequency_penalty_dropped', 'truncation_dropped', 'speed_dropped'])
})
test('fields of a tool that only its dialect has are told of', () => {
  const told = (from: 'messages' | 'responses' | 'chat', to: 'messages' | 'chat', body: object): unknown => {
    const found = translated(from, to, body)
    return found.kind === 'translated' ? found.warnings.map(({ code, path }) => `${code} ${path}`) : found
  }
  const own = { name: 'f', input_schema: {}, input_examples: [{}], eager_input_streaming: true }
  expect([
    told('messages', 'chat', messages({ tools: [own] })),
    told('responses', 'messages', input({ tools: [fn({ output_schema: {} })] })),
    told('chat', 'messages', chat({ tools: [{ type: 'function', function: { name: 'f', cached: true } }] })),
    told('responses', 'messages', input({ tools: [fn({ output_schema: null })] })),
    told('messages', 'chat', messages({ tools: [{ type: 'text_editor_20250728', name: 'edit', max_characters: 9 }] })),
    told('responses', 'messages', input({ tools: [{ type: 'shell', environment: { type: 'local', skills: [{}] } }] })),
  ]).toEqual([
    ['field_dropped tools[0].input_examples'],
    ['field_dropped tools[0].output_schema'],
    ['field_dropped tools[0].cached'],
    [],
    ['field_dropped tools[0].max_characters', 'client_tool_emulated tools[0]'],
    ['field_dropped tools[0].environment.skills', 'tool_emulated tools[0]'],
  ])
})
test('how closely a picture is looked at is told of where nobody can be told', () => {
  const codes = (detail: string): readonly string[] => {
    const part = { type: 'input_image', image_url: 'https://x.test/a', detail }
    return request('responses', 'messages', input({ input: [{ role: 'user', content: [part] }] })).codes
  }
  expect([codes('high'), codes('auto')]).toEqual([['detail_dropped'], []])
})
test('citations in a history are left out with a word', () => {
  const cited = [{ type: 'url_citation', url: 'https://x.test/a' }]
  const codes = (annotations: readonly object[]): readonly string[] => {
    const said = { role: 'assistant', content: [{ type: 'output_text', text: 'x', annotations }] }
    return request('responses', 'messages', input({ input: [ask, said, ask] })).codes
  }
  expect([codes(cited), codes([])]).toEqual([['citations_dropped'], []])
  const said = { role: 'assistant', content: 'x', annotations: cited }
  expect(request('chat', 'responses', chat({ messages: [ask, said, ask] })).codes).toEqual(['citations_dropped'])
})
test('a format of no known kind is told of', () => {
  const codes = (type: string): readonly string[] =>
    request('responses', 'chat', input({ text: { format: { type } } })).codes
  expect([codes('grammar'), codes('text')]).toEqual([['field_dropped'], []])
  expect(request('chat', 'messages', chat({ response_format: { type: 'regex' } })).codes).toEqual(['field_dropped'])
})
test('the output of a local shell may name the item of its call', () => {
  const call = {
    type: 'local_shell_call',
    id: 'lsh_1',
    call_id: 'call_1',
    action: { type: 'exec', command: ['ls'], env: {} },
  }
  const output = (more: object): object => ({ type: 'local_shell_call_output', output: 'files', ...more })
  for (const more of [{ id: 'lsh_1' }, { id: 'call_1' }, { call_id: 'call_1' }]) {
    const { body, codes } = request('responses', 'chat', input({ input: [ask, call, output(more)] }))
    expect([body.messages[2], codes]).toEqual([{ role: 'tool', tool_call_id: 'call_1', content: 'files' }, []])
  }
})

test('a summary stands apart from the text behind it', () => {
  const content = [
    { type: 'compaction', content: 'So far.' },
    { type: 'text', text: 'On' },
    { type: 'text', text: 'ward.' },
  ]
  const turns = [{ role: 'assistant', content }, ask]
  expect(request('messages', 'chat', messages({ messages: turns })).body.messages[0].content).toBe('So far.\n\nOnward.')
})

describe('refused', () => {
  test('is what only its vendor holds or makes', () => {
    expect([
      refusalOf('messages', 'chat', messages({ thread: { type: 'continue', previous_message_id: 'msg_1' } })),
      refusalOf('messages', 'chat', messages({ compaction: { type: 'summarize' } })),
      refusalOf('responses', 'chat', input({ tools: [{ type: 'computer_use' }, fn({})] })),
      request('messages', 'chat', messages({ thread: { type: 'create' } })).codes.join(),
    ]).toEqual(['context_not_portable', 'compaction_not_served', 'server_tool_unsupported', 'thread_dropped'])
  })
  test('are system texts and lists of tools of no known shape', () => {
    expect([
      refusalOf('messages', 'chat', messages({ system: { text: 's' } })),
      refusalOf('messages', 'chat', messages({ system: [{ type: 'image', source: {} }] })),
      refusalOf('responses', 'chat', input({ instructions: ['s'] })),
      refusalOf('messages', 'chat', messages({ tools: ['f'] })),
      refusalOf('responses', 'chat', input({ tools: { f: {} } })),
      refusalOf('chat', 'responses', chat({ functions: 'f' })),
    ]).toEqual(Array.from({ length: 6 }, () => 'content_unknown'))
    expect(refusalOf('messages', 'chat', messages({ system: null, tools: null }))).toBe('carried')
  })
})
test('domains that are no text are none', () => {
  const tool = { type: 'web_search', filters: { allowed_domains: ['x.test', { toString: 0 }] } }
  const { body } = request('responses', 'messages', input({ tools: [tool] }), { abilities: { webSearch: true } })
  expect(body.tools[0].allowed_domains).toEqual(['x.test'])
})
