/** The guard that keeps tests on this machine sees every way out, in this process, in its threads and in the program (T3.6). */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../../scripts/build-if-stale.mjs'
import { send } from '../program/client.ts'
import { startProgram } from '../program/run-program.ts'
import { straysVariable } from './loopback-only.ts'

const guard = fileURLToPath(new URL('./loopback-only.ts', import.meta.url))
/** Reserved for documentation: nobody has it. */
const nobody = '192.0.2.1'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'pointsman-guard-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

const notedIn = (file: string): readonly string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []

/** What the guard noted of a script that runs behind it, and what the script printed. */
function behindGuard(script: string) {
  const file = join(folder(), 'strays')
  const env = { PATH: process.env.PATH ?? '', [straysVariable]: file }
  const args = ['--import', guard, '--input-type=module', '-e', script]
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8', env, timeout: 30_000 })
  return { noted: notedIn(file), stdout: stdout.trim(), stderr, status }
}

const settled = (act: string): string => `await new Promise((done) => { ${act} })`
const waysOut: readonly { readonly way: string; readonly script: string; readonly noted: string }[] = [
  {
    way: 'a socket',
    script: `import net from 'node:net'; ${settled(`net.connect(9, '${nobody}').once('error', done)`)}`,
    noted: nobody,
  },
  {
    way: 'a socket of a class taken before',
    script: `import { Socket } from 'node:net'; ${settled(`new Socket().once('error', done).connect({ port: 9, host: '${nobody}' })`)}`,
    noted: nobody,
  },
  {
    way: 'TLS',
    script: `import tls from 'node:tls'; ${settled(`tls.connect({ port: 9, host: '${nobody}' }).once('error', done)`)}`,
    noted: nobody,
  },
  {
    way: 'a request',
    script: `import { get } from 'node:http'; ${settled(`get('http://${nobody}/').once('error', done)`)}`,
    noted: nobody,
  },
  { way: 'fetch', script: `await fetch('http://${nobody}/').catch(() => {})`, noted: nobody },
  {
    way: 'undici',
    script: `import { request } from '${join(root, 'node_modules/undici/index.js')}'; await request('http://${nobody}/').catch(() => {})`,
    noted: nobody,
  },
  {
    way: 'a look-up',
    script: `import { lookup } from 'node:dns'; ${settled(`lookup('example.com', done)`)}`,
    noted: 'a look-up of example.com',
  },
  {
    way: 'an awaited look-up',
    script: `import { lookup } from 'node:dns/promises'; await lookup('example.com').catch(() => {})`,
    noted: 'a look-up of example.com',
  },
  {
    way: 'a datagram',
    script: `import dgram from 'node:dgram'; try { dgram.createSocket('udp4').send('x', 9, '${nobody}') } catch { process.exit(0) }`,
    noted: `a datagram to ${nobody}`,
  },
  {
    way: 'a thread',
    script: `import { Worker } from 'node:worker_threads'; ${settled(`new Worker("fetch('http://${nobody}/').catch(() => {})", { eval: true }).once('exit', done)`)}`,
    noted: nobody,
  },
]

test.each(waysOut)('$way that would leave the machine is refused and noted', ({ script, noted }) => {
  expect(behindGuard(script)).toEqual({ noted: [noted], stdout: '', stderr: '', status: 0 })
})

test('what stays on the machine passes, and a name that can’t exist is asked nowhere', () => {
  const script = `
    import { createServer } from 'node:http'
    const server = createServer((_, response) => response.end('here')).listen(0, '127.0.0.1')
    await new Promise((done) => server.once('listening', done))
    const { port } = server.address()
    for (const host of ['127.0.0.1', 'localhost']) console.log(await (await fetch('http://' + host + ':' + port)).text())
    await fetch('http://nobody.invalid/').catch(({ cause }) => console.log(cause.code))
    server.close()`
  expect(behindGuard(script)).toEqual({ noted: [], stdout: 'here\nhere\nENOTFOUND', stderr: '', status: 0 })
})

test('a test during which something would have left the machine fails', () => {
  const place = folder()
  writeFileSync(
    join(place, 'stray.test.ts'),
    `test('x', async () => void (await fetch('http://${nobody}/').catch(() => {})))`,
  )
  const setupFiles = [join(root, 'test', 'net', 'setup.ts')]
  const config = { test: { globals: true, include: ['stray.test.ts'], setupFiles } }
  writeFileSync(join(place, 'vitest.config.mjs'), `export default ${JSON.stringify(config)}`)
  const vitest = join(root, 'node_modules', '.bin', 'vitest')
  const { status, stdout, stderr } = spawnSync(vitest, ['run', '--root', place], { encoding: 'utf8', timeout: 60_000 })
  expect(`${stdout}${stderr}`).toContain(`These would have left the machine: ${nobody}`)
  expect(status).toBe(1)
})

test('the built program asks an upstream that is not here: refused and noted', async () => {
  const file = join(folder(), 'strays')
  const environment = { [straysVariable]: file }
  const program = await startProgram({ practice: false, args: ['--vault', 'memory'], environment })
  onTestFinished(async () => void (await program.stop()))
  await program.rpc('profiles.create', {
    kind: 'api',
    label: 'away',
    dialects: ['responses'],
    baseUrl: `https://${nobody}`,
    apiKey: 'sk-away-0123456789',
    models: [{ id: 'gpt-5.5' }],
  })
  expect(notedIn(file)).toEqual([])
  const answer = await send({
    port: Number(new URL(program.address).port),
    path: '/away/v1/responses',
    body: JSON.stringify({ model: 'gpt-5.5', input: 'hello' }),
    headers: { authorization: `Bearer ${program.key()}` },
  })
  expect(notedIn(file)).toContain(nobody)
  expect([answer.status, answer.headers['x-pointsman-error']]).toEqual([502, 'upstream_unreachable'])
})
