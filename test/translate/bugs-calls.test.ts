/** Known bugs of other translators in calls and stop reasons (bridge §6.4, §6.5): each by its citation, each fails without its rule. */
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
  unary,
  used,
} from './kit.ts'
import { inputOf, reasonOf, starts } from './stream-kit.ts'

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
