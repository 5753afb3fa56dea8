/** Known bugs of other translators in requests (bridge §6.8 to §6.10): each by its citation. */
import { describe, expect, test } from 'vitest'
import {
  type Any,
  begun,
  chatCall,
  completed,
  delta,
  hash,
  refusalOf,
  request,
  type Streamed,
  stopped,
  stream,
  unary,
  used,
} from './kit.ts'

const user = (content: unknown): object => ({ role: 'user', content })
const ask = { role: 'user', content: 'a' }
const fcall = (id: string, name = 'f', args = '{}'): object => ({
  type: 'function_call',
  call_id: id,
  name,
  arguments: args,
})
const fout = (id: string, output: unknown = 'x'): object => ({ type: 'function_call_output', call_id: id, output })
const tcall = (id: string, name = 'f'): object => ({ id, type: 'function', function: { name, arguments: '{}' } })
const tool = (name: string, schema: object | null = { type: 'object', properties: {} }): object => ({
  name,
  ...(schema === null ? {} : { input_schema: schema }),
})
const messages = (...list: readonly object[]): object => ({ model: 'm', max_tokens: 100, messages: list })
const chat = (...list: readonly object[]): object => ({ model: 'm', messages: list })
const input = (...list: readonly object[]): object => ({ model: 'm', input: list })
const roles = (body: Any): readonly string[] => body.messages.map(({ role }: Any) => role)
const kinds = ({ content }: Any): readonly string[] => content.map(({ type }: Any) => type)
const text = (said: string): object => ({ type: 'text', text: said })
const use = (id: string, name = 'f', input: object = {}): object => ({ type: 'tool_use', id, name, input })
const result = (id: string, content: unknown = 'x'): object => ({ type: 'tool_result', tool_use_id: id, content })
const png = 'data:image/png;base64,AAAA'
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }

