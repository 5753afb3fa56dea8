/** The one window: made once, hidden rather than closed, and kept on its own page. */
import { fileURLToPath } from 'node:url'
import { BrowserWindow, dialog, nativeTheme, screen } from 'electron'
import { addressOf, type Errand, pageAddress } from './address.ts'
import type { DesktopFile } from './desktop-file.ts'
import { visibleBounds } from './desktop-file.ts'
import { guardNavigation } from './navigation.ts'
import type { DesktopPlaces } from './places.ts'
import type { Texts } from './text.ts'
import type { Platform } from './tray-menu.ts'

export interface WindowOptions {
  readonly places: DesktopPlaces
  readonly platform: Platform
  readonly file: DesktopFile
  readonly texts: () => Texts
  /** False: the window may go, since the program does. */
  readonly mayClose: () => boolean
  /** The person closed the window. */
  readonly onClose: () => void
  /** A load that another one overtook counts as failed too: nothing to end the program for. */
  readonly onLoadFailed: (cause: unknown) => void
  readonly isDevelopment: boolean
}

/** A page that dies again and again is left alone. */
const mostRevivals = 3

export class AppWindow {
  readonly #window: BrowserWindow
  readonly #file: DesktopFile
  readonly #onLoadFailed: (cause: unknown) => void
  #revivals = 0

  constructor(options: WindowOptions) {
    const { places, platform, file, isDevelopment } = options
    this.#file = file
    this.#onLoadFailed = options.onLoadFailed
    const screens = screen.getAllDisplays().map(({ workArea }) => workArea)
    const bounds = visibleBounds(file.value.bounds, screens)
    this.#window = new BrowserWindow({
      ...(bounds ?? { width: 1_080, height: 720 }),
      minWidth: 480,
      minHeight: 400,
      show: false,
      title: 'Pointsman',
      autoHideMenuBar: true,
      backgroundColor: nativeTheme.shouldUseDarkColors ? '#101317' : '#f6f7f8',
      ...(platform === 'linux' ? { icon: fileURLToPath(new URL('app/linux/256x256.png', places.resources)) } : {}),
      webPreferences: {
        preload: fileURLToPath(places.preload),
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webSecurity: true,
        webviewTag: false,
        spellcheck: false,
        devTools: isDevelopment,
      },
    })
    guardNavigation(this.#window, (host, address) => this.#mayLeave(host, address, options.texts()))
    this.#window.on('close', (event) => {
      this.#remember()
      if (options.mayClose()) return
      event.preventDefault()
      options.onClose()
    })
    this.#window.webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason === 'clean-exit' || this.#revivals >= mostRevivals) return
      this.#revivals += 1
      this.#window.webContents.reload()
    })
  }

  get browserWindow(): BrowserWindow {
    return this.#window
  }

  get contents() {
    return this.#window.isDestroyed() ? null : this.#window.webContents
  }

  get isVisible(): boolean {
    return this.#window.isVisible() && !this.#window.isMinimized()
  }

  load(address = pageAddress): Promise<void> {
    return this.#window.loadURL(address).catch(this.#onLoadFailed)
  }

  /** To the front, and, with an errand, where it leads. */
  show(errand: Errand | null = null): void {
    // A new fragment alone doesn't load the page again.
    if (errand !== null) void this.load(addressOf(errand))
    if (this.#window.isMinimized()) this.#window.restore()
    this.#window.show()
    this.#window.focus()
  }

  hide(): void {
    this.#remember()
    this.#window.hide()
  }

  minimize(): void {
    this.#window.minimize()
  }

  /** The question where no tray icon could bring the window back. */
  async askToKeep(texts: Texts): Promise<'keep' | 'quit' | 'cancel'> {
    const { title: message, body: detail, keep, quit, cancel } = texts.closing
    const { response } = await dialog.showMessageBox(this.#window, {
      ...{ type: 'question', message, detail, noLink: true },
      ...{ buttons: [keep, quit, cancel], defaultId: 0, cancelId: 2 },
    })
    return response === 0 ? 'keep' : response === 1 ? 'quit' : 'cancel'
  }

  async #mayLeave(host: string, address: string, texts: Texts): Promise<boolean> {
    const { title: message, open, cancel } = texts.leaving
    const { response } = await dialog.showMessageBox(this.#window, {
      ...{ type: 'question', message, detail: `${host}\n\n${address}`, noLink: true },
      ...{ buttons: [open, cancel], defaultId: 1, cancelId: 1 },
    })
    return response === 0
  }

  #remember(): void {
    this.#file.save({ bounds: this.#window.getNormalBounds() })
  }
}
