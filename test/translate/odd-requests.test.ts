/** Requests that no sane client sends: every one is carried or refused, nothing throws, nothing is lost without a word. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Any, refusalOf, request, translated } from './kit.ts'
import { directions, placesIn, replaced, sane } from './sane-requests.ts'

/** Besides any JSON: names that every object has, and objects that are no text. */
const odd = fc.oneof(
  { arbitrary: fc.jsonValue({ maxDepth: 2, noUnicodeString: false }), weight: 4 },
  fc.constantFrom('toString', 'constructor', '__proto__', { toString: 0 }, [{ toString: 0, valueOf: 0 }]),
)

describe.each(directions)('$from → $to', ({ from, to }) => {
  const places = placesIn(sane[from]).filter((path) => path.length > 0)
  test('something odd anywhere in a request is carried or refused, and what is sent is JSON', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(places.length - 1), odd), { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        (changes, strict) => {
          let body = sane[from]
          for (const [at, by] of changes) {
            try {
              body = replaced(body, places[at] ?? [], by)
            } catch {
              // The place went with an earlier change.
            }
          }
          const found = translated(from, to, body, { strict })
          if (found.kind === 'translated') expect(typeof JSON.parse(found.body)).toBe('object')
          else expect([typeof found.code, typeof found.path]).toEqual(['string', 'string'])
        },
      ),
      { numRuns: 1_500 },
    )
  })
})

const ask = { role: 'user', content: 'a' }

