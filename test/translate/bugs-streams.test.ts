/** Known bugs of other translators in streams (bridge §6.1 to §6.5): each by its citation, each fails without its rule. */
import { describe, expect, test } from 'vitest'
import { contentOf, wholeContent } from './invariants.ts'
import {
  type Any,
  added,
  begun,
  block,
  chatCall,
  completed,
  context,
  created,
  delta,
  done,
  itemDone,
  rArgs,
  request,
  rText,
  said,
  sse,
  stopped,
  stream,
  streamBytes,
  types,
  unary,
  used,
} from './kit.ts'

const starts = (events: readonly Any[]): readonly Any[] =>
  events
    .filter(({ type }) => type === 'content_block_start')
    .map(({ index, content_block: made }) => [index, made.type])
const blockDeltas = (events: readonly Any[]): readonly Any[] =>
  events.filter(({ type }) => type === 'content_block_delta').map(({ index, delta: each }) => [index, each.type])
const inputOf = (events: readonly Any[], at: number): string =>
  events
    .filter(({ index }) => index === at)
    .map(({ delta: each }) => each?.partial_json ?? '')
    .join('')
/** Every delta with its text, empty ones too. */
const saidIn = (events: readonly Any[]): readonly Any[] =>
  events
    .filter(({ type }) => type === 'content_block_delta')
    .map(({ index, delta: each }) => [index, each.text ?? each.thinking ?? each.signature ?? each.partial_json])
const reasonOf = (events: readonly Any[]): string =>
  events.find(({ type }) => type === 'message_delta')?.delta.stop_reason

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

