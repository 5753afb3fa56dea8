/** The moment a client leaves, as a plain AbortSignal. */
import type { Abort } from '../../ports.ts'

export class Leaving implements Abort {
  aborted = false
  readonly #listeners = new Set<() => void>()

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.add(listener)
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener)
  }

  fire(): void {
    if (this.aborted) return
    this.aborted = true
    const listeners = [...this.#listeners]
    this.#listeners.clear()
    for (const listener of listeners) listener()
  }
}
