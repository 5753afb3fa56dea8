/**
 * One life of the program with everything in it: every member, every route, the window in a browser, clients connected,
 * failures of every kind. No secret is in anything that it answered, printed, wrote or started (T2.5, T3.1, T3.2, T5.4).
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { buildIfStale } from '../../scripts/build-if-stale.mjs'
import type { Practice } from '../../src/main/practice/practice.ts'
import { contract } from '../../src/shared/contract/index.ts'
import { CanaryScan, type Finding } from '../canary.ts'
import { claudeCode, codexCli, completion, message, response } from './asks.ts'
import { type Canary, canaries, kept, plantCanaries } from './canary-kit.ts'
import { chromiumPath, noChromium } from './chromium.ts'
import { send } from './client.ts'
import { openPractice } from './load.ts'
import { inputsOf } from './member-inputs.ts'
import { type Program, startProgram } from './run-program.ts'

const secrets: Canary = { ...canaries }
/** The page puts it into its own storage: what the browser's profile is scanned for must be found there. */
const shown = 'control-canary-that-the-page-stores-31c7'

let home: string
let profile: string
let practice: Practice
let program: Program
/** What came out, by what it came from. */
const outputs: (readonly [where: string, text: string])[] = []
const done = new Set<string>()
let processes: readonly (readonly [string, Buffer])[] = []

beforeAll(async () => {
  buildIfStale()
  home = mkdtempSync(join(tmpdir(), 'pointsman-life-'))
  profile = join(home, 'browser')
  for (const folder of ['.claude', '.codex']) mkdirSync(join(home, folder))
  writeFileSync(join(home, '.claude', 'settings.json'), '{}\n')
  writeFileSync(join(home, '.codex', 'config.toml'), '')
  practice = await openPractice()
  const { claude, claudeAuth, codex, codexAuth } = practice.hosts
  program = await startProgram({
    practice: false,
    window: true,
    dataDir: join(home, 'data'),
    args: ['--vault', 'file'],
    environment: {
      HOME: home,
      POINTSMAN_UPSTREAM_CLAUDE: claude,
      POINTSMAN_UPSTREAM_CLAUDE_AUTH: claudeAuth,
      POINTSMAN_UPSTREAM_CODEX: codex,
      POINTSMAN_UPSTREAM_CODEX_AUTH: codexAuth,
    },
  })
  await plantCanaries(secrets, program, practice, async (member, input) =>
    note(member, () => program.rpc(member, input)),
  )
  await everyRoute()
  if (noChromium === null) await throughTheWindow()
  await everyMember()
  await everyRoute()
  processes = processTree(program.pid)
}, 240_000)
afterAll(async () => {
  await program?.stop()
  await practice?.close()
  if (home !== undefined) rmSync(home, { recursive: true, force: true, maxRetries: 5 })
})

async function note(where: string, ask: () => Promise<unknown>): Promise<unknown> {
  try {
    const output = await ask()
    outputs.push([where, JSON.stringify(output) ?? ''])
    done.add(where)
    return output
  } catch (cause) {
    const { data, message: text, stack } = cause as { data?: unknown; message?: string; stack?: string }
    outputs.push([`${where} (refused)`, `${String(cause)} ${text} ${stack} ${JSON.stringify(data)}`])
    return null
  }
}

