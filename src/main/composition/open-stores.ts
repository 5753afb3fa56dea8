/** Opens the data folder and what lies in it: owner lock, log, both stores and the reader of the call log. */
import { join } from 'node:path'
import { openDataFolder } from '../adapters/files/data-folder.ts'
import { fileLog } from '../adapters/log/file-log.ts'
import { WorkerCallReader } from '../adapters/sqlite/call-reader.ts'
import { SqliteCallStore } from '../adapters/sqlite/call-store.ts'
import { SqliteConfigStore } from '../adapters/sqlite/config-store.ts'
import { takeOwnerLock } from '../adapters/sqlite/owner-lock.ts'
import type { Recovery } from '../adapters/sqlite/recovery.ts'
import type { RepairedStore } from '../api/api-deps.ts'
import type { BudgetStore, Ledger, LedgerReader } from '../budget-ports.ts'
import type { ConnectionStore } from '../client-ports.ts'
import type { Settings } from '../domain/settings.ts'
import type { CallReader, CallStore, Clock, ConfigStore, Log } from '../ports.ts'
import { BelievedTime } from '../state/believed-time.ts'

export interface Stores {
  readonly log: Log
  readonly store: ConfigStore & ConnectionStore & BudgetStore
  readonly calls: CallStore & Ledger
  readonly reader: CallReader & LedgerReader
  readonly repaired: readonly RepairedStore[]
  /** Old calls are forgotten by it. */
  readonly time: BelievedTime
  readonly settings: Settings
  /** Durable when it returns. */
  changeSettings(next: Settings): void
  close(): Promise<void>
}

/** `announce` hears of `app` that saving stopped or went on or a store was repaired, of `calls` that one is running. */
export function openStores(
  dataDir: string,
  clock: Clock,
  callsReaderUrl: URL,
  announce: (area: 'app' | 'calls') => void,
): Stores {
  const changed = (): void => announce('app')
  const hadOpenRights = openDataFolder(dataDir)
  const lock = takeOwnerLock(join(dataDir, 'owner.lock'))
  const undo: (() => void | Promise<void>)[] = [() => lock.close()]
  try {
    const log = fileLog(dataDir)
    if (hadOpenRights) log.info('data-folder-rights-repaired')
    const repaired: RepairedStore[] = []
    const repairs = (file: string, { rows, ...found }: Recovery): void => {
      const sum = Object.values(rows).reduce((total, count) => total + count, 0)
      repaired.push({ file, rows: sum, ...found })
      log.info('store-repaired', { file, rows: sum, ...found })
      changed()
    }
    const store = new SqliteConfigStore({
      path: join(dataDir, 'pointsman.db'),
      clock,
      onSkip: (table, row) => log.info('row-skipped', { table, row }),
    })
    undo.push(() => store.close())
    if (store.recovery !== null) repairs('pointsman.db', store.recovery)
    let settings = store.settings()
    const time = new BelievedTime(clock, (isDoubted) => {
      log.info('clock-doubted', { isDoubted })
      changed()
    })
    const path = join(dataDir, 'calls.db')
    const reader = new WorkerCallReader({ path, clock, workerUrl: callsReaderUrl })
    undo.push(() => reader.close())
    const calls = new SqliteCallStore({
      path,
      clock,
      limits: () => ({ ...settings, forgetsByAge: time.isBelieved() }),
      work: reader,
      onOpened: () => announce('calls'),
      onSaving(state) {
        log.info('saving', { saving: state.saving, waiting: state.waiting, why: state.why })
        changed()
      },
      onRecovery: (recovery) => repairs('calls.db', recovery),
      onFault: (cause) => void log.fault('row-not-written', cause),
    })
    undo.push(() => calls.close())
    const newestMs = calls.newestMs()
    if (newestMs !== null) time.wasAt(newestMs)
    return {
      log,
      store,
      calls,
      reader,
      repaired,
      time,
      get settings() {
        return settings
      },
      changeSettings(next) {
        store.saveSettings(next)
        settings = next
      },
      async close() {
        for (const step of undo.splice(0).reverse()) await step()
      },
    }
  } catch (cause) {
    for (const step of undo.splice(0).reverse()) void step()
    throw cause
  }
}
