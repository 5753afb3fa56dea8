/** `pointsman serve`: starts the core in plain Node, says where it is, and ends it in order. */
import { mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PointsmanError } from '../../../shared/errors.ts'
import { type Core, compose, nodeHelper } from '../../compose.ts'
import { askPassphrase } from './ask-passphrase.ts'
import { controlPath } from './control-path.ts'
import { openControlSocket } from './control-socket.ts'
import { defaultDataFolder, type Environment, upstreamHosts, vaultKeyFile } from './environment.ts'
import { greeting } from './greeting.ts'
import { removeInstance, writeInstance } from './instance-file.ts'
import { leave, print, printError, printJson, printProblem } from './print.ts'
import { versionOf } from './version.ts'

/** Where the built files lie; only the entry knows. */
export interface Places {
  readonly callsReader: URL
  readonly keychainHelper: URL
  readonly packageFile: URL
}

export type VaultName = 'keychain' | 'passphrase' | 'file' | 'memory'

export interface ServeOptions {
  readonly dataDir: string | undefined
  readonly port?: number
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
  const dataDir = resolve(options.dataDir ?? defaultDataFolder(environment, options.practice))
  const version = versionOf(places)
  const core = await start(options, dataDir, version, places, environment)
  const control = controlPath(dataDir, environment.variables, environment.platform)
  const socket = await openControlSocket(control, core.router, core.api)
  const address = `http://127.0.0.1:${core.port}`
  writeInstance(dataDir, { pid: process.pid, version, address, control })
  endOnSignals(options.json, async () => {
    removeInstance(dataDir)
    await socket.close()
    await core.stop()
  })
  const { keyFile, firstKey } = core
  if (options.json) {
    const key = options.showKey && firstKey !== null ? { key: firstKey } : {}
    printJson({ event: 'ready', address, ui: null, control, dataDir, keyFile, ...key }, 'one-line')
  } else {
    print(greeting({ address, dataDir, keyFile, key: options.showKey ? firstKey : null, practice: options.practice }))
  }
}

async function start(
  options: ServeOptions,
  dataDir: string,
  version: string,
  places: Places,
  environment: Environment,
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
      withoutRows: false,
    },
    {
      environment: environment.variables,
      callsReaderUrl: places.callsReader,
      startKeychainHelper: nodeHelper({
        script: fileURLToPath(places.keychainHelper),
        environment: environment.variables,
        node: process.execPath,
      }),
      askPassphrase: askPassphrase(environment.passphrase, options.passphraseFd ?? null),
      keyFile,
    },
  )
}

/** The first signal ends the program in order, a second one at once. */
function endOnSignals(json: boolean, end: () => Promise<void>): void {
  let isEnding = false
  const onSignal = (): void => {
    if (isEnding) {
      leave(1)
      return
    }
    isEnding = true
    end().then(
      () => leave(0),
      (cause: unknown) => {
        if (cause instanceof PointsmanError) printProblem(cause.problem, json)
        else printError('Pointsman could not end in order; what was written is safe.')
        leave(1)
      },
    )
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal)
}
