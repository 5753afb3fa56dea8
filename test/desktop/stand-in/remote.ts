/** How a spec looks into the stand-in and plays the person at the desktop: one question, one answer, over Node's IPC. */
import { app, powerMonitor } from './app.ts'
import { find, type Item, Menu } from './menus.ts'
import { protocol } from './protocol.ts'
import { BrowserWindow } from './window.ts'
import { world } from './world.ts'

/** What can be asked; each answer is plain data. */
export const acts = {
  state: () => {
    const [window] = BrowserWindow.all
    const { tray, opened, clipboard, dialogs, errorBoxes } = world
    return {
      window: {
        visible: window?.isVisible() ?? false,
        minimized: window?.isMinimized() ?? false,
        destroyed: window?.isDestroyed() ?? true,
        options: window?.options ?? null,
      },
      tray:
        tray === null ? null : { image: tray.image, tooltip: tray.tooltip, menu: plain(tray.menu as Item[] | null) },
      ...{ opened, clipboard, dialogs, errorBoxes },
      notifications: world.notifications.map(({ title, body }) => ({ title, body })),
      appMenu: plain(Menu.application?.items ?? null),
      schemes: protocol.privileged,
    }
  },
  press: (label: string) => {
    const item = find((world.tray?.menu as Item[] | null) ?? [], label)
    if (item === undefined || item.enabled === false) throw new Error(`nothing to press is called ${label}`)
    item.click?.()
    return null
  },
  trayClick: () => {
    world.tray?.click()
    return null
  },
  closeWindow: () => {
    BrowserWindow.all[0]?.close()
    return null
  },
  /** The answer to the next question. */
  answer: (button: number) => {
    world.answers.push(button)
    return null
  },
  clickNotification: (title: string) => {
    world.notifications.findLast((notification) => notification.title === title)?.click()
    return null
  },
  resume: () => {
    powerMonitor.emit('resume')
    return null
  },
  quit: () => {
    app.quit()
    return null
  },
} as const

export type Acts = typeof acts

/** Functions don't cross. */
const plain = (items: readonly Item[] | null): readonly Item[] | null =>
  items?.map(({ label = '', type = 'normal', enabled = true, checked = false, submenu, role = '' }) => ({
    ...{ label, type, enabled, checked, role },
    submenu: submenu === undefined ? undefined : [...(plain(submenu) ?? [])],
  })) as readonly Item[] | null

interface Question {
  readonly id: number
  readonly act: keyof Acts
  readonly argument?: never
}

process.on('message', ({ id, act, argument }: Question) => {
  try {
    process.send?.({ id, value: (acts[act] as (argument?: never) => unknown)(argument) })
  } catch (cause) {
    process.send?.({ id, error: cause instanceof Error ? cause.message : String(cause) })
  }
})
