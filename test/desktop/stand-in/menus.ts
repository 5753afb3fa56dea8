/** The stand-in's menus and tray: what was built is kept as data, and can be pressed. */
import { EventEmitter } from 'node:events'
import { existsSync } from 'node:fs'
import { world } from './world.ts'

export interface Item {
  readonly label?: string
  readonly type?: string
  readonly role?: string
  readonly enabled?: boolean
  readonly checked?: boolean
  readonly submenu?: Item[]
  readonly click?: () => void
}

export class Menu extends EventEmitter {
  readonly items: readonly Item[]

  constructor(items: readonly Item[]) {
    super()
    this.items = items
  }

  static buildFromTemplate(items: readonly Item[]): Menu {
    return new Menu(items)
  }

  static application: Menu | null = null

  static setApplicationMenu(menu: Menu | null): void {
    Menu.application = menu
  }
}

/** The item of that label anywhere in the menu; pressing it is the person's click. */
export function find(items: readonly Item[], label: string): Item | undefined {
  for (const item of items) {
    if (item.label === label) return item
    const inside = find(item.submenu ?? [], label)
    if (inside !== undefined) return inside
  }
  return undefined
}

interface Picture {
  readonly path: string
  isTemplate: boolean
  setTemplateImage(isTemplate: boolean): void
}

export const nativeImage = {
  createFromPath(path: string): Picture {
    // Electron shows nothing at all; here it is a fault.
    if (!existsSync(path)) throw new Error(`no picture at ${path}`)
    return {
      path,
      isTemplate: false,
      setTemplateImage(isTemplate) {
        this.isTemplate = isTemplate
      },
    }
  },
}

export class Tray extends EventEmitter {
  #image: Picture
  #tooltip = ''
  #menu: Menu | null = null

  constructor(image: Picture) {
    super()
    this.#image = image
    this.#tell()
  }

  setImage(image: Picture): void {
    this.#image = image
    this.#tell()
  }

  setToolTip(text: string): void {
    this.#tooltip = text
    this.#tell()
  }

  setContextMenu(menu: Menu): void {
    this.#menu = menu
    this.#tell()
  }

  popUpContextMenu(menu: Menu): void {
    this.#menu = menu
    this.#tell()
  }

  destroy(): void {
    world.tray = null
  }

  #tell(): void {
    world.tray = {
      image: this.#image.path,
      tooltip: this.#tooltip,
      menu: this.#menu?.items ?? null,
      click: () => this.emit('click'),
      rightClick: () => this.emit('right-click'),
    }
  }
}
