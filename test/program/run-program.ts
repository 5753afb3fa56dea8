/** Runs the built program as a child process, as a person or a script would; builds it first when it is stale. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildIfStale, headless } from '../../scripts/build-if-stale.mjs'
import { clientOf } from '../../src/main/shell/headless/cli/client.ts'
import { straysVariable } from '../net/loopback-only.ts'

const guardedEntry = fileURLToPath(new URL('../net/guarded-process.ts', import.meta.url))
const startBoundMs = 30_000
const endBoundMs = 20_000

export interface Ready {
  readonly event: 'ready'
  readonly address: string
  readonly ui: string | null
  readonly control: string
  readonly dataDir: string
  readonly keyFile: string
  readonly key?: string
}

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>
  readonly stdin?: string
  /** Options for Node itself. */
  readonly nodeArguments?: readonly string[]
  /** What is run instead of the program behind its network guard. */
  readonly entry?: string
  /** Another Node than the project's. */
  readonly node?: string
  /** Where the CLI stands. */
  readonly cwd?: string
}

export interface ProgramOptions extends RunOptions {
  /** Besides `serve --json --port 0 --data-dir …`. */
  readonly args?: readonly string[]
  /** With the window in a browser; false when left out. */
  readonly window?: boolean
  /** Adds `--practice`; true when left out. */
  readonly practice?: boolean
  /** Kept at the end when it is given. */
  readonly dataDir?: string
  /** How long a start may take; half a minute when left out, which many starts at once can need for themselves. */
  readonly startBoundMs?: number
}

export interface Program {
  readonly ready: Ready
  readonly address: string
  readonly dataDir: string
  readonly pid: number
  /** The default access key, as it is now in its file. */
  key(): string
  /** Any member, over the control socket: `rpc('keys.create', { label: 'x' })`. */
  rpc<Output = unknown>(member: string, input?: unknown): Promise<Output>
  /** A command against this program, with `--data-dir`. */
  cli(args: readonly string[], options?: RunOptions): Promise<Ended>
  /** The same with `--json`; fails when the command does. */
  json<Output = unknown>(args: readonly string[], options?: RunOptions): Promise<Output>
  stdout(): string
  stderr(): string
  /** The program's own log. */
  log(): string
  /** SIGTERM; the exit code. Removes the data folder unless it was given. */
  stop(): Promise<number | null>
  /** SIGKILL, as a crash; the data folder stays. */
  kill(): Promise<void>
  /** Its exit code, once it has ended by itself. */
  readonly ended: Promise<number | null>
}

/** No more of this process's environment than a program needs; a HOME of its own. */
function environmentOf(home: string, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const strays = process.env[straysVariable]
  const guard = strays === undefined ? {} : { [straysVariable]: strays }
  return { PATH: process.env.PATH ?? '', HOME: home, LANG: 'C.UTF-8', TMPDIR: tmpdir(), ...guard, ...more }
}

const alive = new Set<ChildProcess>()
// Nothing outlives the tests, however they end.
process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})

function spawnProgram(args: readonly string[], home: string, options: RunOptions): ChildProcess {
  buildIfStale({ window: false })
  const { node = process.execPath, nodeArguments = [], environment, cwd = home } = options
  // An older Node reads no TypeScript.
  const entry = options.entry ?? (options.node === undefined ? guardedEntry : headless)
  const child = spawn(node, [...nodeArguments, entry, ...args], { cwd, env: environmentOf(home, environment) })
  alive.add(child)
  child.once('exit', () => alive.delete(child))
  return child
}

