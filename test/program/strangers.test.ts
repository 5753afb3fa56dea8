/** Who may talk at all: web pages, foreign hosts, callers without a key, the network (T1.1 to T1.4, T1.10, T8). */
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { completion } from './asks.ts'
import { open, rawSend, requestText, statuses } from './raw-socket.ts'
import { type Rig, startRig } from './start-core.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig({ sources: ['ollama'] })
})
afterAll(() => rig.close())

const body = JSON.stringify(completion({ model: 'gpt-oss:20b', stream: false }))
const close = { connection: 'close' }
const ask = (change: Parameters<typeof requestText>[0] | object = {}): string =>
  requestText({
    port: rig.core.port,
    key: rig.key,
    body,
    ...change,
    headers: { ...close, ...(change as { headers?: object }).headers },
  })
const upstreamSaw = (): number => rig.practice.seen().length

/** What a stranger is told: no product, no version, nothing a page could read. */
function expectMute(text: string): void {
  expect(text.toLowerCase()).not.toMatch(/pointsman|access-control|server:|x-powered/)
}

test('an otherwise identical request without the evil part passes', async () => {
  const { text } = await rawSend(rig.core.port, [ask()])
  expect(statuses(text)).toEqual([200])
})

describe('T1.3 T1.4 only the exact hosts are answered', () => {
  const good = (port: number): readonly string[] => [
    `127.0.0.1:${port}`,
    `localhost:${port}`,
    `[::1]:${port}`,
    `LOCALHOST:${port}`,
  ]
  const names = [
    'evil.test',
    'localhost.evil.test',
    '127.0.0.1.evil.test',
    'user@127.0.0.1',
    'localhost.',
    'foo.localhost',
    'foo.local',
    'foo.internal',
    '10.0.0.7',
    '192.168.1.10',
    '0.0.0.0',
    '[::]',
    '[::ffff:7f00:1]',
    '[::ffff:127.0.0.1]',
    '127.1',
    '127.0.0.2',
    '0x7f.1',
    '2130706433',
    '017700000001',
    'a'.repeat(300),
    'xn--80ak6aa92e',
    '%31%32%37.0.0.1',
    'ip6-localhost',
  ]
  const odd = (port: number): readonly string[] => [
    ...names.flatMap((name) => [name, `${name}:${port}`, `${name}:80`]),
    '127.0.0.1',
    'localhost',
    '[::1]',
    `127.0.0.1:${port + 1}`,
    '127.0.0.1:80',
    '',
    `:${port}`,
    ' ',
    '\t',
    `127.0.0.1:${port},evil.test`,
    `127.0.0.1:${port}, 127.0.0.1:${port}`,
    `127.0.0.1:0${port}`,
    `127.0.0.1: ${port}`,
    `evil.test#127.0.0.1:${port}`,
    `127.0.0.1:${port}/`,
    `127.0.0.1:${port}\u00e9`,
  ]

  test('the allowed ones pass', async () => {
    for (const host of good(rig.core.port)) {
      const { text } = await rawSend(rig.core.port, [ask({ headers: { host } })])
      expect([host, statuses(text)]).toEqual([host, [200]])
    }
  })

  test('everything else is refused before the upstream hears of it', async () => {
    const before = upstreamSaw()
    const hosts = odd(rig.core.port)
    expect(hosts.length).toBeGreaterThanOrEqual(60)
    for (const host of hosts) {
      const { text } = await rawSend(rig.core.port, [ask({ headers: { host } })])
      expect([host, statuses(text)[0] === 403 || statuses(text)[0] === 400]).toEqual([host, true])
      expectMute(text)
    }
    expect(upstreamSaw()).toBe(before)
  })

  test('so are no host, two hosts, HTTP/1.0 without one and absolute-form targets', async () => {
    const { port } = rig.core
    const before = upstreamSaw()
    for (const text of [
      ask({ headers: { host: null } }),
      ask({ headers: { host: null }, version: 'HTTP/1.0' }),
      ask({ lines: ['Host: evil.test'] }),
      ask({ lines: [`Host: 127.0.0.1:${port}`] }),
      ask({ headers: { host: null }, lines: ['Host: evil.test', `Host: 127.0.0.1:${port}`] }),
      ask({ target: 'http://evil.test/v1/chat/completions' }),
      ask({ target: `http://127.0.0.1:${port}/v1/chat/completions` }),
      ask({ headers: { host: '127.0.0.1\u0000' } }),
    ]) {
      const answer = await rawSend(port, [text])
      expect([text.split('\r\n\r\n')[0], [400, 403].includes(statuses(answer.text)[0] ?? 0)]).toEqual([
        text.split('\r\n\r\n')[0],
        true,
      ])
    }
    expect(upstreamSaw()).toBe(before)
  })
})

