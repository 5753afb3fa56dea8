/** Composes the core with what Electron gives it in place of plain Node. */
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Core, compose } from '../../compose.ts'
import { controlPath } from '../headless/control-path.ts'
import { openControlSocket } from '../headless/control-socket.ts'
import { type Environment, upstreamHosts, vaultKeyFile } from '../headless/environment.ts'
import { removeInstance, writeInstance } from '../headless/instance-file.ts'
import { versionOf } from '../headless/version.ts'
import type { StartOptions } from './arguments.ts'
import { openSignInPage } from './external.ts'
import { keychainProcess } from './keychain-process.ts'
import type { DesktopPlaces } from './places.ts'

export interface Running {
  readonly core: Core
  stop(): Promise<void>
}

export async function startCore(
  options: StartOptions,
  dataDir: string,
  places: DesktopPlaces,
  environment: Environment,
): Promise<Running> {
  const { practice, traffic, port } = options
  const vault = options.vault ?? (practice ? 'memory' : 'keychain')
  const keyFile = vaultKeyFile(environment)
  if (vault === 'file') mkdirSync(dirname(keyFile), { recursive: true, mode: 0o700 })
  const version = versionOf(places)
  const core = await compose(
    {
      version,
      dataDir,
      port,
      vault,
      practice,
      traffic: practice && traffic,
      hosts: upstreamHosts(environment),
      withoutRows: false,
    },
    {
      environment: environment.variables,
      callsReaderUrl: places.callsReader,
      translationWorkerUrl: places.translationWorker,
      startKeychainHelper: keychainProcess(places.keychainHelper),
      askPassphrase: passphraseOnce(environment.passphrase),
      keyFile,
      holdersFolder: join(dirname(keyFile), 'holders'),
      openPage: (url) => void openSignInPage(url),
    },
  )
  try {
    return await withControl(core, version, dataDir, environment)
  } catch (cause) {
    await core.stop()
    throw cause
  }
}

/** The command line reaches the desktop app as it reaches the headless one. */
async function withControl(
  core: Core,
  version: string,
  dataDir: string,
  { variables, platform }: Environment,
): Promise<Running> {
  const control = controlPath(dataDir, variables, platform)
  const socket = await openControlSocket(control, core.router, core.api)
  writeInstance(dataDir, { pid: process.pid, version, address: `http://127.0.0.1:${core.port}`, control })
  return {
    core,
    async stop() {
      removeInstance(dataDir)
      await socket.close()
      await core.stop()
    },
  }
}

/** Given at the start it serves once; after that the window asks. */
function passphraseOnce(given: string | null): () => Promise<Uint8Array | null> {
  let first = given
  return async () => {
    const bytes = first === null ? null : new TextEncoder().encode(first)
    first = null
    return bytes
  }
}