describe('6.8 history and content', () => {
  test('BerriAI/litellm#21154 parallel calls are one turn', () => {
    const both = { role: 'assistant', content: 'both' }
    const body = input(ask, both, fcall('a'), fcall('b'), fout('a'), fout('b'))
    expect(
      request('responses', 'messages', body).body.messages.map(({ role, content }: Any) => [role, content.length]),
    ).toEqual([
      ['user', 1],
      ['assistant', 3],
      ['user', 2],
    ])
    const there = request('responses', 'chat', body).body
    expect([roles(there), there.messages[1].tool_calls.length]).toEqual([['user', 'assistant', 'tool', 'tool'], 2])
  })
  test('calls one after another stay two turns', () => {
    const { body } = request('responses', 'messages', input(ask, fcall('a'), fout('a'), fcall('b'), fout('b')))
    expect(roles(body)).toEqual(['user', 'assistant', 'user', 'assistant', 'user'])
  })
  test('mlflow/mlflow#24296 tool messages in a row are one user turn', () => {
    const { body } = request(
      'chat',
      'messages',
      chat(
        ask,
        { role: 'assistant', tool_calls: [tcall('a'), tcall('b')] },
        { role: 'tool', tool_call_id: 'a', content: '1' },
        { role: 'tool', tool_call_id: 'b', content: '2' },
        user('next'),
      ),
    )
    expect([roles(body), kinds(body.messages[2])]).toEqual([
      ['user', 'assistant', 'user'],
      ['tool_result', 'tool_result', 'text'],
    ])
  })
  test('agno-agi/agno#9372 a result without its call becomes text', () => {
    const told = 'Output of an unknown tool call:'
    const there = request('responses', 'messages', input(ask, fout('gone', 'found')))
    expect([there.body.messages.flatMap(({ content }: Any) => content), there.codes]).toEqual([
      ['a', told, 'found'].map((text) => ({ type: 'text', text })),
      ['result_without_call'],
    ])
    const result = { type: 'tool_result', tool_use_id: 'gone', content: 'found', is_error: true }
    const failed = 'Output of an unknown tool call, which failed:'
    expect([
      request('messages', 'responses', messages(user([result]))).body.input[0].content.map(({ text }: Any) => text),
      roles(request('chat', 'messages', chat(ask, { role: 'tool', tool_call_id: 'gone', content: 'x' })).body),
    ]).toEqual([[failed, 'found'], ['user']])
    // Its call is known where the id was issued: translated, the request is refused instead.
    for (const to of ['messages', 'chat'] as const) {
      const body = { ...input(fout('there')), previous_response_id: 'resp_1' }
      expect(refusalOf('responses', to, body)).toBe('previous_response_not_found')
    }
  })
  test('jeffdafoe/llm-memory-api#179 a call without a result gets one that says so', () => {
    const uses = { role: 'assistant', content: [use('t'), use('u')] }
    const { body, codes } = request('messages', 'responses', messages(ask, uses, user([result('u'), text('next')])))
    const told = '[tool error] No result of this call was recorded.'
    expect([body.input.slice(3, 5).map(({ call_id: id, output }: Any) => [id, output]), codes]).toEqual([
      [
        ['u', 'x'],
        ['t', told],
      ],
      ['call_without_result'],
    ])
    expect([
      request('responses', 'chat', input(ask, fcall('t'), ask)).body.messages[2],
      request('chat', 'messages', chat(ask, { role: 'assistant', tool_calls: [tcall('t')] }, ask)).body.messages[2]
        .content[0],
    ]).toEqual([
      { role: 'tool', tool_call_id: 't', content: told },
      { type: 'tool_result', tool_use_id: 't', content: told.slice(13), is_error: true },
    ])
  })
  test('NousResearch/hermes-agent#11906 empty content beside calls makes no block', () => {
    for (const content of ['', [text('')]]) {
      const { body } = request(
        'chat',
        'messages',
        chat(
          ask,
          { role: 'assistant', content, tool_calls: [tcall('a')] },
          { role: 'tool', tool_call_id: 'a', content: 'x' },
        ),
      )
      expect(kinds(body.messages[1])).toEqual(['tool_use'])
    }
    const silent = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: '' }] }
    const calling = input(ask, silent, fcall('a'), fout('a'))
    expect(kinds(request('responses', 'messages', calling).body.messages[1])).toEqual(['tool_use'])
    expect(request('responses', 'chat', calling).body.messages[1].content).toBeNull()
    // A turn that came to nothing leaves its neighbours one.
    expect(roles(request('responses', 'messages', input(ask, silent, ask)).body)).toEqual(['user'])
    const block = { role: 'assistant', content: [text('')] }
    expect(request('messages', 'responses', messages(ask, block, ask)).body.input).toHaveLength(2)
    const mute = { role: 'system', content: '' }
    const told = chat(mute, { role: 'system', content: 's' }, ask)
    expect([
      request('messages', 'responses', { ...messages(ask), system: '' }).body.instructions,
      request('chat', 'responses', told, { abilities: { cliFieldsOnly: true } }).body.instructions,
      request('chat', 'responses', told).body.input.length,
    ]).toEqual([undefined, 's', 2])
    expect(request('chat', 'responses', chat(ask, user(''))).body.input).toHaveLength(1)
  })
  test('diegosouzapw/OmniRoute#7056 later system turns stay, as developer', () => {
    const [two, three] = ['two', 'three'].map((content) => ({ role: 'system', content })) as [object, object]
    const body = { ...messages(ask, two, { role: 'assistant', content: 'b' }, ask, three), system: [text('first')] }
    const said = ({ role, content }: Any): unknown => [role, content[0].text ?? content]
    const later = [
      ['user', 'a'],
      ['developer', 'two'],
      ['assistant', 'b'],
      ['user', 'a'],
      ['developer', 'three'],
    ]
    const there = request('messages', 'responses', body).body
    expect([there.instructions, there.input.map(said)]).toEqual(['first', later])
    const old = chat({ role: 'system', content: 'first' }, ask, two, { role: 'assistant', content: 'b' }, ask, three)
    expect(request('chat', 'responses', old).body.input.map(said)).toEqual([['system', 'first'], ...later])
  })
  test('ericc-ch/copilot-api#273 a system turn is never the assistant’s', () => {
    const body = messages(ask, { role: 'system', content: 's' })
    expect(roles(request('messages', 'chat', body).body)).toEqual(['user', 'developer'])
    expect(roles(request('messages', 'chat', body, { abilities: { developerRole: false } }).body)).toEqual([
      'user',
      'system',
    ])
    expect(request('messages', 'responses', body).body.input.map(({ role }: Any) => role)).toEqual([
      'user',
      'developer',
    ])
    expect(request('chat', 'messages', chat(ask, { role: 'system', content: 's' })).body.messages).toEqual([
      user([text('a'), text('<system>\ns\n</system>')]),
    ])
  })
  test('weave-os/router#332 a misplaced system turn is moved to where it is legal', () => {
    const [said, told] = [
      { role: 'assistant', content: 'b' },
      { role: 'developer', content: 's' },
    ] as const
    const foreign = { type: 'reasoning', summary: [{ type: 'summary_text', text: 't' }], encrypted_content: 'e' }
    const to = (...list: readonly object[]): readonly unknown[] => {
      const { body, codes } = request('responses', 'messages', input(...list), { abilities: { midSystem: true } })
      return [roles(body).join(), codes.join()]
    }
    expect([
      to(ask, said, told, ask),
      to(ask, told, ask),
      to(ask, said, told),
      // Only thoughts that can't be said stand between it and the user.
      to(ask, told, foreign, ask),
      to(ask, told),
      to(ask, told, said),
      to(ask, fcall('a'), fout('a'), told, said),
      // Two in a row are one.
      to(ask, told, told, said),
    ]).toEqual([
      ['user,assistant,user', 'system_moved'],
      ['user', 'system_moved'],
      ['user,assistant,user', 'system_moved'],
      ['user', 'reasoning_dropped,system_moved'],
      ['user,system', ''],
      ['user,system,assistant', ''],
      ['user,assistant,user,system,assistant', ''],
      ['user,system,assistant', ''],
    ])
  })
  test('BerriAI/litellm#39852 later system turns go up where templates want them first', () => {
    const { body, codes } = request(
      'responses',
      'chat',
      {
        ...input(ask, { role: 'developer', content: 'two' }, ask, { role: 'system', content: 'three' }),
        instructions: 'first',
      },
      { abilities: { systemFirstOnly: true, developerRole: false } },
    )
    expect([roles(body), body.messages[0], codes]).toEqual([
      // The user's turns around one that went up are one.
      ['system', 'user'],
      { role: 'system', content: 'first\n\ntwo\n\nthree' },
      ['system_moved'],
    ])
  })
  test('sonami-tech/omni-llm-provider#2 a developer message becomes the system text', () => {
    const { body } = request(
      'chat',
      'messages',
      chat({ role: 'system', content: 's' }, { role: 'developer', content: 'd' }, ask),
    )
    expect([body.system, roles(body)]).toEqual([[text('s'), text('d')], ['user']])
  })
  test('nodetool-ai/nodetool#4252 items have no id that is a call’s', () => {
    const custom = { id: 'call_2', type: 'custom', custom: { name: 'g', input: 'x' } }
    const { body } = request(
      'chat',
      'responses',
      chat(
        ask,
        { role: 'assistant', tool_calls: [tcall('call_1'), custom] },
        { role: 'tool', tool_call_id: 'call_1', content: 'x' },
        { role: 'tool', tool_call_id: 'call_2', content: 'x' },
      ),
    )
    expect(body.input.map(({ type, id, call_id: callId }: Any) => [type, id, callId])).toEqual([
      ['message', undefined, undefined],
      ['function_call', undefined, 'call_1'],
      ['custom_tool_call', undefined, 'call_2'],
      ['function_call_output', undefined, 'call_1'],
      ['custom_tool_call_output', undefined, 'call_2'],
    ])
  })
  test('decolua/9router#393 a call id over 64 characters is shortened alike on both sides', () => {
    const [one, two] = ['x'.repeat(65), `${'x'.repeat(65)}y`] as const
    const body = messages(ask, { role: 'assistant', content: [use(one), use(two)] }, user([result(one), result(two)]))
    const inResponses = (): readonly string[] =>
      request('messages', 'responses', body).body.input.flatMap(({ call_id: id }: Any) => id ?? [])
    const inChat = (): readonly string[] =>
      request('messages', 'chat', body).body.messages.flatMap(({ tool_calls: calls, tool_call_id: id }: Any) => [
        ...(calls ?? []).map((call: Any) => call.id),
        ...(id === undefined ? [] : [id]),
      ])
    const [first = '', second = ''] = inResponses()
    expect([first.length <= 64, second.length <= 64, first === second]).toEqual([true, true, false])
    // The same every time, or the vendor's cache is lost.
    for (const ids of [inResponses, inChat]) expect(ids()).toEqual([first, second, first, second])
    // Messages has no such limit, but fewer characters.
    const [, called, told] = request('responses', 'messages', input(ask, fcall('a:1'), fout('a:1'))).body.messages
    expect([called.content[0].id === told.content[0].tool_use_id, /^[\w-]+$/.test(called.content[0].id)]).toEqual([
      true,
      true,
    ])
  })
  test('Zoo-Code-Org/Zoo-Code#1705 results stand together, the rest follows', () => {
    const uses = { role: 'assistant', content: [use('a'), use('b')] }
    const body = messages(ask, uses, user([result('a', '1'), image, result('b', '2'), text('and')]))
    const there = request('messages', 'chat', body)
    expect([roles(there.body), kinds(there.body.messages[4]), there.codes]).toEqual([
      ['user', 'assistant', 'tool', 'tool', 'user'],
      ['image_url', 'text'],
      [],
    ])
    expect(request('messages', 'responses', body).body.input.map(({ type }: Any) => type)).toEqual([
      'message',
      'function_call',
      'function_call',
      'function_call_output',
      'function_call_output',
      'message',
    ])
    const seen = user([{ type: 'input_image', image_url: 'data:image/png;base64,AAAA' }])
    const back = request('responses', 'messages', input(ask, fcall('a'), fcall('b'), fout('a'), seen, fout('b')))
    expect([kinds(back.body.messages[2]), back.codes]).toEqual([['tool_result', 'tool_result', 'image'], []])
    // Those in a result stand behind all results, in the message that says what the user says next.
    const inside = messages(ask, uses, user([result('a', [image]), result('b', '2'), text('and')]))
    expect(roles(request('messages', 'chat', inside).body)).toEqual(['user', 'assistant', 'tool', 'tool', 'user'])
  })
  test('maximhq/bifrost#5450 a failed tool stays failed', () => {
    const failed = (content: unknown): object =>
      messages(ask, { role: 'assistant', content: [use('a')] }, user([{ ...result('a', content), is_error: true }]))
    const seen = [text('boom'), image]
    for (const content of ['boom', seen]) {
      for (const to of ['responses', 'chat'] as const) {
        const there = request('messages', to, failed(content)).body
        expect(request(to, 'messages', there).body.messages[2].content[0].is_error).toBe(true)
      }
    }
    expect([
      request('messages', 'chat', failed('boom')).body.messages[2],
      request('messages', 'responses', failed('boom')).body.input[2],
      request('messages', 'responses', failed(seen)).body.input[2].output[0].text,
    ]).toEqual([
      { role: 'tool', tool_call_id: 'a', content: '[tool error] boom' },
      { type: 'function_call_output', call_id: 'a', output: '[tool error] boom' },
      '[tool error] ',
    ])
    const cut = request('responses', 'chat', input(ask, fcall('a'), { ...fout('a', 'boom'), status: 'incomplete' }))
    expect(cut.body.messages[2].content).toBe('[tool error] boom')
  })
  const withImage = messages(ask, { role: 'assistant', content: [use('a')] }, user([result('a', [text('see'), image])]))
  test('sgl-project/sglang#19233 a picture in a result is carried', () => {
    const there = request('messages', 'responses', withImage).body
    expect(there.input[2].output).toEqual([
      { type: 'input_text', text: 'see' },
      { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
    ])
    expect(request('responses', 'messages', there).body.messages[2].content[0].content).toEqual([text('see'), image])
  })
  test('NanmiCoder/cc-haha#1278 also to Chat, behind the results; refused where the model has no eyes', () => {
    const { body } = request('messages', 'chat', withImage)
    expect(body.messages.slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'see\n(image attached below)' },
      user([text('Attached to the result of a:'), { type: 'image_url', image_url: { url: png, detail: 'auto' } }]),
    ])
    const blind = { abilities: { images: false } }
    const seen = chat(user([{ type: 'image_url', image_url: { url: png } }]))
    expect([
      refusalOf('messages', 'chat', withImage, blind),
      refusalOf('messages', 'responses', withImage, blind),
      refusalOf('chat', 'messages', seen, blind),
    ]).toEqual(['images_not_accepted', 'images_not_accepted', 'images_not_accepted'])
  })
  test('BerriAI/litellm#16202 a picture’s bytes become a data URL', () => {
    const body = messages(user([image, text('a')]))
    expect([
      request('messages', 'chat', body).body.messages[0].content[0].image_url.url,
      request('messages', 'responses', body).body.input[0].content[0].image_url,
    ]).toEqual([png, png])
  })
  test('livekit/agents#3867 no data: prefix inside base64', () => {
    const seen = input(user([{ type: 'input_image', image_url: png }]))
    const told = chat(user([{ type: 'image_url', image_url: { url: png } }]))
    expect([
      request('chat', 'messages', told).body.messages[0].content,
      request('responses', 'messages', seen).body.messages[0].content,
    ]).toEqual([[image], [image]])
    const careless = messages(user([{ ...image, source: { ...image.source, data: png } }]))
    expect(request('messages', 'responses', careless).body.input[0].content[0].image_url).toBe(png)
  })
  test('BerriAI/litellm#37175 a picture always has a detail', () => {
    const told = (detail: object): object => chat(user([{ type: 'image_url', image_url: { url: png, ...detail } }]))
    expect([
      request('messages', 'responses', messages(user([image]))).body.input[0].content[0].detail,
      request('chat', 'responses', told({})).body.input[0].content[0].detail,
      request('chat', 'responses', told({ detail: 'low' })).body.input[0].content[0].detail,
    ]).toEqual(['auto', 'auto', 'low'])
  })
  test('BerriAI/litellm#12899 an address is passed on, not fetched', () => {
    const url = 'https://example.test/a.png'
    const seen = { type: 'image', source: { type: 'url', url } }
    const told = chat(user([{ type: 'image_url', image_url: { url } }]))
    const shown = input(user([{ type: 'input_image', image_url: url }]))
    expect([
      request('chat', 'messages', told).body.messages[0].content,
      request('responses', 'messages', shown).body.messages[0].content,
      request('messages', 'responses', messages(user([seen]))).body.input[0].content[0].image_url,
      request('chat', 'responses', told).body.input[0].content[0].image_url,
      request('messages', 'chat', messages(user([seen]))).body.messages[0].content[0].image_url.url,
      request('responses', 'chat', shown).body.messages[0].content[0].image_url.url,
    ]).toEqual([[seen], [seen], url, url, url, url])
  })
  test('langchain-ai/langchain#37575 a text file becomes text', () => {
    const base64 = Buffer.from('grüße').toString('base64')
    const [data, told] = [`data:text/plain;base64,${base64}`, text('a.txt\n\ngrüße')] as const
    const file = { type: 'file', file: { filename: 'a.txt', file_data: data } }
    const given = { type: 'input_file', filename: 'a.txt', file_data: data }
    const source = { type: 'base64', media_type: 'text/markdown', data: base64 }
    const read = messages(user([{ type: 'document', title: 'a.txt', source }]))
    expect([
      request('chat', 'messages', chat(user([file]))).body.messages[0].content,
      request('responses', 'messages', input(user([given]))).body.messages[0].content,
      request('messages', 'responses', read).body.input[0].content,
    ]).toEqual([[told], [told], [{ ...told, type: 'input_text' }]])
  })
  test('of two results for one call the last counts', () => {
    expect(
      request('responses', 'chat', input(ask, fcall('a'), fout('a', 'one'), fout('a', 'two'))).body.messages.at(-1)
        .content,
    ).toBe('two')
  })
  test('what the user says between call and result comes after the result', () => {
    expect(roles(request('responses', 'chat', input(ask, fcall('a'), ask, fout('a'))).body)).toEqual([
      'user',
      'assistant',
      'tool',
      'user',
    ])
  })
})

