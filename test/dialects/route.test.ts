/** What a request line asks for, and that no trick in a path is ever guessed at (routing §2, T7.7). */
import { describe, expect, test } from 'vitest'
import { readRoute } from '../../src/main/dialects/route.ts'

const operations: readonly (readonly [string, string, string, string])[] = [
  ['POST', 'messages', 'messages', 'generate'],
  ['POST', 'messages/count_tokens', 'messages', 'count'],
  ['POST', 'responses', 'responses', 'generate'],
  ['POST', 'responses/input_tokens', 'responses', 'count'],
  ['POST', 'responses/compact', 'responses', 'compact'],
  ['POST', 'chat/completions', 'chat', 'generate'],
  ['GET', 'models', 'responses', 'list'],
]

describe('what is served', () => {
  for (const [method, path, dialect, operation] of operations) {
    for (const [prefix, providerId, pathKey] of [
      ['/v1', 'any', null],
      ['/any/v1', 'any', null],
      ['/claude/v1', 'claude', null],
      ['/codex-team/v1', 'codex-team', null],
      ['/k/pk_x/v1', 'any', 'pk_x'],
      ['/k/pk_x/codex/v1', 'codex', 'pk_x'],
    ] as const) {
      test(`${method} ${prefix}/${path}`, () => {
        expect(readRoute(method, `${prefix}/${path}?beta=true`)).toEqual({
          kind: 'route',
          pathKey,
          providerId,
          dialect,
          operation,
          modelId: null,
          query: '?beta=true',
        })
        expect(readRoute(method === 'GET' ? 'POST' : 'GET', `${prefix}/${path}`).kind).toBe('unknown')
      })
    }
  }

  for (const [target, operation] of [
    ['/backend-api/codex/responses', 'generate'],
    ['/k/pk_x/backend-api/codex/responses/compact', 'compact'],
  ] as const) {
    test(`POST ${target} is an alias of codex`, () => {
      expect(readRoute('POST', target)).toMatchObject({
        kind: 'route',
        providerId: 'codex',
        dialect: 'responses',
        operation,
      })
    })
  }

  for (const [target, modelId] of [
    ['/v1/models/gpt-5.5', 'gpt-5.5'],
    ['/v1/models/gpt-oss%3A20b', 'gpt-oss:20b'],
    ['/ollama/v1/models/library/qwen', 'library/qwen'],
    ['/v1/models/a%2Fb', 'a/b'],
    ['/v1/models/claude-opus-4-8%5B1m%5D', 'claude-opus-4-8[1m]'],
  ] as const) {
    test(`GET ${target} is the model ${modelId}`, () => {
      expect(readRoute('GET', target)).toMatchObject({ kind: 'route', operation: 'list', modelId })
    })
  }

  test('the liveness probe, with and without key and provider', () => {
    for (const target of [
      '/api/hello',
      '/claude/api/hello',
      '/k/pk_x/api/hello',
      '/k/pk_x/codex/api/hello',
      '/api/hello?x=1',
    ]) {
      expect([readRoute('GET', target).kind, readRoute('HEAD', target).kind, readRoute('POST', target).kind]).toEqual([
        'alive',
        'alive',
        'unknown',
      ])
    }
  })

  test('the debug routes', () => {
    expect(readRoute('GET', '/__debug/routes?model_id=x')).toEqual({
      kind: 'debug-routes',
      pathKey: null,
      test: false,
      query: '?model_id=x',
    })
    expect(readRoute('POST', '/k/pk_x/__debug/routes/test')).toMatchObject({
      kind: 'debug-routes',
      pathKey: 'pk_x',
      test: true,
    })
    expect(['/__debug', '/__debug/routes/x', '/__debug/config'].map((target) => readRoute('GET', target).kind)).toEqual(
      Array(3).fill('unknown'),
    )
  })
})

describe('T7.7 what is not', () => {
  const dots = [
    '.',
    '..',
    '%2e',
    '%2E%2e',
    '.%2e',
    '..;',
    '..%2f',
    '%2f',
    '%5c',
    '..\\',
    '%00',
    '%0d%0a',
    '%252e%252e',
    '',
    ' ',
    '\t',
    '\u0000',
    'é',
    '"',
    '<',
    '{x}',
    '|',
    '^',
    '`',
  ]
  const bases = ['/v1', '/claude/v1', '/k/pk_x/v1', '/backend-api/codex']
  const tricks = [
    ...bases.flatMap((base) => dots.flatMap((dot) => [`${base}/${dot}/responses`, `${base}/responses/${dot}`])),
    ...[
      '',
      '/',
      '*',
      '//v1/responses',
      'http://evil.test/v1/responses',
      '/v1/responses#x',
      '/V1/responses',
      '/v1/Responses',
      '/v1/responsesx',
      '/v2/responses',
      '/v1/responses;a=b',
    ],
    ...[
      '/v1',
      '/v1/',
      '/claude',
      '/claude/v1',
      '/k',
      '/k/',
      '/k/pk_x',
      '/a/b/v1/responses',
      '/v1/v1/responses',
      '/backend-api/codex/models',
      '/backend-api/wham/usage',
      '/backend-api/responses',
    ],
    ...[
      '/v1/responses/resp_1',
      '/v1/messages/batches',
      '/v1/embeddings',
      '/v1/oauth/token',
      '/api/oauth/usage',
      '/api/tags',
      '/api/hello/x',
      '/x/y/api/hello',
    ],
    `/v1/responses?${'x'.repeat(9_000)}`,
  ]
  test(`${tricks.length} tricks are unknown for every method`, () => {
    expect(tricks.length).toBeGreaterThanOrEqual(100)
    for (const target of tricks) {
      for (const method of ['POST', 'GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'])
        expect([method, target, readRoute(method, target).kind]).toEqual([method, target, 'unknown'])
    }
  })

  test('a model’s name can’t leave its place', () => {
    for (const target of [
      '/v1/models/',
      '/v1/models/..',
      '/v1/models/../responses',
      '/v1/models//x',
      '/v1/models/%00',
      '/v1/models/%ff',
      '/v1/models/a%0d%0ab',
      `/v1/models/${'x'.repeat(300)}`,
    ]) {
      expect([target, readRoute('GET', target).kind]).toEqual([target, 'unknown'])
    }
  })

  test('what is shown of a path never holds its key', () => {
    const unknown = readRoute('POST', '/k/pk_secret/nothing/here')
    expect(unknown).toEqual({ kind: 'unknown', pathKey: 'pk_secret', shown: '/nothing/here' })
  })
})
