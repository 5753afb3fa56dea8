/** Starts the desktop app, keeps it single, and ends it in order. */
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { app, dialog, ipcMain, powerMonitor, session } from 'electron'
import { PointsmanError, type Problem, problem } from '../../../shared/errors.ts'
import { defaultDataFolder, type Environment, readEnvironment } from '../headless/environment.ts'
import { claimForPractice } from '../headless/practice-folder.ts'
import { exitCodeOf, print, printProblem } from '../headless/print.ts'
import { announceScheme, serveScheme } from './app-scheme.ts'
import { readArguments, type StartOptions } from './arguments.ts'
import { Desktop } from './desktop.ts'
import { serveWindow } from './ipc.ts'
import type { LoginItem } from './login-item.ts'
import { guardSession } from './navigation.ts'
import type { DesktopPlaces } from './places.ts'
import { type Running, startCore } from './start-core.ts'
import { languageOf, textsOf } from './text.ts'
import type { Platform } from './tray-menu.ts'

/** Everything up to the first await happens before Electron is ready, as some of it must. */
export async function run(places: DesktopPlaces): Promise<void> {
  const environment = readEnvironment()
  try {
    // Whatever is made from here on is private.
    process.umask(0o077)
    const options = readArguments(process.argv.slice(1))
    const dataDir = resolve(options.dataDir ?? defaultDataFolder(environment, options.practice))
    if (options.practice) claimForPractice(dataDir)
    const folder = join(dataDir, 'window')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    app.setName('Pointsman')
    // Without it Windows shows no notification; the same as `appId` in electron-builder.yml.
    if (environment.platform === 'win32') app.setAppUserModelId('app.pointsman.desktop')
    // The lock below is this folder's: practice mode runs beside the real one.
    app.setPath('userData', folder)
    if (!app.requestSingleInstanceLock()) {
      print('Pointsman is already running; its window is shown.')
      app.exit(0)
      return
    }
    announceScheme()
    app.enableSandbox()
    await start(options, dataDir, folder, places, environment)
  } catch (cause) {
    fail(cause)
  }
}

async function start(
  options: StartOptions,
  dataDir: string,
  folder: string,
  places: DesktopPlaces,
  environment: Environment,
): Promise<void> {
  let desktop: Desktop | null = null
  // Heard from the start: a second launch may come before the window is there.
  app.on('second-instance', () => desktop?.show())
  app.on('activate', () => desktop?.show())
  // Closing the last window is decided in `Desktop`.
  app.on('window-all-closed', () => {})
  await app.whenReady()
  const running = await startCore(options, dataDir, places, environment)
  const quit = endInOrder(running, () => desktop?.close())
  const { core } = running
  guardSession(session.defaultSession)
  serveScheme(fileURLToPath(places.windowFiles))
  serveWindow(ipcMain, core, () => desktop?.contents ?? null)
  desktop = new Desktop({
    ...{ core, places, folder, quit },
    platform: platformOf(environment.platform),
    loginItem: loginItemOf(environment),
    isDevelopment: environment.isDevelopment,
  })
  powerMonitor.on('resume', () => core.wake())
  await desktop.open(options.hidden)
}

const platformOf = (platform: NodeJS.Platform): Platform =>
  platform === 'darwin' ? 'mac' : platform === 'win32' ? 'windows' : 'linux'

/** Null for a program that isn't installed: what would be launched is Electron itself. */
function loginItemOf({ variables, home, platform }: Environment): LoginItem | null {
  if (!app.isPackaged) return null
  const config = variables.XDG_CONFIG_HOME?.startsWith('/') ? variables.XDG_CONFIG_HOME : join(home, '.config')
  return {
    platform: platformOf(platform),
    // An AppImage runs from a place that is gone after it ended.
    program: variables.APPIMAGE ?? process.execPath,
    autostartFolder: join(config, 'autostart'),
  }
}

/** However the end comes, it comes once; a second signal doesn't wait. */
function endInOrder({ core, stop }: Running, closeDesktop: () => void): () => void {
  let isEnding = false
  const end = (code: number): void => {
    if (isEnding) return
    isEnding = true
    closeDesktop()
    stop().then(
      () => app.exit(code),
      (cause: unknown) => {
        core.api.log.fault('end-failed', cause)
        app.exit(1)
      },
    )
  }
  const quit = (): void => end(0)
  app.on('before-quit', (event) => {
    event.preventDefault()
    quit()
  })
  powerMonitor.on('shutdown', quit)
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => (isEnding ? app.exit(1) : quit()))
  }
  process.on('unhandledRejection', (cause) => core.api.log.fault('unhandled', cause))
  process.on('uncaughtException', (cause) => {
    core.api.log.fault('uncaught', cause)
    end(1)
  })
  return quit
}

/** Said where the person looks: a window of the system, and the terminal. */
function fail(cause: unknown): void {
  const found = problemOf(cause)
  printProblem(found, false)
  const { start: title } = textsOf(languageOf('system', app.isReady() ? app.getPreferredSystemLanguages() : []))
  dialog.showErrorBox(title, `${found.sentence}\n${found.next}`)
  app.exit(exitCodeOf(found.code))
}

function problemOf(cause: unknown): Problem {
  if (cause instanceof PointsmanError) return cause.problem
  const name = cause instanceof Error ? cause.name : typeof cause
  return problem('internal', { logId: `none, ${name}` })
}
