/** Known bugs of other translators in streams (bridge §6.1 to §6.5): each by its citation, each fails without its rule. */
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
  rText,
  said,
  stopped,
  stream,
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
    expect(types(stream('chat', 'messages', toolFirst).events)[0]).toBe('message_start')
  })
  test('BerriAI/litellm#31561 a stream that begins with a tool has no empty text and no empty delta', () => {
    const { events } = stream('chat', 'messages', [
      delta({ role: 'assistant', content: '', tool_calls: [chatCall(0, 'a', 'f', '')] }),
      ...toolFirst,
    ])
    expect([starts(events), saidIn(events)]).toEqual([[[0, 'tool_use']], [[0, '{}']]])
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
    expect(starts(events)).toEqual([
      [0, 'text'],
      [1, 'tool_use'],
      [2, 'text'],
    ])
  })
  test('ollama/ollama#14816 a tool right after a thought has the next index', () => {
    const { events } = stream('chat', 'messages', [delta({ reasoning_content: 'hm' }), ...toolFirst])
    expect(starts(events)).toEqual([
      [0, 'thinking'],
      [1, 'tool_use'],
    ])
  })
  test('Wei-Shaw/sub2api#2884 one block is open at a time', () => {
    const { events } = stream('responses', 'messages', [
      created,
      added(0, { type: 'function_call', id: 'i0', call_id: 'a', name: 'f' }),
      rText(1, 'i1', 'text'),
      rArgs(0, 'i0', '{}'),
      itemDone(0, { type: 'function_call', id: 'i0', call_id: 'a', name: 'f', arguments: '{}' }),
      completed(),
    ])
    let openNow = 0
    for (const { type } of events) {
      if (type === 'content_block_start') openNow += 1
      if (type === 'content_block_stop') openNow -= 1
      expect(openNow).toBeLessThanOrEqual(1)
    }
    expect(openNow).toBe(0)
  })
  test('danielalves96/claude-code-provider-gateway#2 indices rise and each call is one block', () => {
    const { events } = stream('chat', 'messages', [
      delta({ tool_calls: [chatCall(0, 'a', 'f', '{"x":')] }),
      delta({ tool_calls: [chatCall(0, 'a', 'f', '1}')] }),
      delta({ tool_calls: [chatCall(1, 'b', 'g', '{}')] }),
      delta({}, 'tool_calls'),
      done,
    ])
    expect([starts(events), inputOf(events, 0)]).toEqual([
      [
        [0, 'tool_use'],
        [1, 'tool_use'],
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
    const { events } = unary('responses', 'messages', {
      status: 'completed',
      output: [{ type: 'function_call', call_id: 'a', name: 'f', arguments: '{"x":1}' }],
    })
    expect(inputOf(events, 0)).toBe('{"x":1}')
  })
  test('BerriAI/litellm#29533 chunks with nothing but thoughts give a thinking block', () => {
    const { events } = stream('chat', 'messages', [delta({ reasoning_content: 'hm' }), delta({}, 'stop'), done])
    expect(starts(events)).toEqual([[0, 'thinking']])
  })
  test('nielspeter/claude-code-proxy#17 a thought has its own field, is signed, and closes before the text', () => {
    const { events } = stream('chat', 'messages', [
      delta({ reasoning_content: 'hm' }),
      delta({ content: 'Hi' }),
      delta({}, 'stop'),
      done,
    ])
    expect(
      events.slice(1, 6).map((each: Any) => [each.type, each.delta?.type ?? '', each.delta?.thinking ?? '']),
    ).toEqual([
      ['content_block_start', '', ''],
      ['content_block_delta', 'thinking_delta', 'hm'],
      ['content_block_delta', 'signature_delta', ''],
      ['content_block_stop', '', ''],
      ['content_block_start', '', ''],
    ])
  })
  test('BerriAI/litellm#29491 every fragment of the arguments arrives', () => {
    const parts = ['{"a', '":"', 'x', '\\n', '"}']
    const { events } = stream('chat', 'messages', [
      delta({ tool_calls: [chatCall(0, 'a', 'f', '')] }),
      ...parts.map((part) => delta({ tool_calls: [chatCall(0, null, null, part)] })),
      delta({}, 'tool_calls'),
      done,
    ])
    expect(inputOf(events, 0)).toBe(parts.join(''))
  })
  test('router-for-me/CLIProxyAPI#5430 usage on each chunk never ends the stream', () => {
    const usage = { prompt_tokens: 1, completion_tokens: 1 }
    const { whole } = stream('chat', 'messages', [
      delta({ tool_calls: [chatCall(0, 'a', 'f', '{"x"')] }, null, { usage }),
      delta({ tool_calls: [chatCall(0, null, null, ':1}')] }, null, { usage }),
      delta({}, 'tool_calls', { usage: { prompt_tokens: 3, completion_tokens: 9 } }),
      done,
    ])
    expect([whole.content[0].input, whole.usage.output_tokens]).toEqual([{ x: 1 }, 9])
  })
  test('earendil-works/pi#3708 a Messages stream has no [DONE]', () => {
    expect(stream('chat', 'messages', toolFirst).text).not.toContain('[DONE]')
  })
})

describe('6.2 Responses streams', () => {
  const hello = [begun(), ...said(0, 'Hello'), ...stopped('end_turn')]

  test('kittors/CliRelay#1053 every done event repeats the full text of its part', () => {
    const { events } = stream('messages', 'responses', hello)
    const texts = events.flatMap((each: Any) => {
      if (each.type === 'response.output_text.done') return [each.text]
      return each.type === 'response.content_part.done' ? [each.part.text] : []
    })
    expect(texts).toEqual(['Hello', 'Hello'])
    const thought = block(0, { type: 'thinking', thinking: '' }, { type: 'thinking_delta', thinking: 'hm' })
    const called = [begun(), ...thought, ...used(1, 'a', 'f', '{"x":1}'), ...stopped('tool_use')]
    const dones = stream('messages', 'responses', called).events.filter(({ type }) =>
      /(?:arguments|summary_text)\.done$/.test(type),
    )
    expect(dones.map((each: Any) => each.text ?? each.arguments)).toEqual(['hm', '{"x":1}'])
  })
  test('router-for-me/CLIProxyAPI#2194 the terminal event holds the whole output', () => {
    const { events } = stream('messages', 'responses', hello)
    expect(events.at(-1)?.response.output[0].content[0].text).toBe('Hello')
  })
  test('BigPizzaV3/CodexPlusPlus#1908 every field of the usage is there, zeros too', () => {
    const { events } = stream('chat', 'responses', [delta({ content: 'x' }), delta({}, 'stop'), done])
    expect(events.at(-1)?.response.usage).toEqual({
      input_tokens: 0,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: 0,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 0,
    })
  })
  test('zyycn/codex-proxy-rs#90 a failure is response.failed, not a bare error', () => {
    const { events } = stream('messages', 'responses', [
      begun(),
      { type: 'error', error: { type: 'overloaded_error', message: 'busy' } },
    ])
    expect([events.at(-1)?.type, events.at(-1)?.response.error.code]).toEqual([
      'response.failed',
      'server_is_overloaded',
    ])
  })
  test('router-for-me/CLIProxyAPI#5439 a turn cut by its limit ends as incomplete', () => {
    const { events } = stream('messages', 'responses', [begun(), ...said(0, 'Hel'), ...stopped('max_tokens')])
    expect([events.at(-1)?.type, events.at(-1)?.response.incomplete_details]).toEqual([
      'response.incomplete',
      { reason: 'max_output_tokens' },
    ])
  })
  test('router-for-me/CLIProxyAPI#1407 there is always one terminal event', () => {
    for (const events of [hello, hello.slice(0, 3), [begun()], []]) {
      const terminal = types(stream('messages', 'responses', events).events).filter((type) =>
        /^response\.(?:completed|incomplete|failed)$/.test(type),
      )
      expect(terminal).toHaveLength(1)
    }
  })
})

describe('6.3 Chat streams', () => {
  const two = [begun(), ...used(0, 'a', 'f', '{"n":1}'), ...used(1, 'b', 'g', '{"n":2}'), ...stopped('tool_use')]
  const callsIn = (events: readonly Any[]): readonly Any[] =>
    events.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])

  test('mcowger/plexus#691 parallel calls have ordinals of their own', () => {
    expect(callsIn(stream('messages', 'chat', two).events).map(({ index }) => index)).toEqual([0, 0, 1, 1])
  })
  test('decolua/9router#354 a turn with a call ends in tool_calls', () => {
    const { events } = stream('responses', 'chat', [
      created,
      added(0, { type: 'function_call', id: 'i', call_id: 'a', name: 'f' }),
      rArgs(0, 'i', '{}'),
      completed(),
    ])
    const reasons = events
      .map(({ choices }) => choices[0]?.finish_reason)
      .filter((reason) => typeof reason === 'string')
    expect(reasons).toEqual(['tool_calls'])
  })
  test('shogo-labs/shogo-ai#766 usage and thoughts of Messages reach a Chat client', () => {
    const thought = block(0, { type: 'thinking', thinking: '' }, { type: 'thinking_delta', thinking: 'hm' })
    const { events } = stream('messages', 'chat', [begun(), ...thought, ...said(1, 'x'), ...stopped('end_turn')])
    expect([
      events.map(({ choices }) => choices[0]?.delta.reasoning_content ?? '').join(''),
      events.at(-1)?.usage.completion_tokens,
    ]).toEqual(['hm', 5])
  })
  test('BerriAI/litellm#20480 a call’s id comes once, and no summary follows', () => {
    const calls = callsIn(stream('messages', 'chat', two).events)
    expect([
      calls.filter(({ id }) => id !== undefined).length,
      calls.map((each: Any) => each.function.arguments).join(''),
    ]).toEqual([2, '{"n":1}{"n":2}'])
  })
  test('Th0rgal/sandboxed.sh#389 [DONE] comes once', () => {
    expect(stream('messages', 'chat', two).text.split('[DONE]')).toHaveLength(2)
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
      [told, itemDone(0, bare)],
      [rArgs(0, 'i', item.arguments), told, itemDone(0, item)],
    ]) {
      const found = stream('responses', 'messages', [created, added(0, bare), ...events, completed()])
      expect(inputOf(found.events, 0)).toBe(item.arguments)
    }
  })
  test('BerriAI/litellm#5063 a call without arguments has an empty object', () => {
    const { events } = stream('messages', 'chat', [
      begun(),
      ...block(0, { type: 'tool_use', id: 'a', name: 'f', input: {} }),
      ...stopped('tool_use'),
    ])
    const text = events
      .flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])
      .map((each: Any) => each.function.arguments)
      .join('')
    expect(text).toBe('{}')
  })
  test('agentgateway/agentgateway#3002 empty arguments are mended on both ways', () => {
    const history = {
      model: 'm',
      input: [
        { type: 'function_call', call_id: 'a', name: 'f', arguments: '' },
        { type: 'function_call_output', call_id: 'a', output: 'x' },
      ],
    }
    expect([
      request('responses', 'messages', history).body.messages[1].content[0].input,
      request('responses', 'chat', history).body.messages[0].tool_calls[0].function.arguments,
    ]).toEqual([{}, '{}'])
  })
  test('MadSkittles/Router-Maestro#162 a call without arguments doesn’t break the stream', () => {
    const { whole } = stream('chat', 'messages', [
      delta({ tool_calls: [chatCall(0, 'a', 'f', '')] }),
      delta({}, 'tool_calls'),
      done,
    ])
    expect([whole.stop_reason, whole.content[0].input]).toEqual(['tool_use', {}])
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
  })
  test('langchain4j/langchain4j#4544 an id that is repeated is not put together', () => {
    const { whole } = stream('chat', 'messages', [
      delta({ tool_calls: [chatCall(0, 'call_1', 'f', '{')] }),
      delta({ tool_calls: [chatCall(0, 'call_1', null, '}')] }),
      delta({}, 'tool_calls'),
      done,
    ])
    expect(whole.content.map(({ id }: Any) => id)).toEqual(['call_1'])
  })
  test('decolua/9router#3416 long arguments with escapes arrive byte for byte', () => {
    const json = JSON.stringify({ text: `${'\\"\n\u2028é😀'.repeat(4_000)}` })
    const parts = json.match(/[\s\S]{1,17}/g) ?? []
    const { events } = stream('messages', 'responses', [
      begun(),
      ...block(
        0,
        { type: 'tool_use', id: 'a', name: 'f', input: {} },
        ...parts.map((part) => ({ type: 'input_json_delta', partial_json: part })),
      ),
      ...stopped('tool_use'),
    ])
    expect(events.at(-1)?.response.output[0].arguments).toBe(json)
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
  })
})

