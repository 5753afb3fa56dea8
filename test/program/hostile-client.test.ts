/** Requests that mean harm: floods of headers, tricks in paths, endless and deep bodies (T7.2, T7.7, T7.9, F27, F28). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { completion } from './asks.ts'
import { open, rawSend, requestText, statuses } from './raw-socket.ts'
import { type Rig, startRig } from './start-core.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig({ sources: ['ollama'] })
})
afterAll(() => rig.close())

const small = JSON.stringify(completion({ model: 'gpt-oss:20b', stream: false }))
type Change = Partial<Parameters<typeof requestText>[0]>
const ask = (change: Change = {}): string =>
  requestText({
    port: rig.core.port,
    key: rig.key,
    body: small,
    ...change,
    headers: { connection: 'close', ...change.headers },
  })
const upstreamSaw = (): number => rig.practice.seen().length

describe('T7.2 F28 headers', () => {
  const many = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `x-${index}: ${index}`)
  test('up to 200 pass and the one placed last is seen; more are refused, never dropped silently', async () => {
    const own = 4
    for (const [count, status] of [
      [199, 200],
      [200, 200],
      [201, 431],
      [400, 431],
      [1_500, 431],
      [10_000, 431],
    ] as const) {
      const lines = [...many(count - own - 1), `authorization: Bearer ${rig.key}`]
      const { text, end } = await rawSend(rig.core.port, [ask({ headers: { authorization: null }, lines })])
      expect([count, statuses(text)[0] ?? end]).toEqual([count, status])
    }
  })

  test('a header line of 17 KB is refused', async () => {
    const { text } = await rawSend(rig.core.port, [ask({ lines: [`x-big: ${'a'.repeat(17 * 1024)}`] })])
    expect(statuses(text)).toEqual([431])
  })
})

describe('T7.7 paths', () => {
  test('tricks in the path never reach an upstream', async () => {
    const dots = ['..', '%2e%2e', '.%2e', '%2E.', '.', '%2e', '..;', '..%00', '..%2f', '..\\', '%252e%252e']
    const targets = [
      ...dots.flatMap((dot) => [
        `/v1/${dot}/v1/chat/completions`,
        `/${dot}/v1/chat/completions`,
        `/ollama/${dot}/v1/chat/completions`,
        `/v1/chat/${dot}/chat/completions`,
        `/v1/chat/completions/${dot}`,
      ]),
      '//v1/chat/completions',
      '/v1//chat/completions',
      '/v1/chat/completions/',
      '/v1/chat%2fcompletions',
      '/v1%2Fchat/completions',
      '/V1/chat/completions',
      '/v1/Chat/completions',
      '/v1/chat/completions%00',
      '/v1/chat/completions;x=1',
      '/v1/chat/completions%20',
      '/v1/chat/completions%0d%0ax: y',
      '/v1/chat/completions#x',
      '/http://evil.test/v1/chat/completions',
      '/@evil.test/v1/chat/completions',
      '/v1/embeddings',
      '/v1/images/generations',
      '/v1/files',
      '/v1/responses/resp_1',
      '/v1/messages/batches',
      '/api/oauth/usage',
      '/v1/oauth/token',
      '/backend-api/wham/usage',
      '/backend-api/codex/../wham/usage',
      '/backend-api/codex',
      '/backend-api/codex/models',
      '/api/generate',
      '/api/tags',
      '/metrics',
      '/k',
      '/k/',
      `/k/${'x'.repeat(9_000)}/v1/models`,
      ...Array.from({ length: 20 }, (_, n) => `/v1/chat/completions${'/'.repeat(n + 1)}`),
    ]
    expect(targets.length).toBeGreaterThanOrEqual(100)
    const before = upstreamSaw()
    for (const target of targets) {
      const { text } = await rawSend(rig.core.port, [ask({ target })])
      expect([target, [400, 401, 404].includes(statuses(text)[0] ?? 0)]).toEqual([target, true])
    }
    expect(upstreamSaw()).toBe(before)
  })
})

describe('T7.9 F27 bodies', () => {
  test('one byte over the limit is a 413 naming it, at the limit it passes; a stated length is refused unread', async () => {
    rig.set({ bodyLimitBytes: 1_024 })
    const fill = (length: number): string => {
      const start = '{"model":"gpt-oss:20b","messages":[],"x":"'
      return `${start}${'a'.repeat(length - start.length - 2)}"}`
    }
    expect(statuses((await rawSend(rig.core.port, [ask({ body: fill(1_024) })])).text)).toEqual([200])
    const over = await rawSend(rig.core.port, [ask({ body: fill(1_025) })])
    expect([statuses(over.text), over.text.includes('1 KiB'), over.end]).toEqual([[413], true, 'fin'])
    const stated = await rawSend(rig.core.port, [ask({ headers: { 'content-length': '99999999' }, body: '' })])
    expect(statuses(stated.text)).toEqual([413])
    rig.set({ bodyLimitBytes: 64 * 1024 * 1024 })
  })

  test('the default limit is 64 MiB: one byte more is a 413 that the client gets to read, one less passes', async () => {
    const start = '{"model":"gpt-oss:20b","messages":[],"x":"'
    const bodyOf = (length: number): Buffer =>
      Buffer.concat([Buffer.from(start), Buffer.alloc(length - start.length - 2, 'a'), Buffer.from('"}')])
    const limit = 64 * 1024 * 1024
    const over = await rig.call('/v1/chat/completions', undefined, { body: bodyOf(limit + 1) })
    expect([over.status, over.end, over.headers['x-pointsman-error']]).toEqual([413, 'whole', 'body_too_large'])
    const under = await rig.call('/v1/chat/completions', undefined, { body: bodyOf(limit - 1) })
    expect([under.status, under.end]).toEqual([200, 'whole'])
    expect(rig.practice.seen().at(-1)?.body?.length).toBe(limit - 1)
  })

  test('a chunked body without end is cut off at the limit and its connection closed', async () => {
    rig.set({ bodyLimitBytes: 256 * 1024 })
    const piece = `4000\r\n${'a'.repeat(0x4000)}\r\n`
    const pieces = [
      ask({ headers: { 'content-length': null, 'transfer-encoding': 'chunked' }, body: '' }),
      ...Array<string>(64).fill(piece),
    ]
    const { text } = await rawSend(rig.core.port, pieces)
    expect(statuses(text)).toEqual([413])
    rig.set({ bodyLimitBytes: 64 * 1024 * 1024 })
  })

  test('a body that ends before its stated length never reaches an upstream', async () => {
    const before = upstreamSaw()
    const socket = open(rig.core.port)
    await new Promise((resolve) => socket.write(ask({ headers: { 'content-length': '5000' } }), resolve))
    socket.end()
    await new Promise((resolve) => socket.once('close', resolve).resume())
    expect(upstreamSaw()).toBe(before)
  })

  for (const [name, body, status] of [
    ['100,000 deep', `{"model":"gpt-oss:20b","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 400],
    [
      'a prototype key',
      '{"model":"gpt-oss:20b","messages":[],"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
      200,
    ],
    ['two models', '{"model":"gpt-oss:20b","messages":[],"mod\\u0065l":"qwen3-coder:30b"}', 400],
    ['two models in different spellings', '{"model":"gpt-oss:20b","messages":[],"Model":"x"}', 200],
    ['an array', '[]', 400],
    ['nothing', '', 400],
    ['text behind it', '{"model":"gpt-oss:20b","messages":[]}{"model":"x"}', 400],
    ['a byte order mark', '\ufeff{"model":"gpt-oss:20b","messages":[]}', 400],
  ] as const) {
    test(`${name} → ${status}`, async () => {
      expect(statuses((await rawSend(rig.core.port, [ask({ body })])).text)).toEqual([status])
      expect(({} as { polluted?: number }).polluted).toBeUndefined()
    })
  }

  test('an unknown or corrupt content-encoding is refused', async () => {
    for (const [encoding, status] of [
      ['compress', 415],
      ['gzip, gzip', 415],
      ['gzip', 400],
      ['zstd', 400],
      ['br', 400],
    ] as const) {
      const { text } = await rawSend(rig.core.port, [ask({ headers: { 'content-encoding': encoding } })])
      expect([encoding, statuses(text)]).toEqual([encoding, [status]])
    }
  })
})
