/** Things that run out: memory under a huge answer or many bodies, and file descriptors (F21, F47, F48). */
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Practice } from '../../src/main/practice/practice.ts'
import { codexCli, response } from './asks.ts'
import { addCodex, allRows, callNamed, openPractice, startOver } from './load.ts'
import { open, requestText } from './raw-socket.ts'
import type { Program } from './run-program.ts'
import { until } from './start-core.ts'

const mebibyte = 1024 * 1024
const proc = process.platform === 'linux'
if (!proc) console.log('skipped F21, F47 and F48: only Linux tells a process’s memory and descriptors by a file')

const undo: (() => unknown)[] = []
let practice: Practice
let program: Program | null = null
beforeAll(async () => {
  practice = await openPractice()
})
afterEach(async () => {
  practice.unscript('codex-team')
  practice.usually('codex-team', null)
  for (const step of undo.splice(0).reverse()) step()
  await program?.stop()
  program = null
})
afterAll(() => practice.close())

async function start(limits = '', environment: Readonly<Record<string, string>> = {}): Promise<Program> {
  const shell =
    limits === '' ? {} : { node: '/bin/sh', nodeArguments: ['-c', `${limits}; exec "$0" "$@"`, process.execPath] }
  const started = await startOver(practice, { ...shell, environment })
  program = started
  await addCodex(started, practice)
  return started
}

const portOf = (running: Program): number => Number(new URL(running.address).port)
/** The most memory it ever had, and what it has now. */
const memory = (running: Program): { readonly most: number; readonly now: number } => {
  const text = readFileSync(`/proc/${running.pid}/status`, 'utf8')
  const read = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(text)?.[1]) * 1024
  return { most: read('VmHWM'), now: read('VmRSS') }
}
const ask = (running: Program, key: string, name: string): string =>
  requestText({
    port: portOf(running),
    key,
    target: '/codex/v1/responses',
    body: JSON.stringify(response({ model: name })),
    headers: codexCli(name).headers,
  })

