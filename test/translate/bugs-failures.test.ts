/** Known bugs of other translators in failures, thoughts, usage and counts (bridge §6.6, §6.7, §6.11, §6.12). */
import { describe, expect, test } from 'vitest'
import { estimateTokens } from '../../src/main/translate/estimate.ts'
import { failureBody, failureOfAnswer, failureStatus } from '../../src/main/translate/failure.ts'
import { wrap } from '../../src/main/translate/opaque.ts'
import {
  type Any,
  added,
  answerOf,
  begun,
  block,
  completed,
  context,
  created,
  delta,
  done,
  issuer,
  itemDone,
  request,
  said,
  sse,
  stopped,
  stream,
  streamBytes,
  types,
  unary,
  used,
} from './kit.ts'

const bytes = (events: readonly unknown[]): Uint8Array => new TextEncoder().encode(sse(events))

describe('6.6 failures, aborts, keep-alive', () => {
  const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
  test('Pasta-Devs/Marinara-Engine#2659 an error in the middle is passed on, not swallowed', () => {
    const { events, text } = stream('messages', 'chat', [begun(), ...said(0, 'part'), overloaded])
    expect([events.at(-1)?.error.code, text.includes('[DONE]')]).toEqual(['server_is_overloaded', false])
  })
  test('BerriAI/litellm#20347 an upstream error is an error event for Messages clients', () => {
    const { events } = stream('chat', 'messages', [
      delta({ content: 'x' }),
      { error: { message: 'boom', type: 'server_error' } },
    ])
    expect([events.at(-1)?.type, types(events).includes('message_stop')]).toEqual(['error', false])
  })
  test('NVIDIA/TensorRT-LLM#18289 an early end is a failure unless a finish reason or [DONE] was seen', () => {
    const ends = (events: readonly unknown[]): string => types(stream('chat', 'messages', events).events).at(-1) ?? ''
    const text = delta({ content: 'x' })
    expect([ends([text]), ends([text, delta({}, 'stop')]), ends([text, done])]).toEqual([
      'error',
      'message_stop',
      'message_stop',
    ])
  })
  test('dativo-io/talon#254 a stream that just stops ends in the client’s own terminal', () => {
    const cut = (client: 'responses' | 'messages'): string =>
      types(streamBytes(context('chat', client), [bytes([delta({ content: 'x' })])], 'cut').events).at(-1) ?? ''
    expect([cut('responses'), cut('messages')]).toEqual(['response.failed', 'error'])
  })
  test('BerriAI/litellm#41826 an error frame for Messages clients has their style', () => {
    const { text } = stream('responses', 'messages', [
      created,
      { type: 'error', code: 'rate_limit_exceeded', message: 'slow' },
    ])
    expect(text).toContain('event: error\ndata: {"type":"error","error":{"type":"rate_limit_error","message":"slow"}}')
  })
  test('an upstream’s pings make no events, so they keep nothing alive here', () => {
    const answer = answerOf(context('messages', 'responses'))
    answer.push(bytes([begun()]))
    const { heard } = answer
    expect([answer.push(bytes([{ type: 'ping' }])), answer.heard - heard]).toEqual(['', 0])
  })
  test('a silent stream is kept alive by what its client knows', () => {
    const beat = (client: 'messages' | 'chat' | 'responses'): string => {
      const answer = answerOf(context('chat', client))
      answer.push(bytes([delta({ content: 'x' })]))
      return answer.heartbeat()
    }
    expect([beat('messages'), beat('responses')]).toEqual([
      'event: ping\ndata: {"type":"ping"}\n\n',
      ': keep-alive\n\n',
    ])
  })
  test('overload has each style’s own status', () => {
    const failure = failureOfAnswer(529, '{"type":"error","error":{"type":"overloaded_error","message":"x"}}')
    expect([
      failureStatus('messages', failure),
      failureStatus('responses', failure),
      failureStatus('messages', failureOfAnswer(503, '')),
    ]).toEqual([529, 503, 529])
  })
  test('sonami-tech/omni-llm-provider#2 a 400 stays a 400', () => {
    expect(
      failureStatus('chat', failureOfAnswer(400, '{"error":{"type":"invalid_request_error","message":"x"}}')),
    ).toBe(400)
  })
  test('a page or nothing at all as a body gives a short sentence', () => {
    for (const body of ['<html>Bad gateway</html>', '']) {
      expect(failureBody('chat', failureOfAnswer(502, body))).toEqual({
        error: { message: 'The upstream failed.', type: 'server_error', param: null, code: 'server_error' },
      })
    }
  })
  test('a prompt that is too long is said in the words that clients look for', () => {
    const failure = failureOfAnswer(
      400,
      '{"error":{"code":"context_length_exceeded","message":"Your input exceeds the context window"}}',
    )
    expect((failureBody('messages', failure) as Any).error.message).toMatch(/^prompt is too long/)
  })
  test('an address or a key in a vendor’s sentence doesn’t reach the client', () => {
    const failure = failureOfAnswer(500, '{"error":{"message":"at https://inner.test/x with sk-abcdefghijkl"}}')
    expect(failure.message).toBe('at (address) with (key)')
  })
})

