/** Limits, levels, formats and searches: what one dialect says as the other takes it, and a word where it doesn't (bridge §1.7, §1.8). */
import { describe, expect, test } from 'vitest'
import { type Any, refusalOf, request, translated } from './kit.ts'

const ask = { role: 'user', content: 'a' }
const messages = (more: object = {}): object => ({ model: 'm', max_tokens: 100, messages: [ask], ...more })
const chat = (more: object = {}): object => ({ model: 'm', messages: [ask], ...more })
const input = (more: object = {}): object => ({ model: 'm', input: 'a', ...more })

describe('nothing is lost where nothing was asked', () => {
  test('of probabilities', () => {
    expect([
      refusalOf('responses', 'messages', input({ top_logprobs: 0 })),
      refusalOf('responses', 'messages', input({ top_logprobs: 2 })),
      refusalOf('responses', 'messages', input({ include: ['message.output_text.logprobs'] })),
    ]).toEqual(['carried', 'logprobs_not_portable', 'logprobs_not_portable'])
    const { body } = request('responses', 'chat', input({ top_logprobs: 0 }))
    expect([body.logprobs, body.top_logprobs]).toEqual([undefined, undefined])
  })
  test('by empty lists and sets', () => {
    expect(refusalOf('messages', 'chat', messages({ mcp_servers: [] }), { strict: true })).toBe('carried')
    expect(refusalOf('messages', 'chat', messages({ mcp_servers: [{ url: 'x' }] }))).toBe('field_not_portable')
    expect(refusalOf('responses', 'messages', input({ metadata: {} }), { strict: true })).toBe('carried')
    expect(refusalOf('chat', 'messages', chat({ metadata: {} }), { strict: true })).toBe('carried')
    const { body, codes, context } = request('messages', 'responses', messages({ stop_sequences: [''] }))
    expect([body.stop, codes, context.stops]).toEqual([undefined, [], []])
  })
  test('by how long a cache is kept, which is approximate anyway', () => {
    const kept = { prompt_cache_retention: '24h', prompt_cache_options: { mode: 'explicit' } }
    expect([
      request('chat', 'messages', chat(kept)).codes,
      request('responses', 'messages', input(kept)).codes,
    ]).toEqual([[], []])
  })
})

test('a limit of nothing is not a request to warm the cache', () => {
  const { body, codes } = request('chat', 'messages', chat({ max_tokens: 0 }))
  expect([body.max_tokens, codes]).toEqual([1, ['max_tokens_clamped']])
})

describe('levels', () => {
  const effort = (level: string, efforts: readonly ('low' | 'medium' | 'high' | 'xhigh' | 'max')[]): unknown => {
    const { body, codes } = request('responses', 'messages', input({ reasoning: { effort: level } }), {
      abilities: { efforts },
    })
    return [body.output_config?.effort, codes.join()]
  }
  test('that an adaptive model has not are told of', () => {
    const known = ['low', 'medium', 'high', 'max'] as const
    expect([effort('xhigh', known), effort('max', known), effort('minimal', known), effort('high', [])]).toEqual([
      ['high', 'effort_clamped'],
      ['max', ''],
      ['low', ''],
      [undefined, 'effort_dropped'],
    ])
  })
  test('that a client calls ultra are the highest, those of no known name are told of', () => {
    expect([effort('ultra', ['high', 'max']), effort('huge', ['high', 'max'])]).toEqual([
      ['max', ''],
      [undefined, 'effort_dropped'],
    ])
    expect(request('chat', 'responses', chat({ reasoning_effort: 'huge' })).codes).toEqual(['effort_dropped'])
    expect(request('messages', 'chat', messages({ output_config: { effort: 'huge' } })).codes).toEqual([
      'effort_dropped',
    ])
  })
  test('have company that only one dialect knows', () => {
    const lost = (from: 'messages' | 'responses', body: object): unknown => {
      const found = translated(from, 'chat', body)
      return found.kind === 'translated' ? found.warnings : found
    }
    const dropped = (path: string): readonly object[] => [{ code: 'field_dropped', path, action: 'dropped' }]
    expect([
      lost('responses', input({ reasoning: { effort: 'low', summary: 'auto', mode: 'pro' } })),
      lost('responses', input({ text: { verbosity: 'low', style: 'x' } })),
      lost('messages', messages({ output_config: { effort: 'low', task_budget: { total: 5 }, format: null } })),
    ]).toEqual([dropped('reasoning.mode'), dropped('text.style'), dropped('output_config.task_budget')])
  })
})

