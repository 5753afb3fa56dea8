/** The tray icon and its menu, as each platform wants them (ux B2); what they show is decided elsewhere. */
import { fileURLToPath } from 'node:url'
import { Menu, type NativeImage, nativeImage, nativeTheme, Tray } from 'electron'
import { templateOf } from './menu-template.ts'
import type { MenuAct, MenuItem, Platform } from './tray-menu.ts'
import { trayPicture } from './tray-picture.ts'
import type { TrayState } from './tray-state.ts'

export interface TrayFace {
  readonly state: TrayState
  readonly tooltip: string
  readonly menu: readonly MenuItem[]
}

export interface TrayOptions {
  readonly platform: Platform
  readonly resources: URL
  readonly run: (act: MenuAct) => void
  /** A plain click: shows the window, or hides it again where that is the custom. */
  readonly onClick: () => void
}

/** Windows cuts longer ones. */
const longestTooltip = 120
/** A menu that never says that it was closed must not keep an old picture for ever. */
const longestOpenMs = 30_000

export class AppTray {
  readonly #options: TrayOptions
  readonly #tray: Tray
  #face: TrayFace
  #shown = ''
  #openedAtMs: number | null = null

  constructor(options: TrayOptions, face: TrayFace) {
    this.#options = options
    this.#face = face
    this.#tray = new Tray(this.#image())
    this.#tray.on('click', options.onClick)
    // On macOS and Windows a set menu would also open on a left click.
    if (options.platform !== 'linux') this.#tray.on('right-click', () => this.#tray.popUpContextMenu(this.#build()))
    nativeTheme.on('updated', this.#recolour)
    this.#put()
  }

  show(face: TrayFace): void {
    this.#face = face
    if (!this.#isOpen() && JSON.stringify(face) !== this.#shown) this.#put()
  }

  close(): void {
    nativeTheme.off('updated', this.#recolour)
    this.#tray.destroy()
  }

  #put(): void {
    this.#shown = JSON.stringify(this.#face)
    this.#tray.setImage(this.#image())
    this.#tray.setToolTip(this.#face.tooltip.slice(0, longestTooltip))
    if (this.#options.platform !== 'linux') return
    // Here a menu must be set again after any change; one that is open would close under the pointer.
    const menu = this.#build()
    menu.on('menu-will-show', () => {
      this.#openedAtMs = performance.now()
    })
    menu.on('menu-will-close', () => {
      this.#openedAtMs = null
      this.show(this.#face)
    })
    this.#tray.setContextMenu(menu)
  }

  #isOpen(): boolean {
    return this.#openedAtMs !== null && performance.now() - this.#openedAtMs < longestOpenMs
  }

  #build(): Menu {
    return Menu.buildFromTemplate(templateOf(this.#face.menu, this.#options.run))
  }

  #image(): NativeImage {
    const { resources, platform } = this.#options
    const file = fileURLToPath(new URL(`tray/${trayPicture(this.#face.state, platform, isBarDark())}`, resources))
    const image = nativeImage.createFromPath(file)
    if (platform === 'mac') image.setTemplateImage(true)
    return image
  }

  readonly #recolour = (): void => this.#tray.setImage(this.#image())
}

/** On Windows the task bar has a theme of its own. */
const isBarDark = (): boolean => nativeTheme.shouldUseDarkColorsForSystemIntegratedUI
