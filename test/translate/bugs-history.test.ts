/** Known bugs of other translators in histories (bridge §6.8): each by its citation, each fails without its rule. */
import { describe, expect, test } from 'vitest'
import { type Any, refusalOf, request } from './kit.ts'
import {
  ask,
  chat,
  fcall,
  fout,
  image,
  input,
  kinds,
  messages,
  png,
  result,
  roles,
  tcall,
  text,
  use,
  user,
} from './request-kit.ts'

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
