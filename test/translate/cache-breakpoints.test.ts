/** Cache marks of Messages clients become the vendor's own where a model has them, at the same places; elsewhere they go. */
import { expect, test } from 'vitest'
import { blamedIn, withoutBlamed } from '../../src/main/translate/blamed.ts'
import { type Any, request } from './kit.ts'

const mark = { cache_control: { type: 'ephemeral', ttl: '1h' } }
const ask = {
  model: 'm',
  max_tokens: 90,
  system: [{ type: 'text', text: 's', ...mark }],
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'a', ...mark },
        { type: 'text', text: 'b' },
      ],
    },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: mark }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 't', content: 'r', ...mark },
        { type: 'text', text: 'c', ...mark },
      ],
    },
  ],
  tools: [{ name: 'f', input_schema: { type: 'object' }, ...mark }],
}
const breakpoint = { mode: 'explicit' }
const able = { abilities: { cacheBreakpoints: true } }

test('for Responses, on the parts that had a mark, results too', () => {
  const { body, codes } = request('messages', 'responses', ask, able)
  const [first, call, result, last] = body.input as Any[]
  expect(first.content).toEqual([
    { type: 'input_text', text: 'a', prompt_cache_breakpoint: breakpoint },
    { type: 'input_text', text: 'b' },
  ])
  expect(result.output).toEqual([{ type: 'input_text', text: 'r', prompt_cache_breakpoint: breakpoint }])
  expect(last.content).toEqual([{ type: 'input_text', text: 'c', prompt_cache_breakpoint: breakpoint }])
  // An input of a tool is the tool's own.
  expect([JSON.parse(call.arguments), codes]).toEqual([mark, []])
})

test('for Chat, in what the user says', () => {
  const { body } = request('messages', 'chat', ask, able)
  const users = (body.messages as Any[]).filter(({ role }) => role === 'user').map(({ content }) => content)
  expect(users).toEqual([
    [
      { type: 'text', text: 'a', prompt_cache_breakpoint: breakpoint },
      { type: 'text', text: 'b' },
    ],
    [{ type: 'text', text: 'c', prompt_cache_breakpoint: breakpoint }],
  ])
})

test('nowhere else', () => {
  for (const to of ['responses', 'chat'] as const) {
    expect(JSON.stringify(request('messages', to, ask).body)).not.toContain('prompt_cache_breakpoint')
  }
})

test('BerriAI/litellm#38790 marks of a Messages client are sent on as they are, and say no time once the server has refused that', () => {
  const said = (message: string): string => JSON.stringify({ error: { message } })
  expect([
    blamedIn(400, said('`cache_control.ttl: 1h` is not supported')),
    blamedIn(400, said('system.0.cache_control.ephemeral.ttl: Extra inputs are not permitted')),
    blamedIn(422, '{"detail":[{"loc":["body","cache_control","ttl"],"msg":"Extra inputs are not permitted"}]}'),
    // The order of marks is the client's own mistake.
    blamedIn(400, said("cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' one.")),
    blamedIn(500, said('`cache_control.ttl: 1h` is not supported')),
  ]).toEqual(['ttl', 'ttl', 'ttl', null, null])
  const inside = [{ type: 'text', text: 'r', ...mark }]
  const results = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: inside, ...mark }] }
  const schema = { type: 'object', properties: { cache_control: { ttl: {} } } }
  const whole = {
    ...ask,
    ...mark,
    messages: [...ask.messages, results],
    tools: [{ ...ask.tools[0], input_schema: schema }],
  }
  const bare = JSON.parse(withoutBlamed('messages', JSON.stringify(whole), ['ttl']) ?? '') as typeof whole
  // Only what is the tool's own is left.
  expect([JSON.stringify(bare).split('ttl').length - 1, bare.messages[1], bare.tools[0]?.input_schema]).toEqual([
    2,
    ask.messages[1],
    schema,
  ])
  const count = (value: object): number => JSON.stringify(value).split('cache_control').length
  expect(count(bare)).toBe(count(whole))
  expect(withoutBlamed('messages', '{"messages":[{"role":"user","content":"a"}]}', ['ttl'])).toBeNull()
})
