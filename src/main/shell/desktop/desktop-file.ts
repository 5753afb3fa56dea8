/** What the desktop app remembers for itself: where its window was, and what it has said once. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'

export interface Bounds {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Remembered {
  readonly bounds: Bounds | null
  /** The person has been told that closing the window doesn't end the program. */
  readonly toldAboutTray: boolean
}

const nothing: Remembered = { bounds: null, toldAboutTray: false }

export class DesktopFile {
  readonly #path: string
  #value: Remembered

  constructor(path: string) {
    this.#path = path
    this.#value = read(path)
  }

  get value(): Remembered {
    return this.#value
  }

  /** A full disk must not keep a window from closing: then it is simply forgotten. */
  save(change: Partial<Remembered>): void {
    this.#value = { ...this.#value, ...change }
    try {
      writeFileSync(`${this.#path}.new`, JSON.stringify(this.#value), { mode: 0o600 })
      renameSync(`${this.#path}.new`, this.#path)
    } catch {}
  }
}

function read(path: string): Remembered {
  try {
    const { bounds, toldAboutTray } = JSON.parse(readFileSync(path, 'utf8')) as Partial<
      Record<keyof Remembered, unknown>
    >
    return { bounds: isBounds(bounds) ? bounds : null, toldAboutTray: toldAboutTray === true }
  } catch {
    return nothing
  }
}

const isBounds = (value: unknown): value is Bounds =>
  typeof value === 'object' &&
  value !== null &&
  ['x', 'y', 'width', 'height'].every((name) => Number.isInteger((value as Record<string, unknown>)[name]))

/** Kept only if enough of it lies on a screen that is there now; a second screen may be gone. */
export function visibleBounds(bounds: Bounds | null, screens: readonly Bounds[]): Bounds | null {
  if (bounds === null) return null
  const isSeen = screens.some(({ x, y, width, height }) => {
    const overlapX = Math.min(bounds.x + bounds.width, x + width) - Math.max(bounds.x, x)
    const overlapY = Math.min(bounds.y + bounds.height, y + height) - Math.max(bounds.y, y)
    return overlapX >= 100 && overlapY >= 100
  })
  return isSeen ? bounds : null
}
