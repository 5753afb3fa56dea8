/** Writes bindings, health and quota at most once a second and at shutdown (architecture, "Store"). */
import type { Clock, ConfigStore, Log } from '../ports.ts'
import type { Bindings } from './bindings.ts'
import type { Budgets } from './budgets.ts'
import type { Conditions } from './conditions.ts'
import type { Owners } from './owners.ts'
import type { QuotaHistory } from './quota-history.ts'
import { isNothing, joined, nothingUnsaved } from './unsaved.ts'

const everyMs = 1_000

/** The owners of what is written. */
export interface SavedState {
  readonly bindings: Bindings
  readonly conditions: Conditions
  readonly history: QuotaHistory
  readonly owners: Owners
  readonly budgets?: Budgets | undefined
}

export class Saver {
  readonly #store: ConfigStore
  readonly #bindings: Bindings
  readonly #conditions: Conditions
  readonly #history: QuotaHistory
  readonly #owners: Owners
  readonly #budgets: Budgets | undefined
  readonly #clock: Clock
  readonly #log: Log
  #cancel: () => void = () => {}
  #unsaved = nothingUnsaved
  #closed = false

  constructor(store: ConfigStore, state: SavedState, clock: Clock, log: Log) {
    this.#store = store
    this.#bindings = state.bindings
    this.#conditions = state.conditions
    this.#history = state.history
    this.#owners = state.owners
    this.#budgets = state.budgets
    this.#clock = clock
    this.#log = log
    this.#arm()
  }

  /** Writes what changed; what the disk refuses is logged once and tried again with the next change. */
  save(): void {
    const { bindings, unbound } = this.#bindings.takeChanges()
    const { health, quota } = this.#conditions.takeChanges()
    const history = this.#history.takeChanges()
    const owned = this.#owners.takeChanges()
    const balances = this.#budgets?.takeChanges() ?? []
    const change = joined(this.#unsaved, { bindings, unbound, quota, health, history, owned, balances })
    if (isNothing(change)) return
    const hadFailed = !isNothing(this.#unsaved)
    this.#unsaved = change
    try {
      this.#store.saveState(change)
      this.#unsaved = nothingUnsaved
    } catch (cause) {
      if (!hadFailed) this.#log.fault('state-not-saved', cause)
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
