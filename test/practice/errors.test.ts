/** Every named failure in the words of each vendor (claude §4.4–4.5, codex §4.5–4.6, §5.3). */
import { describe, expect, it } from 'vitest'
import type { ErrorName } from '../../src/main/practice/practice.ts'
import { begin, type Loose, message, noonMs, response } from './fixture.ts'

type Row = readonly [ErrorName, number, string]

async function read(answer: Response): Promise<[number, string]> {
  const text = await answer.text()
  if (text.startsWith('<')) return [answer.status, 'html']
  const { error, detail } = JSON.parse(text) as Loose
  return [answer.status, error?.code ?? error?.type ?? detail?.code ?? detail]
}

describe('Claude accounts', () => {
  it.each<Row>([
    ['spent', 429, 'rate_limit_error'],
    ['spent-family', 429, 'rate_limit_error'],
    ['burst', 429, 'rate_limit_error'],
    ['overloaded', 529, 'overloaded_error'],
    ['server-error', 500, 'api_error'],
    ['timeout', 504, 'timeout_error'],
    ['unauthorised', 401, 'authentication_error'],
    ['expired', 401, 'authentication_error'],
    ['revoked', 401, 'authentication_error'],
    ['deactivated', 403, 'permission_error'],
    ['forbidden', 403, 'permission_error'],
    ['html-block', 403, 'html'],
    ['billing', 402, 'billing_error'],
    ['model-unknown', 404, 'not_found_error'],
    ['model-not-entitled', 403, 'permission_error'],
    ['invalid', 400, 'invalid_request_error'],
    ['too-large', 413, 'request_too_large'],
    ['context-too-long', 400, 'invalid_request_error'],
    ['long-context', 429, 'rate_limit_error'],
    ['extra-usage', 400, 'invalid_request_error'],
    ['safety', 400, 'invalid_request_error'],
  ])('says %s as %i %s', async (error, status, type) => {
    const { practice, call } = await begin()
    practice.script('claude-work', { reply: { kind: 'error', error } })
    expect(await read(await call.claude('/v1/messages', message))).toEqual([status, type])
  })

  it('names the spent window in the headers, and none in a burst', async () => {
    const { practice, call } = await begin()
    const told = async (error: ErrorName): Promise<(string | null)[]> => {
      practice.script('claude-work', { reply: { kind: 'error', error } })
      const { headers } = await call.claude('/v1/messages', { ...message, model: 'claude-fable-5-1' })
      const windows = ['5h', '7d', '7d_oi'].map((name) => headers.get(`anthropic-ratelimit-unified-${name}-status`))
      return [...windows, headers.get('retry-after')]
    }
    expect([await told('spent'), await told('spent-family'), await told('burst')]).toEqual([
      ['rejected', 'allowed', 'allowed', '300'],
      ['allowed', 'allowed', 'rejected', '300'],
      ['allowed', 'allowed', 'allowed', '3'],
    ])
  })

  it('gives each error the request id of its header', async () => {
    const { practice, call } = await begin()
    practice.script('claude-work', { reply: { kind: 'error', error: 'server-error' } })
    const answer = await call.claude('/v1/messages', message)
    expect(((await answer.json()) as Loose).request_id).toBe(answer.headers.get('request-id'))
  })
})

describe('Codex accounts', () => {
  it.each<Row>([
    ['spent', 429, 'usage_limit_reached'],
    ['burst', 429, 'rate_limit_exceeded'],
    ['overloaded', 503, 'server_is_overloaded'],
    ['server-error', 500, 'server_error'],
    ['timeout', 504, 'server_error'],
    ['unauthorised', 401, 'Unauthorized'],
    ['expired', 401, 'token_expired'],
    ['revoked', 401, 'token_invalidated'],
    ['deactivated', 402, 'deactivated_workspace'],
    ['forbidden', 403, 'codex_workspace_access_denied'],
    ['html-block', 403, 'html'],
    ['billing', 429, 'usage_not_included'],
    ['model-not-entitled', 400, 'The model is not supported when using Codex with a ChatGPT account.'],
    ['invalid', 400, 'Invalid request'],
    ['context-too-long', 400, 'context_length_exceeded'],
    ['safety', 400, 'cyber_policy'],
    ['previous-response-not-found', 400, 'previous_response_not_found'],
  ])('says %s as %i %s', async (error, status, code) => {
    const { practice, call } = await begin()
    practice.script('codex-team', { reply: { kind: 'error', error } })
    expect(await read(await call.codex('/backend-api/codex/responses', response))).toEqual([status, code])
  })

  it('gives a spent window its reset', async () => {
    const { practice, call } = await begin()
    practice.script('codex-team', { reply: { kind: 'error', error: 'spent' } })
    const answer = await call.codex('/backend-api/codex/responses', response)
    expect(answer.headers.get('x-codex-primary-used-percent')).toBe('100')
    expect(((await answer.json()) as Loose).error.resets_at).toBe(noonMs / 1000 + 300)
  })
})

describe('keys and Ollama', () => {
  it.each<Row>([
    ['spent', 429, 'insufficient_quota'],
    ['burst', 429, 'rate_limit_exceeded'],
    ['overloaded', 503, 'server_is_overloaded'],
    ['unauthorised', 401, 'invalid_api_key'],
    ['model-unknown', 404, 'model_not_found'],
    ['forbidden', 403, 'unsupported_country_region_territory'],
  ])('says %s as %i %s at an OpenAI-style host', async (error, status, code) => {
    const { practice, call } = await begin()
    practice.script('openai-key', { reply: { kind: 'error', error } })
    expect(await read(await call.openai('/v1/responses', response))).toEqual([status, code])
  })

  it('says a spent Anthropic key as a cap without a timer', async () => {
    const { practice, call } = await begin()
    practice.fault('anthropic-key', 'exhaust')
    const answer = await call.anthropic('/v1/messages', message)
    expect([answer.status, answer.headers.get('retry-after'), ((await answer.json()) as Loose).error.details]).toEqual([
      429,
      null,
      { error_code: 'enforced_spend_limit_reached' },
    ])
  })

  it('says an Ollama failure as one text', async () => {
    const { practice, call } = await begin()
    practice.script('ollama', { reply: { kind: 'error', error: 'model-unknown' } })
    const answer = await call.ollama('/v1/chat/completions', message)
    expect([answer.status, await answer.json()]).toEqual([404, { error: 'model not found, try pulling it first' }])
  })
})
