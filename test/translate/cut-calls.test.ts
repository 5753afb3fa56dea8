/** A call that was cut off never looks finished, and never as if it had another input (bridge §2.2, §3.9). */
import { describe, expect, test } from 'vitest'
import {
  type Any,
  added,
  begun,
  block,
  chatCall,
  context,
  created,
  delta,
  done,
  itemDone,
  rArgs,
  rText,
  said,
  sse,
  stopped,
  stream,
  streamBytes,
  used,
} from './kit.ts'

type Dialect = 'messages' | 'responses' | 'chat'

const cutBy: Readonly<Record<Dialect, readonly [limit: string, filter: string]>> = {
  messages: ['max_tokens', 'refusal'],
  responses: ['max_output_tokens', 'content_filter'],
  chat: ['length', 'content_filter'],
}

/** A whole call, then one of which this much has come. */
const cutAnswer = (upstream: Dialect, json: string, reason: string): readonly unknown[] => {
  switch (upstream) {
    case 'messages':
      return [begun(), ...used(0, 'a', 'f', '{"y":1}'), ...used(1, 'b', 'g', json), ...stopped(reason)]
    case 'responses': {
      const item = { type: 'function_call', id: 'j', call_id: 'b', name: 'g', arguments: json }
      return [
        created,
        itemDone(0, {
          type: 'function_call',
          id: 'i',
          call_id: 'a',
          name: 'f',
          arguments: '{"y":1}',
          status: 'completed',
        }),
        added(1, { ...item, arguments: '' }),
        rArgs(1, 'j', json),
        itemDone(1, { ...item, status: 'incomplete' }),
        { type: 'response.incomplete', response: { status: 'incomplete', incomplete_details: { reason }, output: [] } },
      ]
    }
    case 'chat':
      return [
        delta({ tool_calls: [chatCall(0, 'a', 'f', '{"y":1}')] }),
        delta({ tool_calls: [chatCall(1, 'b', 'g', json)] }),
        delta({}, reason),
        done,
      ]
  }
}

/** Ids of the calls in a whole answer. */
const callsOf = (client: Dialect, whole: Any): readonly string[] => {
  switch (client) {
    case 'messages':
      return whole.content.filter(({ type }: Any) => type === 'tool_use').map(({ id }: Any) => id)
    case 'responses':
      return whole.output.filter(({ call_id: id }: Any) => id !== undefined).map(({ call_id: id }: Any) => id)
    case 'chat':
      return (whole.choices[0].message.tool_calls ?? []).map(({ id }: Any) => id)
  }
}

const directions = (['messages', 'responses', 'chat'] as const).flatMap((upstream) =>
  (['messages', 'responses', 'chat'] as const)
    .filter((client) => client !== upstream)
    .map((client) => ({ upstream, client })),
)

describe.each(directions)('$upstream upstream, $client client', ({ upstream, client }) => {
  test('by the limit or a filter, in the middle or before its input began: left out of a whole answer and told of', () => {
    for (const reason of cutBy[upstream]) {
      for (const json of ['{"x":', '', ' ', '"ab', '{"x":1']) {
        const { whole, answer } = stream(upstream, client, cutAnswer(upstream, json, reason))
        expect([json, callsOf(client, whole), answer.lost]).toEqual([json, ['a'], ['call_cut_off']])
      }
    }
  })
  test('no input is made up for it in a stream, and the one before it is whole', () => {
    for (const reason of cutBy[upstream]) {
      for (const json of ['{"x":', '']) {
        const { events } = stream(upstream, client, cutAnswer(upstream, json, reason))
        const inputs = new Map<unknown, string>()
        for (const event of events) {
          const call = event.choices?.[0]?.delta?.tool_calls?.[0]
          const [key, text] =
            client === 'messages'
              ? [event.index, event.delta?.partial_json]
              : client === 'responses'
                ? [event.output_index, event.type.includes('arguments.delta') ? event.delta : undefined]
                : [call?.index, call?.function?.arguments]
          if (text !== undefined) inputs.set(key, (inputs.get(key) ?? '') + text)
        }
        expect([inputs.get(0), inputs.get(1) ?? '']).toEqual(['{"y":1}', json])
      }
    }
  })
})

test('Responses clients see the item’s own status, in its event and in the last one', () => {
  for (const upstream of ['messages', 'chat'] as const) {
    for (const reason of cutBy[upstream]) {
      const { events } = stream(upstream, 'responses', cutAnswer(upstream, '{"x":', reason))
      const ended = events.filter(({ type }) => type === 'response.output_item.done')
      const items = [...ended].sort((one, other) => one.output_index - other.output_index).map(({ item }) => item)
      const calls = items.filter(({ type }: Any) => type === 'function_call')
      expect(calls.map(({ status, arguments: json }: Any) => [status, json])).toEqual([
        ['completed', '{"y":1}'],
        ['incomplete', '{"x":'],
      ])
      expect(events.at(-1).response.output).toEqual(items)
      expect([events.at(-1).type, events.at(-1).response.incomplete_details.reason]).toEqual([
        'response.incomplete',
        cutBy.responses[cutBy[upstream].indexOf(reason)],
      ])
    }
  }
})

