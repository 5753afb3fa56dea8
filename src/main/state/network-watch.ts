/**
 * Notices that the machine's addresses changed: another network, a VPN, a cable pulled (F23). Connections opened from an
 * address that is gone die without a word, so what follows is to open new ones.
 */
import type { Clock } from '../ports.ts'

const tickMs = 5_000

export class NetworkWatch {
  readonly #clock: Clock
  readonly #addresses: () => string
  readonly #onChange: () => void
  #known = ''
  #cancel: () => void = () => {}

  /** `addresses` names every address of the machine, in any form that is equal while nothing changed. */
  constructor(clock: Clock, addresses: () => string, onChange: () => void) {
    this.#clock = clock
    this.#addresses = addresses
    this.#onChange = onChange
  }

  start(): void {
    this.#known = this.#addresses()
    this.#next()
  }

  close(): void {
    this.#cancel()
  }

  #next(): void {
    this.#cancel = this.#clock.after(tickMs, () => {
      const now = this.#addresses()
      const changed = now !== this.#known
      this.#known = now
      this.#next()
      if (changed) this.#onChange()
    })
  }
}
