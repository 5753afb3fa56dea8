/** Rules that no known bug names: free-form tools of Chat, first events, empty parts, titles, failures in whole answers. */
import { describe, expect, test } from 'vitest'
import {
  type Any,
  answerOf,
  begun,
  block,
  completed,
  context,
  created,
  delta,
  done,
  itemDone,
  request,
  said,
  sse,
  stopped,
  stream,
  unary,
  used,
} from './kit.ts'

const bytes = (events: readonly unknown[]): Uint8Array => new TextEncoder().encode(sse(events))
const ask = { role: 'user', content: 'a' }

describe('events', () => {
  test('the first chunk of any shape begins the client’s stream', () => {
    for (const first of [delta({ role: 'assistant', content: null }), { choices: [] }, delta({ content: '' })]) {
      expect(answerOf(context('chat', 'messages')).push(bytes([first]))).toMatch(/^event: message_start\n/)
    }
    expect(answerOf(context('responses', 'chat')).push(bytes([created]))).toContain('"role":"assistant"')
    expect(answerOf(context('messages', 'responses')).push(bytes([begun()]))).toMatch(/^event: response\.created\n/)
  })
  test('parts of one summary are one thought with a blank line between', () => {
    const part = (at: number, text: string): object => ({
      type: 'response.reasoning_summary_text.delta',
      output_index: 0,
      item_id: 'r',
      summary_index: at,
      delta: text,
    })
    const { whole } = stream('responses', 'messages', [created, part(0, 'one'), part(1, 'two'), completed()])
    expect(whole.content[0].thinking).toBe('one\n\ntwo')
  })
  test('a thought without a text keeps its seal', () => {
    const item = { type: 'reasoning', id: 'r', summary: [], encrypted_content: 'gAAA' }
    const { whole } = stream('responses', 'messages', [created, itemDone(0, item), completed()])
    expect([whole.content[0].thinking, whole.content[0].signature.startsWith('rb1.')]).toEqual(['', true])
  })
  test('a final form adds what the deltas left out, and takes nothing back', () => {
    const end = (text: string): string => {
      const item = { type: 'message', id: 'm', content: [{ type: 'output_text', text }] }
      const piece = {
        type: 'response.output_text.delta',
        output_index: 0,
        item_id: 'm',
        content_index: 0,
        delta: 'Hel',
      }
      return stream('responses', 'messages', [created, piece, itemDone(0, item), completed()]).whole.content[0].text
    }
    expect([end('Hello'), end(''), end('Hel')]).toEqual(['Hello', 'Hel', 'Hel'])
  })
  test('a stop sequence that a server names is told', () => {
    const last = { choices: [{ index: 0, delta: {}, finish_reason: 'stop', matched_stop: 'END' }] }
    const { whole } = stream('chat', 'messages', [delta({ content: 'x' }), last, done])
    expect([whole.stop_reason, whole.stop_sequence]).toEqual(['stop_sequence', 'END'])
  })
  test('text that only looks like the beginning of a stop sequence is given out in the end', () => {
    const { whole } = stream(
      'responses',
      'messages',
      [
        created,
        { type: 'response.output_text.delta', output_index: 0, item_id: 'm', content_index: 0, delta: 'to the EN' },
        completed(),
      ],
      { stops: ['END'] },
    )
    expect(whole.content[0].text).toBe('to the EN')
  })
  test('a filter that cuts an answer off is told as such, a refusal in words is an answer', () => {
    const cut = stream('chat', 'responses', [delta({ content: 'x' }), delta({}, 'content_filter'), done])
    const told = stream('chat', 'responses', [delta({ refusal: 'No.' }), delta({}, 'stop'), done])
    expect([cut.whole.incomplete_details, told.whole.status, told.whole.output[0].content[0]]).toEqual([
      { reason: 'content_filter' },
      'completed',
      { type: 'refusal', refusal: 'No.' },
    ])
  })
  test('a paused turn is an incomplete one', () => {
    const events = [begun(), ...said(0, 'x'), ...stopped('pause_turn')]
    const there = stream('messages', 'responses', events)
    expect([there.whole.status, there.answer.lost]).toEqual(['incomplete', ['paused_turn_ended']])
    const chat = stream('messages', 'chat', events)
    expect([chat.whole.choices[0].finish_reason, chat.answer.lost]).toEqual(['length', ['paused_turn_ended']])
  })
  test('a call that its limit cut off is left out of a whole answer and unfinished in a stream', () => {
    const events = [begun(), ...said(0, 'x'), ...used(1, 'a', 'f', '{"x":'), ...stopped('max_tokens')]
    const there = stream('messages', 'responses', events)
    const chat = stream('messages', 'chat', events)
    expect([there.whole.status, chat.whole.choices[0].message.tool_calls, chat.whole.choices[0].finish_reason]).toEqual(
      ['incomplete', undefined, 'length'],
    )
  })
  test('what a server runs itself takes no index', () => {
    const server = block(1, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} })
    const { whole } = stream('messages', 'responses', [
      begun(),
      ...said(0, 'a'),
      ...server,
      ...said(2, 'b'),
      ...stopped('end_turn'),
    ])
    expect(whole.output.map((item: Any) => item.content[0].text)).toEqual(['a', 'b'])
  })
  test('what an answer held and can’t be said is named', () => {
    const cited = block(
      0,
      { type: 'text', text: '' },
      { type: 'text_delta', text: 'x' },
      { type: 'citations_delta', citation: {} },
    )
    const server = block(1, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} })
    const search = { type: 'web_search_call', id: 'w', status: 'completed' }
    expect([
      stream('messages', 'chat', [begun(), ...cited, ...server, ...stopped('end_turn')]).answer.lost,
      stream('responses', 'messages', [
        created,
        itemDone(0, search),
        { type: 'response.output_text.annotation.added' },
        completed(),
      ]).answer.lost,
      stream('chat', 'messages', [delta({ content: 'x', annotations: [{}] }), delta({}, 'stop'), done]).answer.lost,
    ]).toEqual([
      ['citations_dropped', 'server_tool_hidden'],
      ['server_tool_hidden', 'citations_dropped'],
      ['citations_dropped'],
    ])
  })
  test('a later split of the input replaces what came at the start', () => {
    const { whole } = stream('messages', 'chat', [
      begun({ input_tokens: 500, output_tokens: 1 }),
      ...stopped('end_turn', { input_tokens: 100, cache_read_input_tokens: 400, output_tokens: 5 }),
    ])
    expect([whole.usage.prompt_tokens, whole.usage.prompt_tokens_details.cached_tokens]).toEqual([500, 400])
  })
  test('only the first of several choices is an answer', () => {
    const other = { choices: [{ index: 1, delta: { content: 'other' }, finish_reason: null }] }
    expect(stream('chat', 'messages', [delta({ content: 'x' }), other, delta({}, 'stop'), done]).whole.content).toEqual(
      [{ type: 'text', text: 'x' }],
    )
  })
  test('the old single function call is read as one', () => {
    const { whole } = stream('chat', 'messages', [
      delta({ function_call: { name: 'f', arguments: '{"x":1}' } }),
      delta({}, 'function_call'),
      done,
    ])
    expect([whole.content[0].name, whole.content[0].input, whole.stop_reason]).toEqual(['f', { x: 1 }, 'tool_use'])
  })
})

