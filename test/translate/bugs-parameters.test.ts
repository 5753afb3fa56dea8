/** Known bugs of other translators in parameters (bridge §6.10): each by its citation, each fails without its rule. */
import { describe, expect, test } from 'vitest'
import { type Any, delta, hash, refusalOf, request, stream, unary } from './kit.ts'
import { ask, chat, image, input, messages, result, text, tool, use, user } from './request-kit.ts'

describe('6.10 parameters', () => {
  test('RooCodeInc/Roo-Code#12162 no temperature to a model that rejects it', () => {
    const rejecting = { abilities: { sampling: false } }
    const found = [
      request('messages', 'responses', { ...messages(ask), temperature: 0.3, top_p: 0.9 }, rejecting),
      request('messages', 'chat', { ...messages(ask), temperature: 0.3, top_p: 0.9 }, rejecting),
      request('chat', 'messages', { ...chat(ask), temperature: 0.3, top_p: 0.9 }, rejecting),
    ]
    expect(found.map(({ body, codes }) => [body.temperature, body.top_p, codes])).toEqual(
      found.map(() => [undefined, undefined, ['sampling_dropped']]),
    )
    expect(request('messages', 'chat', { ...messages(ask), temperature: 0.3 }).body.temperature).toBe(0.3)
  })
  test('huggingface/smolagents#1893 stop is emulated where it is rejected', () => {
    const asked = { ...messages(ask), stop_sequences: ['END'] }
    const { body, context, codes } = request('messages', 'chat', asked, { abilities: { stop: false } })
    const pieces = ['say it EN', 'D and', ' more'].map((content) => delta({ content }))
    const { whole, events } = stream('chat', 'messages', pieces, context)
    expect([body.stop, codes, whole.content, whole.stop_reason, whole.stop_sequence]).toEqual([
      undefined,
      ['stop_emulated'],
      [text('say it ')],
      'stop_sequence',
      'END',
    ])
    expect(events.flatMap(({ delta: piece }) => piece?.text ?? []).join('')).toBe('say it ')
    // Responses has none at all, Chat four at most.
    const there = request('chat', 'responses', { ...chat(ask), stop: 'END' })
    const answered = unary(
      'responses',
      'chat',
      { output: [{ type: 'message', content: [{ type: 'output_text', text: 'say it END and' }] }] },
      there.context,
    )
    const five = ['1', '2', '3', '4', '5']
    const many = request('messages', 'chat', { ...messages(ask), stop_sequences: five })
    expect([there.body.stop, answered.whole.choices[0].message.content, many.body.stop, many.context.stops]).toEqual([
      undefined,
      'say it ',
      undefined,
      five,
    ])
  })
  test('musistudio/claude-code-router#1380 a schema for the output is carried', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    }
    const format = { type: 'json_schema', schema }
    const made = { name: 'output', schema, strict: true }
    for (const asked of [{ output_config: { format } }, { output_format: format }]) {
      const body = { ...messages(ask), ...asked }
      expect([
        request('messages', 'chat', body).body.response_format,
        request('messages', 'responses', body).body.text.format,
      ]).toEqual([
        { type: 'json_schema', json_schema: made },
        { type: 'json_schema', ...made },
      ])
    }
  })
  test('Helicone/helicone#5640 response_format becomes output_config.format', () => {
    const schema = { type: 'object', properties: {} }
    const inner = { name: 'o', schema, strict: true }
    const old = { ...chat(ask), response_format: { type: 'json_schema', json_schema: inner } }
    const there = { ...input(ask), text: { format: { type: 'json_schema', ...inner } } }
    for (const { body } of [request('chat', 'messages', old), request('responses', 'messages', there)]) {
      expect([body.response_format, body.output_config]).toEqual([
        undefined,
        { format: { type: 'json_schema', schema } },
      ])
    }
    // Without a schema, or at a model that has no such field, it is an instruction.
    const any = { ...chat(ask), response_format: { type: 'json_object' } }
    const told = [
      request('chat', 'messages', any),
      request('chat', 'messages', old, { abilities: { structuredOutput: false } }),
    ]
    expect(told.map(({ body, codes }) => [body.output_config, body.system[0].text.slice(0, 15), codes])).toEqual(
      told.map(() => [undefined, 'Answer with one', ['format_as_instruction']]),
    )
    expect(told[1]?.body.system[0].text).toContain(JSON.stringify(schema))
  })
  test('mnfst/llm-gateway#2789 a user id is hashed and never OpenAI metadata', () => {
    const id = 'user_'.repeat(30)
    const asked = { ...messages(ask), metadata: { user_id: id } }
    for (const to of ['responses', 'chat'] as const) {
      const { body } = request('messages', to, asked)
      expect([body.metadata, body.user, body.safety_identifier]).toEqual([undefined, undefined, hash(id)])
      const plain = request('messages', to, asked, { abilities: { openAiExtras: false } })
      expect(JSON.stringify(plain.body)).not.toMatch(/user_user_|safety_identifier|metadata/)
    }
    expect(request('chat', 'messages', { ...chat(ask), user: id, metadata: { a: 'b' } }).body.metadata).toEqual({
      user_id: hash(id),
    })
  })
  test('BerriAI/litellm#38790 cache marks have no ttl', () => {
    const tools = [{ type: 'function', name: 'f' }]
    const { body } = request(
      'responses',
      'messages',
      { ...input(ask), instructions: 's', tools },
      { abilities: { cacheMarks: true } },
    )
    expect([
      body.tools[0].cache_control,
      body.system[0].cache_control,
      body.messages[0].content[0].cache_control,
    ]).toEqual(Array.from({ length: 3 }, () => ({ type: 'ephemeral' })))
  })
  test('omnimind-ai/OmniBot#301 cache marks are stripped, but not inside inputs and schemas', () => {
    const mark = { cache_control: { type: 'ephemeral', ttl: '1h' } }
    const schema = { type: 'object', properties: { cache_control: { type: 'string' } } }
    const asked = {
      ...messages(
        user([
          { ...text('a'), ...mark },
          { ...image, ...mark },
        ]),
        {
          role: 'assistant',
          content: [
            { ...text('b'), ...mark },
            { ...use('a', 'f', mark), ...mark },
          ],
        },
        user([{ ...result('a', [{ ...text('x'), ...mark }]), ...mark }]),
      ),
      ...mark,
      system: [{ ...text('s'), ...mark }],
      tools: [{ ...tool('f', schema), ...mark }],
    }
    const there = request('messages', 'chat', asked).body
    const other = request('messages', 'responses', asked).body
    for (const body of [there, other]) expect(JSON.stringify(body).split('cache_control').length - 1).toBe(2)
    expect([there.messages[2].tool_calls[0].function.arguments, there.tools[0].function.parameters]).toEqual([
      JSON.stringify(mark),
      schema,
    ])
    const call = other.input.find(({ type }: Any) => type === 'function_call')
    expect([call.arguments, other.tools[0].parameters]).toEqual([JSON.stringify(mark), schema])
  })
  test('livekit/agents#5088 no effort beside function tools where a server rejects the two', () => {
    const body = { ...input(ask), reasoning: { effort: 'high' } }
    const tools = [{ type: 'function', name: 'f' }]
    const found = (more: object, effortWithTools: boolean): unknown => {
      const made = request('responses', 'chat', { ...body, ...more }, { abilities: { effortWithTools } })
      return [made.body.reasoning_effort, made.codes.join()]
    }
    expect([found({ tools }, false), found({}, false), found({ tools }, true)]).toEqual([
      [undefined, 'effort_dropped'],
      ['high', ''],
      ['high', ''],
    ])
  })
  test('an effort that is not among the model’s is the next lower one', () => {
    expect(
      request(
        'responses',
        'chat',
        { ...input(ask), reasoning: { effort: 'xhigh' } },
        { abilities: { efforts: ['low', 'medium'] } },
      ).body.reasoning_effort,
    ).toBe('medium')
  })
  test('what would be an answer to another question is refused', () => {
    expect([
      refusalOf('chat', 'messages', { ...chat(ask), n: 2 }),
      refusalOf('responses', 'messages', { ...input(ask), previous_response_id: 'resp_1' }),
      refusalOf('responses', 'chat', { ...input(ask), background: true }),
      refusalOf('responses', 'chat', input({ type: 'compaction', encrypted_content: 'x' })),
      refusalOf('responses', 'messages', input({ type: 'item_reference', id: 'x' })),
      refusalOf('messages', 'responses', { ...messages(ask), mcp_servers: [{}] }),
      refusalOf('messages', 'chat', { ...messages(ask), max_tokens: 0 }),
      refusalOf('chat', 'messages', { ...chat(ask), logprobs: true }),
      refusalOf('chat', 'responses', chat(user([{ type: 'input_audio' }]))),
      refusalOf('messages', 'responses', messages(user([{ type: 'image', source: { type: 'file', file_id: 'x' } }]))),
    ]).toEqual([
      'n_not_portable',
      'previous_response_not_found',
      'background_not_portable',
      'context_not_portable',
      'context_not_portable',
      'field_not_portable',
      'cache_warming_not_portable',
      'logprobs_not_portable',
      'audio_not_portable',
      'file_id_not_portable',
    ])
  })
  test('a session’s cache key is a hash of the session, not of the user', () => {
    const id = (session: string): object => ({
      ...messages(ask),
      metadata: { user_id: JSON.stringify({ device_id: 'd', session_id: session }) },
    })
    expect(request('messages', 'responses', id('s-7')).body.prompt_cache_key).toBe(hash('s-7'))
  })
})
