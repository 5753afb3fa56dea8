/** Ends that nobody waited for: a signal the moment the program can be found, and faults that nothing caught (F49, F50). */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { buildIfStale, headless } from '../../scripts/build-if-stale.mjs'
import type { Practice } from '../../src/main/practice/practice.ts'
import { addCodex, allRows, callNamed, openPractice, startOver } from './load.ts'
import type { Program } from './run-program.ts'
import { until } from './start-core.ts'

const home = mkdtempSync(join(tmpdir(), 'pointsman-sudden-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

describe('F50 a signal that comes as soon as the program can be found', () => {
  beforeAll(() => buildIfStale({ window: false }))

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    test(`F50 ${signal} as soon as instance.json exists: an end in order, code 0, the file gone`, async () => {
      for (let round = 0; round < 5; round += 1) {
        const dataDir = mkdtempSync(join(home, 'signal-'))
        const args = ['serve', '--json', '--practice', '--port', '0', '--data-dir', dataDir]
        const child = spawn(process.execPath, [headless, ...args], {
          env: { HOME: home, PATH: process.env.PATH ?? '' },
        })
        const stderr: string[] = []
        child.stderr.setEncoding('utf8').on('data', (text: string) => stderr.push(text))
        child.stdout.resume()
        const ended = new Promise((resolve) => child.once('close', (code, by) => resolve([code, by])))
        const found = new Promise<void>((resolve) => {
          const seen = watch(dataDir, () => {
            if (!existsSync(join(dataDir, 'instance.json'))) return
            child.kill(signal)
            seen.close()
            resolve()
          })
          child.once('close', () => seen.close())
        })
        await Promise.race([found, ended])
        expect([signal, await ended, stderr.join('')]).toEqual([signal, [0, null], ''])
        expect([existsSync(join(dataDir, 'instance.json')), existsSync(join(dataDir, 'control.sock'))]).toEqual([
          false,
          false,
        ])
      }
    })
  }
})

/** What is thrown holds a secret, as careless errors do. */
const secret = 'sk-ant-uncaught-0123456789abcdef'
/** Waits for a file, then lets a fault of its kind happen where nothing catches it. */
const faults: Readonly<Record<string, string>> = {
  'a throw in a timer': 'throw error()',
  'a throw in a microtask': 'queueMicrotask(() => { throw error() })',
  'a throw in nextTick': 'process.nextTick(() => { throw error() })',
  'a throw in setImmediate': 'setImmediate(() => { throw error() })',
  'a rejection that nobody handles': 'Promise.reject(error())',
  'a rejection with a plain text': `Promise.reject("Bearer ${secret}")`,
  'a rejection with nothing': 'Promise.reject(undefined)',
  'an error event without a listener': 'new (require("node:events"))().emit("error", error())',
  'a throw in a stream’s reader': 'require("node:stream").Readable.from(["x"]).on("data", () => { throw error() })',
  'an error that is its own cause': 'const one = error(); one.cause = one; throw one',
  'an error that can not be read':
    'throw Object.defineProperty(error(), "message", { get() { throw new Error("no") } })',
}

/** A call that never ends is waited for, for five seconds: two kinds of fault show enough of that. */
const withCall = new Set(['a throw in a timer', 'a rejection that nobody handles'])

describe('F49 a fault that nothing caught', () => {
  let practice: Practice
  let program: Program | null = null
  beforeAll(async () => {
    practice = await openPractice()
  })
  afterEach(() => program?.kill())
  afterAll(() => practice.close())

  function stalledCall(running: Program, key: string): ReturnType<typeof callNamed> {
    practice.script('codex-team', { reply: { kind: 'no-head', end: 'stall' } })
    return callNamed(running, key, 'running')
  }

  test.each(Object.entries(faults))('F49 %s: logged without its secret, rows finished, code 1', async (name, act) => {
    const dataDir = mkdtempSync(join(home, 'fault-'))
    const [trigger, preload] = [join(dataDir, 'trigger'), join(home, 'fault.cjs')]
    writeFileSync(
      preload,
      `const { existsSync } = require('node:fs')
      const error = () => Object.assign(new Error('lost ${secret}'), { headers: { authorization: '${secret}' } })
      const look = setInterval(() => {
        if (!existsSync(${JSON.stringify(trigger)})) return
        clearInterval(look)
        ${act}
      }, 5).unref()`,
    )
    const environment = { HOME: home, NODE_OPTIONS: `--require ${preload}`, POINTSMAN_DEV: '1' }
    const running = await startOver(practice, { dataDir: join(dataDir, 'data'), environment })
    program = running
    await addCodex(running, practice)
    const key = running.key()
    expect((await callNamed(running, key, 'before')).status).toBe(200)
    const seen = practice.seen({ operation: 'generate' }).length
    const open = withCall.has(name) ? stalledCall(running, key) : null
    if (open !== null)
      await until(() => (practice.seen({ operation: 'generate' }).length > seen ? true : null), 'a call runs')
    writeFileSync(trigger, '')
    if (open !== null) expect((await open).end).not.toBe('whole')
    expect(await running.ended).toBe(1)
    expect(JSON.parse(running.stderr().trim().split('\n')[0] ?? '')).toMatchObject({ code: 'internal' })
    expect(running.log()).toContain('"event":"uncaught"')
    expect(running.log() + running.stderr()).not.toContain(secret)
    expect(existsSync(join(dataDir, 'data', 'instance.json'))).toBe(false)
    const again = await startOver(practice, { dataDir: join(dataDir, 'data'), environment: { HOME: home } })
    program = again
    const outcomes = Object.fromEntries((await allRows(again)).map((row) => [row.requestedModel, row.outcome]))
    expect(outcomes).toEqual({ before: 'done', ...(open === null ? {} : { running: 'interrupted' }) })
    expect(await again.stop()).toBe(0)
    expect(readFileSync(join(dataDir, 'data', 'pointsman.log'), 'utf8')).not.toContain(secret)
  })
})
