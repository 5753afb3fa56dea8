/** The simulated ChatGPT backend as the Codex client sees it over HTTP. */
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { begin, codexHeaders, eventsOf, type Loose, noonMs, orderOf, response } from './fixture.ts'

const responses = '/backend-api/codex/responses'

describe('responses', () => {
  it('streams events in the order of the vendor, numbered, with usage in the last', async () => {
    const { call } = await begin()
    const answer = await call.codex(responses, response)
    const text = await answer.text()
    expect(orderOf(text)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ])
    const events = eventsOf(text)
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index))
    expect(events.at(-1).response).toMatchObject({
      status: 'completed',
      model: 'gpt-6.2-sol',
      usage: { input_tokens: 20, output_tokens: 17, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 37 },
    })
    expect(answer.headers.get('openai-model')).toBe('gpt-6.2-sol')
    expect(answer.headers.get('x-codex-turn-state')).toBe('practice-turn-codex-team')
  })

  it('sends reasoning and a custom tool call as items', async () => {
    const { practice, call } = await begin()
    const tool = { kind: 'custom', name: 'apply_patch', input: '*** Begin Patch\n*** End Patch' } as const
    practice.script('codex-team', { reply: { kind: 'vendor', content: { thinking: 'hm', text: '', tool } } })
    const events = eventsOf(await (await call.codex(responses, response)).text())
    const done = events.filter((event) => event.type === 'response.output_item.done').map((event) => event.item)
    expect(done.map((item) => item.type)).toEqual(['reasoning', 'custom_tool_call'])
    expect(done[1]).toMatchObject({ name: 'apply_patch', input: tool.input })
    const parts = events.filter((event) => event.type === 'response.custom_tool_call_input.delta')
    expect(parts.map((event) => event.delta).join('')).toBe(tool.input)
  })

  it('can leave the output of its last event empty and stop at the token limit', async () => {
    const { practice, call } = await begin()
    practice.script('codex-team', { reply: { kind: 'vendor', content: { emptyOutput: true, stop: 'length' } } })
    const last = eventsOf(await (await call.codex(responses, response)).text()).at(-1) as Loose
    expect([last.type, last.response.output, last.response.incomplete_details]).toEqual([
      'response.incomplete',
      [],
      { reason: 'max_output_tokens' },
    ])
  })

  it.each([
    ['zstd', zstdCompressSync],
    ['gzip', gzipSync],
  ] as const)('reads a body encoded as %s', async (encoding, encode) => {
    const { practice } = await begin()
    const headers = { ...codexHeaders(practice), 'content-encoding': encoding }
    const body = new Uint8Array(encode(Buffer.from(JSON.stringify(response))))
    const answer = await fetch(practice.origins.codex + responses, { method: 'POST', headers, body })
    expect(answer.status).toBe(200)
    await answer.text()
    expect(practice.seen()[0]?.body).toEqual(body)
  })

  it.each([
    ['an unknown encoding', 'lzma', 415],
    ['a corrupt body', 'zstd', 400],
  ] as const)('refuses %s', async (_name, encoding, status) => {
    const { call } = await begin()
    expect((await call.codex(responses, response, { 'content-encoding': encoding })).status).toBe(status)
  })

  const rules: readonly [string, object, string][] = [
    ['store is missing', { ...response, store: undefined }, 'Store must be set to false'],
    ['store is true', { ...response, store: true }, 'Store must be set to false'],
    ['stream is false', { ...response, stream: false }, 'Stream must be set to true'],
    ['an anchor is named', { ...response, previous_response_id: 'r' }, 'Unsupported parameter: previous_response_id'],
    ['a public parameter is sent', { ...response, truncation: 'auto' }, 'Unsupported parameter: truncation'],
  ]
  it.each(rules)('refuses a body when %s', async (_name, body, detail) => {
    const { call } = await begin()
    const answer = await call.codex(responses, body)
    expect([answer.status, await answer.json()]).toEqual([400, { detail }])
  })
})

