/** Starting and ending: the ready line, the exit codes, and what may not be started at all. */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { headless } from '../../scripts/build-if-stale.mjs'
import { type Program, runCommand, startProgram } from './run-program.ts'

const folder = mkdtempSync(join(tmpdir(), 'pointsman-start-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const problemOf = (stderr: string): unknown => JSON.parse(stderr)

describe('the ready line', () => {
  let program: Program
  const dataDir = join(folder, 'first')
  beforeAll(async () => {
    program = await startProgram({ dataDir, args: ['--show-key'] })
  })
  afterAll(() => program.stop())

  test('names address, window, control socket, data folder and the key’s file', () => {
    const { key, ...rest } = program.ready
    expect(rest).toEqual({
      event: 'ready',
      address: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      ui: null,
      control: join(dataDir, 'control.sock'),
      dataDir,
      keyFile: join(dataDir, 'default-key'),
    })
    expect(key).toMatch(/^pk_[A-Za-z0-9_-]{43}$/)
    expect(program.key()).toBe(key)
  })

  test('is the only line on stdout', () => {
    expect(program.stdout().trimEnd().split('\n')).toHaveLength(1)
    expect(program.stderr()).toBe('')
  })

  test('T2.2 the folder and every file in it are private', () => {
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    for (const name of ['control.sock', 'default-key', 'instance.json', 'pointsman.log', 'pointsman.db', 'calls.db']) {
      expect([name, statSync(join(dataDir, name)).mode & 0o777]).toEqual([name, 0o600])
    }
  })

  test('a second start on the same folder ends with 75 and leaves the first alone', async () => {
    const args = ['serve', '--practice', '--port', '0', '--json', '--data-dir', dataDir]
    const second = await runCommand(args)
    expect(second.code).toBe(75)
    expect(second.stdout).toBe('')
    expect(problemOf(second.stderr)).toEqual({
      code: 'data_folder_in_use',
      sentence: 'Another Pointsman already uses this data folder.',
      next: expect.any(String),
    })
    expect(await program.json(['status'])).toMatchObject({ address: program.address })
  })
})

test('a later start shows no key, even when asked, and keeps the one in the file', async () => {
  const dataDir = join(folder, 'later')
  const first = await startProgram({ dataDir })
  expect(first.ready.key).toBeUndefined()
  const key = first.key()
  expect(await first.stop()).toBe(0)
  const second = await startProgram({ dataDir, args: ['--show-key'] })
  expect(second.ready.key).toBeUndefined()
  expect(second.key()).toBe(key)
  expect(await second.stop()).toBe(0)
})

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s ends it with 0 and takes socket and instance file away',
  async (signal) => {
    const dataDir = join(folder, signal)
    const program = await startProgram({ dataDir })
    process.kill(program.pid, signal)
    expect(await program.stop()).toBe(0)
    expect(['control.sock', 'instance.json'].filter((name) => existsSync(join(dataDir, name)))).toEqual([])
  },
)

test('F57 after a kill the next start takes over its socket', async () => {
  const dataDir = join(folder, 'killed')
  const first = await startProgram({ dataDir })
  await first.kill()
  expect(existsSync(join(dataDir, 'control.sock'))).toBe(true)
  const between = await runCommand(['status', '--json', '--data-dir', dataDir])
  expect([between.code, problemOf(between.stderr)]).toMatchObject([69, { code: 'not_running' }])
  const second = await startProgram({ dataDir })
  expect(await second.json(['status'])).toMatchObject({ address: second.address })
  expect(await second.stop()).toBe(0)
})

test('practice mode does not touch a folder with real accounts', async () => {
  const dataDir = join(folder, 'real')
  const real = await startProgram({ dataDir, practice: false, args: ['--vault', 'memory'] })
  expect(await real.stop()).toBe(0)
  const args = ['serve', '--practice', '--port', '0', '--json', '--data-dir', dataDir]
  const done = await runCommand(args)
  expect([done.code, problemOf(done.stderr)]).toMatchObject([1, { code: 'data_folder_unusable' }])
})

test('a data folder with a long path moves the socket to a short private folder, and commands find it', async () => {
  const dataDir = join(folder, 'long-'.repeat(24))
  const program = await startProgram({ dataDir })
  const { control } = program.ready
  expect(Buffer.byteLength(control)).toBeLessThanOrEqual(100)
  expect(control.startsWith(dataDir)).toBe(false)
  expect(statSync(join(control, '..')).mode & 0o777).toBe(0o700)
  expect(statSync(control).mode & 0o777).toBe(0o600)
  expect(await program.json(['status'])).toMatchObject({ dataDir })
  expect(await program.stop()).toBe(0)
  expect(existsSync(control)).toBe(false)
})

describe('a port that is taken', () => {
  let server: Server
  let port = 0
  beforeAll(async () => {
    server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as { port: number }).port
  })
  afterAll(() => server.close())

  test('ends with 73 and names the port', async () => {
    const dataDir = join(folder, 'port')
    const args = ['serve', '--practice', '--port', String(port), '--json', '--data-dir', dataDir]
    const done = await runCommand(args)
    expect([done.code, problemOf(done.stderr)]).toMatchObject([73, { code: 'port_in_use' }])
    expect(done.stderr).toContain(String(port))
  })
})