describe('6.2 Responses streams', () => {
  const hello = [begun(), ...said(0, 'Hello'), ...stopped('end_turn')]

  test('kittors/CliRelay#1053 every done event repeats the full text of its part', () => {
    const apply = { id: 'c', custom: { name: 'p', input: 'raw' } }
    const { events } = stream('chat', 'responses', [
      delta({ reasoning_content: 'h' }),
      delta({ reasoning_content: 'm' }),
      delta({ content: 'Hel' }),
      delta({ content: 'lo' }),
      delta({ tool_calls: [chatCall(0, 'a', 'f', '{"x"'), { index: 1, ...apply }] }),
      delta({ tool_calls: [chatCall(0, null, null, ':1}')] }),
      delta({ content: 'Bye' }),
      delta({ refusal: 'No.' }),
      delta({}, 'stop'),
      done,
    ])
    const told = events.flatMap((each: Any) => {
      const part = each.part ?? each
      const full = part.text ?? part.refusal ?? part.arguments ?? part.input
      return /\.done$/.test(each.type) && each.item === undefined ? [`${each.type.slice(9, -5)}: ${full}`] : []
    })
    expect(told.sort()).toEqual([
      'content_part: Bye',
      'content_part: Hello',
      'content_part: No.',
      'custom_tool_call_input: raw',
      'function_call_arguments: {"x":1}',
      'output_text: Bye',
      'output_text: Hello',
      'reasoning_summary_part: hm',
      'reasoning_summary_text: hm',
      'refusal: No.',
    ])
    // Of items the client reads the content here, not at the end.
    const items = events.filter(({ type }) => type === 'response.output_item.done')
    expect(items.sort((one, other) => one.output_index - other.output_index)).toMatchObject([
      { item: { summary: [{ text: 'hm' }] } },
      { item: { content: [{ text: 'Hello' }] } },
      { item: { arguments: '{"x":1}' } },
      { item: { input: 'raw' } },
      { item: { content: [{ text: 'Bye' }] } },
      { item: { content: [{ refusal: 'No.' }] } },
    ])
  })
  test('router-for-me/CLIProxyAPI#2194 the terminal event holds the whole output', () => {
    const cut = [begun(), ...said(0, 'Hello'), ...used(1, 'a', 'f', '{}'), ...stopped('max_tokens')]
    for (const events of [hello, cut].map((each) => stream('messages', 'responses', each).events)) {
      const { output } = events.at(-1)?.response ?? {}
      expect(output[0]?.content[0]?.text).toBe('Hello')
      expect(output).toEqual(events.flatMap(({ type, item }) => (type === 'response.output_item.done' ? [item] : [])))
    }
  })
  test('BigPizzaV3/CodexPlusPlus#1908 every field of the usage is there, zeros too', () => {
    const usageOf = (input: number, output: number): object => ({
      input_tokens: input,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output,
    })
    const none = stream('chat', 'responses', [delta({ content: 'x' }), delta({}, 'stop'), done])
    const some = stream('messages', 'responses', hello)
    const cut = stream('messages', 'responses', [begun(), ...said(0, 'Hel'), ...stopped('max_tokens')])
    for (const [{ events, whole }, usage] of [[none, usageOf(0, 0)] as const, [some, usageOf(10, 5)] as const])
      expect([events.at(-1)?.response.usage, whole.usage]).toEqual([usage, usage])
    expect(cut.events.at(-1)?.response.usage).toEqual(usageOf(10, 5))
  })
  test('zyycn/codex-proxy-rs#90 a failure is response.failed, not a bare error', () => {
    const busy = { type: 'overloaded_error', message: 'busy' }
    const midway = stream('messages', 'responses', [...hello.slice(0, 3), { type: 'error', error: busy }])
    const first = stream('chat', 'responses', [{ error: busy }])
    for (const { events } of [midway, first]) {
      expect(types(events)).not.toContain('error')
      expect(events.at(-1)).toMatchObject({
        type: 'response.failed',
        response: { status: 'failed', error: { code: 'server_is_overloaded', message: 'busy' } },
      })
    }
  })
  test('router-for-me/CLIProxyAPI#5439 a turn cut by its limit ends as incomplete', () => {
    const cut = (reason: string): readonly object[] => [begun(), ...said(0, 'Hel'), ...stopped(reason)]
    for (const { events, whole } of [
      stream('messages', 'responses', cut('max_tokens')),
      stream('messages', 'responses', cut('model_context_window_exceeded')),
      stream('chat', 'responses', [delta({ content: 'Hel' }), delta({}, 'length'), done]),
    ]) {
      const ended = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
      expect([events.at(-1), whole]).toMatchObject([{ type: 'response.incomplete', response: ended }, ended])
    }
    // Also where the limit cut off a call: the client would run half a command.
    for (const { events } of [
      stream('messages', 'responses', [begun(), ...used(0, 'a', 'f', '{"x":'), ...stopped('max_tokens')]),
      stream('chat', 'responses', [delta({ tool_calls: [chatCall(0, 'a', 'f', '{"x":')] }), delta({}, 'length'), done]),
    ])
      expect(events.filter(({ type }) => /item\.done$/.test(type))).toMatchObject([
        { item: { arguments: '{"x":', status: 'incomplete' } },
      ])
  })
  test('router-for-me/CLIProxyAPI#1407 there is always one terminal event', () => {
    const chat = [delta({ content: 'Hel' }), delta({}, 'stop'), done]
    for (const { events } of [
      ...[hello, hello.slice(0, 3), [begun()], [], [begun(), 'broken']].map((each) =>
        stream('messages', 'responses', each),
      ),
      ...[chat, chat.slice(0, 2), chat.slice(0, 1), []].map((each) => stream('chat', 'responses', each)),
      streamBytes(context('messages', 'responses'), [new TextEncoder().encode(sse([begun()]))], 'cut'),
    ]) {
      const terminal = types(events).filter((type) => /^response\.(?:completed|incomplete|failed)$/.test(type))
      expect([terminal.length, events.at(-1)?.type]).toEqual([1, terminal[0]])
    }
  })
})