describe('T1.1 T1.2 a web page gets nothing', () => {
  const origins = (port: number): readonly string[] => [
    'null',
    'https://evil.test',
    'http://localhost:1',
    'http://127.0.0.1.evil.test',
    'chrome-extension://x',
    `http://127.0.0.1:${port}`,
  ]
  const routes = [
    '/v1/messages',
    '/v1/responses',
    '/v1/chat/completions',
    '/v1/models',
    '/claude/v1/messages',
    '/api/hello',
    '/__debug/routes',
  ]

  test('any Origin and any cross-site fetch is a 403 without access-control headers', async () => {
    const before = upstreamSaw()
    for (const origin of origins(rig.core.port)) {
      for (const target of routes) {
        for (const method of ['POST', 'GET', 'OPTIONS']) {
          const { text } = await rawSend(rig.core.port, [
            ask({ method, target, headers: { origin, 'access-control-request-method': 'POST' } }),
          ])
          expect([origin, target, method, statuses(text)]).toEqual([origin, target, method, [403]])
          expectMute(text)
        }
      }
    }
    for (const site of ['cross-site', 'same-site', 'odd']) {
      const { text } = await rawSend(rig.core.port, [ask({ headers: { 'sec-fetch-site': site } })])
      expect([site, statuses(text)]).toEqual([site, [403]])
    }
    expect(upstreamSaw()).toBe(before)
  })

  test('a simple form or text body is refused even with a key', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/jsonp',
      null,
    ]) {
      const { text } = await rawSend(rig.core.port, [ask({ headers: { 'content-type': type } })])
      expect([type, statuses(text)]).toEqual([type, [415]])
    }
  })

  test('OPTIONS without an Origin has no access-control header either', async () => {
    const { text } = await rawSend(rig.core.port, [ask({ method: 'OPTIONS', headers: { authorization: null } })])
    expect(statuses(text)).toEqual([401])
    expectMute(text)
  })
})

test('T1.10 without a key every path gets the same bytes', async () => {
  const paths = [
    '/',
    '/v1/models',
    '/v1/messages',
    '/favicon.ico',
    '/admin',
    '/__debug/routes',
    '/k/wrong/v1/models',
    '/k/pk_wrong',
    '/claude/v1/messages',
    '//',
    '/%2e%2e/etc',
    '/v1/../x',
  ]
  for (let n = 0; n < 40; n += 1) paths.push(`/path-${n}/${'x'.repeat(n)}`)
  const answers = new Set<string>()
  for (const target of paths) {
    const { text } = await rawSend(rig.core.port, [
      ask({ method: 'GET', target, body: '', headers: { authorization: null } }),
    ])
    answers.add(text.replace(/date: [^\r]+\r\n/i, ''))
  }
  expect([answers.size, statuses([...answers][0] ?? '')]).toEqual([1, [401]])
  expectMute([...answers][0] ?? '')
})

test('no wrong, malformed, disabled, revoked or expired key is told from another', async () => {
  const { api } = rig.core
  const disabled = api.keys.create('to be disabled')
  api.keys.setState(disabled.key.id, 'disabled')
  const revoked = api.keys.create('to be revoked')
  api.keys.setState(revoked.key.id, 'revoked')
  const expired = api.keys.create('expired', { expiresAtMs: 1 })
  const before = upstreamSaw()
  const answers = new Set<string>()
  for (const key of [
    '',
    'x',
    `pk_${'A'.repeat(43)}`,
    `${rig.key}x`,
    rig.key.slice(0, -1),
    "' OR 1=1 --",
    disabled.secret,
    revoked.secret,
    expired.secret,
  ]) {
    const { text } = await rawSend(rig.core.port, [ask({ key })])
    answers.add(text.replace(/date: [^\r]+\r\n/i, ''))
  }
  expect([answers.size, upstreamSaw()]).toEqual([1, before])
})

describe('T8.1 T8.2 T8.3 the network', () => {
  test('the port is bound on loopback only', async () => {
    const others = Object.values(networkInterfaces())
      .flat()
      .filter((one) => one !== undefined && !one.internal && one.family === 'IPv4')
    if (others.length === 0) console.log('T8.1: this machine has no address besides loopback; only loopback was tried')
    for (const other of others) {
      const refused = await new Promise<string>((resolve) => {
        const socket = open(rig.core.port, other?.address)
        socket.once('connect', () => resolve('connected'))
        socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
      })
      expect(refused).toBe('ECONNREFUSED')
    }
    const v6 = await rawSend6(rig.core.port)
    expect(['200', 'no IPv6']).toContain(v6)
  })

  test('being local grants nothing: forwarded headers and peers change no answer', async () => {
    const plain = await rawSend(rig.core.port, [ask({ headers: { authorization: null } })])
    for (const headers of [
      { 'x-forwarded-for': '127.0.0.1' },
      { forwarded: 'for=127.0.0.1;host=localhost' },
      { 'x-forwarded-host': 'localhost' },
      { 'x-real-ip': '127.0.0.1' },
    ]) {
      const forged = await rawSend(rig.core.port, [ask({ headers: { authorization: null, ...headers } })])
      expect(forged.text.replace(/date: .*/i, '')).toBe(plain.text.replace(/date: .*/i, ''))
    }
  })
})

function rawSend6(port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = open(port, '::1')
    socket.once('error', () => resolve('no IPv6'))
    socket.once('data', (bytes) => {
      resolve(bytes.toString('latin1').slice(9, 12))
      socket.destroy()
    })
    socket.write(ask({ headers: { host: `[::1]:${port}` } }))
  })
}

test('the liveness probe is answered without a key and says nothing', async () => {
  for (const target of ['/api/hello', '/claude/api/hello', '/k/wrong/codex/api/hello']) {
    for (const method of ['GET', 'HEAD']) {
      const { text } = await rawSend(rig.core.port, [
        ask({ method, target, body: '', headers: { authorization: null, 'content-type': null } }),
      ])
      expect([statuses(text), text.split('\r\n\r\n')[1]]).toEqual([[200], ''])
      expectMute(text)
    }
  }
})
