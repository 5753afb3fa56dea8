/** The application's menu: macOS needs one for copy, paste and quit; elsewhere it only carries the shortcuts. */
import { Menu, type MenuItemConstructorOptions } from 'electron'
import type { Errand } from './address.ts'
import type { Texts } from './text.ts'
import type { Platform } from './tray-menu.ts'

export interface AppMenuOptions {
  readonly platform: Platform
  readonly texts: Texts
  readonly show: (errand: Errand) => void
  readonly quit: () => void
}

export function setAppMenu({ platform, texts, show, quit }: AppMenuOptions): void {
  const settings: MenuItemConstructorOptions = {
    label: texts.settings,
    accelerator: 'CommandOrControl+,',
    click: () => show({ kind: 'settings' }),
  }
  const quitItem: MenuItemConstructorOptions = { label: texts.quit, accelerator: 'CommandOrControl+Q', click: quit }
  const own: MenuItemConstructorOptions[] =
    platform === 'mac'
      ? [
          { role: 'about' },
          { type: 'separator' },
          settings,
          { type: 'separator' },
          { role: 'hide' },
          { role: 'hideOthers' },
          { role: 'unhide' },
          { type: 'separator' },
          quitItem,
        ]
      : [settings, { type: 'separator' }, quitItem]
  const edit: MenuItemConstructorOptions[] = [
    { role: 'undo' },
    { role: 'redo' },
    { type: 'separator' },
    { role: 'cut' },
    { role: 'copy' },
    { role: 'paste' },
    { role: 'selectAll' },
  ]
  const view: MenuItemConstructorOptions[] = [
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { type: 'separator' },
    { role: 'togglefullscreen' },
  ]
  const window: MenuItemConstructorOptions[] = [{ role: 'minimize' }, { role: 'close' }]
  const menu = Menu.buildFromTemplate([
    { label: 'Pointsman', submenu: own },
    { label: texts.menu.edit, submenu: edit },
    { label: texts.menu.view, submenu: view },
    { label: texts.menu.window, submenu: window },
  ])
  Menu.setApplicationMenu(menu)
}
