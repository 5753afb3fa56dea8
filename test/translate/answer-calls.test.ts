/** Calls of an answer whose id, name or input comes late, again, in another place or not at all (bridge §2.2, §3.3, §3.4). */
import { describe, expect, test } from 'vitest'
import {
  type Any,
  added,
  begun,
  block,
  chatCall,
  completed,
  created,
  delta,
  done,
  itemDone,
  rArgs,
  request,
  said,
  stopped,
  stream,
  unary,
  used,
} from './kit.ts'

const callsOf = (whole: Any): readonly unknown[] =>
  whole.content.filter(({ type }: Any) => type === 'tool_use').map(({ id, name, input }: Any) => [id, name, input])
const end = [delta({}, 'tool_calls'), done]
const chat = (...calls: readonly object[][]) =>
  stream('chat', 'messages', [...calls.map((list) => delta({ tool_calls: list })), ...end])

describe('of a Chat upstream', () => {
  test('an id that comes after the name is no other call', () => {
    const late = [[chatCall(0, null, 'f', '{"a"')], [chatCall(0, 'x', null, ':1')], [chatCall(0, 'x', null, '}')]]
    expect(callsOf(chat(...late).whole)).toEqual([['toolu_seed_1', 'f', { a: 1 }]])
  })
  test('the same index with another id is another call, the same id with another index too', () => {
    const one = [chatCall(0, 'a', 'f', '{"n":1}')]
    const fragments = [[chatCall(0, 'b', 'g', '{"n"')], [chatCall(0, 'a', null, '')], [chatCall(0, 'b', null, ':2}')]]
    expect(callsOf(chat(one, ...fragments).whole)).toEqual([
      ['a', 'f', { n: 1 }],
      ['b', 'g', { n: 2 }],
    ])
    expect(callsOf(chat(one, [chatCall(1, 'a', 'g', '{"n":2}')]).whole)).toEqual([
      ['a', 'f', { n: 1 }],
      ['toolu_seed_1', 'g', { n: 2 }],
    ])
  })
  test('without index and id a name begins a call, a fragment without one goes on with it', () => {
    const piece = (name: string | null, args: string) => ({
      function: { ...(name === null ? {} : { name }), arguments: args },
    })
    const ids = ['toolu_seed_1', 'toolu_seed_2', 'toolu_seed_3']
    const expected = [
      [ids[0], 'f', { n: 1 }],
      [ids[1], 'f', { n: 2 }],
      [ids[2], 'g', {}],
    ]
    const parts = [[piece('f', '{"n"')], [piece(null, ':1}')], [piece('f', '{"n"'), piece('f', ':2}'), piece('g', '')]]
    expect(callsOf(chat(...parts).whole)).toEqual(expected)
    const whole = [piece('f', '{"n":1}'), piece('f', '{"n":2}'), piece('g', '')]
    for (const index of [undefined, 0]) {
      const calls = whole.map((call) => (index === undefined ? call : { ...call, index }))
      const message = { role: 'assistant', content: null, tool_calls: calls }
      const answer = { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }
      expect(callsOf(unary('chat', 'messages', answer).whole)).toEqual(expected)
    }
  })
})

describe('ids', () => {
  test('are ones that the client’s own vendor takes, and go back as the upstream made them', () => {
    for (const id of ['functions.f:0', 'ä', 'a b', '\ud83d\ude00', 'x'.repeat(80)]) {
      const [[shown]] = callsOf(chat([chatCall(0, id, 'f', '{}')]).whole) as [[string]]
      expect(shown).toMatch(/^[A-Za-z0-9_-]+$/)
      const history = [
        { role: 'user', content: 'q' },
        { role: 'assistant', content: [{ type: 'tool_use', id: shown, name: 'f', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: shown, content: 'r' }] },
      ]
      const { body } = request('messages', 'chat', { model: 'm', max_tokens: 9, messages: history })
      const sent = [body.messages[1].tool_calls[0].id, body.messages[2].tool_call_id]
      expect(sent).toEqual(id.length > 64 ? [sent[1], sent[0]] : [id, id])
      expect(sent[0].length).toBeLessThanOrEqual(64)
    }
  })
  test('that an OpenAI client’s vendor would not take, none at all, or one twice are made anew', () => {
    const events = ['t'.repeat(65), '', 'a', 'a', 'b'].flatMap((id, at) => used(at, id, 'f', '{}'))
    const { whole } = stream('messages', 'responses', [begun(), ...events, ...stopped('tool_use')])
    expect(whole.output.map(({ call_id: id }: Any) => id)).toEqual([
      'call_seed_1',
      'call_seed_2',
      'a',
      'call_seed_3',
      'b',
    ])
  })
})

