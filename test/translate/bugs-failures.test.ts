/** Known bugs of other translators in failures, usage and counts (bridge §6.6, §6.11, §6.12). */
import { describe, expect, test } from 'vitest'
import { estimateTokens } from '../../src/main/translate/estimate.ts'
import { failureBody, failureOfAnswer, failureStatus } from '../../src/main/translate/failure.ts'
import {
  type Any,
  answerOf,
  begun,
  completed,
  context,
  created,
  delta,
  done,
  itemDone,
  rText,
  said,
  sse,
  stopped,
  stream,
  streamBytes,
  types,
  unary,
} from './kit.ts'

const bytes = (events: readonly unknown[]): Uint8Array => new TextEncoder().encode(sse(events))

describe('6.6 failures, aborts, keep-alive', () => {
  const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
  test('Pasta-Devs/Marinara-Engine#2659 an error in the middle is passed on, not swallowed', () => {
    const events = [begun(), ...said(0, 'part'), overloaded, ...stopped('end_turn')]
    const chat = stream('messages', 'chat', events)
    const responses = stream('messages', 'responses', events)
    expect([chat.events.at(-1)?.error?.code, chat.text.includes('[DONE]'), chat.status]).toEqual([
      ...['server_is_overloaded', false, 503],
    ])
    expect([responses.events.at(-1)?.response.error?.code, responses.status]).toEqual(['server_is_overloaded', 503])
  })
  test('BerriAI/litellm#20347 an upstream error is an error event for Messages clients', () => {
    const boom = { message: 'boom', type: 'server_error' }
    const failed = { status: 'failed', error: boom }
    for (const { events, status } of [
      stream('chat', 'messages', [delta({ content: 'x' }), { error: boom }, done]),
      stream('responses', 'messages', [created, rText(0, 'm', 'x'), { type: 'response.failed', response: failed }]),
      stream('responses', 'messages', [
        created,
        rText(0, 'm', 'x'),
        { type: 'error', code: 'server_error', message: 'boom' },
        completed(),
      ]),
      stream('responses', 'messages', [created, { type: 'response.completed', response: failed }]),
    ]) {
      const told = { type: 'error', error: { type: 'api_error', message: 'boom' } }
      expect([events.at(-1), types(events).includes('message_stop'), status]).toEqual([told, false, 500])
    }
  })
  test('NVIDIA/TensorRT-LLM#18289 an early end is a failure unless a finish reason or [DONE] was seen', () => {
    const ends = (upstream: 'chat' | 'messages' | 'responses', events: readonly unknown[]): unknown => {
      const { events: told, status } = stream(upstream, 'messages', events)
      return [types(told).at(-1), status]
    }
    const text = delta({ content: 'x' })
    const unstopped = [begun(), ...said(0, 'x'), ...stopped('end_turn').slice(0, 1)]
    expect([
      ends('chat', [text, delta({}, 'stop')]),
      ends('chat', [text, done]),
      ends('chat', [text]),
      ends('chat', [delta({ reasoning_content: 'x' })]),
      ends('messages', unstopped),
      ends('responses', [created, rText(0, 'm', 'x'), itemDone(0, { type: 'message', id: 'm', content: [] })]),
    ]).toEqual([...Array(2).fill(['message_stop', 200]), ...Array(4).fill(['error', 500])])
  })
  test('dativo-io/talon#254 a stream that just stops ends in the client’s own terminal', () => {
    for (const events of [[], [delta({ content: 'x' })]]) {
      for (const how of ['end', 'cut'] as const) {
        const [responses, messages, chat] = (['responses', 'messages', 'chat'] as const).map((client) =>
          streamBytes(context('chat', client), [bytes(events)], how),
        )
        expect([types(responses?.events ?? []).at(-1), types(messages?.events ?? []).at(-1)]).toEqual([
          'response.failed',
          'error',
        ])
        expect([chat?.events.at(-1)?.error.type, chat?.text.includes('[DONE]')]).toEqual(['server_error', false])
      }
    }
  })
  test('BerriAI/litellm#41826 an error frame for Messages clients has their style', () => {
    const { text } = stream('responses', 'messages', [
      created,
      { type: 'error', code: 'rate_limit_exceeded', message: 'slow' },
    ])
    expect(text).toContain('event: error\ndata: {"type":"error","error":{"type":"rate_limit_error","message":"slow"}}')
  })
  test('Wei-Shaw/sub2api#1707 an upstream’s pings make no events, so they keep nothing alive here', () => {
    const answer = answerOf(context('messages', 'responses'))
    answer.push(bytes([begun()]))
    const { heard } = answer
    expect([answer.push(bytes([{ type: 'ping' }])), answer.heard - heard]).toEqual(['', 0])
  })
  test('BerriAI/litellm#36024 a silent stream is kept alive by what its client knows', () => {
    const beat = (client: 'messages' | 'chat' | 'responses'): readonly string[] => {
      const answer = answerOf(context('chat', client))
      const before = answer.heartbeat()
      answer.push(bytes([delta({ content: 'x' })]))
      return [before, answer.heartbeat(), answer.end() && answer.heartbeat()]
    }
    const comment = ': keep-alive\n\n'
    expect(beat('messages')).toEqual([comment, 'event: ping\ndata: {"type":"ping"}\n\n', ''])
    expect([beat('responses'), beat('chat')]).toEqual(Array(2).fill([comment, comment, '']))
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

describe('6.11 usage', () => {
  const finished = delta({ content: 'x' }, 'stop')
  const ofMessages = (events: readonly Any[]): Any => events.find(({ type }) => type === 'message_delta')?.usage

  test('chenyme/grok2api#748 an inclusive count is taken apart for Messages', () => {
    const usage = {
      input_tokens: 1_200,
      input_tokens_details: { cached_tokens: 1_000, cache_write_tokens: 50 },
      output_tokens: 80,
      output_tokens_details: { reasoning_tokens: 30 },
    }
    const { events, whole } = stream('responses', 'messages', [created, completed([], usage)])
    const apart = {
      input_tokens: 150,
      cache_creation_input_tokens: 50,
      cache_read_input_tokens: 1_000,
      output_tokens: 80,
      output_tokens_details: { thinking_tokens: 30 },
    }
    expect([ofMessages(events), whole.usage]).toEqual([apart, apart])
    // A server that counts them apart itself leaves nothing, never less.
    const odd = { prompt_tokens: 10, prompt_tokens_details: { cached_tokens: 30 }, completion_tokens: 1 }
    expect(stream('chat', 'messages', [finished, { choices: [], usage: odd }]).whole.usage.input_tokens).toBe(0)
  })
  test('maximhq/bifrost#3451 written tokens are counted once', () => {
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
    const counts = { prompt_tokens: 30, completion_tokens: 4 }
    for (const said of [
      { prompt_tokens_details: { cached_tokens: 20 } },
      { prompt_cache_hit_tokens: 20 },
      { cached_tokens: 20 },
    ]) {
      const { events } = stream('chat', 'messages', [finished, { choices: [], usage: { ...counts, ...said } }, done])
      expect(ofMessages(events)).toEqual({
        input_tokens: 10,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 20,
        output_tokens: 4,
      })
    }
    const usage = { input_tokens: 30, output_tokens: 4, input_tokens_details: { cached_tokens: 20 } }
    const { events } = stream('responses', 'messages', [created, completed([], usage)])
    expect(ofMessages(events).cache_read_input_tokens).toBe(20)
  })
  test('rashidrazak/opencode-cmd-provider#174 message_stop takes nothing back', () => {
    const zero = { input_tokens: 0, output_tokens: 0 }
    for (const more of [{}, { usage: zero }]) {
      const [ending, stop] = stopped('end_turn', { output_tokens: 7 })
      const { prompt_tokens: read, completion_tokens: written } = stream('messages', 'chat', [
        ...[begun(), ending, { ...stop, ...more }],
      ]).whole.usage
      expect([read, written]).toEqual([10, 7])
    }
  })
  test('ARahim3/mlx-dspark#37 a usage chunk is written with no choices, and read with any', () => {
    const usage = { prompt_tokens: 3, completion_tokens: 2 }
    for (const chunk of [delta({}, null, { usage }), { choices: [], usage }, { usage }]) {
      expect(stream('chat', 'responses', [finished, chunk, done]).whole.usage.total_tokens).toBe(5)
    }
    const { events } = stream('messages', 'chat', [begun(), ...said(0, 'x'), ...stopped('end_turn')])
    const counted = events.filter((chunk: Any) => chunk.usage !== null)
    expect(counted.map((chunk: Any) => [chunk.choices, chunk.usage.total_tokens])).toEqual([[[], 15]])
  })
  test('odysseus-dev/odysseus#1703 usage on the finish chunk counts', () => {
    const usage = { prompt_tokens: 3, completion_tokens: 2 }
    for (const events of [
      [delta({ content: 'x' }, 'stop', { usage })],
      [delta({ content: 'x' }, null, { usage }), finished],
      [delta({ content: 'x' }, null, { usage: { ...usage, completion_tokens: 1 } }), delta({}, 'stop', { usage })],
      [delta({ content: 'x' }, 'stop', { usage }), delta({}, null, { usage: null })],
    ]) {
      const { input_tokens: read, output_tokens: written } = stream('chat', 'messages', [...events, done]).whole.usage
      expect([read, written]).toEqual([3, 2])
    }
  })
  test('router-for-me/CLIProxyAPI#1279 no usage upstream is zeros for the client', () => {
    const chat = stream('responses', 'chat', [created, completed()])
    const zeros = {
      prompt_tokens: 0,
      completion_tokens: 0,
      total_tokens: 0,
      prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0 },
    }
    expect([chat.whole.usage, chat.events.at(-1)?.usage]).toEqual([zeros, zeros])
    const responses = stream('chat', 'responses', [finished, done])
    const none = {
      input_tokens: 0,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: 0,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 0,
    }
    expect([responses.whole.usage, responses.events.at(-1)?.response.usage]).toEqual([none, none])
    const messages = stream('chat', 'messages', [finished, done])
    const nothing = {
      input_tokens: 0,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 0,
    }
    expect([messages.whole.usage, ofMessages(messages.events), messages.events[0]?.message.usage]).toEqual(
      Array(3).fill(nothing),
    )
  })
  test('karthink/gptel#1331 null fields keep what was said before', () => {
    const { whole } = stream('messages', 'chat', [
      begun({ input_tokens: 9, cache_read_input_tokens: null, output_tokens: 1 }),
      { type: 'message_delta', delta: { stop_reason: null }, usage: null },
      ...stopped('end_turn', { input_tokens: null, cache_read_input_tokens: null, output_tokens: 5 }),
    ])
    expect([whole.usage.prompt_tokens, whole.usage.completion_tokens]).toEqual([9, 5])
    const usage = {
      prompt_tokens: 9,
      completion_tokens: 5,
      prompt_tokens_details: null,
      completion_tokens_details: null,
    }
    expect(stream('chat', 'responses', [finished, { choices: [], usage }, done]).whole.usage.total_tokens).toBe(14)
  })
  test('the usage chunk goes only to Chat clients that asked', () => {
    expect(stream('messages', 'chat', [begun(), ...stopped('end_turn')], { wantsUsage: false }).text).not.toContain(
      'usage',
    )
  })
})

describe('6.12 counting', () => {
  test('router-for-me/CLIProxyAPI#679 system, tools and results count', () => {
    const counted = (body: object): number => estimateTokens(JSON.stringify(body)) ?? 0
    const long = 'word '.repeat(200)
    const message = (content: unknown): object => ({ messages: [{ role: 'user', content }] })
    const thinking = (signature: string): object => ({ type: 'thinking', thinking: 'hm', signature })
    const seal = (data: string): object => ({ type: 'reasoning', summary: [], encrypted_content: data })
    const schema = { type: 'object', properties: { path: { type: 'string', description: long } } }
    for (const body of [
      { system: long },
      { instructions: long },
      { tools: [{ name: 'f', description: long }] },
      { tools: [{ name: 'f', input_schema: schema }] },
      { tools: [{ type: 'function', function: { name: 'f', parameters: schema } }] },
      { input: long },
      { input: [{ role: 'user', content: long }] },
      { input: [{ type: 'function_call', call_id: 'a', arguments: long }] },
      { input: [{ type: 'function_call_output', call_id: 'a', output: long }] },
      { messages: [{ role: 'tool', tool_call_id: 'a', content: long }] },
      { messages: [{ role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'f', arguments: long } }] }] },
      message([{ type: 'tool_use', id: 'a', name: 'f', input: { path: long } }]),
      message([{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: long }] }]),
      message([{ type: 'image', source: { type: 'base64', data: 'x' } }]),
      message([{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'image', source: {} }] }]),
    ]) {
      expect(counted(body)).toBeGreaterThan(200)
    }
    // A document of text goes by its text, what is opaque goes by nothing.
    const document = { type: 'document', source: { type: 'text', media_type: 'text/plain', data: long.repeat(20) } }
    expect(counted(message([document]))).toBeGreaterThan(4_000)
    const [sealed, bare] = [long, ''].map((data) =>
      counted({ messages: [{ content: [thinking(data), { type: 'redacted_thinking', data }] }], input: [seal(data)] }),
    )
    expect(sealed).toBe(bare)
    // Each message and each tool is more than its text.
    const [one, two] = [['hello'], ['hel', 'lo']].map((texts) =>
      counted({ messages: texts.map((content) => ({ role: 'user', content })) }),
    )
    expect((two ?? 0) - (one ?? 0)).toBeGreaterThanOrEqual(4)
    expect(counted({ tools: [{}] })).toBeGreaterThan(12)
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