describe('6.3 Chat streams', () => {
  const two = [begun(), ...used(0, 'a', 'f', '{"n":1}'), ...used(1, 'b', 'g', '{"n":2}'), ...stopped('tool_use')]
  const callsIn = (events: readonly Any[]): readonly Any[] =>
    events.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])

  test('mcowger/plexus#691 parallel calls have ordinals of their own', () => {
    const behindText = [begun(), ...said(0, 'x'), ...used(1, 'a', 'f', '{}'), ...used(2, 'b', 'g', '{}')]
    const item = { type: 'function_call', name: 'f', arguments: '' }
    const interleaved = [
      created,
      added(0, { ...item, id: 'i', call_id: 'a' }),
      added(1, { ...item, id: 'j', call_id: 'b' }),
      rArgs(0, 'i', '{}'),
      rArgs(1, 'j', '{}'),
      completed(),
    ]
    const indices = (upstream: 'messages' | 'responses', events: readonly object[]): readonly number[] =>
      callsIn(stream(upstream, 'chat', events).events).map(({ index }) => index)
    expect([
      indices('messages', two),
      indices('messages', [...behindText, ...stopped('tool_use')]),
      indices('responses', interleaved),
    ]).toEqual([
      [0, 0, 1, 1],
      [0, 0, 1, 1],
      [0, 1, 0, 1],
    ])
  })
  test('decolua/9router#354 a turn with a call ends in tool_calls', () => {
    const item = { type: 'function_call', id: 'i', call_id: 'a', name: 'f' }
    for (const { events, whole } of [
      stream('responses', 'chat', [created, added(0, item), rArgs(0, 'i', '{}'), completed()]),
      stream('messages', 'chat', two),
      // Whatever the upstream says beside it.
      stream('messages', 'chat', [begun(), ...used(0, 'a', 'f', '{}'), ...stopped('end_turn')]),
      stream('messages', 'chat', [begun(), ...used(0, 'a', 'f', '{}'), ...stopped('stop_sequence')]),
    ]) {
      const reasons = events.flatMap(({ choices }) => choices[0]?.finish_reason ?? [])
      expect([reasons, whole.choices[0].finish_reason]).toEqual([['tool_calls'], 'tool_calls'])
    }
  })
  test('shogo-labs/shogo-ai#766 usage and thoughts of Messages reach a Chat client', () => {
    const thought = block(0, { type: 'thinking', thinking: '' }, { type: 'thinking_delta', thinking: 'hm' })
    const answered = [begun(), ...thought, ...said(1, 'x'), ...stopped('end_turn')]
    const { events, whole } = stream('messages', 'chat', answered)
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
    expect(events.map(({ choices }) => choices[0]?.delta.reasoning_content ?? '').join('')).toBe('hm')
    expect(events.at(-1)).toMatchObject({ choices: [], usage })
    expect(whole).toMatchObject({ choices: [{ message: { reasoning_content: 'hm', content: 'x' } }], usage })
  })
  test('BerriAI/litellm#20480 a call’s id comes once, and no summary follows', () => {
    const calls = callsIn(stream('messages', 'chat', two).events)
    expect(calls.flatMap((each: Any) => [each.id ?? '', each.function.name ?? '', each.function.arguments])).toEqual([
      ...['a', 'f', '', '', '', '{"n":1}'],
      ...['b', 'g', '', '', '', '{"n":2}'],
    ])
  })
  test('Th0rgal/sandboxed.sh#389 [DONE] comes once', () => {
    const times = (upstream: 'messages' | 'responses', events: readonly unknown[]): number =>
      stream(upstream, 'chat', events).text.split('[DONE]').length - 1
    expect([
      times('messages', two),
      // The upstream has its own.
      times('messages', [...two, done]),
      times('responses', [created, completed(), done]),
      // Success only.
      times('messages', [begun(), { type: 'error', error: { type: 'api_error', message: 'no' } }, done]),
      times('messages', [begun()]),
    ]).toEqual([1, 1, 1, 0, 0])
  })
})