describe('authentication', () => {
  it('wants the account id of the token', async () => {
    const { practice, call } = await begin()
    const other = practice.account('codex-personal').workspaceId
    const answer = await call.codex(responses, response, { 'chatgpt-account-id': other })
    expect([answer.status, await answer.json()]).toEqual([401, { detail: 'Unauthorized' }])
  })

  it('tells an expired token from a revoked one', async () => {
    const { practice, call } = await begin()
    practice.expireTokens('codex-team')
    const expired = (await (await call.codex(responses, response)).json()) as Loose
    practice.fault('codex-personal', 'revoke')
    const revoked = (await (await call.codex(responses, response, {}, 'codex-personal')).json()) as Loose
    expect([expired.error.code, revoked.error.code]).toEqual(['token_expired', 'token_invalidated'])
  })

  it('puts identity and expiry into the tokens as claims', async () => {
    const { practice } = await begin()
    const { accessToken, expiresAtMs } = practice.signIn('codex-team')
    const claims = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString())
    const { userId, workspaceId } = practice.account('codex-team')
    expect([claims.exp * 1000, expiresAtMs]).toEqual([noonMs + 864_000_000, noonMs + 864_000_000])
    expect(claims['https://api.openai.com/auth']).toMatchObject({
      chatgpt_account_id: workspaceId,
      chatgpt_user_id: userId,
      chatgpt_plan_type: 'business',
    })
  })
})

describe('the other calls', () => {
  it('compacts in one answer and refuses what compacting does not know', async () => {
    const { call } = await begin()
    const body = { model: 'gpt-6.2-sol', input: [], instructions: '' }
    const good = (await (await call.codex(`${responses}/compact`, body)).json()) as Loose
    const bad = await call.codex(`${responses}/compact`, { ...body, client_metadata: {} })
    expect([good.output[0].type, bad.status]).toEqual(['compaction', 400])
  })

  it('lists its catalogue', async () => {
    const { call } = await begin()
    const { models } = (await (await call.codex('/backend-api/codex/models?client_version=0.169.0')).json()) as Loose
    expect(models.map((model: Loose) => model.slug).slice(0, 2)).toEqual(['gpt-6.2-sol', 'gpt-6.2-astra'])
  })

  it('says the same of its windows in headers and at the usage endpoint', async () => {
    const { call } = await begin()
    const { headers } = await call.codex(responses, response)
    const usage = (await (await call.codex('/backend-api/wham/usage')).json()) as Loose
    expect(usage.rate_limit.primary_window).toEqual({
      used_percent: 35.9,
      limit_window_seconds: 18_000,
      reset_after_seconds: 7_200,
      reset_at: noonMs / 1000 + 7_200,
    })
    expect(headers.get('x-codex-primary-used-percent')).toBe('35.9')
    expect(headers.get('x-codex-primary-window-minutes')).toBe('300')
    expect(headers.get('x-codex-primary-reset-at')).toBe(String(noonMs / 1000 + 7_200))
    expect(headers.get('x-codex-secondary-window-minutes')).toBe('10080')
    expect(headers.get('x-codex-bengalfox-primary-used-percent')).toBe('3')
    expect(usage.additional_rate_limits[0].limit_name).toBe('GPT-5.3-Codex-Spark')
  })

  it('lists banked resets', async () => {
    const { call } = await begin()
    const credits = await (await call.codex('/backend-api/wham/rate-limit-reset-credits')).json()
    expect(credits).toMatchObject({ available_count: 1, credits: [{ status: 'available' }] })
  })

  it('puts the one window of a weekly-only plan into the primary slot', async () => {
    const { practice, call } = await begin()
    practice.setWindows(
      'codex-team',
      practice.account('codex-team').windows.filter((window) => window.name === 'weekly'),
    )
    const { headers } = await call.codex(responses, response)
    expect([headers.get('x-codex-primary-window-minutes'), headers.get('x-codex-secondary-window-minutes')]).toEqual([
      '10080',
      '0',
    ])
  })
})
