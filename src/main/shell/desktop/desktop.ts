/** The desktop app around a running core: window, tray, notifications, and what the person does with them. */
import { join } from 'node:path'
import { createRouterClient } from '@orpc/server'
import { app, clipboard } from 'electron'
import type { Core } from '../../compose.ts'
import type { Errand } from './address.ts'
import { setAppMenu } from './app-menu.ts'
import { DesktopFile } from './desktop-file.ts'
import { Follower } from './follow.ts'
import { type LoginItem, setLoginItem } from './login-item.ts'
import { noticesOf } from './notices.ts'
import { Notifier } from './notify.ts'
import type { Members, Outlook } from './outlook.ts'
import type { DesktopPlaces } from './places.ts'
import { type Language, languageOf, type Texts, textsOf } from './text.ts'
import { AppTray, type TrayFace } from './tray.ts'
import { hasTrayHost } from './tray-host.ts'
import { type MenuAct, type Platform, trayMenu } from './tray-menu.ts'
import { traySign } from './tray-state.ts'
import { Updates } from './updates.ts'
import { AppWindow } from './window.ts'

export interface DesktopOptions {
  readonly core: Core
  readonly places: DesktopPlaces
  readonly platform: Platform
  /** The folder of what the window keeps. */
  readonly folder: string
  readonly loginItem: LoginItem | null
  readonly isDevelopment: boolean
  readonly quit: () => void
}

export class Desktop {
  readonly #options: DesktopOptions
  readonly #members: Members
  readonly #file: DesktopFile
  readonly #window: AppWindow
  readonly #notifier: Notifier
  readonly #updates: Updates
  readonly #follower: Follower
  #tray: AppTray | null = null
  #outlook: Outlook | null = null
  #language: Language
  #isEnding = false

  constructor(options: DesktopOptions) {
    const { core, places, platform, folder, isDevelopment, quit } = options
    this.#options = options
    this.#members = createRouterClient(core.router, { context: {} })
    this.#file = new DesktopFile(join(folder, 'desktop.json'))
    this.#language = this.#spoken(core.api.settings().language)
    this.#notifier = new Notifier((errand) => this.show(errand))
    this.#updates = new Updates(core.api.log, (version) => this.#tellUpdate(version))
    this.#window = new AppWindow({
      ...{ places, platform, file: this.#file, isDevelopment },
      texts: () => this.#texts,
      mayClose: () => this.#isEnding,
      onClose: () => void this.#closeWindow(),
      onLoadFailed: (cause) => core.api.log.fault('load-failed', cause),
    })
    setAppMenu({ platform, texts: this.#texts, show: (errand) => this.show(errand), quit })
    this.#follower = new Follower({ core, members: this.#members, onOutlook: (outlook) => this.#take(outlook) })
  }

  /** Null once the window has gone. */
  get contents() {
    return this.#window.contents
  }

  async open(isHidden: boolean): Promise<void> {
    await this.#window.load()
    if (!isHidden) this.show()
  }

  show(errand: Errand | null = null): void {
    if (!this.#isEnding) this.#window.show(errand)
  }

  close(): void {
    this.#isEnding = true
    this.#follower.close()
    this.#updates.close()
    this.#notifier.close()
    this.#tray?.close()
    this.#window.hide()
  }

  get #texts(): Texts {
    return textsOf(this.#language)
  }

  readonly #spoken = (chosen: 'system' | Language): Language => languageOf(chosen, app.getPreferredSystemLanguages())

  #take(outlook: Outlook): void {
    const { platform, places, loginItem } = this.#options
    const { settings } = outlook
    this.#language = this.#spoken(settings.language)
    const wording = { texts: this.#texts, nowMs: outlook.nowMs }
    const face = this.#face(outlook)
    const run = (act: MenuAct): void => void this.#run(act)
    if (this.#tray === null) {
      const onClick = (): void => this.#click()
      this.#tray = new AppTray({ platform, resources: places.resources, run, onClick }, face)
    } else this.#tray.show(face)
    if (this.#outlook !== null) this.#notifier.tell(noticesOf(this.#outlook, outlook, wording))
    if (this.#outlook?.settings.launchAtLogin !== settings.launchAtLogin && loginItem !== null) {
      this.#tried('login-item-failed', () => setLoginItem(settings.launchAtLogin, loginItem))
    }
    this.#updates.set(settings.checkForUpdates)
    this.#outlook = outlook
  }

  #face(outlook: Outlook): TrayFace {
    const texts = this.#texts
    const { state } = traySign(outlook)
    return {
      state,
      tooltip: `Pointsman: ${texts.tray[state]}`,
      menu: trayMenu(outlook, { texts, nowMs: outlook.nowMs }, this.#options.platform),
    }
  }

  async #run(act: MenuAct): Promise<void> {
    try {
      switch (act.kind) {
        case 'pause':
          await this.#members.app.pause()
          return
        case 'resume':
          await this.#members.app.resume()
          return
        case 'strategy':
          await this.#members.settings.set({ defaultStrategy: act.id })
          return
        case 'unlock':
          this.show()
          await this.#members.vault.unlock()
          return
        case 'copy':
          clipboard.writeText(act.text)
          return
        case 'open':
          this.show()
          return
        case 'errand':
          this.show(act.errand)
          return
        case 'quit':
          this.#options.quit()
      }
    } catch (cause) {
      // The window shows what keeps it from working.
      this.#options.core.api.log.fault('menu-failed', cause)
      this.show()
    }
  }

  /** On macOS a click opens; elsewhere it is also the way to put the window away. */
  #click(): void {
    if (this.#options.platform !== 'mac' && this.#window.isVisible) this.#window.hide()
    else this.show()
  }

  /** Never into a place that the person can't reach. */
  async #closeWindow(): Promise<void> {
    const { platform, quit, core } = this.#options
    if (!core.api.settings().closeToTray) {
      quit()
      return
    }
    if (await hasTrayHost(platform)) {
      this.#window.hide()
      this.#tellAboutTray()
      return
    }
    const answer = await this.#window.askToKeep(this.#texts)
    if (answer === 'quit') quit()
    else if (answer === 'keep') this.#window.minimize()
  }

  #tellAboutTray(): void {
    if (this.#file.value.toldAboutTray) return
    this.#file.save({ toldAboutTray: true })
    const { inTray: title, inTrayBody: body } = this.#texts.notices
    this.#notifier.tell([{ id: 'in-tray', title, body, errand: null }])
  }

  #tellUpdate(version: string): void {
    const { update, updateBody: body } = this.#texts.notices
    this.#notifier.tell([{ id: `update ${version}`, title: update(version), body, errand: null }])
  }

  #tried(event: string, act: () => void): void {
    try {
      act()
    } catch (cause) {
      this.#options.core.api.log.fault(event, cause)
    }
  }
}
