/** The small request that tests a key or a local provider: what is sent, and what each answer means. */
import { describe, expect, it } from 'vitest'
import { plainAsk, tryModel } from '../../src/main/accounts/try-model.ts'
import type { Dialect, Profile } from '../../src/main/domain/source.ts'
import type { UpstreamFailure, WebAnswer } from '../../src/main/ports.ts'
import { sourceId } from '../../src/shared/ids.ts'
import { HandWeb, json } from './kit.ts'

const source = (dialects: readonly Dialect[], provider: Profile['provider']): Profile => ({
  id: sourceId('gateway'),
  type: 'api',
  provider,
  label: 'Gateway',
  active: true,
  models: [],
  defaultModel: null,
  weight: 1,
  proxy: null,
  credentialRef: null,
  dialects,
  baseUrl: 'https://gateway.example.test/path',
  joins: [],
  createdAtMs: 0,
  updatedAtMs: 0,
})
const key = { kind: 'api-key', key: 'key-1' } as const
const turns = [{ role: 'user', content: 'Answer with the word ok.' }]

describe('one small request', () => {
  it.each([
    ['messages', 'anthropic-compatible', '/v1/messages', { model: 'm', max_tokens: 16, messages: turns }],
    [
      'responses',
      'openai-compatible',
      '/v1/responses',
      { model: 'm', max_output_tokens: 16, input: 'Answer with the word ok.', store: false },
    ],
    ['chat', 'openai-compatible', '/v1/chat/completions', { model: 'm', max_tokens: 16, messages: turns }],
  ] as const)('in %s, with the key in its own header', async (dialect, provider, path, body) => {
    const web = new HandWeb(json(200, {}))
    const made = source([dialect], provider)
    expect(await tryModel(made, plainAsk(made, 'm'), key, { web })).toMatchObject({ status: 200 })
    const [sent] = web.requests
    expect({ url: sent?.url, method: sent?.method, body: JSON.parse(sent?.body ?? '') }).toEqual({
      url: `https://gateway.example.test/path${path}`,
      method: 'POST',
      body,
    })
    const at = sent?.headers.indexOf('key-1') ?? -1
    const bearer = sent?.headers.indexOf('Bearer key-1') ?? -1
    const name = sent?.headers[(at < 0 ? bearer : at) - 1]
    expect(name).toBe(provider === 'anthropic-compatible' ? 'x-api-key' : 'authorization')
  })

  it('goes where calls go: a version in the address is kept', async () => {
    const web = new HandWeb(json(200, {}))
    const made = { ...source(['chat'], 'openai-compatible'), baseUrl: 'https://gateway.example.test/api/paas/v4' }
    await tryModel(made, plainAsk(made, 'm'), key, { web })
    expect(web.requests[0]?.url).toBe('https://gateway.example.test/api/paas/v4/chat/completions')
  })

  const refusal = (status: number, text: string): WebAnswer => ({ status, headers: [], text })
  const cases: readonly [string, WebAnswer | UpstreamFailure, string, string][] = [
    ['a refused key', refusal(401, '{}'), 'key_rejected', 'The API key of Gateway was rejected by its vendor.'],
    [
      'a named error',
      refusal(404, '{"error":{"type":"not_found_error","message":"secret words"}}'),
      'test_failed',
      'Gateway did not answer the test: the answer was HTTP 404, not_found_error.',
    ],
    ['a page', refusal(502, '<html>'), 'test_failed', 'Gateway did not answer the test: the answer was HTTP 502.'],
    ['nothing', { kind: 'unreachable', why: 'refused' }, 'test_failed', 'Gateway did not answer the test: refused.'],
  ]
  it.each(cases)('%s is told in a sentence without the body', async (_, answer, code, sentence) => {
    const made = source(['messages'], 'anthropic-compatible')
    const found = await tryModel(made, plainAsk(made, 'm'), key, { web: new HandWeb(answer) })
    expect(found).toMatchObject({ code, sentence })
  })
})