describe.skipIf(!proc)('what runs out', () => {
  const answerBytes = (process.env.POINTSMAN_DEEP === undefined ? 256 : 2_048) * mebibyte

  test(`F21 an answer of ${answerBytes / mebibyte} MiB passes whole in constant memory`, {
    timeout: 600_000,
  }, async () => {
    const running = await start()
    const key = running.key()
    expect((await callNamed(running, key, 'first')).status).toBe(200)
    const before = memory(running).now
    practice.script('codex-team', { reply: { kind: 'vendor', content: { totalBytes: answerBytes } } })
    let length = 0
    let tail = ''
    await new Promise<void>((resolve, reject) => {
      const body = JSON.stringify(response({ model: 'huge' }))
      const headers = {
        ...codexCli('huge').headers,
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
      }
      request(
        { host: '127.0.0.1', port: portOf(running), path: '/codex/v1/responses', method: 'POST', headers },
        (answer) => {
          answer.on('data', (piece: Buffer) => {
            length += piece.length
            tail = (tail + piece.toString('latin1')).slice(-4_096)
          })
          answer.once('end', resolve)
          answer.once('error', reject)
        },
      )
        .once('error', reject)
        .end(body)
    })
    expect([length >= answerBytes, tail.includes('response.completed')]).toEqual([true, true])
    expect(memory(running).most - before).toBeLessThan(128 * mebibyte)
    expect((await allRows(running)).map(({ outcome }) => outcome)).toEqual(['done', 'done'])
  })

  test('F47 without a descriptor left a call is refused at once and nobody is blamed; running calls go on', async () => {
    const running = await start('ulimit -n 72')
    const key = running.key()
    practice.usually('codex-team', { reply: { kind: 'no-head', end: 'stall' } })
    const held = Array.from({ length: 30 }, () => open(portOf(running)).on('error', () => {}))
    const answers = held.map((socket) => {
      const got = { text: '' }
      socket.on('data', (bytes: Buffer) => {
        got.text += bytes.toString('latin1')
      })
      return got
    })
    await until(() => (held.every((socket) => !socket.connecting) ? true : null), 'all are connected')
    for (const [n, socket] of held.entries()) socket.write(ask(running, key, `held-${n}`))
    const refused = (): number => answers.filter(({ text }) => text.includes('local_busy')).length
    const reached = (): number => practice.seen({ operation: 'generate' }).filter(({ ended }) => ended === null).length
    await until(() => (refused() + reached() === held.length ? true : null), 'each call runs or is refused')
    expect([
      refused() > 0,
      reached() > 0,
      // In a streaming Codex client's own style, or as a status.
      answers.every(({ text }) => text === '' || text.includes('x-pointsman-error: local_busy')),
    ]).toEqual([true, true, true])
    // Those that no descriptor is left for are not even taken: reset at once, none hangs.
    const more = await Promise.all(
      Array.from({ length: 40 }, () =>
        callNamed(running, key, 'more').then(({ headers, end }) => headers['x-pointsman-error'] ?? end),
      ),
    )
    expect(more.every((end) => end === 'local_busy' || end === 'ECONNRESET')).toBe(true)
    for (const socket of held) socket.destroy()
    practice.usually('codex-team', null)
    await until(async () => ((await callNamed(running, key, 'after')).status === 200 ? true : null), 'calls again')
    const rows = await allRows(running)
    expect(rows.filter(({ outcome }) => outcome === null || outcome === 'unknown-outcome')).toEqual([])
    const sources = await running.rpc<readonly { readonly state: string }[]>('accounts.list', {})
    expect(sources.map(({ state }) => state)).toEqual(['ready'])
  })

  test('F48 many large bodies: as many as memory is meant for are taken, the rest refused at once', async () => {
    let arrived = 0
    const sink = createServer((socket) => {
      socket.on('error', () => socket.destroy())
      socket.on('data', (bytes) => {
        arrived += bytes.length
      })
    })
    await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve))
    undo.push(() => sink.close())
    const origin = `http://127.0.0.1:${(sink.address() as { port: number }).port}`
    const running = await start('', { POINTSMAN_UPSTREAM_CODEX: origin })
    const key = running.key()
    const [most, each, count] = [512, 32, 24]
    const large = Buffer.from(JSON.stringify(response({ x: 'a'.repeat(each * mebibyte - 200) })))
    const headOf = (name: string): string => {
      const headers = { ...codexCli(name).headers, accept: 'text/event-stream', 'content-length': String(large.length) }
      return requestText({ port: portOf(running), key, target: '/codex/v1/responses', headers })
    }
    const before = memory(running).now
    const calls = Array.from({ length: count }, (_, n) => {
      const socket = open(portOf(running)).on('error', () => {})
      undo.push(() => socket.destroy())
      const answer = new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(bytes.toString('latin1'))))
      socket.write(headOf(`large-${n}`))
      return { socket, answer }
    })
    // Those without room hear so from their head alone.
    const refused = await Promise.all(calls.slice(most / each).map(({ answer }) => answer))
    // The Codex CLI tries again by itself, after as long as it is told.
    const again = ['local_busy', '"code":"rate_limit_exceeded"', 'Please try again in 2s.']
    expect(refused.map((text) => again.every((part) => text.includes(part)))).toEqual(
      Array(count - most / each).fill(true),
    )
    for (const { socket } of calls.slice(0, most / each)) socket.write(large)
    await until(() => (memory(running).now - before > (most / 2) * mebibyte ? true : null), 'bodies are held', 30_000)
    await until(async () => (await running.rpc('app.snapshot', {})) !== null || null, 'it still answers')
    expect(memory(running).most - before).toBeLessThan(2 * most * mebibyte)
    for (const { socket } of calls) socket.destroy()
    const untilThen = arrived
    await until(
      async () => {
        const again = open(portOf(running)).on('error', () => {})
        undo.push(() => again.destroy())
        again.write(headOf('again'))
        again.write(large)
        return await until(
          () => (arrived - untilThen > large.length / 2 ? true : null),
          'its body arrives',
          2_000,
        ).catch(() => null)
      },
      'there is room again',
      30_000,
    )
  })
})
