/** The built program as a process: killed, ended under load, its port taken, started several times at once (F33, F50, F56, F57). */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { Practice } from '../../src/main/practice/practice.ts'
import { killCycles } from './kill-cycles.ts'
import { addCodex, allRows, callNamed, openPractice, startOver } from './load.ts'
import { runCommand } from './run-program.ts'
import { until } from './start-core.ts'
import { startsAtOnce } from './starts-at-once.ts'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'pointsman-process-'))
  undo.push(() => rmSync(made, { recursive: true, force: true }))
  return made
}

async function practiceOf(eventDelayMs = 0): Promise<Practice> {
  const practice = await openPractice(eventDelayMs)
  undo.push(() => practice.close())
  return practice
}

const kills = Number(process.env.POINTSMAN_KILLS ?? 20)

test(`F33 ${kills} kills under load lose no acknowledged call, key or secret, and leave sound files`, async () => {
  const figures = await killCycles(kills)
  expect(figures.wrong).toEqual([])
  expect(figures.acknowledged).toBeGreaterThanOrEqual(kills * 3)
}, 600_000)

test('F50 SIGTERM under load: running calls end, new ones are refused, the rest is `interrupted`, exit 0', async () => {
  const practice = await practiceOf(15)
  const home = folder()
  const place = { dataDir: join(home, 'data'), environment: { HOME: home, XDG_CONFIG_HOME: home } }
  const program = await startOver(practice, place)
  await addCodex(program, practice)
  const key = program.key()
  const running = Array.from({ length: 8 }, (_, n) => callNamed(program, key, `running-${n}`))
  const arrived = (count: number) => (practice.seen({ operation: 'generate' }).length === count ? true : null)
  await until(() => arrived(8), 'eight calls run')
  practice.script('codex-team', { wire: { end: { how: 'stall', afterEvents: 7 } } })
  const stalled = callNamed(program, key, 'stalled')
  await until(() => arrived(9), 'the stalled call runs')
  const ended = program.stop()
  const answers = await Promise.all(running)
  expect(answers.map((answer) => [answer.status, answer.end])).toEqual(Array(8).fill([200, 'whole']))
  expect((await callNamed(program, key, 'late')).end).toBe('ECONNREFUSED')
  expect([(await stalled).end === 'whole', await ended]).toEqual([false, 0])
  const again = await startOver(practice, place)
  undo.push(() => again.stop())
  const outcomes = Object.fromEntries((await allRows(again)).map((row) => [row.requestedModel, row.outcome]))
  const done = Object.fromEntries(answers.map((_, n) => [`running-${n}`, 'done']))
  expect(outcomes).toEqual({ ...done, stalled: 'interrupted' })
})

describe('T2.3 F56 a port that is taken', () => {
  async function squat(host: string): Promise<number | null> {
    const server = createServer((socket) => socket.destroy())
    const bound = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen({ port: 0, host, ipv6Only: host === '::1' }, () => resolve(true))
    })
    undo.push(() => new Promise((resolve) => server.close(resolve)))
    return bound ? (server.address() as { port: number }).port : null
  }

  for (const host of ['127.0.0.1', '::1']) {
    test(`only on ${host} ends with 73 and never moves elsewhere`, async () => {
      const port = await squat(host)
      if (port === null) {
        console.log(`F56: this machine has no ${host}; not tried`)
        return
      }
      const args = ['serve', '--json', '--no-ui', '--vault', 'memory', '--port', String(port)]
      const done = await runCommand([...args, '--data-dir', join(folder(), 'data')])
      expect([done.code, done.stdout]).toEqual([73, ''])
      expect(done.stderr).toContain(String(port))
      expect(done.stderr).toContain('port_in_use')
    })
  }
})

test('F57 of several started at once exactly one serves, the others end with 75', async () => {
  expect(await startsAtOnce(1, 8)).toEqual({ rounds: 1, starts: 8, wrong: [] })
})
