/** The made-up traffic of practice mode, against a stand-in for the local program. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { startTraffic, type Traffic } from '../../src/main/practice/practice.ts'
import { type Loose, turnedClock } from './fixture.ts'

interface Seen {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Loose
}

let server: Server | null = null
let traffic: Traffic | null = null
afterEach(async () => {
  await traffic?.stop()
  server?.closeAllConnections()
  await new Promise((resolve) => (server === null ? resolve(null) : server.close(resolve)))
})

async function listen(seen: Seen[], answers = true): Promise<string> {
  server = createServer(async (request, response) => {
    let text = ''
    for await (const piece of request) text += String(piece)
    seen.push({ path: request.url ?? '', headers: request.headers, body: JSON.parse(text) })
    if (answers) response.end('data: {}\n\n')
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const markers = ({ headers, body }: Seen): number =>
  ['x-claude-code-session-id', 'x-app'].filter((name) => name in headers).length +
  (body.metadata?.user_id === undefined ? 0 : 1)

it('plays several sessions, one call after another, in its own name', async () => {
  const seen: Seen[] = []
  const clock = turnedClock()
  traffic = startTraffic({ address: await listen(seen), key: 'pk_practice', clock })
  for (let calls = 1; calls <= 14; calls += 1) {
    await expect.poll(() => seen.length).toBe(calls)
    clock.turn(4_000)
  }
  await expect.poll(() => traffic?.counts().answered).toBeGreaterThanOrEqual(14)
  const sent = seen.slice(0, 14)
  expect(new Set(sent.map(({ headers }) => headers['user-agent']))).toEqual(new Set(['pointsman-practice']))
  expect(new Set(sent.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer pk_practice']))
  expect(sent.slice(0, 7).map((call) => [call.path, call.body.model, markers(call)])).toEqual([
    ['/claude/v1/messages', 'claude-opus-5-5', 3],
    ['/codex/v1/responses', 'gpt-6.2-sol', 0],
    ['/claude/v1/messages', 'claude-sonnet-5-5', 3],
    ['/codex/v1/responses', 'gpt-6.2-astra', 0],
    ['/any/v1/chat/completions', 'gpt-oss:20b', 0],
    ['/claude/v1/messages', 'claude-haiku-5-5', 0],
    ['/codex/v1/responses', 'gpt-5.5', 0],
  ])
  const session = (call: Seen | undefined): unknown => call?.headers['session-id']
  expect([session(sent[1]) === session(sent[8]), session(sent[1]) === session(sent[3])]).toEqual([true, false])
  expect(sent[8]?.body.input).toHaveLength(2)
})

it('sends no more than one call every two seconds', async () => {
  const seen: Seen[] = []
  const clock = turnedClock()
  traffic = startTraffic({ address: await listen(seen), key: 'k', clock })
  clock.turn(1_999)
  expect(traffic.counts().sent).toBe(1)
  clock.turn(1)
  expect(traffic.counts().sent).toBe(2)
  clock.turn(3_999)
  expect(traffic.counts().sent).toBe(2)
})

it('stops at once, also while a call is under way', async () => {
  const seen: Seen[] = []
  const clock = turnedClock()
  traffic = startTraffic({ address: await listen(seen, false), key: 'k', clock })
  await expect.poll(() => seen.length).toBe(1)
  await traffic.stop()
  clock.turn(60_000)
  expect(traffic.counts()).toEqual({ sent: 1, answered: 0, failed: 1 })
})

it('goes to this machine only', () => {
  expect(() => startTraffic({ address: 'http://example.test:80', key: 'k', clock: turnedClock() })).toThrow('loopback')
})
