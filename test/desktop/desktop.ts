/** Starts the built desktop app: on the stand-in, whose windows are pages of Chromium, or on a real Electron. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, _electron as electron, type Page } from '@playwright/test'
import { buildIfStale, root } from '../../scripts/build-if-stale.mjs'
import { installedElectron } from '../../scripts/electron-binary.mjs'
import { clientOf } from '../../src/main/shell/headless/cli/client.ts'
import { readInstance } from '../../src/main/shell/headless/instance-file.ts'
import { type Program, type RunOptions, runCommand } from '../program/run-program.ts'
import type { Acts } from './stand-in/remote.ts'

export type Shell = 'stand-in' | 'electron'

export interface DesktopOptions {
  readonly shell?: Shell
  readonly dataDir?: string
  /** Adds `--practice`; true when left out. */
  readonly practice?: boolean
  /** Besides `--port 0 --data-dir …`. */
  readonly args?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** The desktop shows tray icons; on Linux the program asks for that. */
  readonly trayHost?: boolean
}

type Answer<Act extends keyof Acts> = ReturnType<Acts[Act]>

/** As the headless program is to its specs, and what only a desktop app has. */
export interface Desktop extends Program {
  readonly win: Page
  /** Plays the person at the desktop, or looks at it; on the stand-in only. */
  act<Act extends keyof Acts>(act: Act, argument?: Parameters<Acts[Act]>[0]): Promise<Answer<Act>>
}

const startBoundMs = 30_000
const entry = join(root, 'out', 'main', 'index.js')
const register = join(root, 'test', 'desktop', 'stand-in', 'register.ts')

const argumentsOf = ({ practice = true, args = [] }: DesktopOptions, dataDir: string): readonly string[] => [
  ...(practice ? ['--practice'] : []),
  ...['--port', '0', '--data-dir', dataDir],
  ...args,
]

/** A started program whose window may or may not have come. */
export interface Launched {
  readonly child: ChildProcess
  readonly dataDir: string
  readonly output: () => string
  readonly ended: Promise<number | null>
}

export async function launch(options: DesktopOptions = {}): Promise<Launched> {
  buildIfStale()
  const home = mkdtempSync(join(tmpdir(), 'pointsman-desk-'))
  const dataDir = options.dataDir ?? join(home, 'data')
  const args = ['--import', register, entry, ...argumentsOf(options, dataDir)]
  const child = spawn(process.execPath, args, {
    cwd: home,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...{ HOME: home, LANG: 'C.UTF-8', TMPDIR: tmpdir() },
      PATH: `${desktopTools(home, options.trayHost ?? true)}:${process.env.PATH ?? ''}`,
      ...(process.env.POINTSMAN_CHROMIUM === undefined ? {} : { POINTSMAN_CHROMIUM: process.env.POINTSMAN_CHROMIUM }),
      ...options.environment,
    },
  })
  const end = (): void => void child.kill('SIGKILL')
  process.once('exit', end)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
    })
  }
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      process.off('exit', end)
      if (options.dataDir === undefined) rmSync(home, { recursive: true, force: true })
      resolve(code)
    })
  })
  return { child, dataDir, output: () => text, ended }
}

/** The question to the desktop's bus goes to a command; here it answers for a desktop with or without a tray. */
function desktopTools(home: string, hasTrayHost: boolean): string {
  const folder = join(home, 'tools')
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'gdbus')
  writeFileSync(path, hasTrayHost ? '#!/bin/sh\necho "(<true>,)"\n' : '#!/bin/sh\nexit 1\n')
  chmodSync(path, 0o755)
  return folder
}

export async function startDesktop(options: DesktopOptions = {}): Promise<Desktop> {
  return options.shell === 'electron' ? startElectron(options) : startStandIn(options)
}

async function startStandIn(options: DesktopOptions): Promise<Desktop> {
  const { child, dataDir, output, ended } = await launch(options)
  const act = remote(child)
  const state = async () => (await act('state')) as Answer<'state'>
  const isHidden = options.args?.includes('--hidden') === true
  let browser: Browser | null = null
  try {
    await until('the window', output, ended, async () => {
      const { window, tray } = await state()
      return tray !== null && (window.visible || isHidden)
    })
    browser = await chromium.connectOverCDP(`http://127.0.0.1:${debuggingPort(dataDir)}`)
    const pages = (): readonly Page[] => browser?.contexts()[0]?.pages() ?? []
    const isOurs = (page: Page): boolean => page.url().startsWith('https://pointsman.app.test/')
    await until('its page', output, ended, async () => pages().some(isOurs))
    const win = pages().find(isOurs) as Page
    return {
      ...access(dataDir, child, output),
      ...{ win, ended, act },
      async stop() {
        await browser?.close().catch(() => {})
        if (child.exitCode === null) child.kill('SIGTERM')
        return bounded(ended, child)
      },
    }
  } catch (cause) {
    await browser?.close().catch(() => {})
    child.kill('SIGTERM')
    await bounded(ended, child)
    throw cause
  }
}

