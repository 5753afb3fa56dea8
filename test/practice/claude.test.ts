/** The simulated Anthropic API as its callers see it: accounts by OAuth and keys. */
import { describe, expect, it } from 'vitest'
import { begin, claudeHeaders, eventsOf, type Loose, message, noonMs, orderOf, typesOf } from './fixture.ts'

describe('messages', () => {
  it('streams events in the order of the vendor, with usage at both ends', async () => {
    const { call } = await begin()
    const answer = await call.claude('/v1/messages?beta=true', { ...message, stream: true })
    const text = await answer.text()
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    expect(orderOf(text)).toEqual([
      'message_start',
      'ping',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ])
    const [start, , , first] = eventsOf(text)
    const end = eventsOf(text).at(-2) as Loose
    expect(start.message.usage).toEqual({
      input_tokens: 8,
      cache_creation_input_tokens: 18,
      cache_read_input_tokens: 0,
      cache_creation: { ephemeral_5m_input_tokens: 18, ephemeral_1h_input_tokens: 0 },
      output_tokens: 1,
      service_tier: 'standard',
    })
    expect(first.delta).toEqual({ type: 'text_delta', text: 'This ' })
    expect(end).toMatchObject({ delta: { stop_reason: 'end_turn' }, usage: { input_tokens: 8, output_tokens: 17 } })
  })

  it('names every event on its event line as in its data', async () => {
    const { call } = await begin()
    const text = await (await call.claude('/v1/messages', { ...message, stream: true })).text()
    expect([...text.matchAll(/^event: (.*)$/gm)].map((match) => match[1])).toEqual(typesOf(text))
  })

  it('answers a unary caller with one message', async () => {
    const { call } = await begin()
    const answer = await call.claude('/v1/messages', message)
    expect(await answer.json()).toMatchObject({
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-5-5',
      content: [{ type: 'text', text: expect.stringContaining('Claude, work') }],
      stop_reason: 'end_turn',
      usage: { output_tokens: 17 },
    })
  })

  it('reads a session’s earlier prompt from the cache on its next turn, and nothing on another account', async () => {
    const { call } = await begin()
    const usage = async (account: string): Promise<Loose> => {
      const session = { 'x-claude-code-session-id': '33333333-3333-4333-8333-333333333333' }
      return ((await (await call.claude('/v1/messages', message, session, account)).json()) as Loose).usage
    }
    const cached = [await usage('claude-work'), await usage('claude-work'), await usage('claude-personal')]
    expect(cached.map((one) => one.cache_read_input_tokens)).toEqual([0, 15, 0])
  })

  it('sends thinking, text and a tool call as blocks that join to the whole', async () => {
    const { practice, call } = await begin()
    const content = {
      thinking: 'hm',
      text: 'Reading it.',
      tool: { kind: 'function', name: 'Read', arguments: '{"path":"a"}' },
    } as const
    practice.usually('claude-work', { reply: { kind: 'vendor', content } })
    const events = eventsOf(await (await call.claude('/v1/messages', { ...message, stream: true })).text())
    const starts = events
      .filter((event) => event.type === 'content_block_start')
      .map((event) => event.content_block.type)
    const json = events.map((event) => event.delta?.partial_json ?? '').join('')
    expect([starts, json, events.at(-2).delta.stop_reason]).toEqual([
      ['thinking', 'text', 'tool_use'],
      '{"path":"a"}',
      'tool_use',
    ])
    const whole = (await (await call.claude('/v1/messages', message)).json()) as Loose
    expect(whole.content.map((block: Loose) => block.type)).toEqual(['thinking', 'text', 'tool_use'])
    expect(whole.content[2].input).toEqual({ path: 'a' })
  })
})

describe('authentication of accounts', () => {
  const rows: readonly [string, (headers: Record<string, string>) => Record<string, string>, string][] = [
    ['an unknown bearer', (h) => ({ ...h, authorization: 'Bearer nobody' }), 'Invalid bearer token'],
    ['an API key beside the bearer', (h) => ({ ...h, 'x-api-key': 'k' }), 'invalid x-api-key'],
    [
      'no OAuth beta',
      (h) => ({ ...h, 'anthropic-beta': 'claude-code-20250219' }),
      'OAuth authentication is currently not supported.',
    ],
  ]
  it.each(rows)('refuses %s with 401', async (_name, change, text) => {
    const { practice } = await begin()
    const answer = await fetch(`${practice.origins.claude}/v1/messages`, {
      method: 'POST',
      headers: change(claudeHeaders(practice)),
      body: JSON.stringify(message),
    })
    expect([answer.status, await answer.json()]).toMatchObject([
      401,
      { type: 'error', error: { type: 'authentication_error', message: text } },
    ])
  })

  it('refuses an access token that has expired by the clock, and a fresh one is good', async () => {
    const { practice, clock, call } = await begin()
    clock.turn(8 * 3_600_000)
    const late = await call.claude('/v1/messages', message)
    const fresh = practice.signIn('claude-work').accessToken
    const renewed = await call.claude('/v1/messages', message, { authorization: `Bearer ${fresh}` })
    expect([late.status, renewed.status]).toEqual([401, 200])
  })

  it('serves messages to a setup token, but neither usage nor profile', async () => {
    const { practice, call } = await begin()
    const { accessToken, refreshToken } = practice.signIn('claude-work', { setupToken: true })
    const as = { authorization: `Bearer ${accessToken}` }
    const statuses = [
      (await call.claude('/v1/messages', message, as)).status,
      (await call.claude('/api/oauth/usage', null, as)).status,
      (await call.claude('/api/oauth/profile', null, as)).status,
    ]
    expect([refreshToken, statuses]).toEqual([null, [200, 403, 403]])
  })
})

