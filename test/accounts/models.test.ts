/** Model lists of each kind of source, and what a bad answer becomes. */
import { describe, expect, it } from 'vitest'
import { type ModelPlace, mergeModels, readModels } from '../../src/main/accounts/models.ts'
import type { Credential } from '../../src/main/domain/credential.ts'
import type { UpstreamFailure, WebAnswer } from '../../src/main/ports.ts'
import { HandWeb, json, noHosts, oauth } from './kit.ts'

const place = (change: Partial<ModelPlace>): ModelPlace => ({
  kind: 'openai-compatible',
  label: 'Gateway',
  baseUrl: 'https://gateway.example.test/team',
  local: false,
  proxy: null,
  ...change,
})
const model = (id: string, free = false) => ({ id, upstreamModel: id, aliases: [], free })
const read = (where: ModelPlace, credential: Credential | null, web: HandWeb, hosts = noHosts) =>
  readModels(where, credential, { web, hosts, codexClientVersion: () => '0.170.0' })
const key: Credential = { kind: 'api-key', key: 'key-1' }

describe('a model list', () => {
  it('of Claude comes in pages, each asked once', async () => {
    const web = new HandWeb(
      json(200, { data: [{ id: 'claude-a' }, { id: 'claude-b' }], has_more: true, last_id: 'claude-b' }),
      json(200, { data: [{ id: 'claude-b' }, { id: 'claude-c' }], has_more: false, last_id: 'claude-c' }),
    )
    const given = await read(place({ kind: 'claude', baseUrl: null }), oauth(), web)
    expect(given).toEqual([model('claude-a'), model('claude-b'), model('claude-c')])
    const headers = [
      'authorization',
      'Bearer sk-ant-oat01-old',
      'accept',
      'application/json',
      'anthropic-version',
      '2023-06-01',
      'anthropic-beta',
      'oauth-2025-04-20',
    ]
    expect(web.requests).toEqual(
      ['', '&after_id=claude-b'].map((cursor) => ({
        url: `https://api.anthropic.com/v1/models?limit=100${cursor}`,
        method: 'GET',
        headers,
        body: null,
        proxy: null,
        timeoutMs: 5_000,
      })),
    )
  })

  it('of Claude that never ends is cut after ten pages', async () => {
    let page = 0
    const web = new HandWeb().otherwise(() => {
      page += 1
      return json(200, { data: [{ id: `m${page}` }], has_more: true, last_id: `m${page}` })
    })
    expect(await read(place({ kind: 'claude', baseUrl: null }), oauth(), web)).toHaveLength(10)
  })

  it('of Codex names the client version seen and leaves hidden rows out', async () => {
    const web = new HandWeb(
      json(200, {
        models: [
          { slug: 'gpt-6.2-sol', visibility: 'list' },
          { slug: 'gpt-reserve', visibility: 'hide' },
          { slug: 'gpt-x' },
        ],
      }),
    )
    const credential = oauth({ accessToken: 'jwt', accountId: 'acc', fedramp: true })
    const hosts = { ...noHosts, codex: 'http://127.0.0.1:9999' }
    expect(
      await read(place({ kind: 'codex', baseUrl: null, proxy: 'http://127.0.0.1:1' }), credential, web, hosts),
    ).toEqual([model('gpt-6.2-sol'), model('gpt-x')])
    expect(web.requests).toEqual([
      {
        url: 'http://127.0.0.1:9999/backend-api/codex/models?client_version=0.170.0',
        method: 'GET',
        headers: [
          'authorization',
          'Bearer jwt',
          'accept',
          'application/json',
          'chatgpt-account-id',
          'acc',
          'x-openai-fedramp',
          'true',
        ],
        body: null,
        proxy: 'http://127.0.0.1:1',
        timeoutMs: 5_000,
      },
    ])
  })

  it.each([
    ['openai-compatible', ['accept', 'application/json', 'authorization', 'Bearer key-1'], '/v1/models'],
    [
      'anthropic-compatible',
      ['accept', 'application/json', 'anthropic-version', '2023-06-01', 'x-api-key', 'key-1'],
      '/v1/models?limit=100',
    ],
  ] as const)('of an %s profile is read with its key in its own place', async (kind, headers, path) => {
    const web = new HandWeb(
      json(200, { object: 'list', data: [{ id: 'm/1:x' }, { id: '' }, { id: 'a\u0000b' }, {}, 7] }),
    )
    expect(await read(place({ kind }), key, web)).toEqual([model('m/1:x')])
    expect(web.requests).toEqual([
      {
        url: `https://gateway.example.test/team${path}`,
        method: 'GET',
        headers,
        body: null,
        proxy: null,
        timeoutMs: 5_000,
      },
    ])
  })

  it('of Ollama is free but for models in its cloud', async () => {
    const web = new HandWeb(
      json(200, { models: [{ name: 'gpt-oss:20b' }, { name: 'kimi:1t-cloud' }, { model: 'qwen:cloud' }] }),
    )
    const where = place({ kind: 'ollama', baseUrl: 'http://127.0.0.1:11434', local: true })
    expect(await read(where, null, web)).toEqual([
      model('gpt-oss:20b', true),
      model('kimi:1t-cloud'),
      model('qwen:cloud'),
    ])
    expect(web.requests.map(({ url }) => url)).toEqual(['http://127.0.0.1:11434/api/tags'])
  })

  it('of a local server that isn’t Ollama is found in the OpenAI style', async () => {
    const web = new HandWeb(json(404, {}), json(200, { data: [{ id: 'local' }] }))
    const where = place({ kind: 'ollama', baseUrl: 'http://127.0.0.1:8080', local: true })
    expect(await read(where, null, web)).toEqual([model('local', true)])
  })

  it.each<[string, WebAnswer | UpstreamFailure, string]>([
    ['no answer', { kind: 'silent' }, 'no answer came in time'],
    ['no network', { kind: 'unreachable', why: 'the name does not resolve' }, 'the name does not resolve'],
    ['a server error', json(500, { error: 'key-1' }), 'the answer was HTTP 500'],
    ['HTML', { status: 200, headers: [], text: '<html>' }, 'the answer is not a list of models'],
    [
      'another shape',
      json(200, { data: 'none', code: 'x', sentence: 'y', again: true }),
      'the answer is not a list of models',
    ],
  ])('that fails with %s is a problem that says why', async (_, answer, why) => {
    expect(await read(place({}), key, new HandWeb(answer))).toMatchObject({
      code: 'models_unreadable',
      sentence: `The model list of Gateway could not be read: ${why}.`,
    })
  })

  it('refused to a key says that the key is rejected', async () => {
    expect(await read(place({}), key, new HandWeb(json(401, {})))).toMatchObject({ code: 'key_rejected' })
  })

  it('is cut at 500 models', async () => {
    const data = Array.from({ length: 2_000 }, (_, n) => ({ id: `m${n}` }))
    expect(await read(place({}), key, new HandWeb(json(200, { data })))).toHaveLength(500)
  })

  it('merged into what is there keeps what the person set on models that stay', () => {
    const mine = { id: 'a', upstreamModel: 'b', aliases: ['c'], free: true }
    expect(mergeModels([mine, model('gone')], [model('new'), model('a')])).toEqual([model('new'), mine])
  })
})
