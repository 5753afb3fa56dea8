/** Tools, calls and choices among them in every form that is legal somewhere (bridge §1.4 to §1.6). */
import { describe, expect, test } from 'vitest'
import { type Any, begun, refusalOf, request, stopped, stream, used } from './kit.ts'

const ask = { role: 'user', content: 'a' }
const messages = (...list: readonly unknown[]): object => ({ model: 'm', max_tokens: 100, messages: list })
const chat = (...list: readonly unknown[]): object => ({ model: 'm', messages: list })
const input = (...list: readonly unknown[]): object => ({ model: 'm', input: list })
const fn = (name: string, more: object = {}): object => ({ type: 'function', name, parameters: {}, ...more })
const chatFn = (name: string): object => ({ type: 'function', function: { name, parameters: {} } })
const called = (id: string, name = 'f'): object => ({ type: 'function_call', call_id: id, name, arguments: '{}' })
const output = (id: string): object => ({ type: 'function_call_output', call_id: id, output: 'x' })
const names = (body: Any): readonly string[] => body.tools.map(({ name }: Any) => name)

describe('calls', () => {
  test('whose input is an object where its text was meant keep it', () => {
    const call = (more: object): object => ({ id: 'c', type: 'function', function: { name: 'f', ...more } })
    const inputs = [{ arguments: { x: 1 } }, { arguments: null }, {}].map(
      (more) =>
        request('chat', 'messages', chat(ask, { role: 'assistant', tool_calls: [call(more)] })).body.messages[1]
          .content[0].input,
    )
    expect(inputs).toEqual([{ x: 1 }, {}, {}])
    const there = request('responses', 'messages', input(ask, { ...called('c'), arguments: { x: 1 } }))
    expect(there.body.messages[1].content[0].input).toEqual({ x: 1 })
  })
  test('that are free-form have results that are so, too', () => {
    const use = { id: 'c', type: 'custom', custom: { name: 'patch', input: 'raw' } }
    const turns = [ask, { role: 'assistant', tool_calls: [use] }, { role: 'tool', tool_call_id: 'c', content: 'ok' }]
    const kinds = (customTools: boolean): readonly string[] =>
      request('chat', 'responses', chat(...turns), { abilities: { customTools } }).body.input.map(
        ({ type }: Any) => type,
      )
    expect([kinds(true), kinds(false)]).toEqual([
      ['message', 'custom_tool_call', 'custom_tool_call_output'],
      ['message', 'function_call', 'function_call_output'],
    ])
  })
  test('whose thoughts are gone turn a budget off, whatever is said behind their results', () => {
    const thinking = (...list: readonly unknown[]): unknown =>
      request(
        'responses',
        'messages',
        { ...input(...list), reasoning: { effort: 'high' } },
        { abilities: { thinking: 'budget' } },
      ).body.thinking.type
    const said = { role: 'assistant', content: 'done' }
    expect([
      thinking(ask, called('c'), output('c'), ask),
      thinking(ask, called('c'), output('c'), { role: 'developer', content: 'd' }),
      thinking(ask, called('c'), output('c'), said, ask),
      thinking(ask),
    ]).toEqual(['disabled', 'disabled', 'enabled', 'enabled'])
  })
})

describe('files', () => {
  test('may be given by their bare base64', () => {
    const pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0x' }
    const part = { type: 'input_file', filename: 'a.pdf', file_data: 'JVBERi0x' }
    const source = request('responses', 'messages', input({ role: 'user', content: [part] })).body.messages[0]
      .content[0].source
    const file = { type: 'file', file: { filename: 'a.pdf', file_data: 'JVBERi0x' } }
    const there = request('chat', 'responses', chat({ role: 'user', content: [file] })).body.input[0].content[0]
    expect([source, there.file_data]).toEqual([pdf, 'data:application/pdf;base64,JVBERi0x'])
  })
  test('and pictures may have a scheme and a type in capitals', () => {
    const part = { type: 'input_image', image_url: 'DATA:image/PNG;base64,AAAA' }
    expect(
      request('responses', 'messages', input({ role: 'user', content: [part] })).body.messages[0].content[0].source,
    ).toEqual({ type: 'base64', media_type: 'image/png', data: 'AAAA' })
  })
  test('without a title have a name all the same', () => {
    const source = { type: 'base64', media_type: 'application/pdf', data: 'AAAA' }
    const body = messages({ role: 'user', content: [{ type: 'document', title: '', source }] })
    expect([
      request('messages', 'responses', body).body.input[0].content[0].filename,
      request('messages', 'chat', body).body.messages[0].content[0].file.filename,
    ]).toEqual(['document.pdf', 'document.pdf'])
    const part = { type: 'input_file', filename: '', file_data: 'data:application/pdf;base64,AAAA' }
    const back = request('responses', 'messages', input({ role: 'user', content: [part] }))
    expect(back.body.messages[0].content[0]).toEqual({ type: 'document', source })
  })
})