describe('6.9 tools', () => {
  const find = { type: 'function', name: 'find', parameters: {} }
  const namespace = (name: string, ...tools: readonly object[]): object => ({ type: 'namespace', name, tools })
  const files = namespace('mcp__files', find, { type: 'custom', name: 'write' })
  const namespaced = {
    ...input(ask, { ...fcall('a', 'find'), namespace: 'mcp__files' }, fout('a')),
    tools: [files],
  }
  /** What a Responses client gets for one call of an upstream. */
  const calledIn = (upstream: 'messages' | 'chat', name: string, args: string, context: Any): Streamed =>
    upstream === 'messages'
      ? stream(upstream, 'responses', [begun(), ...used(0, 'b', name, args), ...stopped('tool_use')], context)
      : stream(
          upstream,
          'responses',
          [delta({ tool_calls: [chatCall(0, 'b', name, args)] }), delta({}, 'tool_calls')],
          context,
        )
  const itemsIn = ({ events, whole }: Streamed): readonly Any[] => [
    ...events.flatMap(({ item }) => item ?? []),
    whole.output[0],
  ]
  test('router-for-me/CLIProxyAPI#4255 a call comes back with its namespace', () => {
    for (const to of ['messages', 'chat'] as const) {
      const { context } = request('responses', to, namespaced, { abilities: { customTools: false } })
      for (const [name, args] of [
        ['find', '{}'],
        ['write', '{"input":"x"}'],
      ] as const) {
        const items = itemsIn(calledIn(to, `mcp__files__${name}`, args, context))
        expect(items.map((item) => [item.name, item.namespace])).toEqual(
          Array.from({ length: 3 }, () => [name, 'mcp__files']),
        )
      }
    }
  })
  test('openai/codex#33263 namespaces are flattened for others, history too', () => {
    const web = namespace('mcp__web__', find)
    const body = {
      ...input(ask, { ...fcall('a', 'find'), namespace: 'mcp__web__' }, fout('a')),
      tools: [files, web, { type: 'function', name: 'mcp__files__find' }],
      tool_choice: { type: 'function', name: 'find', namespace: 'mcp__web__' },
    }
    const there = request('responses', 'messages', body)
    const chat = request('responses', 'chat', body, { abilities: { customTools: false } }).body
    const names = there.body.tools.map(({ name }: Any) => name)
    // One that stands alone keeps its name, the other's is told apart.
    expect([names.slice(1), /^mcp__files__find_[0-9a-f]{8}$/.test(names[0]), there.codes]).toEqual([
      ['mcp__files__write', 'mcp__web__find', 'mcp__files__find'],
      true,
      ['namespace_flattened', 'tool_emulated'],
    ])
    expect([
      there.body.messages[1].content[0].name,
      there.body.tool_choice.name,
      chat.messages[1].tool_calls[0].function.name,
      chat.tool_choice.function.name,
      chat.tools.map((tool: Any) => tool.function.name),
    ]).toEqual([...Array.from({ length: 4 }, () => 'mcp__web__find'), names])
  })
  test('openai/codex#23186 a merged name comes back as its parts, one without a namespace as it is', () => {
    const { body, context } = request('responses', 'messages', {
      ...input(ask),
      tools: [namespace('mcp.files', find), namespace('mcp.web', find)],
    })
    const parts = (name: string, made: Any): unknown =>
      itemsIn(calledIn('messages', name, '{}', made)).map((item) => [item.name, item.namespace].join(' '))
    const thrice = (name: string): readonly string[] => Array.from({ length: 3 }, () => name)
    expect(body.tools.map(({ name }: Any) => parts(name, context))).toEqual([
      thrice('find mcp.files'),
      thrice('find mcp.web'),
    ])
    expect([parts('plain__name', {}), parts('plain.name', context)]).toEqual([
      thrice('plain__name '),
      thrice('plain.name '),
    ])
  })
  const [history, output] = [
    { type: 'custom_tool_call', call_id: 'a', name: 'apply_patch' },
    { type: 'custom_tool_call_output', call_id: 'a' },
  ] as const
  const freeform = {
    ...input(ask),
    tools: [
      {
        type: 'custom',
        name: 'apply_patch',
        description: 'Patches',
        format: { type: 'grammar', syntax: 'lark', definition: 'start: x' },
      },
    ],
  }
  test('decolua/9router#1371 a free-form call comes back with its raw text', () => {
    const body = { ...freeform, input: [ask, { ...history, input: 'raw' }, { ...output, output: 'done' }] }
    for (const to of ['messages', 'chat'] as const) {
      const { body: there, context } = request('responses', to, body, { abilities: { customTools: false } })
      // In the history too.
      const [, { content, tool_calls: calls }] = there.messages
      expect(to === 'chat' ? JSON.parse(calls[0].function.arguments) : content[0].input).toEqual({ input: 'raw' })
      for (const args of ['{"input":"*** Begin"}', '{"patch":"*** Begin"}', '{"code":"*** Begin"}', '"*** Begin"']) {
        const { whole, events } = calledIn(to, 'apply_patch', args, context)
        const call = { type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin' }
        expect([whole.output[0], events.find(({ type }) => /input\.done$/.test(type))]).toMatchObject([
          call,
          { type: 'response.custom_tool_call_input.done', input: '*** Begin' },
        ])
      }
    }
    const custom = { id: 'a', type: 'custom', custom: { name: 'apply_patch', input: 'raw' } }
    const old = chat(
      ask,
      { role: 'assistant', tool_calls: [custom] },
      { role: 'tool', tool_call_id: 'a', content: 'x' },
    )
    expect(request('chat', 'responses', old, { abilities: { customTools: false } }).body.input[1].arguments).toBe(
      '{"input":"raw"}',
    )
  })
  test('icebear0828/codex-proxy#707 a free-form tool tells its grammar', () => {
    const abilities = { customTools: false }
    const grammar = { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: x' } }
    const old = { ...chat(ask), tools: [{ type: 'custom', custom: { name: 'apply_patch', format: grammar } }] }
    const emulated = [
      request('responses', 'messages', freeform).body.tools[0],
      request('responses', 'chat', freeform, { abilities }).body.tools[0].function,
      request('chat', 'responses', old, { abilities }).body.tools[0],
      request('chat', 'messages', old).body.tools[0],
    ]
    for (const tool of emulated) {
      expect([(tool.input_schema ?? tool.parameters).properties, tool.description]).toEqual([
        { input: { type: 'string' } },
        expect.stringContaining('start: x'),
      ])
    }
  })
  test('router-for-me/CLIProxyAPI#4812 a shell tool is emulated, a hosted one refused', () => {
    const shell = { type: 'shell_call', call_id: 'a', action: { commands: ['ls'] } }
    const told = { type: 'shell_call_output', call_id: 'a', output: [{ stdout: 'b', outcome: { exit_code: 0 } }] }
    const declared = { ...input(ask, shell, told), tools: [{ type: 'shell' }, { type: 'apply_patch' }] }
    for (const to of ['messages', 'chat'] as const) {
      const { body, context } = request('responses', to, declared)
      const schemas = body.tools.map((tool: Any) => tool.input_schema ?? tool.function.parameters)
      expect(schemas.map(({ required }: Any) => required)).toEqual([['commands'], ['operation']])
      expect(JSON.stringify(body.messages[2])).toContain('b\\nexit code 0')
      expect(itemsIn(calledIn(to, 'shell', '{"commands":["ls"]}', context)).at(-1)).toMatchObject({
        type: 'shell_call',
        action: { commands: ['ls'] },
      })
      const [, patched] = itemsIn(calledIn(to, 'apply_patch', '{"operation":{"type":"delete_file"}}', context))
      expect(patched).toMatchObject({ type: 'apply_patch_call', operation: { type: 'delete_file' } })
      const hosted = { type: 'shell', environment: { type: 'container_auto' } }
      expect(refusalOf('responses', to, { ...input(ask), tools: [hosted] })).toBe('hosted_shell_not_portable')
    }
  })
  test('diegosouzapw/OmniRoute#3534 local_shell is emulated and comes back as itself', () => {
    const action = { type: 'exec', command: ['ls', '-l'] }
    const { body, context } = request('responses', 'messages', {
      ...input(
        ask,
        { type: 'local_shell_call', call_id: 'a', action },
        { type: 'local_shell_call_output', call_id: 'a', output: 'b' },
      ),
      tools: [{ type: 'local_shell' }],
    })
    const items = itemsIn(calledIn('messages', 'local_shell', '{"command":["ls","-l"]}', context))
    expect([
      body.tools[0].name,
      body.messages[1].content,
      body.messages[2].content,
      items[1].type,
      items[1].action.command,
    ]).toEqual([
      'local_shell',
      [use('a', 'local_shell', { command: ['ls', '-l'] })],
      [result('a', 'b')],
      'local_shell_call',
      ['ls', '-l'],
    ])
  })
  test('10/chatgpt-codex-proxy#9 additional_tools are tools, not a message', () => {
    const tools = ['g', 'f'].map((name) => ({ type: 'function', name, description: 'later' }))
    const body = {
      ...input(ask, { type: 'additional_tools', role: 'developer', tools }),
      tools: [{ type: 'function', name: 'f', description: 'first' }],
    }
    const there = request('responses', 'messages', body).body
    const chat = request('responses', 'chat', body).body
    const told = (tool: Any): unknown => [tool.name, tool.description]
    expect([there.messages.length, there.tools.map(told), chat.messages.length]).toEqual([
      1,
      [
        ['f', 'first'],
        ['g', 'later'],
      ],
      1,
    ])
    expect(chat.tools.map((tool: Any) => told(tool.function))).toEqual(there.tools.map(told))
  })
  test('cline/cline#11885 a long name is shortened and comes back', () => {
    const [long, other] = [`tool_${'x'.repeat(80)}`, `tool_${'x'.repeat(80)}y`] as const
    const asked = {
      ...messages(ask, { role: 'assistant', content: [use('a', long)] }, user([result('a')])),
      tools: [tool(other), tool(long)],
      tool_choice: { type: 'tool', name: long },
    }
    for (const to of ['responses', 'chat'] as const) {
      const { body, context } = request('messages', to, asked)
      const [first, name] = body.tools.map((each: Any) => each.name ?? each.function.name)
      const call = to === 'chat' ? body.messages[1].tool_calls[0].function : body.input[1]
      const choice = body.tool_choice.name ?? body.tool_choice.function.name
      expect([name.length <= 64, name === first, call.name, choice]).toEqual([true, false, name, name])
      const events =
        to === 'chat'
          ? [delta({ tool_calls: [chatCall(0, 'a', name, '{}')] }), delta({}, 'tool_calls')]
          : [completed([{ type: 'function_call', call_id: 'a', name, arguments: '{}' }])]
      const { whole, events: sent } = stream(to, 'messages', events, context)
      expect([whole.content[0].name, sent[1].content_block.name]).toEqual([long, long])
    }
  })
  test('icebear0828/codex-proxy#22 an object schema gets properties', () => {
    for (const schema of [{ type: 'object' }, {}, null]) {
      const asked = { ...messages(ask), tools: [tool('f', schema)] }
      const plain = { type: 'function', name: 'f', ...(schema === null ? {} : { parameters: schema }) }
      const old = { type: 'function', function: plain }
      expect([
        request('messages', 'responses', asked).body.tools[0].parameters,
        request('messages', 'chat', asked).body.tools[0].function.parameters,
        request('responses', 'messages', { ...input(ask), tools: [plain] }).body.tools[0].input_schema,
        request('chat', 'messages', { ...chat(ask), tools: [old] }).body.tools[0].input_schema,
      ]).toEqual(Array.from({ length: 4 }, () => ({ type: 'object', properties: {} })))
    }
  })
  test('BerriAI/litellm#36979 strict is always said', () => {
    const old = {
      ...chat(ask),
      tools: [
        { type: 'function', function: { name: 'f' } },
        { type: 'custom', custom: { name: 'g' } },
      ],
    }
    expect([
      request('messages', 'responses', { ...messages(ask), tools: [tool('f')] }).body.tools[0].strict,
      ...request('chat', 'responses', old, { abilities: { customTools: false } }).body.tools.map(
        ({ strict }: Any) => strict,
      ),
    ]).toEqual([false, false, false])
  })
  test('ericc-ch/copilot-api#241 typed tools without a schema don’t crash', () => {
    const typed = ['bash_20250124', 'text_editor_20250728', 'memory_20250818', 'web_search_20250305']
    const names = ['bash', 'str_replace_based_edit_tool', 'memory', 'web_search']
    const asked = { ...messages(ask), tools: typed.map((type, at) => ({ type, name: names[at] })) }
    for (const to of ['responses', 'chat'] as const) {
      const { body, codes } = request('messages', to, asked)
      const tools = body.tools.map((each: Any) => each.function ?? each)
      expect([tools.map(({ name }: Any) => name), codes]).toEqual([
        names.slice(0, 3),
        ['client_tool_emulated', 'server_tool_removed'],
      ])
      expect(tools.map(({ parameters }: Any) => parameters.properties.command.type)).toEqual(
        Array.from({ length: 3 }, () => 'string'),
      )
    }
  })
  test('zts212653/clowder-ai#1077 a web search nobody runs is left out, or refused where it is all there is', () => {
    const [search, fetch, other] = [
      { type: 'web_search_20250305', name: 'web_search' },
      { type: 'web_fetch_20250910', name: 'web_fetch' },
      { type: 'web_search' },
    ] as const
    const [asked, there] = [messages(ask), input(ask)] as const
    const force = { tool_choice: { type: 'tool', name: 'web_search' } }
    const removed = request('messages', 'chat', { ...asked, tools: [search, tool('f')] })
    expect([removed.codes, removed.body.tools.length, removed.body.web_search_options]).toEqual([
      ['server_tool_removed'],
      1,
      undefined,
    ])
    const refused = [
      refusalOf('messages', 'chat', { ...asked, tools: [search] }),
      refusalOf('messages', 'responses', { ...asked, tools: [search, tool('f')], ...force }),
      refusalOf('messages', 'responses', { ...asked, tools: [search, fetch] }),
      refusalOf('messages', 'responses', { ...asked, tools: [fetch, { ...fetch, type: 'code_execution_20250825' }] }),
      refusalOf('responses', 'messages', { ...there, tools: [other] }),
      refusalOf('responses', 'chat', { ...there, tools: [{ type: 'file_search' }, { type: 'code_interpreter' }] }),
    ]
    expect(refused).toEqual(refused.map(() => 'server_tool_unsupported'))
    // Where the upstream runs it, it is carried, by force too.
    const able = { abilities: { webSearch: true } }
    const carried = (tools: readonly object[], more: object = {}): unknown => {
      const { body } = request('messages', 'responses', { ...asked, tools, ...more }, able)
      return [body.tools.map(({ type }: Any) => type), body.tool_choice]
    }
    const back = request(
      'responses',
      'messages',
      { ...there, tools: [other], tool_choice: { type: 'web_search' } },
      able,
    )
    expect([carried([search]), carried([search], force), carried([search, tool('f')], force)]).toEqual([
      [['web_search'], undefined],
      [['web_search'], 'required'],
      [['function', 'web_search'], { type: 'allowed_tools', mode: 'required', tools: [{ type: 'web_search' }] }],
    ])
    expect([back.body.tools, back.body.tool_choice]).toEqual([[search], force.tool_choice])
  })
  test('langchain4j/langchain4j#5890 one call at a time is carried without a choice', () => {
    const one = { parallel_tool_calls: false }
    const f = { type: 'function', name: 'f' }
    const asked = (more: object): unknown =>
      request('responses', 'messages', { ...input(ask), ...one, ...more }).body.tool_choice
    const old = { ...chat(ask), ...one, tools: [{ type: 'function', function: f }] }
    const carried = { type: 'auto', disable_parallel_tool_use: true }
    expect([
      request('chat', 'messages', old).body.tool_choice,
      asked({ tools: [f] }),
      asked({ tools: [f], tool_choice: 'required' }),
      asked({ tools: [f], tool_choice: 'none' }),
      asked({}),
    ]).toEqual([carried, carried, { ...carried, type: 'any' }, { type: 'none' }, undefined])
    const back = { ...messages(ask), tools: [tool('f')], tool_choice: carried }
    expect([
      request('messages', 'responses', back).body.parallel_tool_calls,
      request('messages', 'chat', back).body.parallel_tool_calls,
    ]).toEqual([false, false])
  })
  test('dynamiq-ai/dynamiq#753 none stays none', () => {
    const f = { type: 'function', name: 'f' }
    const old = { ...chat(ask), tools: [{ type: 'function', function: f }], tool_choice: 'none' }
    const there = { ...input(ask), tools: [f], tool_choice: 'none' }
    const asked = { ...messages(ask), tools: [tool('f')], tool_choice: { type: 'none' } }
    expect([
      request('chat', 'messages', old).body.tool_choice,
      request('responses', 'messages', there).body.tool_choice,
      request('messages', 'responses', asked).body.tool_choice,
      request('chat', 'responses', old).body.tool_choice,
      request('messages', 'chat', asked).body.tool_choice,
      request('responses', 'chat', there).body.tool_choice,
    ]).toEqual([{ type: 'none' }, { type: 'none' }, 'none', 'none', 'none', 'none'])
  })
  test('a forced tool that isn’t there is refused', () => {
    expect(
      refusalOf('chat', 'messages', {
        ...chat(ask),
        tools: [{ type: 'function', function: { name: 'f' } }],
        tool_choice: { type: 'function', function: { name: 'g' } },
      }),
    ).toBe('tool_unavailable')
  })
})

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
