/** What takes half a minute in truth: a machine that slept, a body that stops coming, an answer that falls silent (F15, F24, F27). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openUpstream } from '../../src/main/adapters/upstream/undici-upstream.ts'
import type { UpstreamFailure } from '../../src/main/ports.ts'
import { codexCli, response } from './asks.ts'
import { fadingRelay } from './fading-relay.ts'
import { addCodex, callNamed, openPractice, startOver } from './load.ts'
import { open, requestText, statuses } from './raw-socket.ts'
import { type Rig, startRig, until } from './start-core.ts'

const undo: (() => unknown)[] = []
let rig: Rig
beforeAll(async () => {
  rig = await startRig({ sources: ['codex-team'] })
  rig.practice.setWindows('codex-team', [])
})
afterAll(async () => {
  for (const step of undo.splice(0).reverse()) await step()
  await rig.close()
})

/** The watch ticks every 5 s and minds 30 s. */
const asleepMs = 37_000

describe('long waits', { concurrent: true, timeout: 180_000 }, () => {
  test('F24 stopped and continued: the first call goes out on a fresh connection, not on one that died meanwhile', async ({
    expect: own,
  }) => {
    const practice = await openPractice()
    undo.push(() => practice.close())
    const relay = await fadingRelay(practice.hosts.codex)
    undo.push(() => relay.close())
    const program = await startOver(practice, { environment: { POINTSMAN_UPSTREAM_CODEX: relay.origin } })
    undo.push(() => program.stop())
    await addCodex(program, practice)
    const key = program.key()
    own((await callNamed(program, key, 'before')).status).toBe(200)
    process.kill(program.pid, 'SIGSTOP')
    await new Promise((resolve) => setTimeout(resolve, asleepMs))
    relay.fade()
    const reads = practice.seen({ operation: 'usage' }).length
    process.kill(program.pid, 'SIGCONT')
    await until(() => (program.log().includes('"event":"clock-jumped"') ? true : null), 'the sleep is noticed', 20_000)
    own((await callNamed(program, key, 'after')).status).toBe(200)
    own(practice.seen({ operation: 'usage' }).length - reads).toBeLessThanOrEqual(1)
  })

  test('F27 a body that stops coming is a 408, its connection closed, no upstream asked', async ({ expect: own }) => {
    const before = rig.practice.seen({ operation: 'generate' }).length
    const body = JSON.stringify(response())
    const text = requestText({
      port: rig.core.port,
      key: rig.key,
      target: '/codex/v1/responses',
      body: body.slice(0, -20),
      headers: { ...codexCli('slow').headers, 'content-length': String(body.length) },
    })
    const socket = open(rig.core.port)
    let got = ''
    socket.on('data', (bytes) => {
      got += bytes.toString('latin1')
    })
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    socket.write(text)
    await closed
    own([statuses(got), got.includes('body_timeout')]).toEqual([[408], true])
    own(rig.practice.seen({ operation: 'generate' }).length).toBe(before)
  })

  const stalled = process.env.POINTSMAN_DEEP === undefined ? 'five minutes: in `npm run test:deep`' : ''
  if (stalled !== '') console.log(`F15 over the whole program takes ${stalled}`)
  test.skipIf(stalled !== '')(
    'F15 a stream that falls silent for five minutes is cut for the client and truncated in the log',
    { timeout: 600_000 },
    async ({ expect: own }) => {
      const far = await startRig({ sources: ['codex-team'] })
      undo.push(() => far.close())
      far.practice.script('codex-team', { wire: { end: { how: 'stall', afterEvents: 5 } } })
      const answer = await far.call('/codex/v1/responses', response(), codexCli('stalled'))
      own([answer.status, answer.end === 'whole', answer.text.includes('response.completed')]).toEqual([
        200,
        false,
        false,
      ])
      own((await far.latest()).call.outcome).toBe('truncated')
    },
  )
})

test('F15 an upstream that stops in the middle of its answer ends as a cut, one that never begins as silent', async () => {
  const { practice } = rig
  const upstream = openUpstream({ proxyFor: () => ({ kind: 'direct' }), ownPort: () => 0 })
  undo.push(() => upstream.close())
  const failureOf = (stall: 'head' | 'body'): Promise<UpstreamFailure> => {
    practice.script('openaiApi', {
      on: 'any',
      ...(stall === 'head'
        ? { reply: { kind: 'no-head', end: 'stall' } }
        : { reply: { kind: 'stream', pieces: ['data: {}\n\n'] }, wire: { end: { how: 'stall', afterBytes: 5 } } }),
    })
    const request = {
      origin: practice.origins.openaiApi,
      path: '/v1/responses',
      method: 'POST',
      headers: ['content-type', 'application/json'],
      body: { pieces: [Buffer.from('{}')], length: 2 },
      proxy: null,
      headTimeoutMs: 300,
      idleTimeoutMs: 300,
    } as const
    return new Promise((resolve, reject) => {
      upstream.send(request, {
        head: () => {},
        data: () => {},
        end: () => reject(new Error('a clean end')),
        failed: resolve,
      })
    })
  }
  expect(await failureOf('body')).toEqual({ kind: 'cut' })
  expect(await failureOf('head')).toEqual({ kind: 'silent' })
})