describe('6.7 thoughts', () => {
  const turn = (thought: object): object => ({
    model: 'm',
    max_tokens: 99_000,
    messages: [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: [thought, { type: 'tool_use', id: 't', name: 'f', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'x' }] },
    ],
  })
  const own = (kind: 'signature' | 'redacted' | 'encrypted', data: string): string => wrap(issuer, { kind, data })

  test('router-for-me/CLIProxyAPI#570 a block without a signature is dropped, none is made up', () => {
    const { body, codes } = request('chat', 'messages', {
      model: 'm',
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b', reasoning_content: 'hm' },
        { role: 'user', content: 'c' },
      ],
    })
    expect([JSON.stringify(body).includes('hm'), codes]).toEqual([false, ['reasoning_dropped']])
  })
  test('router-for-me/CLIProxyAPI#2172 a block goes back byte for byte', () => {
    const thinking = ' odd  “text”\u2028\n\n trailing '
    const { events } = stream('messages', 'responses', [
      begun(),
      ...block(
        0,
        { type: 'thinking', thinking: '' },
        { type: 'thinking_delta', thinking },
        { type: 'signature_delta', signature: 'Sig==' },
      ),
      ...used(1, 't', 'f', '{}'),
      ...stopped('tool_use'),
    ])
    const output = events.at(-1)?.response.output
    const next = [
      { role: 'user', content: 'a' },
      ...output,
      { type: 'function_call_output', call_id: 't', output: 'x' },
    ]
    expect(request('responses', 'messages', { model: 'm', input: next }).body.messages[1].content[0]).toEqual({
      type: 'thinking',
      thinking,
      signature: 'Sig==',
    })
  })
  test('BerriAI/litellm#26916 a thought is never shown as text', () => {
    const { body } = request(
      'messages',
      'responses',
      turn({ type: 'thinking', thinking: 'secret', signature: 'foreign' }),
    )
    expect(JSON.stringify(body)).not.toContain('secret')
  })
  test('BerriAI/litellm#27946 thoughts are echoed where a server wants them', () => {
    const { body } = request('messages', 'chat', turn({ type: 'thinking', thinking: 'hm', signature: 'rb1.e30' }), {
      abilities: { echoReasoning: true },
    })
    expect(body.messages[1].reasoning_content).toBe('hm')
  })
  test('BerriAI/litellm#36197 thoughts are carried or warned of', () => {
    expect(request('messages', 'chat', turn({ type: 'thinking', thinking: 'hm', signature: 's' })).codes).toContain(
      'reasoning_dropped',
    )
  })
  test('BerriAI/litellm#13420 a reasoning item in the input is no trouble', () => {
    const input = [
      { role: 'user', content: 'a' },
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'x' }] },
      { role: 'user', content: 'b' },
    ]
    expect(request('responses', 'chat', { model: 'm', input }).body.messages.map(({ role }: Any) => role)).toEqual([
      'user',
    ])
  })
  test('bitrouter/bitrouter#592 the signature comes before the block stops', () => {
    const { events } = stream('responses', 'messages', [
      created,
      added(0, { type: 'reasoning', id: 'r' }),
      { type: 'response.reasoning_summary_text.delta', output_index: 0, item_id: 'r', summary_index: 0, delta: 'hm' },
      itemDone(0, {
        type: 'reasoning',
        id: 'r',
        summary: [{ type: 'summary_text', text: 'hm' }],
        encrypted_content: 'gAAA',
      }),
      completed(),
    ])
    const inner = events.filter(({ index }) => index === 0).map((each: Any) => each.delta?.type ?? each.type)
    expect([inner, events.find((each: Any) => each.delta?.type === 'signature_delta')?.delta.signature]).toEqual([
      ['content_block_start', 'thinking_delta', 'signature_delta', 'content_block_stop'],
      own('encrypted', 'gAAA'),
    ])
  })
  test('openai/openai-agents-python#3981 each signature stays with its own block', () => {
    const two = [
      { type: 'thinking', thinking: 'one', signature: own('encrypted', 'E1') },
      { type: 'thinking', thinking: 'two', signature: own('encrypted', 'E2') },
    ]
    const body = {
      model: 'm',
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: [...two, { type: 'text', text: 'x' }] },
        { role: 'user', content: 'b' },
      ],
    }
    expect(request('messages', 'responses', body).body.input.slice(1, 3)).toEqual([
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'one' }], encrypted_content: 'E1' },
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'two' }], encrypted_content: 'E2' },
    ])
  })
  test('alphaXiv/agents#61 a blob goes to its issuer only', () => {
    const foreign = wrap('another', { kind: 'encrypted', data: 'E1' })
    const { body, codes } = request(
      'messages',
      'responses',
      turn({ type: 'thinking', thinking: 'x', signature: foreign }),
    )
    expect([JSON.stringify(body).includes('E1'), codes]).toEqual([false, ['reasoning_dropped']])
  })
  test('felinics/twilight#45 several thoughts keep their number and order', () => {
    const thought = (n: number): readonly object[] =>
      block(
        n,
        { type: 'thinking', thinking: '' },
        { type: 'thinking_delta', thinking: `t${n}` },
        { type: 'signature_delta', signature: `s${n}` },
      )
    const { whole } = stream('messages', 'responses', [
      begun(),
      ...thought(0),
      ...thought(1),
      ...said(2, 'x'),
      ...stopped('end_turn'),
    ])
    expect(whole.output.map((item: Any) => item.summary?.[0]?.text ?? item.type)).toEqual(['t0', 't1', 'message'])
  })
  test('can1357/oh-my-pi#341 a forced tool turns thinking off for that request', () => {
    const { body, codes } = request('responses', 'messages', {
      model: 'm',
      input: 'a',
      reasoning: { effort: 'high' },
      tools: [{ type: 'function', name: 'f' }],
      tool_choice: { type: 'function', name: 'f' },
    })
    expect([body.thinking, body.tool_choice, codes]).toEqual([
      { type: 'disabled' },
      { type: 'tool', name: 'f' },
      ['thinking_off_for_forced_tool'],
    ])
  })
  test('liuw1535/antigravity2api-nodejs#149 the limit is above the budget', () => {
    const budget = { thinking: 'budget', mostOutputTokens: 64_000 } as const
    const free = request(
      'responses',
      'messages',
      { model: 'm', input: 'a', reasoning: { effort: 'high' } },
      { abilities: budget },
    ).body
    const tight = request(
      'responses',
      'messages',
      { model: 'm', input: 'a', reasoning: { effort: 'high' }, max_output_tokens: 4_000 },
      { abilities: budget },
    ).body
    const tiny = request(
      'responses',
      'messages',
      { model: 'm', input: 'a', reasoning: { effort: 'high' }, max_output_tokens: 1_500 },
      { abilities: budget },
    ).body
    expect(
      [free, tight, tiny].map(({ thinking, max_tokens: most }) => [thinking.budget_tokens ?? thinking.type, most]),
    ).toEqual([
      [24_576, 28_672],
      [2_976, 4_000],
      ['disabled', 1_500],
    ])
  })
  test('lidge-jun/opencodex#256 high effort without a limit gets the model’s whole ceiling', () => {
    const { body } = request(
      'responses',
      'messages',
      { model: 'm', input: 'a', reasoning: { effort: 'max' } },
      { abilities: { mostOutputTokens: 64_000, efforts: ['low', 'high', 'max'] } },
    )
    expect([body.max_tokens, body.thinking, body.output_config]).toEqual([
      64_000,
      { type: 'adaptive' },
      { effort: 'max' },
    ])
  })
  test('caozhiyuan/copilot-api#296 no effort to a model that has none', () => {
    const { body, codes } = request(
      'responses',
      'chat',
      { model: 'm', input: 'a', reasoning: { effort: 'high' } },
      { abilities: { efforts: [] } },
    )
    expect([body.reasoning_effort, codes]).toEqual([undefined, ['effort_dropped']])
  })
  test('KunAgent/Kun#296 each level stays itself', () => {
    const levels = ['low', 'medium', 'high'].map(
      (effort) =>
        request('responses', 'messages', { model: 'm', input: 'a', reasoning: { effort } }).body.output_config.effort,
    )
    expect(levels).toEqual(['low', 'medium', 'high'])
  })
  test('thoughts of an answer to a Chat client come back by the call that they led to', () => {
    const { answer } = stream('messages', 'chat', [
      begun(),
      ...block(
        0,
        { type: 'thinking', thinking: '' },
        { type: 'thinking_delta', thinking: 'hm' },
        { type: 'signature_delta', signature: 'S' },
      ),
      ...used(1, 'call_9', 'f', '{}'),
      ...stopped('tool_use'),
    ])
    const history = {
      model: 'm',
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', tool_calls: [{ id: 'call_9', function: { name: 'f', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'call_9', content: 'x' },
      ],
    }
    const { body } = request('chat', 'messages', history, { kept: Object.fromEntries(answer.kept) })
    expect(body.messages[1].content[0]).toEqual({ type: 'thinking', thinking: 'hm', signature: 'S' })
  })
})

