/** The simulated OpenAI-style host and Ollama. */
import { describe, expect, it } from 'vitest'
import { begin, completion, eventsOf, type Loose, message, orderOf, response } from './fixture.ts'

describe('chat completions', () => {
  it('streams chunks, one with the reason to stop, and the end mark; usage only when asked', async () => {
    const { call } = await begin()
    const plain = eventsOf(await (await call.openai('/v1/chat/completions', { ...completion, stream: true })).text())
    const asked = { ...completion, stream: true, stream_options: { include_usage: true } }
    const counted = eventsOf(await (await call.openai('/v1/chat/completions', asked)).text())
    expect(plain.at(-1)).toBe('[DONE]')
    expect([plain.at(-2).choices[0].finish_reason, 'usage' in plain[0]]).toEqual(['stop', false])
    expect(counted.at(-2)).toMatchObject({ choices: [], usage: { completion_tokens: 17 } })
    expect(counted[0].usage).toBeNull()
  })

  it('answers a unary caller with one completion', async () => {
    const { call } = await begin()
    expect(await (await call.openai('/v1/chat/completions', completion)).json()).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { role: 'assistant' }, finish_reason: 'stop' }],
      usage: { completion_tokens: 17 },
    })
  })

  it('streams a tool call whose parts join to the whole arguments', async () => {
    const { practice, call } = await begin()
    const tool = { kind: 'function', name: 'run', arguments: '{"cmd":"echo hi"}' } as const
    practice.script('openai-key', { reply: { kind: 'vendor', content: { text: '', tool } } })
    const events = eventsOf(await (await call.openai('/v1/chat/completions', { ...completion, stream: true })).text())
    const calls = events.flatMap((event: Loose) => event.choices?.[0]?.delta.tool_calls ?? [])
    expect([calls[0].function.name, calls.map((one: Loose) => one.function.arguments).join('')]).toEqual([
      'run',
      tool.arguments,
    ])
    expect(events.at(-2).choices[0].finish_reason).toBe('tool_calls')
  })
})

describe('responses by key', () => {
  it('answers as a stream and as one body', async () => {
    const { call } = await begin()
    const text = await (await call.openai('/v1/responses', response)).text()
    const whole = (await (await call.openai('/v1/responses', { model: 'gpt-5.5', input: 'hello' })).json()) as Loose
    expect([orderOf(text)[0], orderOf(text).at(-1)]).toEqual(['response.created', 'response.completed'])
    expect([whole.status, whole.output[0].content[0].type]).toEqual(['completed', 'output_text'])
  })

  it('compacts and lists models', async () => {
    const { call } = await begin()
    const compacted = (await (
      await call.openai('/v1/responses/compact', { model: 'gpt-5.5', input: [] })
    ).json()) as Loose
    const list = (await (await call.openai('/v1/models')).json()) as Loose
    expect([compacted.output[0].type, list.object]).toEqual(['compaction', 'list'])
    expect(list.data.map((model: Loose) => model.id)).not.toContain('gpt-5.3-codex-spark')
    expect((await call.openai('/v1/models/none')).status).toBe(404)
  })

  it.each([
    ['an unknown key', { authorization: 'Bearer sk-other' }, response, 401, 'invalid_api_key'],
    ['no model', {}, { input: 'x' }, 400, null],
    ['no input', {}, { model: 'gpt-5.5' }, 400, null],
  ])('refuses %s', async (_name, headers, body, status, code) => {
    const { call } = await begin()
    const answer = await call.openai('/v1/responses', body, headers as Record<string, string>)
    expect([answer.status, ((await answer.json()) as Loose).error.code]).toEqual([status, code])
  })
})

describe('Ollama', () => {
  it('answers probes, tags and models', async () => {
    const { call } = await begin()
    expect(await (await call.ollama('/')).text()).toBe('Ollama is running')
    expect(await (await call.ollama('/api/version')).json()).toEqual({ version: '0.33.0' })
    const tags = (await (await call.ollama('/api/tags')).json()) as Loose
    const models = (await (await call.ollama('/v1/models')).json()) as Loose
    const expected = ['gpt-oss:20b', 'qwen3-coder:30b']
    expect([tags.models.map((one: Loose) => one.name), models.data.map((one: Loose) => one.id)]).toEqual([
      expected,
      expected,
    ])
  })

  it('serves three dialects without a key', async () => {
    const { call } = await begin()
    const chat = await call.ollama('/v1/chat/completions', completion)
    const messages = await call.ollama('/v1/messages', { ...message, stream: true })
    const answers = await call.ollama('/v1/responses', { model: 'gpt-oss:20b', input: 'hello', stream: true })
    expect([chat.status, orderOf(await messages.text())[0], orderOf(await answers.text())[0]]).toEqual([
      200,
      'message_start',
      'response.created',
    ])
  })

  it('offers neither count_tokens nor stored responses', async () => {
    const { call } = await begin()
    const count = await call.ollama('/v1/messages/count_tokens', message)
    const stored = await call.ollama('/v1/responses', { model: 'm', input: 'x', previous_response_id: 'r' })
    expect([count.status, stored.status]).toEqual([404, 400])
  })
})