describe('what is told of an account', () => {
  it('says the same of its windows in headers and at the usage endpoint', async () => {
    const { call } = await begin()
    const { headers } = await call.claude('/v1/messages', message)
    const read = (name: string): string | null => headers.get(`anthropic-ratelimit-unified-${name}`)
    expect([read('status'), read('representative-claim'), read('5h-utilization'), read('7d-utilization')]).toEqual([
      'allowed',
      'seven_day',
      '0.236',
      '0.411',
    ])
    expect(read('5h-reset')).toBe(String((noonMs + 3 * 3_600_000) / 1000))
    const usage = (await (await call.claude('/api/oauth/usage')).json()) as Loose
    expect(usage.five_hour).toEqual({ utilization: 23.6, resets_at: '2026-11-29T15:00:00.000456+00:00' })
    expect(
      usage.limits.map((limit: Loose) => [limit.kind, limit.percent, limit.scope?.model.display_name ?? null]),
    ).toEqual([
      ['session', 23.6, null],
      ['weekly_all', 41.1, null],
      ['weekly_scoped', 61, 'Fable'],
    ])
  })

  it('shows the family window only in answers of that family', async () => {
    const { call } = await begin()
    const read = async (model: string): Promise<string | null> =>
      (await call.claude('/v1/messages', { ...message, model })).headers.get(
        'anthropic-ratelimit-unified-7d_oi-utilization',
      )
    expect([await read('claude-opus-5-5'), await read('claude-fable-5-1')]).toEqual([null, '0.63'])
  })

  it('gives plan and identity in the profile', async () => {
    const { practice, call } = await begin()
    const { userId, workspaceId } = practice.account('claude-work')
    expect(await (await call.claude('/api/oauth/profile')).json()).toMatchObject({
      account: { uuid: userId, email: 'claude-work@practice.invalid', has_claude_max: true },
      organization: { uuid: workspaceId, organization_type: 'claude_max', rate_limit_tier: 'default_claude_max_20x' },
    })
  })
})

describe('the other calls', () => {
  it('counts tokens and refuses what counting does not know', async () => {
    const { call } = await begin()
    const { model, messages } = message
    const good = await call.claude('/v1/messages/count_tokens', { model, messages })
    const bad = await call.claude('/v1/messages/count_tokens', { model, messages, metadata: {} })
    expect([await good.json(), bad.status]).toEqual([{ input_tokens: 19 }, 400])
  })

  it('lists models in pages and one by one', async () => {
    const { call } = await begin()
    const first = (await (await call.claude('/v1/models?limit=2')).json()) as Loose
    const second = (await (await call.claude(`/v1/models?limit=10&after_id=${first.last_id}`)).json()) as Loose
    const ids = [...first.data, ...second.data].map((model: Loose) => model.id)
    expect([first.has_more, second.has_more, ids.length, ids.includes('claude-opus-4-8')]).toEqual([
      true,
      false,
      6,
      true,
    ])
    expect(await (await call.claude('/v1/models/claude-haiku-5-5')).json()).toMatchObject({ type: 'model' })
    expect((await call.claude('/v1/models/none')).status).toBe(404)
  })

  const bad: readonly [string, object, number, string][] = [
    ['no model', { messages: [] }, 400, 'model: Field required'],
    ['no messages', { model: 'claude-opus-5-5' }, 400, 'messages: Field required'],
    ['fast mode without its beta', { ...message, speed: 'fast' }, 400, 'speed: Extra inputs are not permitted'],
  ]
  it.each(bad)('refuses a body with %s', async (_name, body, status, text) => {
    const { call } = await begin()
    const answer = await call.claude('/v1/messages', body)
    expect([answer.status, ((await answer.json()) as Loose).error.message]).toEqual([status, text])
  })
})

describe('keys', () => {
  it('serves a known key with the limit headers of keys, and refuses another', async () => {
    const { call } = await begin()
    const good = await call.anthropic('/v1/messages', message)
    const bad = await call.anthropic('/v1/messages', message, { 'x-api-key': 'sk-ant-api03-wrong' })
    expect([good.status, good.headers.get('anthropic-ratelimit-requests-remaining')]).toEqual([200, '3999'])
    expect(good.headers.get('anthropic-ratelimit-unified-status')).toBeNull()
    expect([bad.status, await bad.json()]).toMatchObject([401, { error: { message: 'invalid x-api-key' } }])
  })
})
