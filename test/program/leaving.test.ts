/** Clients that go away or read slowly: the upstream is let go at once, everything is given back (F14, F25, F26). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Behaviour } from '../../src/main/practice/practice.ts'
import { sourceId } from '../../src/shared/ids.ts'
import { claudeCode, codexCli, message, response } from './asks.ts'
import { open, rawSend, requestText, statuses } from './raw-socket.ts'
import { type Rig, startRig, until } from './start-core.ts'

let rig: Rig
let secret = ''
beforeAll(async () => {
  rig = await startRig({ sources: ['claude-work', 'codex-team'] })
  await rig.add('openai-key', { joins: [] })
  for (const id of ['claude-work', 'codex-team']) rig.practice.setWindows(id, [])
  secret = rig.newKey('one at a time', { concurrency: 1 })
})
afterAll(() => rig.close())

const trials = Number(process.env.POINTSMAN_LEAVING_TRIALS ?? 60)
const stall: Behaviour = { reply: { kind: 'no-head', end: 'stall' } }
const endless: Behaviour = {
  reply: { kind: 'vendor', content: { words: 40 } },
  wire: { end: { how: 'stall', afterEvents: 12 } },
}
const silentBody: Behaviour = { reply: { kind: 'vendor' }, wire: { end: { how: 'stall', afterBytes: 20 } } }

const asks = {
  claude: { source: 'claude-work', path: '/claude/v1/messages', body: message, headers: claudeCode },
  codex: { source: 'codex-team', path: '/codex/v1/responses', body: response, headers: codexCli },
} as const

const windows: readonly {
  readonly name: string
  readonly behaviour: Behaviour
  readonly stream: boolean
  readonly after: string
}[] = [
  { name: 'before the first token', behaviour: stall, stream: true, after: '' },
  { name: 'mid-stream', behaviour: endless, stream: true, after: 'data: ' },
  { name: 'of a unary call', behaviour: silentBody, stream: false, after: '' },
]

describe('F25 a client that leaves', () => {
  for (const [dialect, { source, path, body, headers }] of Object.entries(asks)) {
    for (const { name, behaviour, stream, after } of windows) {
      test(`${name} (${dialect}): upstream closed, slot and binding given back, row client-left`, async () => {
        const rows = (await rig.rows(0)).length
        const perCell = Math.max(1, Math.ceil(trials / 6))
        for (let trial = 0; trial < perCell; trial += 1) {
          const session = `${dialect} ${name} ${trial}`
          rig.practice.script(source, behaviour)
          const seenBefore = rig.practice.seen().length
          const socket = open(rig.core.port)
          let got = ''
          socket.on('error', () => {})
          socket.on('data', (bytes) => {
            got += bytes.toString('latin1')
          })
          socket.write(
            requestText({
              port: rig.core.port,
              key: secret,
              target: path,
              body: JSON.stringify(body({ stream })),
              headers: headers(session).headers,
            }),
          )
          await until(
            () => (rig.practice.seen().length > seenBefore && got.includes(after) ? true : null),
            'the call is where it should be left',
          )
          if (trial % 2 === 0) socket.destroy()
          else socket.resetAndDestroy()
          const arrived = rig.practice.seen()[seenBefore]
          await until(() => (arrived?.ended === 'by-peer' ? true : null), 'the upstream connection is closed')
          const bound = rig.core.api.bindings.all().length
          // The one slot of this key is free again at once.
          const next = await rawSend(rig.core.port, [
            requestText({
              port: rig.core.port,
              key: secret,
              target: path,
              body: JSON.stringify(body({ stream: true })),
              headers: { ...headers(`${session} next`).headers, connection: 'close' },
            }),
          ])
          expect(statuses(next.text)).toEqual([200])
          // Only an answer that began binds its conversation.
          expect(rig.core.api.bindings.all().length).toBe(bound + 1)
        }
        const all = await rig.rows(rows + 2 * perCell)
        const left = all.slice(0, 2 * perCell).filter((row) => row.outcome === 'client-left')
        expect(left.length).toBe(perCell)
        if (after === '') expect(left.every((row) => row.status === null || !stream)).toBe(true)
      })
    }
  }

  test('leaves no socket to an upstream behind', async () => {
    rig.practice.dropIdleSockets('claude')
    rig.practice.dropIdleSockets('codex')
    await until(
      () => (rig.practice.openSockets('claude') + rig.practice.openSockets('codex') === 0 ? true : null),
      'no socket is left',
    )
  })
})

test('a client that leaves while it waits for its key’s slot takes nothing with it', async () => {
  rig.practice.script('codex-team', stall)
  const seen = rig.practice.seen().length
  const ask = (thread: string): string =>
    requestText({
      port: rig.core.port,
      key: secret,
      target: '/codex/v1/responses',
      body: JSON.stringify(response()),
      headers: { ...codexCli(thread).headers, connection: 'close' },
    })
  const first = open(rig.core.port)
  first.on('error', () => {})
  first.write(ask('holder'))
  await until(() => (rig.practice.seen().length > seen ? true : null), 'the first call runs')
  const waiting = open(rig.core.port)
  waiting.on('error', () => {})
  await new Promise((resolve) => waiting.write(ask('waiter'), resolve))
  const third = rawSend(rig.core.port, [ask('third')])
  waiting.destroy()
  // By the time this one is answered the program has seen who left.
  expect((await rig.call('/v1/models')).status).toBe(200)
  first.destroy()
  expect(statuses((await third).text)).toEqual([200])
  expect(rig.practice.seen().filter(({ rawHeaders }) => rawHeaders.includes('waiter')).length).toBe(0)
})

test('F14 a FIN counts as leaving, since a client that only half-closes can’t be told from one that has gone', async () => {
  rig.practice.script('codex-team', stall)
  const seen = rig.practice.seen().length
  const socket = open(rig.core.port)
  socket.end(
    requestText({
      port: rig.core.port,
      key: rig.key,
      target: '/codex/v1/responses',
      body: JSON.stringify(response()),
      headers: codexCli('half').headers,
    }),
  )
  await until(() => (rig.practice.seen()[seen]?.ended === 'by-peer' ? true : null), 'the upstream is let go')
  socket.destroy()
})

test('F26 a slow reader holds the upstream back and memory stays bounded', async () => {
  const offered = 400 * 1024 * 1024
  rig.practice.script('openai-key', { reply: { kind: 'vendor', content: { totalBytes: offered } } })
  const socket = open(rig.core.port)
  socket.on('error', () => {})
  socket.pause()
  await new Promise((resolve) =>
    socket.write(
      requestText({
        port: rig.core.port,
        key: rig.key,
        target: '/openai-key/v1/responses',
        body: JSON.stringify(response()),
      }),
      resolve,
    ),
  )
  const arrived = await rig.practice.waitFor(({ origin, ended }) => origin === 'openaiApi' && ended === null)
  const before = process.memoryUsage()
  let most = 0
  // Half a second of nothing read is some hundred megabytes offered.
  for (let look = 0; look < 50; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10))
    const now = process.memoryUsage()
    most = Math.max(most, now.arrayBuffers + now.external - before.arrayBuffers - before.external)
  }
  expect(arrived.ended).toBeNull()
  // Both ends live in this process: sockets, kernel hand-over and the simulator count too.
  expect(most).toBeLessThan(48 * 1024 * 1024)
  socket.destroy()
  await until(() => (arrived.ended === 'by-peer' ? true : null), 'the upstream is let go')
  expect((await rig.latest()).call.outcome).toBe('client-left')
})

test('a large answer reaches a reader of full speed whole', async () => {
  const totalBytes = 48 * 1024 * 1024
  rig.practice.script('openai-key', { reply: { kind: 'vendor', content: { totalBytes } } })
  const answer = await rig.call('/openai-key/v1/responses', response())
  expect([answer.end, answer.body.length > totalBytes, answer.text.includes('response.completed')]).toEqual([
    'whole',
    true,
    true,
  ])
  expect(rig.core.api.conditions.health.sources.get(sourceId('openai-key'))).toBeUndefined()
})
