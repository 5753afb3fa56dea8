/** What people met with other tools, where no other test shows it here: each case names its report (docs/field-reports.md). */

import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defaultSettings, type Settings } from '../../src/main/domain/settings.ts'
import { codexCli, completion, response } from './asks.ts'
import { addCodex, callNamed, openPractice, startOver } from './load.ts'
import { id, type Rig, startRig } from './start-core.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig({ sources: ['codex-team', 'ollama'] })
  rig.practice.setWindows('codex-team', [])
})
afterAll(() => rig.close())

const encodings = {
  gzip: gzipSync,
  br: brotliCompressSync,
  deflate: deflateSync,
  zstd: zstdCompressSync,
} as const

describe('router-for-me/CLIProxyAPI#1834 an error that came compressed', () => {
  const resetsAt = Math.floor(Date.now() / 1_000) + 7_200
  const body = Buffer.from(
    JSON.stringify({ error: { type: 'usage_limit_reached', message: 'x', plan_type: 'team', resets_at: resetsAt } }),
  )
  test.each([
    ['gzip', 'with its label', ['content-encoding', 'gzip']],
    ['gzip', 'without one', []],
    ['zstd', 'with its label', ['content-encoding', 'zstd']],
    ['zstd', 'without one', []],
    ['br', 'with its label', ['content-encoding', 'br']],
    ['deflate', 'with its label', ['content-encoding', 'deflate']],
  ] as const)(
    'router-for-me/CLIProxyAPI#1834 (%s, %s) is read for what it says, and passed on as it came',
    async (encoding, _, label) => {
      const { conditions } = rig.core.api
      conditions.forgetWindows(id('codex-team'))
      conditions.lift(id('codex-team'))
      const packed = encodings[encoding](body)
      const headers = ['content-type', 'application/json', ...label]
      rig.practice.script('codex-team', { reply: { kind: 'status', status: 429, headers, body: packed } })
      const answer = await rig.call('/codex/v1/responses', response(), codexCli(`${encoding} ${label.length}`))
      expect([answer.status, answer.body.equals(packed)]).toEqual([429, true])
      expect(conditions.snapshot(id('codex-team')).spent.map(({ untilMs }) => untilMs)).toEqual([resetsAt * 1_000])
    },
  )
})

describe('a body that comes compressed', () => {
  test.each(Object.entries(encodings))(
    'ding113/claude-code-hub#1193 %s is read, and what goes on is not labelled twice',
    async (encoding, pack) => {
      const text = JSON.stringify(completion({ model: 'gpt-oss:20b', stream: false }))
      const headers = { 'content-encoding': encoding, 'content-type': 'application/json' }
      const answer = await rig.call('/v1/chat/completions', undefined, { body: pack(text), headers })
      expect(answer.status).toBe(200)
      const seen = rig.practice.seen({ origin: 'ollamaHost', operation: 'generate' }).at(-1)
      expect(JSON.parse(Buffer.from(seen?.body ?? '').toString())).toMatchObject({ model: 'gpt-oss:20b' })
      expect(seen?.rawHeaders.map((name) => name.toLowerCase())).not.toContain(encoding)
    },
  )

  test.each(Object.entries(encodings))(
    'router-for-me/CLIProxyAPI#6001 %s that grows beyond the limit is a 413 naming it',
    async (encoding, pack) => {
      const bomb = pack(
        Buffer.concat([Buffer.from('{"model":"gpt-oss:20b","x":"'), Buffer.alloc(70 * 1024 * 1024, 'a')]),
      )
      const headers = { 'content-encoding': encoding, 'content-type': 'application/json' }
      const answer = await rig.call('/v1/chat/completions', undefined, { body: bomb, headers })
      expect([answer.status, answer.text.includes('64 MiB decoded')]).toEqual([413, true])
    },
  )
})

test('farion1231/cc-switch#7204 each setting is kept over a restart, and changing one changes no other', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'pointsman-settings-'))
  const names = Object.keys(defaultSettings) as (keyof Settings)[]
  /** Another value of the same type; undefined for what the program itself keeps here. */
  const other = (name: keyof Settings): unknown => {
    const value = defaultSettings[name]
    if (typeof value === 'boolean') return !value
    if (typeof value === 'number') return value + 1
    const words: Partial<Record<keyof Settings, unknown>> = {
      defaultStrategy: 'rotate',
      atLimit: 'wait',
      termsClaude: 'first',
      termsCodex: 'several',
      language: 'zh',
      strictTranslationOf: { 'ollama:gpt-oss:20b': true },
    }
    return words[name]
  }
  const only = (all: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => other(name as keyof Settings) !== undefined))
  const theirs = ({ core }: Rig) => only({ ...core.api.settings() })
  const changed = names.filter((name) => other(name) !== undefined)
  expect(changed.length).toBeGreaterThan(25)
  let expected: Record<string, unknown> = { ...defaultSettings }
  for (const name of changed) {
    const one = await startRig({ dataDir })
    expect([name, theirs(one)]).toEqual([name, only(expected)])
    expected = { ...expected, [name]: other(name) }
    one.set({ [name]: other(name) } as Partial<Settings>)
    await one.close()
  }
  const last = await startRig({ dataDir })
  expect(theirs(last)).toEqual(only(expected))
  expect(changed.filter((name) => expected[name] === defaultSettings[name])).toEqual([])
  await last.close()
  rmSync(dataDir, { recursive: true, force: true })
}, 120_000)

test('lidge-jun/opencodex#733 killed and started again at once, it has its port: no child kept the socket', async () => {
  const home = mkdtempSync(join(tmpdir(), 'pointsman-port-'))
  const practice = await openPractice()
  const free = createServer()
  await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve))
  const { port } = free.address() as { port: number }
  await new Promise((resolve) => free.close(resolve))
  const place = { dataDir: join(home, 'data'), environment: { HOME: home }, args: ['--port', String(port)] }
  let program = await startOver(practice, place)
  await addCodex(program, practice)
  for (let round = 0; round < 3; round += 1) {
    const key = program.key()
    expect((await callNamed(program, key, `round ${round}`)).status).toBe(200)
    await program.kill()
    program = await startOver(practice, place)
    expect(Number(new URL(program.address).port)).toBe(port)
  }
  expect(await program.stop()).toBe(0)
  await practice.close()
  rmSync(home, { recursive: true, force: true })
})
