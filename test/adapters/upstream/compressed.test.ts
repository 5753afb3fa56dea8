/** Frames to and from vendors, compressed: what it saves, what stays as it was, and what a small frame may grow to (RFC 7692). */
import type { IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws'
import { transportFailure } from '../../../src/main/adapters/upstream/failures.ts'
import { openDialer } from '../../../src/main/adapters/websocket/dial.ts'
import type { FrameSocket } from '../../../src/main/socket-ports.ts'

const dialer = openDialer({ wayTo: () => ({ kind: 'direct' }), failureOf: (cause) => transportFailure(cause, false) })
const undo: (() => unknown)[] = []
afterEach(() => {
  for (const step of undo.splice(0).reverse()) step()
})

const limitBytes = 1_000_000

interface Line {
  readonly ours: FrameSocket
  readonly theirs: WebSocket
  /** Read from the wire by the vendor's side. */
  readonly bytesRead: () => number
  readonly offered: string | undefined
  /** The next frame that we hear, or the code that the connection was closed with. */
  heard(): Promise<string | number>
}

/** A vendor with these options, and a connection to it. */
async function connected(options: ServerOptions, compress: boolean): Promise<Line> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, maxPayload: 100_000_000, ...options })
  undo.push(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const arrived = new Promise<[WebSocket, IncomingMessage]>((resolve) =>
    server.once('connection', (...both) => resolve(both)),
  )
  const frames: (string | number)[] = []
  let look = (): void => {}
  const take = (frame: string | number): void => {
    frames.push(frame)
    look()
  }
  const request = { path: '/', headers: [], proxy: null, limitBytes, compress }
  const ours = await new Promise<FrameSocket>((resolve, reject) => {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    dialer.dial(
      { ...request, origin },
      {
        opened: (made) => resolve(made),
        refused: (status) => reject(new Error(`refused with ${status}`)),
        failed: ({ kind }) => reject(new Error(kind)),
        text: (frame) => take(Buffer.from(frame).toString()),
        drained: () => {},
        closed: (code) => take(code),
      },
    )
  })
  const [theirs, { headers, socket }] = await arrived
  undo.push(() => theirs.terminate())
  return {
    ours,
    theirs,
    bytesRead: () => (socket as Socket).bytesRead,
    offered: headers['sec-websocket-extensions'],
    heard: () =>
      new Promise((resolve) => {
        look = () => {
          const frame = frames.shift()
          if (frame !== undefined) resolve(frame)
        }
        look()
      }),
  }
}

const received = (socket: WebSocket): Promise<string> =>
  new Promise((resolve) => socket.once('message', (data) => resolve(String(data))))

const history = JSON.stringify({ input: Array.from({ length: 3_000 }, (_, at) => `line ${at} of a file, é and so on`) })

test.each([true, false])('a long frame arrives as it was; compressed: %s', async (perMessageDeflate) => {
  const line = await connected({ perMessageDeflate }, true)
  const before = line.bytesRead()
  const frame = received(line.theirs)
  line.ours.send(Buffer.from(history))
  expect(await frame).toBe(history)
  const share = (line.bytesRead() - before) / Buffer.byteLength(history)
  expect(perMessageDeflate ? share < 0.4 : share > 1).toBe(true)
})

test('frames keep their order, long or short', async () => {
  const { ours, theirs } = await connected({ perMessageDeflate: true }, true)
  const got: string[] = []
  const all = new Promise<void>((resolve) =>
    theirs.on('message', (data) => {
      if (got.push(String(data).slice(0, 9)) === 4) resolve()
    }),
  )
  for (const [at, long] of [true, false, true, false].entries())
    ours.send(Buffer.from(`frame ${at} ${long ? history : ''}`))
  await all
  expect(got).toEqual(['frame 0 {', 'frame 1 ', 'frame 2 {', 'frame 3 '])
})

test('events that a vendor compresses arrive as they were', async () => {
  const { theirs, heard } = await connected({ perMessageDeflate: { threshold: 0 } }, true)
  for (const event of ['{"delta":"a"}', history]) {
    theirs.send(event)
    expect(await heard()).toBe(event)
  }
})

test('nothing is offered where the client offered nothing', async () => {
  const { offered, theirs } = await connected({ perMessageDeflate: true }, false)
  expect([offered, theirs.extensions]).toEqual([undefined, ''])
})

test('no context is kept by either end, which would cost memory for each connection', async () => {
  const { offered } = await connected({ perMessageDeflate: true }, true)
  expect(offered).toMatch(/^permessage-deflate; (?=.*client_no_context_takeover)(?=.*server_no_context_takeover)/)
})

test('T6.2 a small frame that inflates to more than the limit ends the connection with 1009', async () => {
  const { theirs, heard } = await connected({ perMessageDeflate: { threshold: 0 } }, true)
  const told = new Promise((resolve) => theirs.once('close', resolve))
  theirs.send('0'.repeat(limitBytes * 20))
  expect([await heard(), await told]).toEqual([1006, 1009])
})
