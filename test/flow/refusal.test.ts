/** A refusal in each client's own style, unary and streaming; and who is refused before anything else (access.md). */
import { describe, expect, test } from 'vitest'
import { HeaderList } from '../../src/main/dialects/headers.ts'
import { refuseHead } from '../../src/main/flow/head-guard.ts'
import { type Caller, refusalAnswer } from '../../src/main/flow/refusal-answer.ts'
import { Refusal } from '../../src/main/flow/trail.ts'

const known: Caller = { authenticated: true, dialect: 'messages', stream: false, callId: '7' }
const answerOf = (refusal: Refusal, caller: Partial<Caller> = {}) => {
  const { status, headers, body } = refusalAnswer(refusal, { ...known, ...caller })
  const list = new HeaderList(headers)
  return { status, header: list.get, text: Buffer.from(body).toString() }
}
const spent = new Refusal('all_exhausted', { model: 'm', why: 'A: spent', when: 'then' }, { retryAfterMs: 90_500 })
const soon = new Refusal('none_available', { model: 'm', why: 'A: overloaded' }, { retryAfterMs: 5_000 })
const never = new Refusal('none_available', { model: 'm', why: 'A: switched off' })

describe('to a Messages client', () => {
  for (const [name, refusal, status, type, again, retryAfter] of [
    ['what a retry can’t cure says so', never, 503, 'api_error', 'false', null],
    ['what may pass soon stays retryable', soon, 503, 'api_error', null, '5'],
    ['a spent limit is a 429 with the time that truly blocks', spent, 429, 'rate_limit_error', 'false', '91'],
    [
      'a scope is a 403',
      new Refusal('access_scope_denied', { label: 'k', what: 'x' }),
      403,
      'permission_error',
      'false',
      null,
    ],
    [
      'a model is a 404',
      new Refusal('model_not_served', { model: 'm', served: 'x' }),
      404,
      'not_found_error',
      'false',
      null,
    ],
    [
      'a large body is a 413',
      new Refusal('body_too_large', { limit: '64 MiB' }),
      413,
      'request_too_large',
      'false',
      null,
    ],
    [
      'a duplicate is a 400',
      new Refusal('duplicate_field', { field: 'model' }),
      400,
      'invalid_request_error',
      'false',
      null,
    ],
    [
      'a lost upstream is retryable',
      new Refusal('upstream_unreachable', { host: 'h', why: 'w' }),
      502,
      'api_error',
      null,
      null,
    ],
  ] as const) {
    for (const stream of [false, true]) {
      test(`${name}${stream ? ', streaming' : ''}`, () => {
        const { header, text, ...found } = answerOf(refusal, { stream })
        expect([found.status, JSON.parse(text).error.type, header('x-should-retry'), header('retry-after')]).toEqual([
          status,
          type,
          again,
          retryAfter,
        ])
        expect(JSON.parse(text)).toEqual({
          type: 'error',
          error: { type, message: `${refusal.problem.sentence} ${refusal.problem.next}`, code: refusal.problem.code },
        })
        expect(header('x-pointsman-error')).toBe(refusal.problem.code)
      })
    }
  }
})

describe('to a Responses client', () => {
  test('a unary one gets status and JSON', () => {
    const { status, text, header } = answerOf(never, { dialect: 'responses' })
    expect([status, header('content-type'), JSON.parse(text).error]).toEqual([
      503,
      'application/json',
      {
        message: `${never.problem.sentence} ${never.problem.next}`,
        type: 'server_error',
        param: null,
        code: 'none_available',
      },
    ])
  })

  test('a streaming one gets a 200 stream that ends in `response.failed`, code `invalid_prompt`', () => {
    const { status, text, header } = answerOf(spent, { dialect: 'responses', stream: true })
    const events = text
      .trim()
      .split('\n\n')
      .map((event) => JSON.parse(event.split('\ndata: ')[1] ?? ''))
    expect([status, header('content-type'), header('retry-after'), events.map((event) => event.type)]).toEqual([
      200,
      'text/event-stream',
      '91',
      ['response.created', 'response.failed'],
    ])
    expect(events[1].response.error).toEqual({
      code: 'invalid_prompt',
      message: `${spent.problem.sentence} ${spent.problem.next}`,
    })
    expect(events.map((event) => event.sequence_number)).toEqual([0, 1])
  })

  test('what may pass soon keeps its status also when streaming', () => {
    expect(answerOf(soon, { dialect: 'responses', stream: true }).status).toBe(503)
  })

  // Of a 429 the CLI shows nothing and tries no more; of `rate_limit_exceeded` it waits as long as it is told.
  test.each([
    ['busy', new Refusal('local_busy'), 2],
    ['at its cap', new Refusal('access_concurrency_exceeded', { who: 'It', limit: 1 }), 2],
    ['a known time', soon, 5],
  ])('%s: the Codex CLI is told when to try again, in a stream that fails', (_name, refusal, seconds) => {
    const { status, text } = answerOf(refusal, { dialect: 'responses', stream: true, isCodex: true })
    const last = JSON.parse(text.trim().split('\ndata: ').at(-1) ?? '')
    const { sentence, next } = refusal.problem
    expect([status, last.type, last.response.error]).toEqual([
      200,
      'response.failed',
      { code: 'rate_limit_exceeded', message: `${sentence} ${next} Please try again in ${seconds}s.` },
    ])
  })

  test('a lost host keeps its status for the Codex CLI too, which tries for longer then', () => {
    const lost = new Refusal('upstream_unreachable', { host: 'h', why: 'no' })
    expect(answerOf(lost, { dialect: 'responses', stream: true, isCodex: true }).status).toBe(502)
  })
})