describe('6.5 stop reasons and refusals', () => {
  const call = delta({ tool_calls: [chatCall(0, 'a', 'f', '{}')] })
  test('weave-os/router#250 a tool block makes it tool_use, whatever the upstream says', () => {
    expect(reasonOf(stream('chat', 'messages', [call, delta({}, 'stop'), done]).events)).toBe('tool_use')
  })
  test('BerriAI/litellm#34692 also from a local upstream, and no empty text block', () => {
    const { events } = stream('chat', 'messages', [
      delta({ role: 'assistant', content: '' }),
      call,
      delta({ content: '' }, 'stop'),
      done,
    ])
    expect([reasonOf(events), starts(events)]).toEqual(['tool_use', [[0, 'tool_use']]])
  })
  test('pgEdge/pgedge-postgres-mcp#217 tool_calls is tool_use', () => {
    expect(reasonOf(stream('chat', 'messages', [call, delta({}, 'tool_calls'), done]).events)).toBe('tool_use')
  })
  test('router-for-me/CLIProxyAPI#4958 a refusal is content_filter with its text', () => {
    const { whole } = stream('messages', 'chat', [begun(), ...stopped('refusal')])
    expect([whole.choices[0].finish_reason, whole.choices[0].message.refusal]).toEqual([
      'content_filter',
      'The model declined to answer.',
    ])
  })
  test('BerriAI/litellm#40857 content_filter is a refusal', () => {
    expect(
      reasonOf(stream('chat', 'messages', [delta({ content: 'x' }), delta({}, 'content_filter'), done]).events),
    ).toBe('refusal')
  })
  test('BerriAI/litellm#39723 a refusal has its text and stop_details, and the limit goes before it', () => {
    const refused = delta({ refusal: 'No.' })
    const { whole } = stream('chat', 'messages', [refused, delta({}, 'stop'), done])
    const cut = stream('chat', 'messages', [refused, delta({}, 'length'), done])
    expect([whole.content, whole.stop_reason, whole.stop_details.type, cut.whole.stop_reason]).toEqual([
      [{ type: 'text', text: 'No.' }],
      'refusal',
      'refusal',
      'max_tokens',
    ])
  })
  test('vercel/ai#6577 an answer by schema ends as text, not as a call', () => {
    const format = { type: 'json_schema', json_schema: { name: 'o', schema: { type: 'object', properties: {} } } }
    const { body } = request('chat', 'messages', {
      model: 'm',
      messages: [{ role: 'user', content: 'a' }],
      response_format: format,
    })
    const { whole } = stream('messages', 'chat', [begun(), ...said(0, '{}'), ...stopped('end_turn')])
    expect([body.tools, body.output_config.format.type, whole.choices[0].finish_reason]).toEqual([
      undefined,
      'json_schema',
      'stop',
    ])
  })
})