describe('whole answers', () => {
  test('that failed or are something else are failures', () => {
    const status = (upstream: 'messages' | 'responses' | 'chat', body: object): number =>
      unary(upstream, 'responses' === upstream ? 'chat' : 'responses', body).status
    expect([
      status('messages', { type: 'error', error: { type: 'rate_limit_error', message: 'x' } }),
      status('messages', { hello: 1 }),
      status('responses', { status: 'failed', error: { code: 'server_error', message: 'x' }, output: [] }),
      status('responses', {}),
      status('chat', {}),
      status('chat', { error: { message: 'x', code: 'context_length_exceeded' } }),
    ]).toEqual([429, 500, 500, 500, 500, 400])
  })
})

describe('requests', () => {
  const freeform = {
    type: 'custom',
    custom: {
      name: 'patch',
      description: 'd',
      format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: x' } },
    },
  }
  const history = [
    ask,
    { role: 'assistant', tool_calls: [{ id: 'a', type: 'custom', custom: { name: 'patch', input: 'raw' } }] },
    { role: 'tool', tool_call_id: 'a', content: 'ok' },
  ]
  test('free-form tools of Chat are carried to Responses', () => {
    const { body } = request('chat', 'responses', {
      model: 'm',
      messages: history,
      tools: [freeform],
      tool_choice: { type: 'custom', custom: { name: 'patch' } },
    })
    expect([body.tools[0], body.tool_choice, body.input[1]]).toEqual([
      {
        type: 'custom',
        name: 'patch',
        description: 'd',
        format: { type: 'grammar', syntax: 'lark', definition: 'start: x' },
      },
      { type: 'custom', name: 'patch' },
      { type: 'custom_tool_call', call_id: 'a', name: 'patch', input: 'raw' },
    ])
  })
  test('and emulated for Messages, there and back', () => {
    const { body, context: made } = request('chat', 'messages', { model: 'm', messages: history, tools: [freeform] })
    const { events, whole } = stream(
      'messages',
      'chat',
      [begun(), ...used(0, 'b', 'patch', '{"input":"raw"}'), ...stopped('tool_use')],
      made,
    )
    expect([
      body.messages[1].content[0].input,
      whole.choices[0].message.tool_calls,
      events.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []).length,
    ]).toEqual([{ input: 'raw' }, [{ id: 'b', type: 'custom', custom: { name: 'patch', input: 'raw' } }], 1])
  })
  test('thoughts are asked of models that have them', () => {
    const body = { model: 'm', max_tokens: 90, messages: [ask], thinking: { type: 'adaptive' } }
    const asked = (efforts: readonly 'low'[]): unknown => {
      const { include, reasoning } = request('messages', 'responses', body, { abilities: { efforts } }).body
      return [include, reasoning]
    }
    expect([asked(['low']), asked([])]).toEqual([
      [['reasoning.encrypted_content'], { summary: 'auto' }],
      [undefined, undefined],
    ])
  })
  test('empty parts are left out', () => {
    const input = [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: '' },
          { type: 'input_text', text: 'a' },
        ],
      },
    ]
    expect(request('responses', 'messages', { model: 'm', input }).body.messages[0].content).toEqual([
      { type: 'text', text: 'a' },
    ])
  })
  test('a document keeps its title, its bytes or its address', () => {
    const doc = (source: object): object => ({
      model: 'm',
      max_tokens: 90,
      messages: [{ role: 'user', content: [{ type: 'document', title: 'T', source }] }],
    })
    const pdf = { type: 'base64', media_type: 'application/pdf', data: 'AAAA' }
    const part = (to: 'responses' | 'chat', source: object): unknown =>
      request('messages', to, doc(source)).body[to === 'chat' ? 'messages' : 'input'][0].content[0]
    expect([
      part('responses', pdf),
      part('responses', { type: 'url', url: 'https://x.test/a.pdf' }),
      part('chat', pdf),
    ]).toEqual([
      { type: 'input_file', filename: 'T', file_data: 'data:application/pdf;base64,AAAA' },
      { type: 'input_file', file_url: 'https://x.test/a.pdf' },
      { type: 'file', file: { filename: 'T', file_data: 'data:application/pdf;base64,AAAA' } },
    ])
    const back = request('responses', 'messages', {
      model: 'm',
      input: [{ role: 'user', content: [part('responses', pdf)] }],
    }).body
    expect(back.messages[0].content[0]).toEqual({ type: 'document', source: pdf, title: 'T' })
    expect(
      request('messages', 'chat', doc({ type: 'text', media_type: 'text/plain', data: 'plain' })).body.messages[0]
        .content,
    ).toBe('T\n\nplain')
  })
  test('a shell’s output becomes text', () => {
    const output = [
      { stdout: 'out', stderr: 'err', outcome: { type: 'exit', exit_code: 2 } },
      { stdout: '', outcome: { type: 'timeout' } },
    ]
    const input = [
      ask,
      { type: 'shell_call', call_id: 'a', action: { commands: ['x'] } },
      { type: 'shell_call_output', call_id: 'a', output },
    ]
    expect(request('responses', 'chat', { model: 'm', input }).body.messages[2].content).toBe(
      'out\nerr\nexit code 2\ntimed out',
    )
  })
  test('two system turns in a row are one where they stand in the middle', () => {
    const input = [ask, { role: 'developer', content: 'one' }, { role: 'system', content: 'two' }]
    expect(request('responses', 'chat', { model: 'm', input }).body.messages[1]).toEqual({
      role: 'developer',
      content: 'one\n\ntwo',
    })
  })
  test('cache marks stand on the last tool, the last system text and the last two turns of the user', () => {
    const input = [ask, { role: 'assistant', content: 'b' }, ask, { role: 'assistant', content: 'b' }, ask]
    const tools = ['f', 'g'].map((name) => ({ type: 'function', name }))
    const { body } = request(
      'responses',
      'messages',
      { model: 'm', input, instructions: 's', tools },
      { abilities: { cacheMarks: true } },
    )
    const marked = (list: readonly Any[]): readonly boolean[] => list.map((each) => each.cache_control !== undefined)
    expect([
      marked(body.tools),
      marked(body.system),
      marked(body.messages.flatMap(({ content }: Any) => content)),
    ]).toEqual([[false, true], [true], [false, false, true, false, true]])
  })
})
