/** Newer versions: looked for once a day, only if the person wants it and the build says where to look. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { app } from 'electron'
import type { Core } from '../../compose.ts'

const everyMs = 24 * 3_600_000

/** `electron-builder` puts this file beside the program when a build has a place for its releases. */
const isPublished = (): boolean => app.isPackaged && existsSync(join(process.resourcesPath, 'app-update.yml'))

export class Updates {
  readonly #log: Core['api']['log']
  readonly #onReady: (version: string) => void
  #timer: NodeJS.Timeout | null = null

  constructor(log: Core['api']['log'], onReady: (version: string) => void) {
    this.#log = log
    this.#onReady = onReady
  }

  /** Until it is switched on nothing of the updater is even loaded. */
  set(isWanted: boolean): void {
    if (isWanted === (this.#timer !== null)) return
    if (!isWanted) {
      this.close()
      return
    }
    if (!isPublished()) return
    this.#timer = setInterval(() => void this.#look(), everyMs)
    this.#timer.unref()
    void this.#look()
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }

  async #look(): Promise<void> {
    try {
      const { autoUpdater } = (await import('electron-updater')).default
      autoUpdater.autoDownload = true
      autoUpdater.autoInstallOnAppQuit = true
      autoUpdater.removeAllListeners('update-downloaded')
      autoUpdater.once('update-downloaded', ({ version }) => this.#onReady(version))
      await autoUpdater.checkForUpdates()
    } catch (cause) {
      this.#log.fault('update-failed', cause)
    }
  }
}