/** Every path of each dialect and source, with the key in each place, wrong keys, and what pages send. */
async function everyRoute(): Promise<void> {
  const port = Number(new URL(program.address).port)
  const prompt = { messages: [{ role: 'user', content: secrets['prompt text'] }] }
  const bodies = {
    messages: message(prompt),
    'messages/count_tokens': message(prompt),
    responses: response({ input: [{ role: 'user', content: secrets['prompt text'] }] }),
    'responses/input_tokens': response({ input: secrets['prompt text'] }),
    'responses/compact': response({ input: [{ role: 'user', content: secrets['prompt text'] }], stream: undefined }),
    'chat/completions': completion(prompt),
    models: null,
    nothing: null,
  }
  const own = { cookie: `c=${secrets.cookie}`, 'x-own': secrets['client’s own API key'] }
  const client = { ...claudeCode(secrets['session id']).headers, ...codexCli(secrets['session id']).headers }
  const credentials = [
    ['', { authorization: `Bearer ${secrets['access key']}` }],
    ['', { 'x-api-key': secrets['access key'] }],
    [`/k/${secrets['access key']}`, { authorization: `Bearer ${secrets['client’s own bearer']}` }],
    ['', { authorization: `Bearer ${secrets['client’s own bearer']}` }],
    ['', { authorization: `Bearer ${secrets['access key']}`, origin: 'https://evil.test' }],
  ] as const
  for (const source of ['', '/claude', '/codex', '/keyed', '/absent']) {
    for (const [path, body] of Object.entries(bodies)) {
      for (const [prefix, headers] of credentials) {
        const target = `${prefix}${source}/v1/${path}`
        const answer = await send({
          ...{ port, path: target, headers: { ...client, ...own, ...headers } },
          ...(body === null ? {} : { body: JSON.stringify(body) }),
        })
        const where = `${source}/v1/${path}: ${answer.status}`
        outputs.push([where, answer.rawHeaders.join('\n')], [where, answer.body.toString('latin1')])
      }
    }
  }
  await overWebSocket(port, client)
  for (const path of ['/', '/api/hello', '/__debug/routes', '/__debug/routes/test?model=gpt-5.5']) {
    const headers = { authorization: `Bearer ${secrets['access key']}` }
    const answer = await send({ port, path, headers })
    outputs.push([path, answer.rawHeaders.join('\n') + answer.text])
  }
}