test('T2.5 the vault’s passphrase comes from the environment or a descriptor, and is in no argument', async () => {
  const dataDir = join(folder, 'passphrase')
  const args = ['--vault', 'passphrase']
  const environment = { POINTSMAN_PASSPHRASE: 'correct horse' }
  const first = await startProgram({ practice: false, dataDir, args, environment })
  expect(await first.rpc('vault.status')).toEqual({
    kind: 'passphrase',
    state: 'open',
    why: null,
    unsaved: null,
    isOlder: false,
  })
  expect(readFileSync(`/proc/${first.pid}/cmdline`, 'utf8')).not.toContain('horse')
  expect(await first.stop()).toBe(0)

  const none = await startProgram({ practice: false, dataDir, args })
  expect(await none.rpc('vault.status')).toMatchObject({ state: 'locked' })
  expect(await none.rpc('vault.unlock', { passphrase: 'wrong' })).toMatchObject({ state: 'locked' })
  expect(await none.rpc('vault.unlock', { passphrase: 'correct horse' })).toMatchObject({ state: 'open' })
  expect(await none.stop()).toBe(0)

  const piped = await startProgram({
    practice: false,
    dataDir,
    args: [...args, '--passphrase-fd', '0'],
    stdin: 'correct horse\n',
  })
  expect(await piped.rpc('vault.status')).toMatchObject({ state: 'open' })
  expect(await piped.stop()).toBe(0)
})

test('a person reads where it is, where the key lies, and one line to try', async () => {
  const dataDir = join(folder, 'human')
  const program = spawnForPeople(dataDir)
  const text = await program.text
  expect(text).toContain('Practice mode')
  expect(text).toMatch(/Address +http:\/\/127\.0\.0\.1:\d+\n/)
  expect(text).toContain(`in ${join(dataDir, 'default-key')}`)
  const curl = text.slice(text.indexOf('curl'), text.indexOf('Ctrl+C'))
  const answer = execFileSync('sh', ['-c', curl], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  expect(await program.stop()).toBe(0)
  expect(answer).toContain('event: response.completed')
})

/** Until its last line. */
function spawnForPeople(dataDir: string) {
  const child = spawn(process.execPath, [headless, 'serve', '--practice', '--port', '0', '--data-dir', dataDir], {
    env: { PATH: process.env.PATH ?? '' },
  })
  const end = (): void => void child.kill('SIGKILL')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  const text = new Promise<string>((resolve, reject) => {
    let all = ''
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      all += piece
      if (all.includes('Ctrl+C')) resolve(all)
    })
    child.once('close', () => reject(new Error(`it ended: ${all}`)))
  })
  return {
    text,
    stop: () =>
      new Promise<number | null>((resolve) => {
        child.once('close', resolve)
        child.kill('SIGTERM')
      }),
  }
}