describe('6.4 arguments and ids of calls', () => {
  test('Gitlawb/openclaude#1259 arguments that come only in done events are carried', () => {
    const item = { type: 'function_call', id: 'i', call_id: 'a', name: 'f', arguments: '{"x":1}' }
    const { whole } = stream('responses', 'messages', [
      created,
      added(0, { ...item, arguments: '' }),
      itemDone(0, item),
      completed(),
    ])
    expect(whole.content[0].input).toEqual({ x: 1 })
    // In the arguments' own event alone; and said by all three, they count once.
    const argumentsDone = { type: 'response.function_call_arguments.done', item_id: 'i', output_index: 0 }
    const told = { ...argumentsDone, arguments: item.arguments }
    const bare = { ...item, arguments: '' }
    for (const events of [
      [told, itemDone(0, bare), completed()],
      [rArgs(0, 'i', item.arguments), told, itemDone(0, item), completed([item])],
      // In the terminal event alone, and an end that the deltas left out.
      [completed([item])],
      [rArgs(0, 'i', '{"x"'), itemDone(0, item), completed()],
    ]) {
      const found = stream('responses', 'messages', [created, added(0, bare), ...events])
      expect(inputOf(found.events, 0)).toBe(item.arguments)
    }
    // Free-form input has events of its own.
    const custom = { type: 'custom_tool_call', id: 'i', call_id: 'a', name: 'p', input: '' }
    const inputDone = { type: 'response.custom_tool_call_input.done', item_id: 'i', output_index: 0, input: 'raw' }
    for (const last of [[inputDone, itemDone(0, custom)], [itemDone(0, { ...custom, input: 'raw' })]]) {
      const { whole: answered } = stream('responses', 'chat', [created, added(0, custom), ...last, completed()])
      expect(answered.choices[0].message.tool_calls[0].custom).toEqual({ name: 'p', input: 'raw' })
    }
  })
  test('BerriAI/litellm#5063 a call without arguments has an empty object', () => {
    const called = block(0, { type: 'tool_use', id: 'a', name: 'f', input: {} })
    const bare = { type: 'function_call', id: 'i', call_id: 'a', name: 'f', arguments: '' }
    for (const { events, whole } of [
      stream('messages', 'chat', [begun(), ...called, ...stopped('tool_use')]),
      stream('responses', 'chat', [created, added(0, bare), itemDone(0, bare), completed()]),
    ]) {
      const text = events
        .flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])
        .map((each: Any) => each.function.arguments)
        .join('')
      expect([text, whole.choices[0].message.tool_calls[0].function.arguments]).toEqual(['{}', '{}'])
    }
    const { events, whole } = stream('messages', 'responses', [begun(), ...called, ...stopped('tool_use')])
    const told = events.flatMap(({ type, delta: piece, arguments: full }) =>
      /arguments\.d/.test(type) ? [piece ?? full] : [],
    )
    expect([told, whole.output[0].arguments]).toEqual([['{}', '{}'], '{}'])
  })
  test('agentgateway/agentgateway#3002 empty arguments are mended on both ways', () => {
    for (const args of [{ arguments: '' }, { arguments: ' ' }, {}]) {
      const input = [
        { type: 'function_call', call_id: 'a', name: 'f', ...args },
        { type: 'function_call_output', call_id: 'a', output: 'x' },
      ]
      const messages = [
        { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', ...args } }] },
        { role: 'tool', tool_call_id: 'a', content: 'x' },
      ]
      expect([
        request('responses', 'messages', { model: 'm', input }).body.messages[1].content[0].input,
        request('responses', 'chat', { model: 'm', input }).body.messages[0].tool_calls[0].function.arguments,
        request('chat', 'messages', { model: 'm', messages }).body.messages[1].content[0].input,
        request('chat', 'responses', { model: 'm', messages }).body.input[0].arguments,
      ]).toEqual([{}, '{}', {}, '{}'])
    }
    // And the answer that such a history would be made of, whole too.
    const message = { tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '' } }] }
    const output = [{ type: 'function_call', call_id: 'a', name: 'f', arguments: '' }]
    expect([
      unary('chat', 'responses', { choices: [{ message, finish_reason: 'tool_calls' }] }).whole.output[0].arguments,
      unary('responses', 'chat', { status: 'completed', output }).whole.choices[0].message.tool_calls[0].function
        .arguments,
    ]).toEqual(['{}', '{}'])
  })
  test('MadSkittles/Router-Maestro#162 a call without arguments doesn’t break the stream', () => {
    // Blank is none.
    for (const args of ['', ' ', '\n']) {
      const events = [delta({ tool_calls: [chatCall(0, 'a', 'f', args)] }), delta({}, 'tool_calls'), done]
      const there = stream('chat', 'messages', events)
      const other = stream('chat', 'responses', events)
      const ours = [begun(), ...used(0, 'a', 'f', args), ...stopped('tool_use')]
      const third = stream('messages', 'chat', ours).events.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])
      const texts = [
        inputOf(there.events, 0),
        other.events.at(-1)?.response.output[0].arguments,
        third.map((each: Any) => each.function.arguments).join(''),
      ]
      expect(texts.map((text) => JSON.parse(text))).toEqual([{}, {}, {}])
      expect([there.whole.stop_reason, there.whole.content[0].input]).toEqual(['tool_use', {}])
    }
  })
  test('bigduu/Bamboo-agent#351 arguments that can’t be read are still an object', () => {
    const history = {
      model: 'm',
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{"x' } }] },
        { role: 'tool', tool_call_id: 'a', content: 'x' },
      ],
    }
    const { body, codes } = request('chat', 'messages', history)
    expect([body.messages[1].content[0].input, codes]).toEqual([
      { raw_arguments: '{"x' },
      ['tool_arguments_unreadable'],
    ])
    for (const [args, object] of [
      ['"ls"', { value: 'ls' }],
      ['[1]', { value: [1] }],
      ['null', { value: null }],
      ['{"x', { raw_arguments: '{"x' }],
    ] as const) {
      const input = [
        { type: 'function_call', call_id: 'a', name: 'f', arguments: args },
        { type: 'function_call_output', call_id: 'a', output: 'x' },
      ]
      const { messages } = request('responses', 'messages', { model: 'm', input }).body
      const answered = [delta({ tool_calls: [chatCall(0, 'a', 'f', args)] }), delta({}, 'tool_calls'), done]
      expect([messages[1].content[0].input, stream('chat', 'messages', answered).whole.content[0].input]).toEqual([
        object,
        object,
      ])
    }
    // A history that was spoilt before it came here.
    const content = [{ type: 'tool_use', id: 'a', name: 'f', input: '{"x' }]
    const spoilt = { model: 'm', max_tokens: 9, messages: [{ role: 'assistant', content }] }
    expect([
      JSON.parse(request('messages', 'responses', spoilt).body.input[0].arguments),
      JSON.parse(request('messages', 'chat', spoilt).body.messages[0].tool_calls[0].function.arguments),
    ]).toEqual([{ value: '{"x' }, { value: '{"x' }])
  })
  test('langchain4j/langchain4j#4544 an id that is repeated is not put together', () => {
    const parts = ['{', '"x":1', '}']
    for (const told of [
      [
        ['call_1', 'f'],
        ['call_1', null],
        ['call_1', null],
      ],
      // The name, with which a call begins, comes late.
      [
        ['call_1', null],
        ['call_1', 'f'],
        ['call_1', null],
      ],
      [
        ['', null],
        ['call_1', 'f'],
        ['', null],
      ],
      [
        ['call_1', null],
        ['', 'f'],
        ['', null],
      ],
    ] as const) {
      const pieces = told.map(([id, name], at) => delta({ tool_calls: [chatCall(0, id, name, parts[at] ?? '')] }))
      const { whole } = stream('chat', 'messages', [...pieces, delta({}, 'tool_calls'), done])
      expect(whole.content).toEqual([{ type: 'tool_use', id: 'call_1', name: 'f', input: { x: 1 } }])
    }
  })
  test('decolua/9router#3416 long arguments with escapes arrive byte for byte', () => {
    const json = JSON.stringify({ text: ' \\"\n\t\u2028é😀\\u0041\\\\ '.repeat(2_000) }, null, 1)
    const parts = json.match(/[\s\S]{1,17}/g) ?? []
    const item = { type: 'function_call', id: 'i', call_id: 'a', name: 'f', arguments: json }
    const start = { type: 'tool_use', id: 'a', name: 'f', input: {} }
    const pieces = parts.map((part) => ({ type: 'input_json_delta', partial_json: part }))
    const upstreams = {
      messages: [begun(), ...block(0, start, ...pieces), ...stopped('tool_use')],
      responses: [created, added(0, { ...item, arguments: '' }), ...parts.map((part) => rArgs(0, 'i', part))],
      chat: [
        delta({ tool_calls: [chatCall(0, 'a', 'f', '')] }),
        ...parts.map((part) => delta({ tool_calls: [chatCall(0, null, null, part)] })),
      ],
    }
    const ends = {
      messages: [],
      responses: [itemDone(0, item), completed([item])],
      chat: [delta({}, 'tool_calls'), done],
    }
    for (const upstream of ['messages', 'responses', 'chat'] as const)
      for (const client of (['messages', 'responses', 'chat'] as const).filter((other) => other !== upstream)) {
        const bytes = new TextEncoder().encode(sse([...upstreams[upstream], ...ends[upstream]]))
        // Borders of the network fall anywhere, also inside a letter.
        const split = Array.from({ length: Math.ceil(bytes.length / 1_001) }, (_, at) =>
          bytes.subarray(at * 1_001, (at + 1) * 1_001),
        )
        const { text, whole } = streamBytes(context(upstream, client), split)
        const [there, inside] = [contentOf(client, text), wholeContent(client, whole)].map(({ calls }) => calls[0]?.[2])
        // Of a whole Messages answer the input is an object: its spaces are nobody's.
        const told = client === 'messages' ? JSON.stringify(JSON.parse(json)) : json
        expect([upstream, client, there === json, inside === told]).toEqual([upstream, client, true, true])
      }
  })
  test('QwenLM/Qwen-Agent#943 a fragment without an id belongs to its index', () => {
    const { whole } = stream('chat', 'responses', [
      delta({ tool_calls: [chatCall(0, 'a', 'f', '')] }),
      delta({ tool_calls: [chatCall(1, 'b', 'g', '')] }),
      delta({ tool_calls: [chatCall(0, null, null, '{"n":0}')] }),
      delta({}, 'tool_calls'),
      done,
    ])
    expect(whole.output.map((item: Any) => item.arguments)).toEqual(['{"n":0}', '{}'])
    // Without an index the id tells; the same index under a new id is a new call.
    const inner = (name: string | null, args: string): object => ({
      function: { ...(name && { name }), arguments: args },
    })
    const calls = (...each: readonly object[]): readonly Any[] =>
      stream('chat', 'responses', [
        ...each.map((call) => delta({ tool_calls: [call] })),
        delta({}, 'tool_calls'),
        done,
      ]).whole.output.map((item: Any) => [item.call_id, item.arguments])
    expect([
      calls(
        { id: 'a', ...inner('f', '') },
        { id: 'b', ...inner('g', '') },
        { id: 'a', ...inner(null, '{"n":0}') },
        { id: 'b', ...inner(null, '{"n":1}') },
      ),
      calls(chatCall(0, 'a', 'f', '{"n":0}'), chatCall(0, 'b', 'g', '{"n":1}')),
    ]).toEqual(
      Array(2).fill([
        ['a', '{"n":0}'],
        ['b', '{"n":1}'],
      ]),
    )
  })
})