describe('of a Responses upstream', () => {
  const item = { type: 'function_call', id: 'i', call_id: 'c', name: 'f', arguments: '{"a":1}' }
  const full = { type: 'response.function_call_arguments.done', output_index: 0, item_id: 'i', arguments: '{"a":1}' }
  test('begin once name and id are known, wherever these come', () => {
    const none = { type: 'function_call', id: 'i' }
    const { arguments: _, ...bare } = item
    for (const events of [
      [added(0, { ...none, name: 'f' }), rArgs(0, 'i', '{"a"'), itemDone(0, item)],
      [added(0, { ...none, call_id: 'c' }), rArgs(0, 'i', '{"a"'), full, itemDone(0, bare)],
      [full, itemDone(0, bare)],
      [added(0, none), { ...full, name: 'f', call_id: 'c' }],
      [rArgs(0, 'i', '{"a":1}'), itemDone(0, bare)],
      [itemDone(0, item), itemDone(0, item)],
    ]) {
      expect(callsOf(stream('responses', 'messages', [created, ...events, completed()]).whole)).toEqual([
        ['c', 'f', { a: 1 }],
      ])
    }
  })
  test('have their item’s id where there is no other', () => {
    const { call_id: _, ...bare } = item
    expect(callsOf(stream('responses', 'messages', [created, itemDone(0, bare), completed()]).whole)).toEqual([
      ['i', 'f', { a: 1 }],
    ])
  })
})

test('a call without a name is left out and told of', () => {
  const nameless = { type: 'function_call', id: 'i', call_id: 'c', arguments: '{}' }
  const found = [
    chat([chatCall(0, 'a', null, '{}')]),
    stream('messages', 'chat', [begun(), ...used(0, 'a', '', '{}'), ...said(1, 'x'), ...stopped('tool_use')]),
    stream('responses', 'chat', [created, itemDone(0, nameless), completed()]),
    stream('responses', 'chat', [created, added(0, nameless), rArgs(0, 'i', '{}'), completed()]),
  ]
  expect(found.map(({ answer }) => answer.lost)).toEqual(found.map(() => ['call_without_name']))
  expect(found.map(({ whole }) => whole.stop_reason ?? whole.choices[0].finish_reason)).toEqual([
    'end_turn',
    'stop',
    'stop',
    'stop',
  ])
})

test('an input that can’t be read is kept in a whole answer and told of', () => {
  const { whole, answer } = chat([chatCall(0, 'a', 'f', '{x')])
  expect([callsOf(whole), answer.lost]).toEqual([[['a', 'f', { raw_arguments: '{x' }]], ['tool_arguments_unreadable']])
  expect(chat([chatCall(0, 'a', 'f', '{}')]).answer.lost).toEqual([])
})

test('a vendor’s own tool types hold values of their types only, and tell of an input that can’t be read', () => {
  const of = (kind: 'local_shell' | 'shell' | 'apply_patch', input: string) => {
    const tools = [['t', { name: 't', namespace: null, kind }]] as const
    const events = [begun(), ...used(0, 'a', 't', input), ...stopped('tool_use')]
    const { whole, answer } = stream('messages', 'responses', events, { tools })
    return [whole.output[0].action ?? whole.output[0].operation, answer.lost]
  }
  const shell = { max_output_length: null, timeout_ms: null }
  const local = { type: 'exec', env: {}, working_directory: null, timeout_ms: null }
  expect([
    of('shell', '{"commands":"ls -l"}'),
    of('shell', '{"commands":["ls",7,null],"timeout_ms":"5"}'),
    of('local_shell', '{"command":["ls"],"workdir":7}'),
    of('apply_patch', '{"operation":"x"}'),
    of('shell', '{x'),
    of('local_shell', '"ls"'),
  ]).toEqual([
    [{ ...shell, commands: ['ls -l'] }, []],
    [{ ...shell, commands: ['ls'] }, []],
    [{ ...local, command: ['ls'] }, []],
    [{}, []],
    [{ ...shell, commands: [] }, ['tool_arguments_unreadable']],
    [{ ...local, command: [] }, ['tool_arguments_unreadable']],
  ])
})

