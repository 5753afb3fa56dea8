/** `pointsman serve`: starts the core in plain Node, says where it is, and ends it in order. */
import { mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { problem } from '../../../shared/errors.ts'
import { type Core, compose, nodeHelper } from '../../compose.ts'
import { askPassphrase } from './ask-passphrase.ts'
import { controlPath } from './control-path.ts'
import { openControlSocket } from './control-socket.ts'
import { defaultDataFolder, type Environment, upstreamHosts, vaultKeyFile } from './environment.ts'
import { greeting } from './greeting.ts'
import { removeInstance, writeInstance } from './instance-file.ts'
import { claimForPractice } from './practice-folder.ts'
import { leave, print, printJson, printProblem } from './print.ts'
import { versionOf } from './version.ts'
import type { ControlServer } from './window/control-server.ts'
import { openWindow } from './window/open-window.ts'

/** Where the built files lie; only the entry knows. */
export interface Places {
  readonly callsReader: URL
  readonly translationWorker: URL
  readonly keychainHelper: URL
  readonly packageFile: URL
  /** The window's built files. */
  readonly windowFiles: URL
}

export type VaultName = 'keychain' | 'passphrase' | 'file' | 'memory'

export interface ServeOptions {
  readonly dataDir: string | undefined
  readonly port?: number
  readonly uiPort?: number
  /** False: no window in a browser. */
  readonly ui: boolean
  readonly vault?: VaultName
  readonly passphraseFd?: number
  readonly practice: boolean
  readonly traffic: boolean
  readonly json: boolean
  readonly showKey: boolean
}

export async function serve(options: ServeOptions, places: Places, environment: Environment): Promise<void> {
  // Whatever is made from here on is private.
  process.umask(0o077)
  // Node keeps this signal for its debugger; a listener takes it away (T3.4).
  if (!environment.isDevelopment) process.on('SIGUSR1', () => {})
  const { json, practice, showKey } = options
  const dataDir = resolve(options.dataDir ?? defaultDataFolder(environment, practice))
  const version = versionOf(places)
  if (practice) claimForPractice(dataDir)
  const opened: { window?: ControlServer | null; control?: Control } = {}
  const windowLink = (): string | null => opened.window?.openLink() ?? null
  const core = await start(options, dataDir, version, places, environment, windowLink)
  const address = `http://127.0.0.1:${core.port}`
  const open = async (): Promise<Control> => {
    const control = await openControl(core, { version, address, dataDir }, environment)
    opened.control = control
    if (options.ui) opened.window = await openWindow(core, windowOptions(options, dataDir, places))
    return control
  }
  const end = async (): Promise<void> => {
    await opening.catch(() => {})
    await opened.window?.close()
    await opened.control?.close()
    await core.stop()
  }
  const opening = open()
  // Before anything tells others where we are: whoever finds us may end us at once.
  endInOrder(json, core.api.log, end)
  const { path } = await opening.catch(async (cause: unknown) => {
    await end()
    throw cause
  })
  const { keyFile } = core
  const key = showKey ? core.firstKey : null
  const ui = windowLink()
  if (json) {
    const shown = key === null ? {} : { key }
    printJson({ event: 'ready', address, ui, control: path, dataDir, keyFile, ...shown }, 'one-line')
  } else {
    print(greeting({ address, ui, dataDir, keyFile, key, practice }))
  }
}

/** Nobody who takes any port for clients minds which one the window gets. */
const windowOptions = ({ port, uiPort }: ServeOptions, dataDir: string, { windowFiles }: Places) => ({
  port: uiPort ?? (port === 0 ? 0 : null),
  dataDir,
  folder: windowFiles,
})

interface Control {
  readonly path: string
  close(): Promise<void>
}

/** The socket, and the file that other commands find it by. */
async function openControl(
  core: Core,
  about: { readonly version: string; readonly address: string; readonly dataDir: string },
  { variables, platform }: Environment,
): Promise<Control> {
  const { version, address, dataDir } = about
  const path = controlPath(dataDir, variables, platform)
  const socket = await openControlSocket(path, core.router, core.api)
  writeInstance(dataDir, { pid: process.pid, version, address, control: path })
  return {
    path,
    async close() {
      removeInstance(dataDir)
      await socket.close()
    },
  }
}

async function start(
  options: ServeOptions,
  dataDir: string,
  version: string,
  places: Places,
  environment: Environment,
  windowLink: () => string | null,
): Promise<Core> {
  const vault = options.vault ?? (options.practice ? 'memory' : 'keychain')
  const keyFile = vaultKeyFile(environment)
  if (vault === 'file') mkdirSync(dirname(keyFile), { recursive: true, mode: 0o700 })
  return compose(
    {
      version,
      dataDir,
      port: options.port ?? null,
      vault,
      practice: options.practice,
      traffic: options.practice && options.traffic,
      hosts: upstreamHosts(environment),
      withoutRows: environment.variables.POINTSMAN_BENCH_NO_ROWS === '1',
    },
    {
      environment: environment.variables,
      callsReaderUrl: places.callsReader,
      translationWorkerUrl: places.translationWorker,
      startKeychainHelper: nodeHelper({
        script: fileURLToPath(places.keychainHelper),
        environment: environment.variables,
        node: process.execPath,
      }),
      askPassphrase: askPassphrase(environment.passphrase, options.passphraseFd ?? null),
      keyFile,
      holdersFolder: join(dirname(keyFile), 'holders'),
      windowLink,
    },
  )
}

/** Ends the program on a signal; a second Ctrl+C doesn't wait. A fault of ours is logged, never printed raw. */
function endInOrder(json: boolean, log: Core['api']['log'], end: () => Promise<void>): void {
  let isEnding = false
  const endWith = (code: number): void => {
    if (isEnding) return
    isEnding = true
    end().then(
      () => leave(code),
      (cause: unknown) => {
        printProblem(problem('internal', { logId: log.fault('end-failed', cause) }), json)
        leave(1)
      },
    )
  }
  process.on('SIGINT', () => (isEnding ? leave(interrupted) : endWith(0)))
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => endWith(0))
  // Also rejections that nobody handled.
  process.on('uncaughtException', (cause) => {
    printProblem(problem('internal', { logId: log.fault('uncaught', cause) }), json)
    endWith(1)
  })
}

/** What shells give a program that was ended by Ctrl+C. */
const interrupted = 130
