/** Twelve planted secrets in seven forms: after a run full of failures none is in any file, output or error (T3.1, T5, T7.4). */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Behaviour, ErrorName, Practice } from '../../src/main/practice/practice.ts'
import { startPractice } from '../../src/main/practice/practice.ts'
import { type Canaries, CanaryScan, formNames } from '../canary.ts'
import { type Packing, packings } from '../unpacked.ts'
import { claudeCode, codexCli, message, response } from './asks.ts'
import { type Canary, canaries, kept, plantCanaries } from './canary-kit.ts'
import { type ClientAnswer, send } from './client.ts'
import { type Program, startProgram } from './run-program.ts'
import { wallClock } from './start-core.ts'

const secrets: Canary = { ...canaries }

let practice: Practice
let program: Program
let folder: string
const answers: (readonly [string, ClientAnswer])[] = []
const outputs: (readonly [string, string])[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pointsman-canary-'))
  practice = await startPractice({ clock: wallClock })
  const { claude, claudeAuth, codex, codexAuth } = practice.hosts
  program = await startProgram({
    practice: false,
    dataDir: join(folder, 'data'),
    args: ['--vault', 'file', '--no-ui'],
    environment: {
      POINTSMAN_UPSTREAM_CLAUDE: claude,
      POINTSMAN_UPSTREAM_CLAUDE_AUTH: claudeAuth,
      POINTSMAN_UPSTREAM_CODEX: codex,
      POINTSMAN_UPSTREAM_CODEX_AUTH: codexAuth,
    },
  })
  await plantCanaries(secrets, program, practice, rpc)
  await run()
}, 120_000)
afterAll(async () => {
  await program?.stop()
  await practice?.close()
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
})

async function rpc(member: string, input: unknown): Promise<unknown> {
  const output = await program.rpc(member, input)
  outputs.push([member, JSON.stringify(output) ?? ''])
  return output
}

const port = (): number => Number(new URL(program.address).port)
async function call(path: string, body: unknown, headers: Record<string, string>, name: string): Promise<void> {
  const answer = await send({
    port: port(),
    path,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers,
  })
  answers.push([`${name} ${path}`, answer])
}

/** Every way to fail that may put a secret into a message. */
async function run(): Promise<void> {
  const bearer = {
    authorization: `Bearer ${secrets['access key']}`,
    cookie: `c=${secrets.cookie}`,
    'x-own': secrets['client’s own API key'],
  }
  const prompt = {
    messages: [{ role: 'user', content: secrets['prompt text'] }],
    tools: [{ name: secrets['tool schema'], input_schema: {} }],
  }
  const claudeHeaders = { ...claudeCode(secrets['session id']).headers, ...bearer }
  const codexHeaders = { ...codexCli(secrets['session id']).headers, ...bearer }
  const ask = {
    claude: () => message(prompt),
    codex: () =>
      response({
        input: [{ role: 'user', content: secrets['prompt text'] }],
        tools: [{ name: secrets['tool schema'] }],
      }),
  }
  const errors: readonly ErrorName[] = [
    'spent',
    'server-error',
    'overloaded',
    'unauthorised',
    'forbidden',
    'billing',
    'invalid',
    'html-block',
    'model-not-entitled',
  ]
  const behaviours: readonly Behaviour[] = [
    {},
    ...errors.map((error): Behaviour => ({ reply: { kind: 'error', error } })),
    { reply: { kind: 'echo-headers' } },
    { reply: { kind: 'echo-headers' }, wire: { encode: 'gzip' } },
    { reply: { kind: 'no-head', end: 'reset' } },
    { reply: { kind: 'malformed', fault: 'garbage-greeting' } },
    { reply: { kind: 'redirect', location: 'http://127.0.0.1:9/' } },
    { reply: { kind: 'vendor', content: { words: 20 } }, wire: { end: { how: 'reset', afterEvents: 8 } } },
  ]
  for (const behaviour of behaviours) {
    for (const stream of [true, false]) {
      practice.script('claude', behaviour)
      await call('/claude/v1/messages', { ...ask.claude(), stream }, claudeHeaders, 'claude')
      practice.script('codex', behaviour)
      practice.script('openaiApi', behaviour)
      await call('/codex/v1/responses', { ...ask.codex(), stream }, codexHeaders, 'codex')
      for (const source of ['claude', 'codex', 'openaiApi']) practice.unscript(source)
    }
  }
  await call(
    `/k/${secrets['access key']}/codex/v1/responses`,
    ask.codex(),
    { ...codexCli().headers, authorization: `Bearer ${secrets['client’s own bearer']}` },
    'path key',
  )
  await call(`/k/${secrets['access key']}/nothing`, ask.codex(), {}, 'unknown path')
  await call('/v1/messages', ask.claude(), { authorization: `Bearer ${secrets['client’s own bearer']}` }, 'stranger')
  await call('/v1/messages', `{"model":"${secrets['prompt text']}"`, bearer, 'broken')
  await call('/v1/responses', { model: secrets['tool schema'] }, bearer, 'unknown model')
  for (const member of [
    'app.snapshot',
    'accounts.list',
    'profiles.list',
    'keys.list',
    'settings.get',
    'vault.status',
    'quota.windows',
    'models.pools',
  ])
    await rpc(member, {}).catch((cause: unknown) => outputs.push([member, String(cause)]))
  const page = (await rpc('calls.page', { limit: 500, offset: 0 })) as {
    readonly rows: readonly { readonly id: string }[]
  }
  for (const { id } of page.rows) await rpc('calls.get', { id })
  await rpc('accounts.import', {
    provider: 'codex',
    label: 'bad',
    credential: { tokens: { access_token: secrets['client’s own bearer'] } },
  }).catch((cause: unknown) => outputs.push(['bad import', JSON.stringify(cause) + String(cause)]))
}