test('parts and reasons to stop that are not known are named, and the answer ends as it would', () => {
  const steered = { status: 'incomplete', incomplete_details: { reason: 'steered' }, output: [] }
  const found = [
    stream('responses', 'messages', [created, { type: 'response.incomplete', response: steered }]),
    stream('responses', 'messages', [
      created,
      itemDone(0, { type: 'new_kind', id: 'n' }),
      { type: 'response.incomplete', response: { ...steered, incomplete_details: null } },
    ]),
    stream('chat', 'messages', [delta({ content: 'x' }, 'tired'), done]),
    stream('messages', 'chat', [begun(), ...block(0, { type: 'new_kind' }), ...stopped('tired')]),
    stream('messages', 'chat', [begun(), ...block(0, { type: 'mcp_tool_use', id: 'm' }), ...stopped('end_turn')]),
  ]
  expect(found.map(({ answer }) => [...answer.lost].sort())).toEqual([
    ['stop_reason_unknown'],
    ['answer_part_unknown', 'stop_reason_unknown'],
    ['stop_reason_unknown'],
    ['answer_part_unknown', 'stop_reason_unknown'],
    ['server_tool_hidden'],
  ])
  expect(found.map(({ whole }) => whole.stop_reason ?? whole.choices[0].finish_reason)).toEqual([
    ...['end_turn', 'end_turn', 'end_turn', 'stop', 'stop'],
  ])
})

test('content in parts is read by their kind, and what is of no known kind is named', () => {
  const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }
  const parts = [thinking, { type: 'text', text: 'a' }, { type: 'text', text: '' }, { type: 'picture' }, 7]
  const { whole, answer } = stream('chat', 'messages', [
    delta({ content: parts }),
    delta({ content: 'b' }, 'stop'),
    done,
  ])
  expect(whole.content.map((part: Any) => part.thinking ?? part.text)).toEqual(['hm', 'ab'])
  expect(answer.lost).toEqual(['answer_part_unknown'])
  const refused = unary('chat', 'messages', {
    choices: [{ message: { content: [{ type: 'refusal', refusal: 'No.' }] }, finish_reason: 'stop' }],
  })
  expect([refused.whole.content[0].text, refused.whole.stop_reason]).toEqual(['No.', 'refusal'])
  for (const more of [{ images: [{}] }, { audio: { id: 'x' } }]) {
    const { answer: made } = stream('chat', 'messages', [delta({ content: 'x', ...more }, 'stop'), done])
    expect(made.lost).toEqual(['answer_part_unknown'])
  }
  const item = (...content: readonly object[]) => itemDone(0, { type: 'message', id: 'm', content })
  const found = [
    item({ type: 'output_text', text: 'x', annotations: [{}] }),
    item({ type: 'output_text', text: 'x', annotations: [] }),
    item({ type: 'new_kind' }),
  ].map((event) => stream('responses', 'chat', [created, event, completed()]).answer.lost)
  expect(found).toEqual([['citations_dropped'], [], ['answer_part_unknown']])
})

test('a Chat answer that says it ended in an error failed', () => {
  expect(stream('chat', 'messages', [delta({ content: 'x' }), delta({}, 'error'), done]).status).toBe(500)
})

test('a server that names the empty text as its stop sequence names none', () => {
  const last = { choices: [{ index: 0, delta: {}, finish_reason: 'stop', stop_reason: '' }] }
  expect(stream('chat', 'messages', [delta({ content: 'x' }), last, done]).whole.stop_reason).toBe('end_turn')
})

describe('thoughts', () => {
  const piece = (kind: 'summary_text' | 'text', text: string) => ({
    type: `response.reasoning_${kind}.delta`,
    output_index: 0,
    item_id: 'r',
    [kind === 'text' ? 'content_index' : 'summary_index']: 0,
    delta: text,
  })
  const whole = { type: 'reasoning', id: 'r', summary: [{ text: 'short' }], content: [{ text: 'long' }] }
  test('of which a server gives a summary too are one of both', () => {
    const of = (...events: readonly object[]) =>
      stream('responses', 'messages', [created, ...events, itemDone(0, whole), completed()]).whole.content[0].thinking
    const [short, long] = [piece('summary_text', 'short'), piece('text', 'long')]
    expect([of(short, long), of(long, short), of()]).toEqual(['short', 'long', 'short'])
  })
  test('are read from whichever field holds them', () => {
    const { content } = stream('chat', 'messages', [
      delta({ reasoning_content: '', reasoning: '', reasoning_details: [{ text: 'a' }] }),
      delta({ reasoning_content: '', reasoning: 'b' }),
      delta({ reasoning_content: 'c', reasoning: 'c' }),
      delta({ content: 'x' }, 'stop'),
      done,
    ]).whole
    expect(content[0].thinking).toBe('abc')
  })
})

test('a later usage without numbers takes none back', () => {
  const usage = { prompt_tokens: 7, completion_tokens: 3 }
  for (const later of [{}, { prompt_tokens: null, completion_tokens: null }]) {
    const { whole } = stream('chat', 'messages', [delta({ content: 'x' }, null, { usage }), { usage: later }, ...end])
    expect([whole.usage.input_tokens, whole.usage.output_tokens]).toEqual([7, 3])
  }
})
