/** Opens what outlives a restart: bindings, owners, health, quota and its history, and the one that saves them. */
import type { Chance, Clock, ConfigStore, Log } from '../ports.ts'
import type { Announcer } from './announcer.ts'
import { Bindings } from './bindings.ts'
import type { Budgets } from './budgets.ts'
import { Conditions } from './conditions.ts'
import { Owners } from './owners.ts'
import { QuotaHistory, recentMs } from './quota-history.ts'
import { type SavedState, Saver } from './saver.ts'

export interface Remembered extends SavedState {
  /** Writes a last time. */
  close(): void
}

export function openRemembered(
  store: ConfigStore,
  clock: Clock,
  chance: Chance,
  announcer: Announcer,
  log: Log,
  budgets?: Budgets,
): Remembered {
  const nowMs = clock.nowMs()
  const recent = store.quotaSamples({ fromMs: nowMs - recentMs, toMs: nowMs, limit: 10_000 })
  const history = new QuotaHistory(recent)
  const conditions = new Conditions(store.health(), store.quota(), clock, chance, announcer, history)
  const bindings = new Bindings(store.bindings(), nowMs)
  const owners = new Owners(store.owned(), nowMs)
  const saver = new Saver(store, { bindings, conditions, history, owners, budgets }, clock, log)
  return { bindings, conditions, history, owners, close: () => saver.close() }
}
