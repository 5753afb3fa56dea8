/** Writes bindings, health and quota at most once a second and at shutdown (architecture, "Store"). */
import type { Clock, ConfigStore, Log } from '../ports.ts'
import type { Bindings } from './bindings.ts'
import type { Conditions } from './conditions.ts'

const everyMs = 1_000

export class Saver {
  readonly #store: ConfigStore
  readonly #bindings: Bindings
  readonly #conditions: Conditions
  readonly #clock: Clock
  readonly #log: Log
  #cancel: () => void = () => {}
  #closed = false

  constructor(store: ConfigStore, bindings: Bindings, conditions: Conditions, clock: Clock, log: Log) {
    this.#store = store
    this.#bindings = bindings
    this.#conditions = conditions
    this.#clock = clock
    this.#log = log
    this.#arm()
  }

  /** Writes what changed; a refused write is logged and what it held stays in memory. */
  save(): void {
    const { bindings, unbound } = this.#bindings.takeChanges()
    const { health, quota } = this.#conditions.takeChanges()
    if (bindings.length === 0 && unbound.length === 0 && health === null && quota.size === 0) return
    try {
      this.#store.saveState({ bindings, unbound, quota, health })
    } catch (cause) {
      this.#log.fault('state-not-saved', cause)
    }
  }

  close(): void {
    this.#closed = true
    this.#cancel()
    this.save()
  }

  #arm(): void {
    this.#cancel = this.#clock.after(everyMs, () => {
      this.save()
      if (!this.#closed) this.#arm()
    })
  }
}
