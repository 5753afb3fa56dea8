/** WebSockets to upstreams over TLS: a good certificate opens one, a bad one is refused before a header is sent (T6.5). */
import { readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { transportFailure } from '../../../src/main/adapters/upstream/failures.ts'
import { openDialer } from '../../../src/main/adapters/websocket/dial.ts'
import { certificates } from '../../certificates.ts'

const { folder, made } = certificates()
if (!made) console.log('skipped T6.5 of WebSockets: no openssl here that makes certificates')
const undo: (() => unknown)[] = []
afterAll(() => {
  for (const step of undo.reverse()) step()
  rmSync(folder, { recursive: true, force: true })
})

const dialer = openDialer({ wayTo: () => ({ kind: 'direct' }), failureOf: (cause) => transportFailure(cause, false) })

/** What comes of dialling a server that has this certificate, and the upgrades that it heard of. */
async function dialled(name: string): Promise<{ readonly outcome: string; readonly heard: number }> {
  const read = (end: string): Buffer => readFileSync(join(folder, `${name}.${end}`))
  const server = createServer({ key: read('key'), cert: read('pem') })
  server.on('tlsClientError', () => {})
  let heard = 0
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', () => {
    heard += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  undo.push(
    () => server.close(),
    () => sockets.close(),
  )
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  const request = {
    origin,
    path: '/socket',
    headers: ['authorization', 'Bearer x'],
    proxy: null,
    limitBytes: 1_000,
    compress: false,
  }
  const outcome = await new Promise<string>((resolve) => {
    const giveUp = dialer.dial(request, {
      opened: (socket) => {
        resolve('opened')
        socket.cut()
      },
      refused: (status) => resolve(`refused with ${status}`),
      failed: ({ kind }) => resolve(kind),
      text: () => {},
      drained: () => {},
      closed: () => {},
    })
    undo.push(giveUp)
  })
  return { outcome, heard }
}

describe.skipIf(!made)('T6.5 a WebSocket over TLS', () => {
  beforeAll(() => {
    setDefaultCACertificates([...getCACertificates(), readFileSync(join(folder, 'known.pem'), 'utf8')])
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  })
  afterAll(() => {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
  })

  test('T6.5 opens where the certificate is good', async () => {
    expect(await dialled('good')).toEqual({ outcome: 'opened', heard: 1 })
  })

  test.each(['other-host', 'expired', 'unknown-authority', 'stranger'])(
    'T6.5 with a bad certificate (%s) no WebSocket opens, whatever NODE_TLS_REJECT_UNAUTHORIZED says',
    async (name) => {
      expect(await dialled(name)).toEqual({ outcome: 'tls-untrusted', heard: 0 })
    },
  )
})