/** Runs a command to its end; `stdin` is closed either way. */
export async function runCommand(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const home = mkdtempSync(join(tmpdir(), 'pointsman-home-'))
  try {
    const child = spawnProgram(args, home, options)
    const output = collect(child)
    child.stdin?.on('error', () => {})
    child.stdin?.end(options.stdin ?? '')
    const code = await ended(child, endBoundMs)
    return { code, stdout: output.stdout(), stderr: output.stderr() }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

export async function startProgram(options: ProgramOptions = {}): Promise<Program> {
  const own = options.dataDir === undefined
  const home = mkdtempSync(join(tmpdir(), 'pointsman-home-'))
  const dataDir = options.dataDir ?? join(home, 'data')
  const practice = options.practice === false ? [] : ['--practice']
  const window = options.window === true ? [] : ['--no-ui']
  const common = ['serve', '--json', '--port', '0', '--data-dir', dataDir]
  const args = [...common, ...practice, ...window, ...(options.args ?? [])]
  const child = spawnProgram(args, home, options)
  if (options.stdin !== undefined) child.stdin?.end(options.stdin)
  const output = collect(child)
  const byItself = new Promise<number | null>((resolve) => child.once('close', resolve))
  const ready = await readyLine(child, output, options.startBoundMs ?? startBoundMs)
  const client = clientOf(dataDir) as unknown as Record<string, Record<string, (input: unknown) => Promise<unknown>>>
  const cleanUp = (): void => {
    rmSync(home, { recursive: true, force: true })
  }
  const cli = (more: readonly string[], how?: RunOptions): Promise<Ended> =>
    runCommand([...more, '--data-dir', dataDir], how)

  return {
    ready,
    address: ready.address,
    dataDir,
    pid: child.pid ?? 0,
    key: () => readFileSync(ready.keyFile, 'utf8'),
    async rpc<Output>(member: string, input?: unknown): Promise<Output> {
      const [area = '', name = ''] = member.split('.')
      const call = client[area]?.[name]
      if (call === undefined) throw new Error(`no member ${member}`)
      return (await call(input)) as Output
    },
    cli,
    async json<Output>(more: readonly string[], how?: RunOptions): Promise<Output> {
      const done = await cli([...more, '--json'], how)
      if (done.code !== 0) throw new Error(`${more.join(' ')} ended with ${done.code}: ${done.stderr}`)
      return JSON.parse(done.stdout) as Output
    },
    stdout: output.stdout,
    stderr: output.stderr,
    log: () => (existsSync(join(dataDir, 'pointsman.log')) ? readFileSync(join(dataDir, 'pointsman.log'), 'utf8') : ''),
    async stop() {
      child.kill('SIGTERM')
      const code = await ended(child, endBoundMs)
      if (own) cleanUp()
      return code
    },
    async kill() {
      child.kill('SIGKILL')
      await ended(child, endBoundMs)
    },
    ended: byItself,
  }
}

interface Output {
  stdout(): string
  stderr(): string
}

function collect(child: ChildProcess): Output {
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
    stdout += piece
  })
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    stderr += piece
  })
  return { stdout: () => stdout, stderr: () => stderr }
}

function readyLine(child: ChildProcess, output: Output, boundMs: number): Promise<Ready> {
  return new Promise((resolve, reject) => {
    const bound = setTimeout(() => fail('it was not ready in time'), boundMs)
    const fail = (why: string): void => {
      clearTimeout(bound)
      child.kill('SIGKILL')
      reject(new Error(`The program did not start: ${why}\n${output.stdout()}${output.stderr()}`))
    }
    const onEnd = (code: number | null): void => fail(`it ended with ${code}`)
    child.once('close', onEnd)
    child.stdout?.on('data', () => {
      const text = output.stdout()
      const end = text.indexOf('\n')
      if (end < 0) return
      clearTimeout(bound)
      child.off('close', onEnd)
      resolve(JSON.parse(text.slice(0, end)) as Ready)
    })
  })
}

/** Resolves once its output is complete too. */
function ended(child: ChildProcess, boundMs: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      resolve(child.exitCode)
      return
    }
    const bound = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error('The program did not end in time'))
    }, boundMs)
    child.once('close', (code) => {
      clearTimeout(bound)
      resolve(code)
    })
  })
}
