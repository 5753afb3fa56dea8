/** Turns the tray's menu model into what Electron builds a menu from. */
import type { MenuItemConstructorOptions } from 'electron'
import type { MenuAct, MenuItem } from './tray-menu.ts'

/** An ampersand in a name would underline the next letter instead of being shown. */
const literal = (label: string): string => label.replaceAll('&', '&&')

export const templateOf = (items: readonly MenuItem[], run: (act: MenuAct) => void): MenuItemConstructorOptions[] =>
  items.map((item) => itemOf(item, run))

function itemOf(item: MenuItem, run: (act: MenuAct) => void): MenuItemConstructorOptions {
  if (item.kind === 'separator') return { type: 'separator' }
  const label = literal(item.label)
  switch (item.kind) {
    case 'line':
      return { label, enabled: false }
    case 'action':
      return { label, click: () => run(item.act) }
    case 'check':
      return { type: 'checkbox', label, checked: item.checked, click: () => run(item.act) }
    case 'radio':
      return { type: 'radio', label, checked: item.checked, click: () => run(item.act) }
    case 'group':
      return { label, submenu: templateOf(item.items, run) }
  }
}