describe('smaller rules', () => {
  test('a server tool that isn’t alone is removed, alone it is refused', () => {
    const fetch = { type: 'web_fetch_20250910', name: 'web_fetch' }
    const body = (...tools: readonly object[]): object => ({ model: 'm', max_tokens: 90, messages: [ask], tools })
    expect([
      refusalOf('messages', 'responses', body(fetch)),
      request('messages', 'responses', body(fetch, { name: 'f', input_schema: {} })).codes,
      refusalOf('messages', 'responses', body({ type: 'computer_20250124', name: 'computer' })),
    ]).toEqual(['server_tool_unsupported', ['server_tool_removed'], 'server_tool_unsupported'])
  })
  test('a picture’s address is refused where only its bytes are taken', () => {
    const picture = (url: string): object => ({
      model: 'm',
      input: [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }],
    })
    const abilities = { imageAddresses: false }
    const refusals = (url: string): readonly string[] => [
      refusalOf('responses', 'chat', picture(url), { abilities }),
      refusalOf('responses', 'messages', picture(url), { abilities }),
      refusalOf(
        'chat',
        'responses',
        { model: 'm', messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] },
        { abilities },
      ),
    ]
    expect(refusals('https://x.test/a')).toEqual(Array.from({ length: 3 }, () => 'image_address_not_accepted'))
    expect(refusals('data:image/png;base64,AAAA')).toEqual(Array.from({ length: 3 }, () => 'carried'))
  })
  test('an object that would be no text stands where a text or number was meant, and nothing throws', () => {
    const textless = { toString: 0 }
    const body = {
      model: 'm',
      input: [
        { ...ask, type: 'message', role: textless },
        { type: 'shell_call', call_id: 'a', action: { commands: ['ls'] } },
        {
          type: 'shell_call_output',
          call_id: 'a',
          output: [{ stdout: 'x', outcome: { type: 'exit', exit_code: textless } }],
        },
      ],
      tools: [{ type: 'shell', environment: { type: textless } }],
    }
    expect(refusalOf('responses', 'chat', body)).toBe('carried')
    expect(refusalOf('responses', 'chat', { ...body, input: [{ ...ask, type: 'message', role: 'toString' }] })).toBe(
      'carried',
    )
    expect(JSON.stringify(request('responses', 'chat', body).body)).toContain('exit code unknown')
  })
  test('a tool call’s id may be called like what every object has', () => {
    const call = { id: 'toString', type: 'function', function: { name: 'f', arguments: '{}' } }
    const messages = [
      ask,
      { role: 'assistant', tool_calls: [call] },
      { role: 'tool', tool_call_id: call.id, content: 'x' },
    ]
    for (const to of ['messages', 'responses'] as const)
      expect(refusalOf('chat', to, { model: 'm', messages })).toBe('carried')
  })
  test('what is empty is not sent', () => {
    const { body } = request('responses', 'messages', { model: 'm', input: 'a' }, { abilities: { cacheMarks: false } })
    expect(Object.keys(body)).toEqual(['model', 'max_tokens', 'messages', 'stream'])
  })
  test('a request of nothing but system text asks it', () => {
    const { body, codes } = request('responses', 'messages', {
      model: 'm',
      instructions: 'one',
      input: [{ role: 'developer', content: 'two' }],
    })
    expect([body.system, body.messages, codes]).toEqual([
      undefined,
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'one' },
            { type: 'text', text: 'two' },
          ],
        },
      ],
      ['system_moved'],
    ])
  })
  test('a picture’s detail is said, the largest as Chat knows it', () => {
    const body = (detail: string): object => ({
      model: 'm',
      input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'https://x.test/a', detail }] }],
    })
    const details = ['original', 'low'].map(
      (detail) => request('responses', 'chat', body(detail)).body.messages[0].content[0].image_url.detail,
    )
    expect(details).toEqual(['high', 'low'])
  })
  test('a Responses client finds what it asked for in the response object', () => {
    const { context } = request('responses', 'chat', {
      model: 'm',
      input: 'a',
      instructions: 'i',
      metadata: { a: 'b' },
      temperature: 0.5,
    })
    expect([context.echo.instructions, context.echo.metadata, context.echo.temperature, context.echo.store]).toEqual([
      'i',
      { a: 'b' },
      0.5,
      false,
    ])
    expect(request('chat', 'messages', { model: 'm', messages: [ask] }).context.echo).toEqual({})
  })
  test('the model’s name upstream and the one asked for are kept apart', () => {
    const { body, context } = request('chat', 'messages', { model: 'asked', messages: [ask] })
    expect([body.model, context.model]).toEqual(['upstream-model', 'asked-model'])
  })
  test('an allowed list filters, and refuses where nothing is left of what is required', () => {
    const body = (mode: string, name: string): object => ({
      model: 'm',
      input: 'a',
      tools: [
        { type: 'function', name: 'f' },
        { type: 'function', name: 'g' },
      ],
      tool_choice: { type: 'allowed_tools', mode, tools: [{ type: 'function', name }] },
    })
    const kept = request('responses', 'messages', body('required', 'g')).body
    expect([
      kept.tools.map(({ name }: Any) => name),
      kept.tool_choice,
      refusalOf('responses', 'messages', body('required', 'h')),
    ]).toEqual([['g'], { type: 'any' }, 'tool_unavailable'])
  })
  test('a root union becomes an object for Messages, and the caller’s schema stays', () => {
    const union = {
      anyOf: [
        { type: 'object', properties: { a: {} } },
        { type: 'object', properties: { b: {} } },
      ],
    }
    const { body, codes } = request('responses', 'messages', {
      model: 'm',
      input: 'a',
      tools: [{ type: 'function', name: 'f', parameters: union }],
    })
    expect([body.tools[0].input_schema, codes]).toEqual([
      { type: 'object', properties: { a: {}, b: {} } },
      ['schema_root_merged'],
    ])
  })
  test('strict is kept where the schema holds it', () => {
    const held = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false }
    const strictOf = (input_schema: object): unknown =>
      request('messages', 'responses', {
        model: 'm',
        max_tokens: 9,
        messages: [ask],
        tools: [{ name: 'f', input_schema, strict: true }],
      }).body.tools[0].strict
    expect([
      strictOf(held),
      strictOf({ ...held, required: [] }),
      strictOf({ ...held, additionalProperties: true }),
    ]).toEqual([true, false, false])
  })
  test('temperature is clamped for Messages, and service tiers keep their meaning', () => {
    const { body, codes } = request('chat', 'messages', {
      model: 'm',
      messages: [ask],
      temperature: 1.7,
      service_tier: 'default',
    })
    expect([body.temperature, body.service_tier, codes]).toEqual([1, 'standard_only', ['temperature_clamped']])
    expect(
      request('messages', 'responses', { model: 'm', max_tokens: 9, messages: [ask], service_tier: 'standard_only' })
        .body.service_tier,
    ).toBe('default')
  })
  test('a limit below what Responses takes is raised, above what the model has lowered', () => {
    expect([
      request('messages', 'responses', { model: 'm', max_tokens: 3, messages: [ask] }).body.max_output_tokens,
      request('chat', 'messages', { model: 'm', messages: [ask], max_tokens: 99_000 }).body.max_tokens,
      request(
        'messages',
        'chat',
        { model: 'm', max_tokens: 3, messages: [ask] },
        { abilities: { maxTokensField: 'max_tokens' } },
      ).body.max_tokens,
    ]).toEqual([16, 32_000, 3])
  })
  test('thinking is off where a budget would need thoughts that are gone', () => {
    const input = [
      ask,
      { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: 'x' },
    ]
    const { body, codes } = request(
      'responses',
      'messages',
      { model: 'm', input, reasoning: { effort: 'high' } },
      { abilities: { thinking: 'budget' } },
    )
    expect([body.thinking, codes]).toEqual([{ type: 'disabled' }, ['thinking_off_for_lost_thoughts']])
  })
})
