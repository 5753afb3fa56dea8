/** Known bugs of other translators in Messages streams (bridge §6.1): each by its citation, each fails without its rule. */
import { describe, expect, test } from 'vitest'
import {
  type Any,
  added,
  chatCall,
  completed,
  created,
  delta,
  done,
  itemDone,
  rArgs,
  rText,
  stream,
  types,
  unary,
} from './kit.ts'
import { blockDeltas, inputOf, saidIn, starts } from './stream-kit.ts'

describe('6.1 order and blocks of Messages streams', () => {
  const toolFirst = [delta({ tool_calls: [chatCall(0, 'a', 'f', '{}')] }), delta({}, 'tool_calls'), done]

  test('router-for-me/CLIProxyAPI#561 a stream that begins with a tool begins with message_start', () => {
    const item = { type: 'function_call', id: 'i', call_id: 'a', name: 'f', arguments: '{}' }
    for (const { events } of [
      stream('chat', 'messages', toolFirst),
      stream('chat', 'messages', [delta({ reasoning_content: 'hm' }), ...toolFirst]),
      stream('responses', 'messages', [added(0, item), itemDone(0, item), completed()]),
      stream('responses', 'messages', [rText(0, 'i', 'x'), completed()]),
    ])
      expect(types(events)[0]).toBe('message_start')
  })
  test('BerriAI/litellm#31561 a stream that begins with a tool has no empty text and no empty delta', () => {
    const { events } = stream('chat', 'messages', [
      delta({ role: 'assistant', content: '', tool_calls: [chatCall(0, 'a', 'f', '')] }),
      ...toolFirst,
    ])
    const item = { type: 'function_call', id: 'i1', call_id: 'a', name: 'f', arguments: '{}' }
    const other = stream('responses', 'messages', [
      created,
      added(0, { type: 'message', id: 'i0', content: [] }),
      rText(0, 'i0', ''),
      added(1, { ...item, arguments: '' }),
      rArgs(1, 'i1', ''),
      itemDone(1, item),
      completed(),
    ])
    for (const each of [events, other.events])
      expect([starts(each), saidIn(each)]).toEqual([[[0, 'tool_use']], [[0, '{}']]])
  })
  test('sgl-project/sglang#24293 text between two calls is never a delta of a tool block', () => {
    const { events } = stream('chat', 'messages', [
      delta({ tool_calls: [chatCall(0, 'a', 'f', '{}')] }),
      delta({ content: 'between' }),
      delta({ tool_calls: [chatCall(1, 'b', 'g', '{}')] }),
      delta({}, 'tool_calls'),
      done,
    ])
    expect([starts(events), blockDeltas(events)]).toEqual([
      [
        [0, 'tool_use'],
        [1, 'text'],
        [2, 'tool_use'],
      ],
      [
        [0, 'input_json_delta'],
        [1, 'text_delta'],
        [2, 'input_json_delta'],
      ],
    ])
  })
  test('musistudio/claude-code-router#1356 text after a tool opens a block of its own', () => {
    const { events } = stream('chat', 'messages', [
      delta({ content: 'before' }),
      delta({ tool_calls: [chatCall(0, 'a', 'f', '{}')] }),
      delta({ content: 'after' }),
      delta({}, 'stop'),
      done,
    ])
    expect([starts(events), saidIn(events)]).toEqual([
      [
        [0, 'text'],
        [1, 'tool_use'],
        [2, 'text'],
      ],
      [
        [0, 'before'],
        [1, '{}'],
        [2, 'after'],
      ],
    ])
  })
  test('ollama/ollama#14816 a tool right after a thought has the next index', () => {
    const { events } = stream('chat', 'messages', [delta({ reasoning_content: 'hm' }), ...toolFirst])
    expect([starts(events), types(events)]).toEqual([
      [
        [0, 'thinking'],
        [1, 'tool_use'],
      ],
      [
        'message_start',
        ...['content_block_start', 'content_block_delta', 'content_block_delta', 'content_block_stop'],
        ...['content_block_start', 'content_block_delta', 'content_block_stop'],
        ...['message_delta', 'message_stop'],
      ],
    ])
  })
  test('Wei-Shaw/sub2api#2884 one block is open at a time', () => {
    const interleaved = stream('responses', 'messages', [
      created,
      added(0, { type: 'function_call', id: 'i0', call_id: 'a', name: 'f' }),
      rText(1, 'i1', 'text'),
      rArgs(0, 'i0', '{}'),
      itemDone(0, { type: 'function_call', id: 'i0', call_id: 'a', name: 'f', arguments: '{}' }),
      completed(),
    ])
    const toolThenText = stream('chat', 'messages', [toolFirst[0], delta({ content: 'text' }), delta({}, 'stop'), done])
    for (const { events } of [interleaved, toolThenText])
      expect(
        events.flatMap(({ type, index }) => (/^content_block_st/.test(type) ? [`${type.slice(14)} ${index}`] : [])),
      ).toEqual(['start 0', 'stop 0', 'start 1', 'stop 1'])
  })
  test('danielalves96/claude-code-provider-gateway#2 indices rise and each call is one block', () => {
    const { events } = stream('chat', 'messages', [
      delta({ content: 'x' }),
      delta({ tool_calls: [chatCall(0, 'a', 'f', '{"x":')] }),
      delta({ tool_calls: [chatCall(0, 'a', 'f', '1}')] }),
      delta({ tool_calls: [chatCall(1, 'b', 'g', '{}')] }),
      delta({}, 'tool_calls'),
      done,
    ])
    expect([starts(events), inputOf(events, 1)]).toEqual([
      [
        [0, 'text'],
        [1, 'tool_use'],
        [2, 'tool_use'],
      ],
      '{"x":1}',
    ])
  })
  test('router-for-me/CLIProxyAPI#1579 a name that comes late or again starts a call once', () => {
    const { events, whole } = stream('chat', 'messages', [
      delta({ tool_calls: [chatCall(0, 'a', '', '')] }),
      delta({ tool_calls: [chatCall(0, '', 'f', '{')] }),
      delta({ tool_calls: [chatCall(0, '', 'f', '}')] }),
      delta({}, 'tool_calls'),
      done,
    ])
    expect(
      events.filter(({ type }) => type === 'content_block_start').map((each: Any) => each.content_block.name),
    ).toEqual(['f'])
    // A second beginning would leave the first block without an end.
    expect(events.filter(({ type }) => type === 'content_block_stop').map(({ index }) => index)).toEqual([0])
    expect(whole.content).toEqual([{ type: 'tool_use', id: 'a', name: 'f', input: {} }])
    const item = { type: 'function_call', id: 'i', call_id: 'a', name: 'f', arguments: '{}' }
    const other = stream('responses', 'messages', [
      created,
      added(0, { ...item, name: '', arguments: '' }),
      added(0, { ...item, arguments: '' }),
      itemDone(0, item),
      completed(),
    ])
    expect([starts(other.events), other.whole.content]).toEqual([[[0, 'tool_use']], whole.content])
  })
  test('mozilla-ai/any-llm#1305 arguments go to the call of their index', () => {
    const { whole } = stream('chat', 'messages', [
      delta({ tool_calls: [chatCall(0, 'a', 'f', ''), chatCall(1, 'b', 'g', '')] }),
      delta({ tool_calls: [chatCall(1, null, null, '{"n":2}')] }),
      delta({ tool_calls: [chatCall(0, null, null, '{"n":1}')] }),
      delta({}, 'tool_calls'),
      done,
    ])
    expect(whole.content.map(({ name, input }: Any) => [name, input])).toEqual([
      ['f', { n: 1 }],
      ['g', { n: 2 }],
    ])
  })
  test('inflaborg/ccrelay#119 a stream made of a whole answer carries the input as deltas', () => {
    const said = [
      { name: 'f', arguments: '{"x":1}' },
      { name: 'g', arguments: '{"x":2}' },
    ]
    const output = said.map((each, at) => ({ type: 'function_call', call_id: `c${at}`, ...each }))
    const message = { tool_calls: said.map((each, at) => ({ id: `c${at}`, type: 'function', function: each })) }
    for (const { events } of [
      unary('responses', 'messages', { status: 'completed', output }),
      unary('chat', 'messages', { choices: [{ message, finish_reason: 'tool_calls' }] }),
    ])
      expect(saidIn(events)).toEqual([
        [0, '{"x":1}'],
        [1, '{"x":2}'],
      ])
  })
  test('BerriAI/litellm#29533 chunks with nothing but thoughts give a thinking block', () => {
    for (const thought of [
      { reasoning_content: 'hm' },
      { reasoning: 'hm' },
      { reasoning_details: [{ type: 'reasoning.text', text: 'hm' }] },
    ]) {
      const { events } = stream('chat', 'messages', [delta(thought), delta({}, 'stop'), done])
      expect([starts(events), saidIn(events)[0]]).toEqual([[[0, 'thinking']], [0, 'hm']])
    }
  })
  test('nielspeter/claude-code-proxy#17 a thought has its own field, is signed, and closes before the text', () => {
    const { events } = stream('chat', 'messages', [
      delta({ reasoning_content: 'hm' }),
      delta({ content: 'Hi' }),
      delta({}, 'stop'),
      done,
    ])
    expect(events.slice(1, 6)).toMatchObject([
      { type: 'content_block_start', content_block: { type: 'thinking' } },
      { type: 'content_block_delta', delta: { type: 'thinking_delta', thinking: 'hm' } },
      { type: 'content_block_delta', delta: { type: 'signature_delta', signature: expect.stringMatching(/./) } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', content_block: { type: 'text' } },
    ])
  })
  test('BerriAI/litellm#29491 every fragment of the arguments arrives', () => {
    const parts = ['{"a', '":"', 'x', '\\n', '"}']
    const ended = [delta({}, 'tool_calls'), done]
    const alone = parts.map((part) => delta({ tool_calls: [chatCall(0, null, null, part)] }))
    const together = delta({ tool_calls: parts.map((part) => chatCall(0, null, null, part)) })
    const begins = delta({ tool_calls: [chatCall(0, 'a', 'f', '')] })
    const item = { type: 'function_call', id: 'i', call_id: 'a', name: 'f' }
    const pieces = parts.map((part) => rArgs(0, 'i', part))
    for (const { events } of [
      stream('chat', 'messages', [begins, ...alone, ...ended]),
      stream('chat', 'messages', [begins, together, ...ended]),
      // The name comes after some of them.
      stream('chat', 'messages', [...alone, begins, ...ended]),
      stream('responses', 'messages', [created, added(0, item), ...pieces, completed()]),
      stream('responses', 'messages', [created, ...pieces, added(0, item), completed()]),
    ])
      expect(inputOf(events, 0)).toBe(parts.join(''))
    // While another block is open.
    const second = parts.map((part) => delta({ tool_calls: [chatCall(1, 'b', 'g', part)] }))
    expect(inputOf(stream('chat', 'messages', [begins, ...second, ...ended]).events, 1)).toBe(parts.join(''))
  })
  test('router-for-me/CLIProxyAPI#5430 usage on each chunk never ends the stream', () => {
    const usage = { prompt_tokens: 1, completion_tokens: 1 }
    const { whole } = stream('chat', 'messages', [
      delta({ tool_calls: [chatCall(0, 'a', 'f', '{"x"')] }, null, { usage }),
      delta({ tool_calls: [chatCall(0, null, null, ':1}')] }, null, { usage }),
      delta({}, 'tool_calls', { usage: { prompt_tokens: 3, completion_tokens: 8 } }),
      { choices: [], usage: { prompt_tokens: 3, completion_tokens: 9 } },
      done,
    ])
    expect([whole.content[0]?.input, whole.usage.output_tokens]).toEqual([{ x: 1 }, 9])
  })
  test('earendil-works/pi#3708 a Messages stream has no [DONE]', () => {
    const failed = stream('chat', 'messages', [...toolFirst.slice(0, 1), { error: { message: 'no' } }, done])
    const other = stream('responses', 'messages', [created, completed(), done])
    for (const { text } of [stream('chat', 'messages', toolFirst), failed, other]) expect(text).not.toContain('[DONE]')
  })
})
