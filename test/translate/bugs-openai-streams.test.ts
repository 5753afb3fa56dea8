/** Known bugs of other translators in Responses and Chat streams (bridge §6.2, §6.3): each by its citation, each fails without its rule. */
import { describe, expect, test } from 'vitest'
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
  rArgs,
  said,
  sse,
  stopped,
  stream,
  streamBytes,
  types,
  used,
} from './kit.ts'

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