/** Chromium chose it, and wrote it into its profile. */
const debuggingPort = (dataDir: string): string =>
  readFileSync(join(dataDir, 'window', 'chromium', 'DevToolsActivePort'), 'utf8').split('\n')[0] ?? ''

async function startElectron(options: DesktopOptions): Promise<Desktop> {
  buildIfStale()
  const home = mkdtempSync(join(tmpdir(), 'pointsman-desk-'))
  const dataDir = options.dataDir ?? join(home, 'data')
  const flags = process.platform === 'linux' ? ['--no-sandbox'] : []
  const args = [...flags, root, ...argumentsOf(options, dataDir)]
  const app = await electron.launch({
    executablePath: installedElectron() ?? '',
    args,
    env: { ...(process.env as Record<string, string>), ...options.environment },
  })
  const child = app.process()
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const win = await app.firstWindow()
  await win.waitForLoadState()
  return {
    ...access(dataDir, child, () => ''),
    ...{ win, ended },
    act: () => Promise.reject(new Error('a real desktop has no hand of ours')),
    async stop() {
      child.kill('SIGTERM')
      const code = await bounded(ended, child)
      if (options.dataDir === undefined) rmSync(home, { recursive: true, force: true })
      return code
    },
  }
}

/** Electron's program a second time, on the same folder; its exit code. */
export function launchElectron(dataDir: string): Promise<number | null> {
  const flags = process.platform === 'linux' ? ['--no-sandbox'] : []
  const child = spawn(installedElectron() ?? '', [...flags, root, ...argumentsOf({}, dataDir)], { stdio: 'ignore' })
  return bounded(new Promise((resolve) => child.once('close', resolve)), child)
}

/** What the window's specs ask of a running program, whichever shell it has. */
function access(dataDir: string, child: ChildProcess, output: () => string): Omit<Program, 'stop' | 'ended'> {
  const client = clientOf(dataDir) as unknown as Record<string, Record<string, (input: unknown) => Promise<unknown>>>
  const { address = '', control = '' } = readInstance(dataDir) ?? {}
  const read = (name: string): string =>
    existsSync(join(dataDir, name)) ? readFileSync(join(dataDir, name), 'utf8') : ''
  const cli: Program['cli'] = (args, how) => runCommand([...args, '--data-dir', dataDir], how)
  return {
    ready: { event: 'ready', address, ui: null, control, dataDir, keyFile: join(dataDir, 'default-key') },
    ...{ address, dataDir, cli },
    pid: child.pid ?? 0,
    key: () => read('default-key'),
    log: () => read('pointsman.log'),
    stdout: output,
    stderr: output,
    async rpc<Output>(member: string, input?: unknown): Promise<Output> {
      const [area = '', name = ''] = member.split('.')
      const call = client[area]?.[name]
      if (call === undefined) throw new Error(`no member ${member}`)
      return (await call(input)) as Output
    },
    async json<Output>(args: readonly string[], how?: RunOptions): Promise<Output> {
      const done = await cli([...args, '--json'], how)
      if (done.code !== 0) throw new Error(`${args.join(' ')} ended with ${done.code}: ${done.stderr}`)
      return JSON.parse(done.stdout) as Output
    },
    async kill() {
      child.kill('SIGKILL')
    },
  }
}

/** Questions to the stand-in, over Node's own channel between parent and child. */
export function remote(child: ChildProcess): Desktop['act'] {
  const open = new Map<number, { resolve(value: never): void; reject(cause: Error): void }>()
  let last = 0
  child.on('message', ({ id, value, error }: { id: number; value?: unknown; error?: string }) => {
    const question = open.get(id)
    open.delete(id)
    if (error === undefined) question?.resolve(value as never)
    else question?.reject(new Error(error))
  })
  child.once('exit', () => {
    for (const { reject } of open.values()) reject(new Error('the program ended'))
    open.clear()
  })
  return (act, argument) =>
    new Promise((resolve, reject) => {
      last += 1
      const id = last
      open.set(id, { resolve, reject })
      child.send({ id, act, argument }, (cause) => cause && reject(cause))
    })
}

async function until(
  what: string,
  output: () => string,
  ended: Promise<number | null>,
  isSo: () => Promise<boolean>,
): Promise<void> {
  let code: number | null | undefined
  void ended.then((found) => {
    code = found
  })
  const bound = performance.now() + startBoundMs
  while (performance.now() < bound && code === undefined) {
    if (await isSo().catch(() => false)) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${what} did not come${code === undefined ? '' : `, the program ended with ${code}`}:\n${output()}`)
}

function bounded(ended: Promise<number | null>, child: ChildProcess): Promise<number | null> {
  const bound = setTimeout(() => child.kill('SIGKILL'), startBoundMs)
  return ended.finally(() => clearTimeout(bound))
}
