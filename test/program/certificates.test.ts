/** Certificates: good ones serve, each bad kind is refused before a byte is sent, and no switch of Node turns that off (F4, T6.5). */
import { readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { certificates } from '../certificates.ts'
import { send } from './client.ts'
import { type Program, startProgram } from './run-program.ts'

const { folder, made } = certificates()
const at = (name: string): string => join(folder, name)
if (!made) console.log('skipped F4 and T6.5: no openssl here that makes certificates')

describe.skipIf(!made)('a certificate', () => {
  let program: Program
  const undo: (() => unknown)[] = []
  beforeAll(async () => {
    program = await startProgram({
      practice: false,
      args: ['--vault', 'memory'],
      environment: {
        // An authority of one's own comes by a file; the switch that turns checking off must do nothing.
        NODE_EXTRA_CA_CERTS: at('known.pem'),
        NODE_TLS_REJECT_UNAUTHORIZED: '0',
      },
    })
  })
  afterAll(async () => {
    await program.stop()
    for (const step of undo) step()
    rmSync(folder, { recursive: true, force: true })
  })

  let profiles = 0
  async function through(
    name: string,
  ): Promise<{ readonly status: number; readonly code: string; readonly heard: number }> {
    let heard = 0
    const server = createServer(
      { key: readFileSync(at(`${name}.key`)), cert: readFileSync(at(`${name}.pem`)) },
      (ask, answer) => {
        heard += 1
        ask.resume()
        answer.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"r","object":"response","output":[]}')
      },
    )
    server.on('tlsClientError', () => {})
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    undo.push(() => server.close())
    profiles += 1
    await program.rpc('profiles.create', {
      kind: 'api',
      label: `far ${profiles}`,
      dialects: ['responses'],
      baseUrl: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
      apiKey: 'key-of-a-gateway',
      models: [{ id: 'gpt-5.5' }],
    })
    const answer = await send({
      port: Number(new URL(program.address).port),
      path: `/far-${profiles}/v1/responses`,
      body: JSON.stringify({ model: 'gpt-5.5', input: 'hi' }),
      headers: { authorization: `Bearer ${program.key()}` },
    })
    return { status: answer.status, code: answer.headers['x-pointsman-error'] ?? '', heard }
  }

  test('T6.5 F4 a certificate that a known authority signed for this host serves', async () => {
    expect(await through('good')).toEqual({ status: 200, code: '', heard: 1 })
  })

  test.each(['other-host', 'expired', 'unknown-authority', 'stranger'])(
    'T6.5 F4 a certificate that is bad (%s) is refused before a byte is sent, whatever NODE_TLS_REJECT_UNAUTHORIZED says',
    async (name) => {
      expect(await through(name)).toEqual({ status: 502, code: 'tls_untrusted', heard: 0 })
    },
  )
})
