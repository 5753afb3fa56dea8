/** Starts that are refused: wrong arguments, other code let in, foreign hosts, an old Node. Nothing is opened then. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommand, startProgram } from './run-program.ts'

const folder = mkdtempSync(join(tmpdir(), 'pointsman-refused-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const problemOf = (stderr: string): unknown => JSON.parse(stderr)

describe('usage', () => {
  test.each([
    [['serve', '--port', 'many']],
    [['serve', '--port', '70000']],
    [['serve', '--vault', 'pocket']],
    [['serve', '--bogus']],
    [['serve', '--traffic']],
    [['status', '--data-dir', '']],
    [['serve', '--practice', '--passphrase-fd', '0']],
    [['serve', '--practice', '--no-ui', '--ui-port', '0']],
    [['calls', 'list', '--outcome', 'good']],
    [['bogus']],
    [[]],
    [['accounts']],
    [['keys', 'create']],
    [['rpc', 'app.snapshot', '{']],
  ])('%j ends with 2 and says why', async (args) => {
    const done = await runCommand([...args, '--json', '--data-dir', join(folder, 'usage')])
    expect(done.code).toBe(2)
    expect(done.stdout).toBe('')
    expect(problemOf(done.stderr)).toEqual({
      code: 'usage',
      sentence: expect.stringMatching(/^[A-Z].*\.$/),
      next: 'See `pointsman --help`.',
    })
  })

  test('help that was asked for is no error', async () => {
    const done = await runCommand(['keys', 'create', '--help'])
    expect([done.code, done.stderr]).toEqual([0, ''])
    expect(done.stdout).toContain('--data-dir <folder>')
  })
})

describe('T3.4 what lets other code in', () => {
  const preload = join(folder, 'preload.cjs')
  beforeAll(() => writeFileSync(preload, 'process.stdout.write("")'))
  const serve = ['serve', '--practice', '--port', '0', '--json', '--data-dir', join(folder, 'unsafe')]

  test.each([
    ['NODE_OPTIONS with --require', { environment: { NODE_OPTIONS: `--require ${preload}` } }],
    ['NODE_OPTIONS with -r', { environment: { NODE_OPTIONS: `-r ${preload}` } }],
    ['NODE_OPTIONS with --import', { environment: { NODE_OPTIONS: `--import=${preload}` } }],
    ['NODE_OPTIONS with --inspect', { environment: { NODE_OPTIONS: '--inspect=127.0.0.1:0' } }],
    ['--require', { nodeArguments: ['--require', preload] }],
    ['--inspect', { nodeArguments: ['--inspect=127.0.0.1:0'] }],
  ])('%s is refused before anything is opened', async (_name, options) => {
    const done = await runCommand(serve, options)
    expect(done.code).toBe(1)
    expect(JSON.parse(done.stderr.slice(done.stderr.indexOf('{"code"')))).toMatchObject({ code: 'unsafe_environment' })
    expect(existsSync(join(folder, 'unsafe'))).toBe(false)
  })

  test('harmless Node options are not, and POINTSMAN_DEV=1 lets the others through', async () => {
    const harmless = await startProgram({ environment: { NODE_OPTIONS: '--max-old-space-size=512' } })
    expect(await harmless.stop()).toBe(0)
    const developer = await startProgram({
      environment: { NODE_OPTIONS: `--require ${preload}`, POINTSMAN_DEV: '1' },
    })
    expect(await developer.stop()).toBe(0)
  })

  test('SIGUSR1 opens no debugger', async () => {
    const program = await startProgram()
    process.kill(program.pid, 'SIGUSR1')
    // An answer after the signal: it has been handled.
    expect(await program.json(['status'])).toMatchObject({ practice: true })
    expect(program.stderr()).toBe('')
    expect(await program.stop()).toBe(0)
  })
})

describe('POINTSMAN_UPSTREAM_…', () => {
  const serve = ['serve', '--vault', 'memory', '--port', '0', '--json', '--data-dir', join(folder, 'hosts')]

  test.each([
    'https://api.anthropic.com',
    'http://192.168.1.4:80',
    'http://127.0.0.1.example.com',
    'http://user:pass@127.0.0.1:80',
    'http://127.0.0.1:80/path',
    'ftp://127.0.0.1',
    'nonsense',
  ])('%s is refused: only loopback origins', async (url) => {
    const done = await runCommand(serve, { environment: { POINTSMAN_UPSTREAM_CLAUDE: url } })
    expect([done.code, problemOf(done.stderr)]).toMatchObject([1, { code: 'unsafe_environment' }])
    expect(done.stderr).not.toContain('pass@')
  })

  test('loopback ones are taken', async () => {
    const environment = { POINTSMAN_UPSTREAM_CLAUDE: 'http://127.0.0.1:9/', POINTSMAN_UPSTREAM_CODEX: 'http://[::1]:9' }
    const program = await startProgram({ practice: false, args: ['--vault', 'memory'], environment })
    expect(await program.stop()).toBe(0)
  })
})

describe('another Node', () => {
  const old = oldNode()
  test.skipIf(old === null)(
    `is refused in words (${old ?? 'no Node older than 24 on this machine: skipped'})`,
    async () => {
      const done = await runCommand(['serve', '--json'], { node: old ?? '' })
      expect([done.code, problemOf(done.stderr)]).toMatchObject([1, { code: 'node_too_old' }])
    },
  )
})

function oldNode(): string | null {
  for (const path of ['/usr/bin/node', '/usr/local/bin/node', '/opt/homebrew/bin/node']) {
    if (!existsSync(path)) continue
    const version = execFileSync(path, ['--version'], { encoding: 'utf8' })
    if (Number(/^v(\d+)/.exec(version)?.[1] ?? 99) < 24) return path
  }
  return null
}