/** One turn as the Codex CLI takes it over WebSocket, and one that the vendor refuses: every frame that comes back. */
async function overWebSocket(port: number, headers: Readonly<Record<string, string>>): Promise<void> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/codex/v1/responses`, {
    headers: {
      ...headers,
      authorization: `Bearer ${secrets['access key']}`,
      'openai-beta': 'responses_websockets=2026-02-06',
    },
  })
  const content = [{ type: 'input_text', text: secrets['prompt text'] }]
  const turn = { ...response(), type: 'response.create', input: [{ type: 'message', role: 'user', content }] }
  let turns = 0
  await new Promise<void>((resolve) => {
    socket.on('open', () => socket.send(JSON.stringify(turn)))
    socket.on('message', (frame) => {
      const text = frame.toString()
      outputs.push(['a frame', text])
      if (!/"type":"(response\.(completed|failed)|error)"/.test(text)) return
      turns += 1
      if (turns === 2) socket.close()
      else socket.send(JSON.stringify({ ...turn, previous_response_id: secrets['client’s own bearer'] }))
    })
    socket.on('error', () => resolve())
    socket.on('close', () => resolve())
  })
  if (turns === 2) done.add('frames')
}

/** Every member there is, with an input that it takes where one is known, and with one that it refuses. */
async function everyMember(): Promise<void> {
  const inputs = inputsOf(secrets, practice.origins.openaiApi)
  const names = Object.entries(contract).flatMap(([area, members]) =>
    Object.keys(members).map((name) => `${area}.${name}`),
  )
  // What takes things away comes last.
  const late = ['accounts.signOut', 'accounts.remove', 'profiles.remove', 'clients.restore', 'vault.unlock']
  for (const name of [...names.filter((each) => !late.includes(each)), ...late]) {
    if (/\.(changed|appended)$/.test(name)) {
      const stream = (await program.rpc(name, {})) as AsyncIterableIterator<unknown>
      await note(name, async () => (await stream.next()).value)
      await stream.return?.()
      continue
    }
    const given = inputs[name] ?? [{}]
    for (const input of given) {
      const made = await note(name, async () =>
        program.rpc(name, typeof input === 'function' ? await input(ask) : input),
      )
      // A new access key is shown once, where it is made; a link opens the window once. Both are no stored secret.
      if (made === null) continue
    }
    await note(name, () => program.rpc(name, { id: secrets['client’s own bearer'], unknown: secrets['API key'] }))
  }
}

const ask = <Output>(member: string, input: unknown = {}): Promise<Output> => program.rpc<Output>(member, input)

/** Each tab of the window, a call's explanation, and all that went over its socket. */
async function throughTheWindow(): Promise<void> {
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: chromiumPath,
    args: ['--no-sandbox', '--disable-gpu'],
  })
  const page = await context.newPage()
  page.on(
    'response',
    (answer) =>
      void answer
        .text()
        .then((text) => outputs.push([`the window: ${new URL(answer.url()).pathname}`, text]))
        .catch(() => {}),
  )
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => outputs.push(['the window’s socket', payload.toString()]))
  })
  const { url } = await program.rpc<{ url: string }>('app.openLink')
  await page.goto(url)
  const tabs = page.getByRole('tab')
  await tabs.first().waitFor()
  for (const tab of await tabs.all()) {
    await tab.click()
    await page.waitForLoadState('networkidle')
    outputs.push(['the window’s page', await page.content()])
  }
  await page.evaluate((text) => localStorage.setItem('control', text), shown)
  await context.close()
  done.add('the window')
}

/** Arguments and environment of the program and of all that it started. */
function processTree(pid: number): readonly (readonly [string, Buffer])[] {
  if (process.platform !== 'linux') return []
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const parents = new Map(
    all.flatMap((name) => {
      try {
        return [
          [
            Number(name),
            Number(
              readFileSync(`/proc/${name}/stat`, 'utf8')
                .replace(/^.*\) /, '')
                .split(' ')[1],
            ),
          ] as const,
        ]
      } catch {
        return []
      }
    }),
  )
  const isOurs = (one: number): boolean => one === pid || (one > 1 && isOurs(parents.get(one) ?? 0))
  return [...parents.keys()]
    .filter(isOurs)
    .flatMap((one) =>
      ['cmdline', 'environ'].map((name) => [`${one} ${name}`, readFileSync(`/proc/${one}/${name}`)] as const),
    )
}

const ours = (): CanaryScan => new CanaryScan(Object.fromEntries(kept.map((name) => [name, secrets[name]])))
const all = (): CanaryScan => new CanaryScan(secrets)
const findings = (scan: CanaryScan): readonly Finding[] => outputs.flatMap(([where, text]) => scan.text(where, text))

describe('a life of the program', () => {
  test('the control: it did what it should', () => {
    const members = [...done].filter((name) => /^\w+\.\w+$/.test(name))
    console.log(`canary: ${members.length} members answered, ${outputs.length} outputs`)
    expect(members.length).toBeGreaterThan(80)
    expect(outputs.length).toBeGreaterThan(500)
    expect(
      outputs.some(
        ([where, text]) => where.startsWith('/codex/v1/responses: 200') && text.includes('response.completed'),
      ),
    ).toBe(true)
    expect(done.has('frames')).toBe(true)
    expect(done.has('the window') || noChromium !== null).toBe(true)
  })

  test('T3.2 no member, no route and no page gives out what is kept', () => {
    expect(findings(ours())).toEqual([])
  })

  test('T2.5 T3.1 T5.4 no argument, no environment, no output and no log holds any', () => {
    const scan = all()
    const found = processes.flatMap(([where, bytes]) => scan.text(where, bytes))
    expect([...found, ...scan.text('stdout', program.stdout()), ...scan.text('stderr', program.stderr())]).toEqual([])
    expect(processes.length > 0 || process.platform !== 'linux').toBe(true)
  })

  test('T2.5 T3.1 T5.4 no file holds any: data folder, home, clients’ files, the browser’s profile; while it runs and after', async () => {
    // The default access key has one file, which is named for it.
    const named = [join('data', 'default-key')]
    expect(all().folder(home, named)).toEqual([])
    expect(await program.stop()).toBe(0)
    const scan = all()
    expect(scan.folder(home, named)).toEqual([])
    console.log(`canary: ${scan.filesScanned} files, ${scan.bytesScanned} bytes, packed ones unpacked`)
    const places = new Set(scan.folder(home).map(({ canary, where }) => `${canary} in ${where}`))
    expect([...places]).toEqual([`access key in ${named[0]}`])
  })

  test('the control: what the page stored is found in the profile, and a packed leak in the data folder', () => {
    if (noChromium === null) expect(new CanaryScan({ shown }).folder(profile).length).toBeGreaterThan(0)
    writeFileSync(join(home, 'data', 'leak.gz'), gzipSync(`words ${secrets['API key']}`))
    const leaks = all().folder(join(home, 'data'), ['default-key'])
    expect(leaks).toContainEqual({ canary: 'API key', form: 'gzip, plain', where: 'leak.gz' })
    expect(leaks.every(({ where }) => where === 'leak.gz')).toBe(true)
  })
})