describe('6.11 usage', () => {
  test('chenyme/grok2api#748 an inclusive count is taken apart for Messages', () => {
    const usage = {
      input_tokens: 1_200,
      input_tokens_details: { cached_tokens: 1_000 },
      output_tokens: 80,
      output_tokens_details: { reasoning_tokens: 30 },
    }
    expect(stream('responses', 'messages', [created, completed([], usage)]).whole.usage).toEqual({
      input_tokens: 200,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 1_000,
      output_tokens: 80,
      output_tokens_details: { thinking_tokens: 30 },
    })
  })
  test('written tokens are counted once', () => {
    const { whole } = stream('messages', 'responses', [
      begun({ input_tokens: 10, cache_read_input_tokens: 100, cache_creation_input_tokens: 50, output_tokens: 1 }),
      ...stopped('end_turn'),
    ])
    expect([whole.usage.input_tokens, whole.usage.input_tokens_details]).toEqual([
      160,
      { cached_tokens: 100, cache_write_tokens: 50 },
    ])
  })
  test('BerriAI/litellm#31069 the last message_delta carries the cache counters', () => {
    const { events } = stream('chat', 'messages', [
      delta({ content: 'x' }, 'stop'),
      { choices: [], usage: { prompt_tokens: 30, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 20 } } },
      done,
    ])
    expect(events.find(({ type }) => type === 'message_delta')?.usage).toEqual({
      input_tokens: 10,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 20,
      output_tokens: 4,
    })
  })
  test('rashidrazak/opencode-cmd-provider#174 message_stop takes nothing back', () => {
    expect(
      stream('messages', 'chat', [begun(), ...stopped('end_turn', { output_tokens: 7 })]).whole.usage.completion_tokens,
    ).toBe(7)
  })
  test('ARahim3/mlx-dspark#37 a usage chunk is written with no choices, and read with any', () => {
    const { whole } = stream('chat', 'responses', [
      delta({ content: 'x' }, 'stop'),
      delta({}, null, { usage: { prompt_tokens: 3, completion_tokens: 2 } }),
      done,
    ])
    const { events } = stream('messages', 'chat', [begun(), ...said(0, 'x'), ...stopped('end_turn')])
    expect([whole.usage.total_tokens, events.at(-1)?.choices]).toEqual([5, []])
  })
  test('odysseus-dev/odysseus#1703 usage on the finish chunk counts', () => {
    expect(
      stream('chat', 'messages', [
        delta({ content: 'x' }, 'stop', { usage: { prompt_tokens: 3, completion_tokens: 2 } }),
        done,
      ]).whole.usage.output_tokens,
    ).toBe(2)
  })
  test('router-for-me/CLIProxyAPI#1279 no usage upstream is zeros for the client', () => {
    expect(stream('responses', 'chat', [created, completed()]).whole.usage.total_tokens).toBe(0)
  })
  test('karthink/gptel#1331 null fields keep what was said before', () => {
    const { whole } = stream('messages', 'chat', [
      begun({ input_tokens: 9, output_tokens: 1 }),
      ...stopped('end_turn', { input_tokens: null, cache_read_input_tokens: null, output_tokens: 5 }),
    ])
    expect([whole.usage.prompt_tokens, whole.usage.completion_tokens]).toEqual([9, 5])
  })
  test('the usage chunk goes only to Chat clients that asked', () => {
    expect(stream('messages', 'chat', [begun(), ...stopped('end_turn')], { wantsUsage: false }).text).not.toContain(
      'usage',
    )
  })
})

