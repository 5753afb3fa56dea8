/** Keeps an outlook of the program up to date: read anew after a change, and every minute, since time changes it too. */
import type { Core } from '../../compose.ts'
import { type Members, type Outlook, readOutlook } from './outlook.ts'

/** Quick changes get lost in a tray, and cost readings (ux B2). */
const debounceMs = 200
const everyMs = 60_000

export interface FollowOptions {
  readonly core: Core
  readonly members: Members
  readonly onOutlook: (outlook: Outlook) => void
}

export class Follower {
  readonly #options: FollowOptions
  readonly #unsubscribe: () => void
  #cancel: (() => void) | null = null
  #reading = false
  #again = false
  #closed = false

  constructor(options: FollowOptions) {
    this.#options = options
    const { announcer } = options.core.api
    // A finished call alone changes nothing that is shown here.
    this.#unsubscribe = announcer.subscribe((area) => {
      if (area !== 'calls') this.#soon(debounceMs)
    })
    void this.#read()
  }

  close(): void {
    this.#closed = true
    this.#unsubscribe()
    this.#cancel?.()
  }

  /** The earlier of what is due already and `delayMs`: a stream of changes never puts a reading off. */
  #soon(delayMs: number): void {
    if (this.#reading) {
      this.#again = true
      return
    }
    if (delayMs === debounceMs && this.#isSoon) return
    this.#cancel?.()
    this.#isSoon = delayMs === debounceMs
    this.#cancel = this.#options.core.api.clock.after(delayMs, () => void this.#read())
  }

  #isSoon = false

  async #read(): Promise<void> {
    const { core, members, onOutlook } = this.#options
    this.#isSoon = false
    this.#reading = true
    this.#again = false
    try {
      const outlook = await readOutlook(members, core.api.clock.nowMs())
      if (!this.#closed) onOutlook(outlook)
    } catch (cause) {
      if (!this.#closed) core.api.log.fault('outlook-failed', cause)
    }
    this.#reading = false
    if (!this.#closed) this.#soon(this.#again ? debounceMs : everyMs)
  }
}
