/** Upstreams that can't be reached or go away at the worst moment (F3, F4, F6, F12). */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codexCli, message, response } from './asks.ts'
import { open } from './raw-socket.ts'
import { type Rig, startRig } from './start-core.ts'

let rig: Rig
const undo: (() => unknown)[] = []
beforeAll(async () => {
  rig = await startRig({ sources: ['codex-team', 'anthropic-key'] })
  rig.practice.setWindows('codex-team', [])
})
afterAll(async () => {
  await rig.close()
  for (const step of undo.reverse()) await step()
})

const at = (baseUrl: string) => rig.add('anthropic-key', { baseUrl })
const ask = () => rig.call('/anthropic-key/v1/messages', message())

/** A listener whose thread never accepts, its queue filled: further connects hang. */
async function blackHole(): Promise<number> {
  const code = `
    const { createServer } = require('node:net')
    const { parentPort } = require('node:worker_threads')
    const server = createServer()
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      parentPort.postMessage(server.address().port)
      setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000), 20)
    })`
  const worker = new Worker(code, { eval: true })
  undo.push(() => worker.terminate())
  const port = await new Promise<number>((resolve) => worker.once('message', resolve))
  await new Promise((resolve) => setTimeout(resolve, 100))
  const fillers = Array.from({ length: 4 }, () => open(port))
  for (const filler of fillers) filler.on('error', () => {})
  undo.push(() => fillers.forEach((filler) => void filler.destroy()))
  return port
}

async function silentPort(): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  undo.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as { port: number }).port
}

describe('what can’t be reached is a clear 502 within the connect timeout', () => {
  test.concurrent.each([
    ['F3 a connect that hangs', async () => `http://127.0.0.1:${await blackHole()}`],
    ['F4 a TLS handshake that stalls', async () => `https://127.0.0.1:${await silentPort()}`],
  ] as const)('%s', async (name, origin) => {
    const own = await rig.add('anthropic-key', {
      baseUrl: await origin(),
      id: `far-${name.slice(0, 2).toLowerCase()}` as never,
    })
    const answer = await rig.call(`/${own.id}/v1/messages`, message())
    expect([answer.status, answer.headers['x-pointsman-error']]).toEqual([502, 'upstream_unreachable'])
  })

  test('F4 a certificate that is not trusted is said so, and nothing is sent to it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pointsman-tls-'))
    undo.push(() => rmSync(folder, { recursive: true, force: true }))
    const files = { key: join(folder, 'key.pem'), cert: join(folder, 'cert.pem') }
    const made = spawnSync('openssl', [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=127.0.0.1',
      '-addext',
      'subjectAltName=IP:127.0.0.1',
      '-keyout',
      files.key,
      '-out',
      files.cert,
    ])
    if (made.status !== 0) {
      console.log('F4: no openssl on this machine; the untrusted certificate was not tried')
      return
    }
    let heard = 0
    const server = createTlsServer({ key: readFileSync(files.key), cert: readFileSync(files.cert) }, (socket) => {
      socket.on('data', () => (heard += 1)).on('error', () => {})
    })
    server.on('tlsClientError', () => {})
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    undo.push(() => server.close())
    await at(`https://127.0.0.1:${(server.address() as { port: number }).port}`)
    const answer = await ask()
    expect([answer.status, answer.headers['x-pointsman-error'], heard]).toEqual([502, 'tls_untrusted', 0])
  })

  test('a source that points back at Pointsman is refused, not looped', async () => {
    await at(`http://127.0.0.1:${rig.core.port}`)
    const answer = await ask()
    expect([answer.status, answer.headers['x-pointsman-error']]).toEqual([502, 'upstream_unreachable'])
    expect(answer.text).toContain('Pointsman itself')
  })
})

test('F6 an idle connection that is closed just as the next request starts never makes one request run twice', async () => {
  const trials = 400
  const ends = { whole: 0, reset: 0 }
  for (let trial = 0; trial < trials; trial += 1) {
    const before = rig.practice.seen({ operation: 'generate' }).length
    const call = rig.call('/codex-team/v1/responses', response(), codexCli(`trial ${trial}`))
    // Now, after this turn, or some turns later: around the moment the request is written.
    if (trial % 3 === 0) rig.practice.dropIdleSockets('codex')
    else if (trial % 3 === 1) setImmediate(() => rig.practice.dropIdleSockets('codex'))
    else setTimeout(() => rig.practice.dropIdleSockets('codex'), 1)
    const answer = await call
    expect(rig.practice.seen({ operation: 'generate' }).length - before).toBeLessThanOrEqual(1)
    if (answer.end === 'whole') ends.whole += 1
    else ends.reset += 1
    expect([answer.status === 200 && answer.end === 'whole', answer.end === 'ECONNRESET']).toContain(true)
  }
  expect(ends.whole + ends.reset).toBe(trials)
  // The rest were lost after sending: whether they were worked on nobody can know, so they are passed on as resets (F5).
  expect(ends.whole).toBeGreaterThan(0)
})

test('F12 a reset after any number of events is a cut for the client and `truncated` in the log, up to the last', async () => {
  const whole = await rig.call('/codex-team/v1/responses', response(), codexCli('all'))
  const events = whole.text.trim().split('\n\n').length
  const { total: rows } = await rig.core.api.reader.page(1, 0, {})
  for (let afterEvents = 0; afterEvents < events; afterEvents += 1) {
    rig.practice.script('codex-team', { wire: { end: { how: 'reset', afterEvents }, pieceDelayMs: 1 } })
    const answer = await rig.call('/codex-team/v1/responses', response(), codexCli(`cut ${afterEvents}`))
    expect([afterEvents, answer.end === 'whole', answer.text.includes('response.completed')]).toEqual([
      afterEvents,
      false,
      false,
    ])
    const { call } = await rig.latest(rows + afterEvents + 1)
    expect(['truncated', 'unknown-outcome']).toContain(call.outcome)
  }
})