describe('tools', () => {
  test('that are declared twice go once', () => {
    const twice = [chatFn('f'), chatFn('g'), chatFn('f')]
    expect(names(request('chat', 'messages', { ...chat(ask), tools: twice }).body)).toEqual(['f', 'g'])
    const own = [
      { name: 'f', input_schema: {} },
      { name: 'f', input_schema: {} },
    ]
    expect(names(request('messages', 'responses', { ...messages(ask), tools: own }).body)).toEqual(['f'])
  })
  test('that a search has loaded are declared', () => {
    const found = { type: 'tool_search_output', call_id: 's', execution: 'client', tools: [fn('found')] }
    const { body } = request('responses', 'messages', {
      ...input(ask, found, called('c', 'found'), output('c')),
      tools: [{ type: 'tool_search' }, fn('f')],
    })
    expect(names(body)).toEqual(['f', 'found'])
  })
  test('that programs may call, too, are called by the model alone', () => {
    const codes = (callers: unknown): readonly string[] => [
      ...request('responses', 'messages', { ...input(ask), tools: [fn('f', { allowed_callers: callers })] }).codes,
      ...request('messages', 'chat', {
        ...messages(ask),
        tools: [{ name: 'f', input_schema: {}, allowed_callers: callers }],
      }).codes,
    ]
    const lost = 'allowed_callers_dropped'
    expect([codes(['direct', 'programmatic']), codes(['direct']), codes(null)]).toEqual([[lost, lost], [], []])
  })
  test('settings that change in the middle are left out', () => {
    const change = { type: 'configuration_update', reasoning: { effort: 'low' } }
    expect(request('responses', 'chat', input(ask, change, ask)).codes).toEqual(['configuration_update_dropped'])
  })
})

describe('a schema', () => {
  const schemaOf = (parameters: object): Any =>
    request('responses', 'messages', { ...input(ask), tools: [fn('f', { parameters })] }).body.tools[0].input_schema
  const branch = (kind: string, more: object): object => ({
    type: 'object',
    properties: { kind: { const: kind }, ...more },
    required: ['kind', ...Object.keys(more)],
  })
  test('that is a choice of several objects is merged, of whatever type it calls itself', () => {
    const either = [branch('a', { x: {} }), branch('b', { y: {} })]
    const merged = {
      type: 'object',
      properties: { kind: { anyOf: [{ const: 'a' }, { const: 'b' }] }, x: {}, y: {} },
      required: ['kind'],
    }
    expect([
      schemaOf({ type: 'object', anyOf: either }),
      schemaOf({ oneOf: either }),
      schemaOf({ type: 'object', properties: {}, anyOf: either }),
    ]).toEqual([merged, merged, merged])
  })
  test('of which all parts hold keeps what each asks for', () => {
    const parts = [branch('a', {}), { properties: { y: {} }, required: ['y'] }]
    expect(schemaOf({ type: 'object', properties: { z: {} }, required: ['z'], allOf: parts })).toEqual({
      type: 'object',
      properties: { z: {}, kind: { const: 'a' }, y: {} },
      required: ['z', 'kind', 'y'],
    })
  })
  test('may describe a property that every object has', () => {
    const odd = JSON.parse('{"anyOf":[{"properties":{"__proto__":{"type":"string"}}}]}') as object
    expect(JSON.stringify(schemaOf(odd).properties)).toBe('{"__proto__":{"type":"string"}}')
  })
  test('is strict at objects that may be null, too', () => {
    const tool = (property: object): object => ({
      name: 'f',
      strict: true,
      input_schema: { type: 'object', properties: { a: property }, required: ['a'], additionalProperties: false },
    })
    const strict = (property: object): unknown =>
      request('messages', 'responses', { ...messages(ask), tools: [tool(property)] }).body.tools[0].strict
    expect([
      strict({ type: ['object', 'null'] }),
      strict({ type: ['object', 'null'], properties: {}, additionalProperties: false }),
      strict({ type: 'array', prefixItems: [{ type: 'object' }] }),
      strict({ type: ['string', 'null'] }),
    ]).toEqual([false, true, false, true])
  })
})

