/** Clients of a WebSocket that break its rules, leave at any moment, or wait for each other (F25, T6.6, T7). */
import { createHash, randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Behaviour } from '../../src/main/practice/practice.ts'
import { codexCli } from './asks.ts'
import { open as connect, rawSend } from './raw-socket.ts'
import { create, dial, refused, type SocketClient, types } from './socket-client.ts'
import { type Rig, startRig, until } from './start-core.ts'

let rig: Rig
const clients: SocketClient[] = []
beforeAll(async () => {
  rig = await startRig({ sources: ['codex-team'] })
  rig.practice.setWindows('codex-team', [])
})
afterEach(() => {
  for (const { socket } of clients.splice(0)) socket.terminate()
  rig.practice.unscript()
})
afterAll(() => rig.close())

async function open(headers: Record<string, string> = {}): Promise<SocketClient> {
  const client = await dial(rig, { headers })
  clients.push(client)
  return client
}

/** The program still serves everybody else. */
async function stillServes(): Promise<void> {
  const client = await open()
  expect(types(await client.turn()).at(-1)).toBe('response.completed')
}

const nonce = 'dGhlIHNhbXBsZSBub25jZQ=='
const upgradeText = (change: Readonly<Record<string, string | null>> = {}, lines: readonly string[] = []): string => {
  const headers: Record<string, string | null> = {
    host: `127.0.0.1:${rig.core.port}`,
    authorization: `Bearer ${rig.key}`,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': nonce,
    ...codexCli().headers,
    ...change,
  }
  const shown = Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]))
  return `${['GET /codex/v1/responses HTTP/1.1', ...shown, ...lines].join('\r\n')}\r\n\r\n`
}

/** One frame of RFC 6455 §5.2; masked with zeros unless told otherwise, so that the payload stays readable. */
function frame(
  first: number,
  payload: Uint8Array | string,
  { mask = true, length }: { mask?: boolean; length?: bigint } = {},
) {
  const bytes = Buffer.from(payload)
  const head = Buffer.alloc(10)
  head.writeUInt8(first, 0)
  head.writeUInt8((mask ? 0x80 : 0) | 127, 1)
  head.writeBigUInt64BE(length ?? BigInt(bytes.length), 2)
  return Buffer.concat([head, ...(mask ? [Buffer.alloc(4)] : []), bytes])
}