describe('6.5 stop reasons and refusals', () => {
  const call = delta({ tool_calls: [chatCall(0, 'a', 'f', '{}')] })
  const matched = { index: 0, delta: {}, finish_reason: 'stop', matched_stop: 'END' }
  test('weave-os/router#250 a tool block makes it tool_use, whatever the upstream says', () => {
    const item = { type: 'function_call', id: 'i', call_id: 'a', name: 'f', arguments: '{}' }
    const told = delta({ content: 'x. END' })
    expect([
      reasonOf(stream('chat', 'messages', [call, delta({}, 'stop'), done]).events),
      reasonOf(stream('chat', 'messages', [call, done]).events),
      reasonOf(stream('responses', 'messages', [created, added(0, item), itemDone(0, item), completed()]).events),
      // Text behind it that was cut at a stop sequence; the limit and a refusal go before.
      reasonOf(stream('chat', 'messages', [call, told, delta({}, 'stop'), done], { stops: ['END'] }).events),
      reasonOf(stream('chat', 'messages', [call, { choices: [matched] }, done]).events),
      reasonOf(stream('chat', 'messages', [call, delta({}, 'length'), done]).events),
      reasonOf(stream('chat', 'messages', [call, delta({}, 'content_filter'), done]).events),
      // And never without one.
      reasonOf(stream('chat', 'messages', [delta({ content: 'x' }), delta({}, 'tool_calls'), done]).events),
    ]).toEqual([...Array(5).fill('tool_use'), 'max_tokens', 'refusal', 'end_turn'])
  })
  test('BerriAI/litellm#34692 also from a local upstream, and no empty text block', () => {
    const { events } = stream('chat', 'messages', [
      delta({ role: 'assistant', content: '' }),
      call,
      delta({ content: '' }, 'stop'),
      done,
    ])
    // Whole, without an id and with an object for arguments.
    const message = { role: 'assistant', content: '', tool_calls: [{ function: { name: 'f', arguments: { x: 1 } } }] }
    const whole = unary('chat', 'messages', { choices: [{ index: 0, message, finish_reason: 'stop' }] })
    for (const each of [events, whole.events])
      expect([reasonOf(each), starts(each)]).toEqual(['tool_use', [[0, 'tool_use']]])
    expect(whole.whole).toMatchObject({ stop_reason: 'tool_use', content: [{ type: 'tool_use', input: { x: 1 } }] })
  })
  test('pgEdge/pgedge-postgres-mcp#217 tool_calls is tool_use', () => {
    const { events, whole } = stream('chat', 'messages', [call, delta({}, 'tool_calls'), done])
    const old = delta({ function_call: { name: 'f', arguments: '{}' } })
    const other = stream('chat', 'messages', [old, delta({}, 'function_call'), done])
    expect([reasonOf(events), whole.stop_reason, reasonOf(other.events)]).toEqual(Array(3).fill('tool_use'))
  })
  test('router-for-me/CLIProxyAPI#4958 a refusal is content_filter with its text', () => {
    const { events, whole } = stream('messages', 'chat', [begun(), ...stopped('refusal')])
    const choices = events.flatMap(({ choices: [choice] }) => choice ?? [])
    const [{ finish_reason: reason, message }] = whole.choices
    expect([
      [choices.at(-1).finish_reason, choices.map((choice: Any) => choice.delta.refusal ?? '').join('')],
      [reason, message.refusal],
    ]).toEqual(Array(2).fill(['content_filter', 'The model declined to answer.']))
    // Words that it said are not replaced; a Responses client has a part for them.
    const partly = stream('messages', 'chat', [begun(), ...said(0, 'Well'), ...stopped('refusal')]).whole.choices[0]
    expect([partly.finish_reason, partly.message.content, partly.message.refusal]).toEqual([
      'content_filter',
      'Well',
      null,
    ])
    expect(stream('messages', 'responses', [begun(), ...stopped('refusal')]).whole.output[0].content).toEqual([
      { type: 'refusal', refusal: 'The model declined to answer.' },
    ])
  })
  test('BerriAI/litellm#40857 content_filter is a refusal', () => {
    const filtered = {
      id: 'resp_u',
      status: 'incomplete',
      incomplete_details: { reason: 'content_filter' },
      output: [],
    }
    for (const { events, whole } of [
      stream('chat', 'messages', [delta({ content: 'x' }), delta({}, 'content_filter'), done]),
      stream('responses', 'messages', [
        created,
        rText(0, 'i', 'x'),
        { type: 'response.incomplete', response: filtered },
      ]),
    ])
      expect([reasonOf(events), whole.stop_reason]).toEqual(['refusal', 'refusal'])
  })
  test('BerriAI/litellm#39723 a refusal has its text and stop_details, and the limit goes before it', () => {
    const details = { type: 'refusal', category: null, explanation: null }
    const refused = delta({ refusal: 'No.' })
    const words = { type: 'response.refusal.delta', output_index: 0, item_id: 'i', content_index: 0, delta: 'No.' }
    const limit = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, output: [] }
    for (const { events, whole } of [
      stream('chat', 'messages', [refused, delta({}, 'stop'), done]),
      stream('responses', 'messages', [created, words, completed()]),
    ]) {
      const ended = { stop_reason: 'refusal', stop_details: details }
      expect(events.find(({ type }) => type === 'message_delta')?.delta).toMatchObject(ended)
      expect(whole).toMatchObject({ content: [{ type: 'text', text: 'No.' }], ...ended })
    }
    expect([
      reasonOf(stream('chat', 'messages', [refused, delta({}, 'length'), done]).events),
      reasonOf(
        stream('responses', 'messages', [created, words, { type: 'response.incomplete', response: limit }]).events,
      ),
    ]).toEqual(['max_tokens', 'max_tokens'])
  })
  test('vercel/ai#6577 an answer by schema ends as text, not as a call', () => {
    const format = { type: 'json_schema', json_schema: { name: 'o', schema: { type: 'object', properties: {} } } }
    const asked = { model: 'm', messages: [{ role: 'user', content: 'a' }], response_format: format }
    const { body } = request('chat', 'messages', asked)
    // Where the model has no such thing it is asked in words, not by a tool.
    const other = request('chat', 'messages', asked, { abilities: { structuredOutput: false } }).body
    expect([other.tools, other.tool_choice, other.system.length]).toEqual([undefined, undefined, 1])
    const { whole } = stream('messages', 'chat', [begun(), ...said(0, '{}'), ...stopped('end_turn')])
    expect([body.tools, body.output_config.format.type, whole.choices[0].finish_reason]).toEqual([
      undefined,
      'json_schema',
      'stop',
    ])
  })
})