describe('a choice', () => {
  test('that nobody understands is refused', () => {
    expect([
      refusalOf('chat', 'messages', { ...chat(ask), tools: [chatFn('f')], tool_choice: 'any' }),
      refusalOf('responses', 'chat', { ...input(ask), tools: [fn('f')], tool_choice: 7 }),
      refusalOf('messages', 'chat', {
        ...messages(ask),
        tools: [{ name: 'f', input_schema: {} }],
        tool_choice: { type: 'some' },
      }),
    ]).toEqual(['tool_unavailable', 'tool_unavailable', 'tool_unavailable'])
  })
  test('of one call at a time, a tier and metadata are told of where nobody takes them', () => {
    const abilities = { openAiExtras: false }
    const one = { tools: [fn('f')], parallel_tool_calls: false }
    expect([
      request('responses', 'chat', { ...input(ask), ...one }, { abilities }).codes,
      request('messages', 'responses', { ...messages(ask), service_tier: 'standard_only' }, { abilities }).codes,
      request('chat', 'responses', { ...chat(ask), metadata: { a: 'b' } }, { abilities: { cliFieldsOnly: true } })
        .codes,
    ]).toEqual([['parallel_tool_calls_dropped'], ['service_tier_dropped'], ['metadata_dropped']])
  })
})

describe('a choice among tools of the same name', () => {
  const tools = [
    { type: 'namespace', name: 'a', tools: [fn('x'), { type: 'custom', name: 'y' }] },
    fn('x'),
    fn('y'),
    { type: 'namespace', name: 'b', tools: [fn('z')] },
  ]
  const choice = (tool_choice: object): Any => request('responses', 'chat', { ...input(ask), tools, tool_choice }).body
  test('means the one that stands alone, then the one of any namespace', () => {
    const forced = (name: string): unknown => choice({ type: 'function', name }).tool_choice
    expect([forced('x'), forced('y'), forced('z')]).toEqual(
      ['x', 'y', 'b__z'].map((name) => ({ type: 'function', function: { name } })),
    )
    const list = { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'x' }] }
    expect(choice(list).tools.map((tool: Any) => tool.function.name)).toEqual(['x'])
  })
})
test('a tool without a description has none', () => {
  const { body } = request('responses', 'messages', { ...input(ask), tools: [{ type: 'custom', name: 'c' }] })
  expect(Object.keys(body.tools[0])).toEqual(['name', 'input_schema'])
})
test('a tool that is called as the upstream’s own search goes by another name, there and back', () => {
  const tools = [fn('web_search'), { type: 'web_search' }]
  const forced = { type: 'function', name: 'web_search' }
  const { body, context } = request(
    'responses',
    'messages',
    { ...input(ask), tools, tool_choice: forced },
    { abilities: { webSearch: true } },
  )
  const [renamed = '', own] = names(body)
  expect([own, body.tool_choice.name === renamed, renamed === own]).toEqual(['web_search', true, false])
  const events = [begun(), ...used(0, 'c', renamed, '{}'), ...stopped('tool_use')]
  expect(stream('messages', 'responses', events, context).whole.output[0].name).toBe('web_search')
})
test('a memory’s view may have a range', () => {
  const { body } = request('messages', 'chat', {
    ...messages(ask),
    tools: [{ type: 'memory_20250818', name: 'memory' }],
  })
  expect(body.tools[0].function.parameters.properties.view_range.type).toBe('array')
})