describe('6.12 counting', () => {
  test('router-for-me/CLIProxyAPI#679 system, tools and results count', () => {
    const ask = { model: 'm', messages: [{ role: 'user', content: 'hello' }] }
    const plain = estimateTokens(JSON.stringify(ask)) ?? 0
    for (const more of [
      { system: 'You are helpful and say little.' },
      { tools: [{ name: 'f', description: 'Does things', input_schema: { type: 'object' } }] },
      {
        messages: [
          ...ask.messages,
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x', content: 'result' }] },
        ],
      },
      {
        messages: [
          { role: 'user', content: [{ type: 'image', source: { type: 'base64', data: 'x'.repeat(99_999) } }] },
        ],
      },
    ]) {
      expect(estimateTokens(JSON.stringify({ ...ask, ...more }))).toBeGreaterThan(plain)
    }
    // Their text counts, not just that they are there.
    const long = 'word '.repeat(200)
    const counted = (body: object): number => (estimateTokens(JSON.stringify(body)) ?? 0) - long.length / 5
    for (const body of [
      { system: long },
      { instructions: long },
      { tools: [{ name: 'f', description: long }] },
      { input: [{ role: 'user', content: long }] },
      { input: [{ type: 'function_call_output', call_id: 'a', output: long }] },
      { messages: [{ role: 'tool', tool_call_id: 'a', content: long }] },
    ]) {
      expect(counted(body)).toBeGreaterThan(0)
    }
  })
  test('BerriAI/litellm#13252 there is always an answer, and it is never 0', () => {
    expect([estimateTokens('{}'), estimateTokens('no json')]).toEqual([3, null])
  })
  test('a picture counts as one, not as its base64', () => {
    const image = { type: 'image', source: { type: 'base64', data: 'x'.repeat(1_000_000) } }
    expect(estimateTokens(JSON.stringify({ messages: [{ role: 'user', content: [image] }] }))).toBeLessThan(2_000)
  })
})

test('a whole answer that holds an error is one', () => {
  const { status, whole } = unary('chat', 'messages', { error: { message: 'busy', code: 'rate_limit_exceeded' } })
  expect([status, whole.error.type]).toEqual([429, 'rate_limit_error'])
})
