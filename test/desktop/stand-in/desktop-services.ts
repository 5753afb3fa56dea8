/** The stand-in's dialogs, notifications, clipboard, opener, theme and screens: recorded, never shown. */
import { EventEmitter } from 'node:events'
import { world } from './world.ts'

interface Question {
  readonly message?: string
  readonly detail?: string
  readonly buttons?: readonly string[]
  readonly cancelId?: number
}

export const dialog = {
  async showMessageBox(_window: unknown, question: Question): Promise<{ response: number }> {
    const { message = '', detail = '', buttons = [], cancelId = 0 } = question
    world.dialogs.push({ message, detail, buttons })
    return { response: world.answers.shift() ?? cancelId }
  },
  showErrorBox(title: string, content: string): void {
    world.errorBoxes.push(`${title}\n${content}`)
  },
}

export class Notification extends EventEmitter {
  readonly #text: { readonly title: string; readonly body: string }

  static isSupported(): boolean {
    return true
  }

  constructor(text: { readonly title: string; readonly body: string }) {
    super()
    this.#text = text
  }

  show(): void {
    const { title, body } = this.#text
    world.notifications.push({ title, body, click: () => void this.emit('click') })
  }

  close(): void {
    this.emit('close')
  }
}

export const clipboard = {
  writeText(text: string): void {
    world.clipboard = text
  },
}

export const shell = {
  async openExternal(address: string): Promise<void> {
    world.opened.push(address)
  },
}

export const nativeTheme = Object.assign(new EventEmitter(), {
  shouldUseDarkColors: false,
  shouldUseDarkColorsForSystemIntegratedUI: false,
})

export const screen = {
  getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1_280, height: 800 } }],
}