test('the scanner finds each secret in each of its seven forms', () => {
  const scan = new CanaryScan(secrets as Canaries)
  expect([Object.keys(secrets).length, formNames.length]).toEqual([12, 7])
  for (const [name, secret] of Object.entries(secrets)) {
    for (const before of ['', 'x', 'xy']) {
      const bytes = Buffer.from(`${before}${secret} and more`)
      const leaks = {
        plain: bytes,
        base64: bytes.toString('base64'),
        base64url: bytes.toString('base64url'),
        hex: bytes.toString('hex'),
        'URL-encoded': encodeURIComponent(bytes.toString()),
        'JSON-escaped': JSON.stringify({ x: bytes.toString() }),
        'UTF-16LE': Buffer.from(bytes.toString(), 'utf16le'),
      }
      for (const [form, leak] of Object.entries(leaks))
        expect([name, before, form, scan.text('leak', leak).some((finding) => finding.canary === name)]).toEqual([
          name,
          before,
          form,
          true,
        ])
    }
  }
  expect(scan.text('clean', 'nothing to see')).toEqual([])
})

test('the scanner finds a secret that lies packed in a file, also between other bytes, cut, or packed twice', () => {
  const scan = new CanaryScan({ one: secrets['API key'] })
  const text = Buffer.from(`${'words before it, '.repeat(50)}{"key":"${secrets['API key']}"}${' and after'.repeat(50)}`)
  const packed: Readonly<Record<Packing, Buffer>> = {
    gzip: gzipSync(text),
    zlib: deflateSync(text),
    zstd: zstdCompressSync(text),
    brotli: brotliCompressSync(text),
    'raw deflate': deflateRawSync(text),
  }
  const forms = (bytes: Buffer): readonly string[] => scan.text('packed', bytes).map(({ form }) => form)
  for (const packing of packings) expect(forms(packed[packing])).toContain(`${packing}, plain`)
  const noise = Buffer.from('x'.repeat(1_000))
  for (const packing of ['gzip', 'zlib', 'zstd'] as const) {
    expect(forms(Buffer.concat([noise, packed[packing]]))).toContain(`${packing}, plain`)
  }
  expect(forms(gzipSync(Buffer.from(text.toString('base64'))).subarray(0, -8))).toContain('gzip, base64')
  expect(forms(gzipSync(packed.zstd))).toContain('gzip, zstd, plain')
  expect(forms(gzipSync(noise))).toEqual([])
})

describe('after a run with every failure', () => {
  test('the run did what it should: calls were served, failed and recorded', () => {
    expect(answers.filter(([, answer]) => answer.status === 200 && answer.end === 'whole').length).toBeGreaterThan(5)
    expect(answers.filter(([, answer]) => answer.status >= 400).length).toBeGreaterThan(20)
    expect(outputs.filter(([member]) => member === 'calls.get').length).toBeGreaterThan(40)
  })

  test('T7.4 no answer to a client holds one of our secrets', () => {
    const ours = new CanaryScan(
      Object.fromEntries(Object.entries(secrets).filter(([name]) => (kept as readonly string[]).includes(name))),
    )
    const findings = answers.flatMap(([name, answer]) => [
      ...ours.text(name, answer.body),
      ...ours.text(`${name} headers`, answer.rawHeaders.join('\n')),
    ])
    expect(findings).toEqual([])
  })

  test('no refusal of ours repeats what the client sent', () => {
    const scan = new CanaryScan(Object.fromEntries(Object.entries(secrets).filter(([name]) => name !== 'tool schema')))
    const own = answers.filter(
      ([, answer]) => answer.headers['x-pointsman-error'] !== undefined || answer.status === 401,
    )
    expect(own.length).toBeGreaterThan(3)
    expect(own.flatMap(([name, answer]) => scan.text(name, answer.body))).toEqual([])
  })

  test('no output of the control socket, of stdout or stderr holds any', () => {
    const { 'tool schema': _asked, ...hidden } = secrets
    const scan = new CanaryScan(hidden)
    const findings = [
      ...outputs.flatMap(([member, output]) => scan.text(member, output)),
      ...scan.text('stdout', program.stdout()),
      ...scan.text('stderr', program.stderr()),
    ]
    expect(findings).toEqual([])
  })

  test('T3.1 no file of the data folder holds any, while it runs and after it ended; the default key’s file is named', async () => {
    const running = new CanaryScan({ ...secrets, 'tool schema': 'not scanned here: it was sent as a model' })
    expect(running.folder(program.dataDir, ['default-key'])).toEqual([])
    expect(readFileSync(join(program.dataDir, 'default-key'), 'utf8').trim()).toBe(secrets['access key'])
    await program.stop()
    const ended = new CanaryScan({ ...secrets, 'tool schema': 'not scanned here: it was sent as a model' })
    expect(ended.folder(program.dataDir, ['default-key'])).toEqual([])
    expect([ended.filesScanned > 4, ended.bytesScanned > 50_000]).toEqual([true, true])
    // The folder does hold what it is scanned for: the calls and the accounts.
    expect(new CanaryScan({ label: 'claude-opus-4-8' }).folder(program.dataDir).length).toBeGreaterThan(0)
  })
})