test('to a Chat client it is OpenAI’s error object, streaming or not', () => {
  for (const stream of [false, true]) {
    const { status, text, header } = answerOf(never, { dialect: 'chat', stream })
    expect([status, JSON.parse(text).error.code, header('x-should-retry')]).toEqual([503, 'none_available', 'false'])
  }
})

test('T1.10 to a stranger there is one sentence, no name, no next step', () => {
  for (const code of ['no_credentials', 'origin_refused', 'headers_too_many', 'bad_request'] as const) {
    const { headers, body } = refusalAnswer(new Refusal(code, { why: 'x' }), { ...known, authenticated: false })
    const whole = `${headers.join('\n')}\n${Buffer.from(body).toString()}`
    expect(whole.toLowerCase()).not.toContain('pointsman')
  }
})

describe('T1.3 T1.4 who may talk at all', () => {
  const port = 7646
  const head = (headers: readonly string[], target = '/v1/models') => {
    const refused = refuseHead({ method: 'GET', target, rawHeaders: headers, port }, new HeaderList(headers))
    return refused === null ? 'passes' : refused.problem.code
  }
  const ours = ['host', `127.0.0.1:${port}`]

  test('three hosts, in any case', () => {
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, `LocalHost:${port}`])
      expect([host, head(['Host', host])]).toEqual([host, 'passes'])
  })

  const names = [
    'evil.test',
    'localhost.evil.test',
    '127.0.0.1.evil.test',
    'user@127.0.0.1',
    'localhost.',
    'foo.localhost',
    'foo.local',
    'foo.internal',
    'my-machine',
    '192.168.0.5',
    '0.0.0.0',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[0:0:0:0:0:0:0:1]',
    '127.1',
    '127.0.0.2',
    '0x7f.1',
    '2130706433',
    '',
    ' ',
    'xn--nxasmq6b',
    '%6cocalhost',
    'localhost\u0000',
    'localhost\t',
    `evil.test#127.0.0.1`,
    'a'.repeat(300),
  ]
  test(`${names.length * 3} others are refused with the right port, a wrong port and none`, () => {
    expect(names.length * 3).toBeGreaterThanOrEqual(60)
    for (const name of names)
      for (const end of [`:${port}`, ':80', ''])
        expect([name, end, head(['host', name + end])]).toEqual([name, end, 'origin_refused'])
    for (const host of [
      '127.0.0.1',
      'localhost',
      '[::1]',
      `127.0.0.1:${port + 1}`,
      `127.0.0.1:0${port}`,
      `127.0.0.1:${port} `,
      `127.0.0.1:${port},x`,
    ])
      expect([host, head(['host', host])]).toEqual([host, 'origin_refused'])
  })

  for (const [name, headers, expected, target] of [
    ['no host', [], 'origin_refused', undefined],
    ['two hosts', [...ours, 'Host', `127.0.0.1:${port}`], 'origin_refused', undefined],
    ['any origin, also our own', [...ours, 'origin', `http://127.0.0.1:${port}`], 'origin_refused', undefined],
    ['an empty origin', [...ours, 'origin', ''], 'origin_refused', undefined],
    ['a cross-site fetch', [...ours, 'sec-fetch-site', 'cross-site'], 'origin_refused', undefined],
    ['a same-site fetch', [...ours, 'sec-fetch-site', 'same-site'], 'origin_refused', undefined],
    ['a fetch of no site', [...ours, 'sec-fetch-site', 'none'], 'passes', undefined],
    ['an absolute target', ours, 'origin_refused', `http://127.0.0.1:${port}/v1/models`],
    ['an asterisk', ours, 'origin_refused', '*'],
    ['a chunked body', [...ours, 'transfer-encoding', 'Chunked'], 'passes', undefined],
    ['another transfer-encoding', [...ours, 'transfer-encoding', 'gzip, chunked'], 'bad_request', undefined],
    [
      'two transfer-encodings',
      [...ours, 'transfer-encoding', 'chunked', 'Transfer-Encoding', 'chunked'],
      'bad_request',
      undefined,
    ],
    ['both framings', [...ours, 'transfer-encoding', 'chunked', 'content-length', '3'], 'bad_request', undefined],
    ['200 headers', [...ours, ...Array(398).fill('x')], 'passes', undefined],
    ['201 headers', [...ours, ...Array(400).fill('x')], 'headers_too_many', undefined],
  ] as const) {
    test(`${name} → ${expected}`, () => expect(head(headers as readonly string[], target)).toBe(expected))
  }
})