test('half a free-form input is none: neither its wrapper nor a part of a patch', () => {
  const origin = { name: 'patch', namespace: null, kind: 'custom' } as const
  const half = used(0, 'a', 'patch', '{"input":"*** Begin')
  for (const client of ['responses', 'chat'] as const) {
    const { text, whole } = stream('messages', client, [begun(), ...half, ...stopped('max_tokens')], {
      tools: [['patch', origin]],
    })
    expect([text.includes('Begin'), callsOf(client, whole)]).toEqual([false, []])
    const after = [begun(), ...half, ...used(1, 'b', 'patch', '{"input":"ok"}'), ...stopped('tool_use')]
    const both = stream('messages', client, after, { tools: [['patch', origin]] })
    expect(callsOf(client, both.whole)).toEqual(['a', 'b'])
  }
})

test('raw text has no end of its own: the last call is the one that was cut', () => {
  const custom = (index: number, id: string, input: string): object =>
    delta({ tool_calls: [{ index, id, type: 'custom', custom: { name: 'p', input } }] })
  const { whole } = stream('chat', 'responses', [
    custom(0, 'a', 'one'),
    custom(1, 'b', 'tw'),
    delta({}, 'length'),
    done,
  ])
  expect(callsOf('responses', whole)).toEqual(['a'])
  const item = { type: 'custom_tool_call', id: 'i', call_id: 'a', name: 'p' }
  const piece = { type: 'response.custom_tool_call_input.delta', output_index: 0, item_id: 'i', delta: 'on' }
  const end = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, output: [] }
  const started = [created, added(0, { ...item, input: '' }), piece]
  const last = { type: 'response.incomplete', response: end }
  const of = (...events: readonly unknown[]) =>
    callsOf('chat', stream('responses', 'chat', [...started, ...events, last]).whole)
  expect([of(), of(itemDone(0, { ...item, input: 'on', status: 'incomplete' }))]).toEqual([[], []])
  expect(of(itemDone(0, { ...item, input: 'one' }))).toEqual(['a'])
})

test('what follows shows that a call was not cut off, though its input can’t be read', () => {
  for (const more of [said(1, 'x'), block(1, { type: 'redacted_thinking', data: 'd' })]) {
    const events = [begun(), ...used(0, 'a', 'f', '{x'), ...more, ...stopped('max_tokens')]
    const { whole, answer } = stream('messages', 'responses', events)
    expect([callsOf('responses', whole), answer.lost]).toEqual([['a'], []])
  }
  const blank = [delta({ tool_calls: [chatCall(0, 'a', 'f', '')] }), delta({ content: 'x' }), delta({}, 'length'), done]
  expect(callsOf('messages', stream('chat', 'messages', blank).whole)).toEqual(['a'])
})

test('an unfinished item of an answer that says it is complete is unfinished', () => {
  const item = { type: 'function_call', id: 'i', call_id: 'a', name: 'f', arguments: '{"x":', status: 'incomplete' }
  const end = { type: 'response.completed', response: { status: 'completed', output: [item] } }
  const { whole } = stream('responses', 'messages', [created, end])
  expect([whole.content, whole.stop_reason]).toEqual([[], 'max_tokens'])
})

test('at a stop sequence whole calls count and unfinished ones don’t', () => {
  const call = (json: string) => delta({ tool_calls: [chatCall(0, 'a', 'f', json)] })
  const stopsAt = (json: string) => {
    const bytes = new TextEncoder().encode(sse([call(json), delta({ content: 'one STOP two' })]))
    const { whole } = streamBytes(context('chat', 'messages', { stops: ['STOP'] }), [bytes])
    return [callsOf('messages', whole), whole.stop_reason]
  }
  expect([stopsAt('{"x":1}'), stopsAt(''), stopsAt('{"x":')]).toEqual([
    [['a'], 'tool_use'],
    [['a'], 'tool_use'],
    [[], 'stop_sequence'],
  ])
  const closed = stream(
    'responses',
    'messages',
    [
      created,
      itemDone(0, { type: 'function_call', id: 'i', call_id: 'a', name: 'f', arguments: '{}' }),
      added(1, { type: 'message', id: 'm' }),
      rText(1, 'm', 'xSTOP'),
    ],
    { stops: ['STOP'] },
  )
  expect([callsOf('messages', closed.whole), closed.whole.stop_reason]).toEqual([['a'], 'tool_use'])
})
