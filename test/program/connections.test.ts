/** Connections that do odd things: pipelining, garbage, expectations, half-open floods (F29 to F31, T7.8). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { completion } from './asks.ts'
import { open, rawSend, requestText, statuses } from './raw-socket.ts'
import { readAnswers } from './read-answers.ts'
import { type Rig, startRig, until } from './start-core.ts'

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

describe('F29 one connection, several requests', () => {
  test('pipelined requests are answered in order, never mixed', async () => {
    const bodies = Array.from({ length: 12 }, (_, n) => small.replace('hello', `number ${n}`))
    rig.practice.script(
      'ollama',
      ...bodies.map((_, n) => ({
        delayMs: (12 - n) * 3,
        reply: { kind: 'vendor' as const, content: { text: `answer-${n}` } },
      })),
    )
    const pieces = bodies.map((body, n) =>
      requestText({ port: rig.core.port, key: rig.key, body, headers: n === 11 ? { connection: 'close' } : {} }),
    )
    const { text } = await rawSend(rig.core.port, [pieces.join('')])
    expect(statuses(text)).toEqual(Array(12).fill(200))
    const parts = text.split('HTTP/1.1 200').slice(1)
    expect(parts.every((part) => (part.match(/answer-\d+/g) ?? []).length === 1)).toBe(true)
  })

  test('garbage behind a running answer closes the connection and adds no byte to it', async () => {
    rig.practice.script('ollama', { wire: { pieceDelayMs: 20 }, reply: { kind: 'vendor', content: { words: 20 } } })
    const streaming = requestText({
      port: rig.core.port,
      key: rig.key,
      body: JSON.stringify(completion({ model: 'gpt-oss:20b' })),
    })
    const { text } = await rawSend(rig.core.port, [`${streaming}NOT HTTP AT ALL\r\n\r\n`])
    expect(statuses(text).filter((status) => status === 400).length === 0 || statuses(text)[0] === 400).toBe(true)
    expect(text.includes('data: ') && text.includes('HTTP/1.1 400')).toBe(false)
  })

  test('a pipelined call whose connection closes before its turn gives everything back', async () => {
    const secret = rig.newKey('two at a time', { concurrency: 2 })
    rig.practice.usually('ollama', { reply: { kind: 'no-head', end: 'stall' } })
    const one = requestText({ port: rig.core.port, key: secret, body: small })
    const before = rig.practice.seen().length
    const socket = open(rig.core.port)
    socket.write(one + one)
    await until(() => (rig.practice.seen().length >= before + 2 ? true : null), 'both calls reach the upstream')
    socket.destroy()
    await until(
      () =>
        rig.practice
          .seen()
          .slice(before)
          .every((call) => call.ended === 'by-peer')
          ? true
          : null,
      'both upstream calls are closed',
    )
    rig.practice.usually('ollama', null)
    const again = await rawSend(rig.core.port, [
      requestText({ port: rig.core.port, key: secret, body: small, headers: { connection: 'close' } }),
    ])
    expect(statuses(again.text)).toEqual([200])
  })

  test.each([
    ['while the first still runs', 40, 0],
    ['after the second is done', 0, 40],
  ])('a pipelined Expect: 100-continue answered %s puts no line into an answer', async (_, firstMs, secondMs) => {
    const answer = (delayMs: number) => ({ delayMs, reply: { kind: 'vendor' as const, content: { text: 'done' } } })
    rig.practice.script('ollama', answer(firstMs), answer(secondMs))
    const first = requestText({ port: rig.core.port, key: rig.key, body: small })
    const { text } = await rawSend(rig.core.port, [first + ask({ headers: { expect: '100-continue' } })])
    const answers = readAnswers(text)
    expect(answers?.filter((status) => status !== 100)).toEqual([200, 200])
    for (const body of text.split(/HTTP\/1\.1 200[\s\S]*?\r\n\r\n/).slice(1)) expect(body.startsWith('{')).toBe(true)
  })

  test('a connection is usable again after an error that read the whole body', async () => {
    const bad = requestText({ port: rig.core.port, key: rig.key, body: '[]' })
    const { text } = await rawSend(rig.core.port, [bad + ask()])
    expect(statuses(text)).toEqual([400, 200])
  })
})

describe('F30 F31 what is not a plain request', () => {
  for (const [name, bytes, status] of [
    ['a TLS hello', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]), 400],
    ['garbage', 'hello there\r\n\r\n', 400],
  ] as const) {
    test(`${name} is closed with ${status}`, async () => {
      const { text } = await rawSend(rig.core.port, [bytes])
      expect(statuses(text)).toEqual([status])
    })
  }

  test('Expect: 100-continue is honoured, other expectations are 417, CONNECT is 405, TRACE and h2c get nothing', async () => {
    const waiting = await rawSend(rig.core.port, [ask({ headers: { expect: '100-continue' } })])
    expect(statuses(waiting.text)).toEqual([100, 200])
    expect(statuses((await rawSend(rig.core.port, [ask({ headers: { expect: 'a miracle' } })])).text)).toEqual([417])
    expect(
      statuses((await rawSend(rig.core.port, [ask({ method: 'CONNECT', target: 'evil.test:443', body: '' })])).text),
    ).toEqual([405])
    expect(statuses((await rawSend(rig.core.port, [ask({ method: 'TRACE' })])).text)).toEqual([404])
    const h2c = { connection: 'Upgrade, HTTP2-Settings, close', upgrade: 'h2c', 'http2-settings': 'AAMAAABk' }
    expect(statuses((await rawSend(rig.core.port, [ask({ headers: h2c })])).text)).toEqual([200])
  })

  test('no Expect is answered with 100 before the key and the length are known to be good', async () => {
    const refused = await rawSend(rig.core.port, [ask({ key: 'wrong', headers: { expect: '100-continue' } })])
    expect(statuses(refused.text)).toEqual([401])
    const large = await rawSend(rig.core.port, [
      ask({ headers: { expect: '100-continue', 'content-length': '999999999999' }, body: '' }),
    ])
    expect(statuses(large.text)).toEqual([413])
  })
})

test('F32 beyond 512 running calls the next ones are refused at once, and none hangs', async () => {
  rig.practice.usually('ollama', { reply: { kind: 'no-head', end: 'stall' } })
  const before = rig.practice.seen().length
  const one = ask({ headers: { connection: 'keep-alive' } })
  const running = Array.from({ length: 512 }, () => open(rig.core.port).on('error', () => {}))
  for (const socket of running) socket.write(one)
  await until(() => (rig.practice.seen().length === before + 512 ? true : null), '512 calls run', 30_000)
  for (let n = 0; n < 5; n += 1) {
    const { text, end } = await rawSend(rig.core.port, [ask()])
    expect([statuses(text), text.includes('local_busy'), end]).toEqual([[503], true, 'fin'])
  }
  for (const socket of running) socket.destroy()
  rig.practice.usually('ollama', null)
  await until(
    async () => (statuses((await rawSend(rig.core.port, [ask()])).text)[0] === 200 ? true : null),
    'calls again',
  )
})

test('T7.8 600 half-open requests stop nobody, and are closed', async () => {
  const sockets = Array.from({ length: 600 }, () => open(rig.core.port))
  let closed = 0
  for (const socket of sockets) {
    socket.on('error', () => {})
    socket.on('close', () => {
      closed += 1
    })
    socket.resume()
    socket.write(`POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1:${rig.core.port}\r\nx-slow: `)
  }
  await until(() => (sockets.every((socket) => !socket.connecting) ? true : null), 'all are connected')
  for (let n = 0; n < 20; n += 1) expect(statuses((await rawSend(rig.core.port, [ask()])).text)).toEqual([200])
  await until(() => (closed === 600 ? true : null), 'all slow ones are closed', 60_000)
})
