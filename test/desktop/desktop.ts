/** Starts the built desktop app: on the stand-in, whose windows are pages of Chromium, or on a real Electron. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, _electron as electron, type Page } from '@playwright/test'
import { buildIfStale, root } from '../../scripts/build-if-stale.mjs'
import { clientOf } from '../../src/main/shell/headless/cli/client.ts'
import { readInstance } from '../../src/main/shell/headless/instance-file.ts'
import type { Acts } from './stand-in/remote.ts'

export type Shell = 'stand-in' | 'electron'

export interface DesktopOptions {
  readonly shell?: Shell
  readonly dataDir?: string
  /** Besides `--practice --port 0 --data-dir …`. */
  readonly args?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** The desktop shows tray icons; on Linux the program asks for that. */
  readonly trayHost?: boolean
}

type Answer<Act extends keyof Acts> = ReturnType<Acts[Act]>

export interface Desktop {
  readonly dataDir: string
  readonly address: string
  readonly win: Page
  readonly pid: number
  key(): string
  rpc<Output = unknown>(member: string, input?: unknown): Promise<Output>
  log(): string
  output(): string
  /** Plays the person at the desktop, or looks at it; on the stand-in only. */
  act<Act extends keyof Acts>(act: Act, argument?: Parameters<Acts[Act]>[0]): Promise<Answer<Act>>
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>
  stop(): Promise<number | null>
}

const startBoundMs = 30_000
const entry = join(root, 'out', 'main', 'index.js')
const register = join(root, 'test', 'desktop', 'stand-in', 'register.ts')

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
  const args = [
    '--import',
    register,
    entry,
    '--practice',
    '--port',
    '0',
    '--data-dir',
    dataDir,
    ...(options.args ?? []),
  ]
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
      ...access(dataDir),
      ...{ win, output, ended, act },
      pid: child.pid ?? 0,
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
  const args = [...flags, root, '--practice', '--port', '0', '--data-dir', dataDir, ...(options.args ?? [])]
  const app = await electron.launch({
    args,
    env: { ...(process.env as Record<string, string>), ...options.environment },
  })
  const child = app.process()
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const win = await app.firstWindow()
  await win.waitForLoadState()
  return {
    ...access(dataDir),
    ...{ win, ended },
    pid: child.pid ?? 0,
    output: () => '',
    act: () => Promise.reject(new Error('a real desktop has no hand of ours')),
    async stop() {
      child.kill('SIGTERM')
      const code = await bounded(ended, child)
      if (options.dataDir === undefined) rmSync(home, { recursive: true, force: true })
      return code
    },
  }
}

/** What the window's specs need of a running program, whichever shell it has. */
function access(dataDir: string) {
  const client = clientOf(dataDir) as unknown as Record<string, Record<string, (input: unknown) => Promise<unknown>>>
  const read = (name: string): string =>
    existsSync(join(dataDir, name)) ? readFileSync(join(dataDir, name), 'utf8') : ''
  return {
    dataDir,
    address: readInstance(dataDir)?.address ?? '',
    key: () => read('default-key'),
    log: () => read('pointsman.log'),
    async rpc<Output>(member: string, input?: unknown): Promise<Output> {
      const [area = '', name = ''] = member.split('.')
      const call = client[area]?.[name]
      if (call === undefined) throw new Error(`no member ${member}`)
      return (await call(input)) as Output
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