test('the description of a format goes along between OpenAI’s dialects', () => {
  const schema = { type: 'object', properties: {} }
  const form = { name: 'n', description: 'd', schema }
  const there = request('chat', 'responses', chat({ response_format: { type: 'json_schema', json_schema: form } })).body
  const back = request('responses', 'chat', input({ text: there.text })).body
  const strict = false
  expect([there.text.format, back.response_format.json_schema]).toEqual([
    { type: 'json_schema', ...form, strict },
    { ...form, strict },
  ])
})

describe('a web search', () => {
  const abilities = { webSearch: true }
  const f = { type: 'function', name: 'f', parameters: {} }
  test('is one under each of its names', () => {
    for (const type of ['web_search', 'web_search_2025_08_26', 'web_search_preview_2025_03_11']) {
      const { body, codes } = request('responses', 'messages', input({ tools: [{ type }, f] }), { abilities })
      expect([body.tools.map(({ name }: Any) => name), codes]).toEqual([['f', 'web_search'], []])
    }
  })
  test('looks near the same place, in each dialect’s own form', () => {
    const near = { type: 'approximate', city: 'Oslo' }
    const inChat = { type: 'approximate', approximate: { city: 'Oslo' } }
    const options = { web_search_options: { user_location: inChat } }
    const own = { type: 'web_search_20250305', name: 'web_search', user_location: near }
    expect([
      request('chat', 'messages', chat(options), { abilities }).body.tools[0].user_location,
      request('chat', 'responses', chat(options), { abilities }).body.tools[0].user_location,
      request('messages', 'chat', messages({ tools: [own] }), { abilities }).body.web_search_options,
      request('responses', 'chat', input({ tools: [{ type: 'web_search' }] }), { abilities }).body.web_search_options,
    ]).toEqual([near, near, { user_location: inChat }, {}])
  })
  test('tells what it can’t be told', () => {
    const codes = (more: object): readonly string[] =>
      request('responses', 'messages', input({ tools: [{ type: 'web_search', ...more }] }), { abilities }).codes
    expect([
      codes({ external_web_access: false }),
      codes({ external_web_access: true }),
      request('chat', 'messages', chat({ web_search_options: { search_context_size: 'high' } }), { abilities }).codes,
    ]).toEqual([['web_search_offline_dropped'], [], ['web_search_context_size_dropped']])
  })
  test('goes with the others where it is not among the allowed tools', () => {
    const allowed = (tool: object): Any =>
      request(
        'responses',
        'messages',
        input({
          tools: [{ type: 'web_search' }, f],
          tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [tool] },
        }),
        { abilities },
      ).body.tools.map(({ name }: Any) => name)
    expect([allowed({ type: 'function', name: 'f' }), allowed({ type: 'web_search' })]).toEqual([['f'], ['web_search']])
  })
})

describe('what a model that thinks does not take', () => {
  const budget = { abilities: { thinking: 'budget' } } as const
  const asked = { reasoning_effort: 'medium', max_completion_tokens: 20_000 }
  test('is another temperature than its own', () => {
    const { body, codes } = request('chat', 'messages', chat({ ...asked, temperature: 0.2, top_p: 0.5 }), budget)
    expect([body.thinking.type, body.temperature, body.top_p, codes]).toEqual([
      'enabled',
      undefined,
      undefined,
      ['sampling_dropped'],
    ])
    const usual = request('chat', 'messages', chat({ ...asked, temperature: 1 }), budget)
    const off = request('chat', 'messages', chat({ reasoning_effort: 'none', temperature: 0.2 }), budget)
    expect([usual.codes, off.body.thinking, off.body.temperature, off.codes]).toEqual([
      [],
      { type: 'disabled' },
      0.2,
      [],
    ])
  })
  test.each(['budget', 'adaptive'] as const)('is an answer that was begun for it: %s', (thinking) => {
    const begun = [ask, { role: 'assistant', content: 'It is' }]
    const { body, codes } = request(
      'chat',
      'messages',
      { ...chat(asked), messages: begun },
      { abilities: { thinking } },
    )
    expect([body.thinking, body.messages.at(-1).role, codes]).toEqual([
      { type: 'disabled' },
      'assistant',
      ['thinking_off_for_prefill'],
    ])
  })
})