describe('a handshake', () => {
  test('is accepted as RFC 6455 says, and its answer names nothing of ours', async () => {
    const { text } = await rawSend(rig.core.port, [upgradeText()], /\r\n\r\n/)
    const accept = createHash('sha1').update(`${nonce}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
    expect(text).toBe(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    )
  })

  test.each([
    ['no key of its own', { 'sec-websocket-key': null }, [], 400],
    ['a key that is none', { 'sec-websocket-key': 'short' }, [], 400],
    ['an old version', { 'sec-websocket-version': '7' }, [], 400],
    ['two Hosts', {}, ['host: 127.0.0.1:1'], 403],
    ['no Host', { host: null }, [], 403],
    ['a body', { 'content-length': '5' }, [], 400],
    ['a chunked body', { 'transfer-encoding': 'chunked' }, [], 400],
    ['two ways to frame a body', { 'transfer-encoding': 'chunked', 'content-length': '5' }, [], 400],
    ['too many headers', {}, Array.from({ length: 220 }, (_, n) => `x-${n}: 1`), 431],
  ] as const)('with %s is refused and its connection closed', async (_name, change, lines, status) => {
    const { text, end } = await rawSend(rig.core.port, [upgradeText(change, lines)])
    expect([text.split('\r\n')[0], end]).toEqual([expect.stringMatching(`^HTTP/1.1 ${status} `), 'fin'])
  })

  test('of another protocol is no upgrade at all', async () => {
    const { text } = await rawSend(rig.core.port, [upgradeText({ upgrade: 'h2c', connection: 'Upgrade, close' })])
    expect(text).toMatch(/^HTTP\/1.1 404 /)
  })
})

describe('frames that break the rules', () => {
  const afterUpgrade = (...frames: readonly Uint8Array[]) => rawSend(rig.core.port, [upgradeText(), ...frames])
  /** The code in the close frame that the answer ends with. */
  const closeCode = (text: string): number => {
    const bytes = Buffer.from(text, 'latin1')
    const at = bytes.indexOf(0x88, bytes.indexOf('\r\n\r\n') + 4)
    return at < 0 ? 0 : bytes.readUInt16BE(at + 2)
  }

  test.each([
    ['without a mask', () => frame(0x81, '{}', { mask: false }), 1002],
    ['with a reserved bit', () => frame(0xc1, '{}'), 1002],
    ['with an opcode that nobody knows', () => frame(0x83, '{}'), 1002],
    ['that go on without a beginning', () => frame(0x80, '{}'), 1002],
    ['that are not UTF-8', () => frame(0x81, Uint8Array.of(0xff, 0xfe)), 1007],
    ['of a length beyond any memory', () => frame(0x81, '{}', { length: 1n << 62n }), 1009],
  ] as const)('%s end the connection', async (_name, made, code) => {
    const { text } = await afterUpgrade(made())
    expect(closeCode(text)).toBe(code)
    await stillServes()
  })

  test('a turn in pieces is one turn', async () => {
    const text = Buffer.from(JSON.stringify(create()))
    const socket = connect(rig.core.port)
    let got = ''
    socket.on('data', (bytes) => {
      got += bytes.toString('latin1')
    })
    socket.write(upgradeText())
    socket.write(frame(0x01, text.subarray(0, 10)))
    for (let at = 10; at < text.length; at += 40) socket.write(frame(0x00, text.subarray(at, at + 40)))
    socket.write(frame(0x80, ''))
    await until(() => (got.includes('response.completed') ? true : null), 'the turn is answered')
    socket.destroy()
  })

  test('T6.6 random bytes behind a good handshake never reach an upstream and never stop the program', async () => {
    rig.practice.forgetSeen()
    for (let round = 0; round < 60; round += 1) {
      const socket = connect(rig.core.port)
      socket.on('error', () => {})
      socket.resume()
      const closed = new Promise((resolve) => socket.once('close', resolve))
      socket.write(upgradeText())
      socket.write(randomBytes(1 + round * 7))
      if (round % 2 === 0) socket.end()
      else socket.resetAndDestroy()
      await closed
    }
    expect(rig.practice.seen()).toEqual([])
    await stillServes()
  })
})

describe('F25 a client that leaves', () => {
  const windows: readonly (readonly [string, Behaviour, number])[] = [
    ['before the first event', { reply: { kind: 'no-head', end: 'stall' } }, 0],
    ['in the middle', { wire: { end: { how: 'stall', afterEvents: 4 } } }, 2],
    ['while the upstream is dialled', { on: ['upgrade'], delayMs: 60_000 }, 0],
  ]
  const ways = ['terminate', 'close'] as const

  test.each(windows)('%s: its upstream connection goes, its slot comes back', async (_name, behaviour, after) => {
    const secret = rig.newKey(`one at a time ${_name}`, { concurrency: 1 })
    const headers = { authorization: `Bearer ${secret}` }
    for (let trial = 0; trial < 10; trial += 1) {
      rig.practice.script('codex-team', behaviour)
      const seen = rig.practice.seen().length
      const client = await open(headers)
      client.send(create())
      await until(
        () => (rig.practice.seen().length > seen && client.frames.length >= after ? true : null),
        'the turn is where it should be left',
      )
      const upgrade = rig.practice.seen()[seen]
      client.socket[ways[trial % 2] ?? 'terminate']()
      await until(() => (upgrade?.ended === 'by-peer' ? true : null), 'the upstream connection is gone')
      // The one slot of this key is free again.
      const next = await open(headers)
      expect(types(await next.turn()).at(-1)).toBe('response.completed')
      next.socket.terminate()
    }
    const rows = await rig.rows(20)
    expect(
      rows
        .slice(0, 20)
        .map(({ outcome }) => outcome)
        .sort(),
    ).toEqual([...Array(10).fill('client-left'), ...Array(10).fill('done')])
  })

  test('no socket to an upstream is left behind', async () => {
    await until(() => (rig.practice.openSockets('codex') === 0 ? true : null), 'no socket is left')
  })
})

test('turns of one key wait for its slot across connections, and each is answered', async () => {
  const secret = rig.newKey('narrow', { concurrency: 1 })
  const all = await Promise.all(Array.from({ length: 4 }, () => open({ authorization: `Bearer ${secret}` })))
  rig.practice.forgetSeen()
  const answers = await Promise.all(all.map((client) => client.turn()))
  expect(answers.map((answer) => types(answer).at(-1))).toEqual(Array(4).fill('response.completed'))
  expect(rig.practice.seen({ method: 'FRAME' })).toHaveLength(4)
})

test('a client that never answers the goodbye does not keep the program from ending', async () => {
  const own = await startRig({ sources: ['codex-team'] })
  const socket = connect(own.core.port)
  let got = ''
  socket.on('error', () => {})
  socket.on('data', (bytes) => {
    got += bytes.toString('latin1')
  })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(upgradeText({ host: `127.0.0.1:${own.core.port}`, authorization: `Bearer ${own.key}` }))
  await until(() => (got.includes(' 101 ') ? true : null), 'the upgrade is accepted')
  await own.core.stop()
  await closed
  // 1012 in a close frame: 0x03f4.
  expect(Buffer.from(got, 'latin1').includes(Buffer.from([0x03, 0xf4]))).toBe(true)
  await own.close()
})

test('more connections than may be held are sent to HTTP, and one that goes makes room', async () => {
  const most = 256
  const held = await Promise.all(Array.from({ length: most }, () => open()))
  const beyond = await refused(rig)
  expect([beyond.status, beyond.body.error.code]).toEqual([426, 'local_busy'])
  held[0]?.socket.close()
  await held[0]?.closed
  await until(async () => (await open().catch(() => null)) !== null || null, 'there is room again')
})
