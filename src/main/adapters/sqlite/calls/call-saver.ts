/** Gets rows into `calls.db`, or keeps them in memory while the disk refuses, and repairs the file when it must. */
import { PointsmanError } from '../../../../shared/errors.ts'
import type { StoredBalance } from '../../../budget-ports.ts'
import type { LedgerEntry } from '../../../domain/budget.ts'
import type { Clock, OpenCall, SavingState } from '../../../ports.ts'
import { openCurrent, type StoreFile } from '../database.ts'
import { type Refusal, refusalOf } from '../disk-refusal.ts'
import { firstFault, isCheckedAtOnce, openStore } from '../open-store.ts'
import { type OpenStore, type Recovery, replaceBySalvaged, salvageBeside } from '../recovery.ts'
import { type CallDatabase, callDatabase, type FinishedRow } from './call-database.ts'
import { CallUpkeep, type FileWork } from './call-upkeep.ts'
import type { Limits } from './retention.ts'
import { WaitingRows } from './waiting-rows.ts'

export interface CallSaverOptions {
  readonly file: StoreFile
  readonly clock: Clock
  readonly limits: () => Limits
  /** Null: the work is done here, on this thread. */
  readonly work: FileWork | null
  readonly onSaving: (state: SavingState) => void
  readonly onRecovery: (recovery: Recovery) => void
  readonly onFault: (cause: unknown) => void
}

const batchRows = 64
const retryMs = 1_000
const busyPatienceMs = 2_000

export class CallSaver {
  readonly #options: CallSaverOptions
  readonly #clock: Clock
  readonly #file: StoreFile
  readonly #upkeep: CallUpkeep
  readonly #waiting = new WaitingRows()
  /** Null while the file can't be used. */
  #database: CallDatabase | null = null
  /** Why nothing is saved now. */
  #why: string | null = null
  /** Since when another program has held the file. */
  #busySinceMs: number | null = null
  #retrying = false
  #repairing = false
  /** Rows that an earlier process left open have been ended. */
  #foundLeftovers = false
  #lastId = 0
  #closed = false

  /** Throws `store_newer` and `store_unreadable`; a full or busy disk only means that nothing is saved yet (F36). */
  constructor(options: CallSaverOptions) {
    this.#options = options
    this.#clock = options.clock
    this.#file = options.file
    const current = (): CallDatabase | null => this.#database
    this.#upkeep = new CallUpkeep(this.#file.path, this.#clock, options.limits, options.work, current)
    try {
      this.#use(openStore(this.#file, this.#clock))
      if (!isCheckedAtOnce(this.#file)) void this.#checkLater()
    } catch (cause) {
      const refusal = refusalOf(cause)
      if (refusal.kind !== 'full' && refusal.kind !== 'busy' && refusal.kind !== 'io') {
        this.#upkeep.close()
        throw cause
      }
      this.#refused(refusal, [])
    }
  }

  /** The highest id in the file. */
  get lastId(): number {
    return this.#lastId
  }

  state(): SavingState {
    const { length, dropped } = this.#waiting
    return { saving: this.#why === null, waiting: length, dropped, why: this.#why }
  }

  /** `saved`: in the file; `kept`: in memory, to be saved later; `busy`: offer them again in a moment (F43). */
  save(rows: readonly FinishedRow[]): 'saved' | 'kept' | 'busy' {
    if (this.#why !== null) {
      this.#waiting.add(rows)
      return 'kept'
    }
    const refusal = this.#commit(rows)
    if (refusal === null) return 'saved'
    if (refusal.kind === 'busy' && this.#hasPatience()) return 'busy'
    this.#refused(refusal, rows)
    return 'kept'
  }

  /** One line of the ledger, now; a person waits for it and hears when the disk refuses. */
  enter(entry: LedgerEntry): boolean {
    if (this.#database === null || this.#why !== null) throw unsaved(this.#why ?? 'the file can not be opened')
    try {
      return this.#database.enter(entry)
    } catch (cause) {
      throw unsaved(expected(cause).why)
    }
  }

  sums(): readonly StoredBalance[] {
    try {
      return this.#database?.sums() ?? []
    } catch (cause) {
      expected(cause)
      return []
    }
  }

  /** Whether the open rows are in the file. */
  saveOpen(calls: readonly OpenCall[]): boolean {
    if (this.#database === null || this.#why !== null) return false
    try {
      this.#database.saveOpen(calls)
      return true
    } catch (cause) {
      const refusal = expected(cause)
      if (refusal.kind !== 'busy') this.#refused(refusal, [])
      return false
    }
  }

  /** Saves what is left, ends the open rows and closes the file. */
  close(rows: readonly FinishedRow[], unwritten: readonly OpenCall[]): void {
    this.#closed = true
    this.#upkeep.close()
    try {
      if (this.#database === null && !this.#repairing) this.#reopen()
      // Nobody is served any more, so this last time the lock is waited for.
      this.#database?.database.pragma('busy_timeout = 1000')
      this.#database?.saveFinished([...this.#waiting.first(this.#waiting.length), ...rows])
      this.#database?.interrupt(unwritten)
    } catch (cause) {
      expected(cause)
    } finally {
      this.#shut()
    }
  }

  /** Null when the rows are in the file. */
  #commit(rows: readonly FinishedRow[]): Refusal | null {
    if (this.#database === null) return { kind: 'unreadable', why: 'the file can not be opened' }
    try {
      this.#database.saveFinished(rows)
      this.#busySinceMs = null
      this.#upkeep.committed()
      return null
    } catch (cause) {
      const refusal = refusalOf(cause)
      if (refusal.kind !== 'other') return refusal
      return rows.length === 1 ? this.#drop(cause) : this.#commitSingly(rows)
    }
  }

  /** One row that can't be written is a bug; it must not take the others of its batch with it. */
  #commitSingly(rows: readonly FinishedRow[]): Refusal | null {
    for (const { record } of rows) {
      const refusal = this.#commit([{ record, mayExist: true }])
      if (refusal !== null) return refusal
    }
    return null
  }

  #drop(cause: unknown): null {
    this.#waiting.drop(1)
    this.#options.onFault(cause)
    return null
  }

  #hasPatience(): boolean {
    const nowMs = this.#clock.elapsedMs()
    this.#busySinceMs ??= nowMs
    return nowMs - this.#busySinceMs < busyPatienceMs
  }

  /** The calls go on without the disk: rows wait in memory, and once a second the file is tried again (F36). */
  #refused(refusal: Refusal, rows: readonly FinishedRow[]): void {
    this.#busySinceMs = null
    // After a failed read, write or fsync the pages in memory prove nothing: look at the disk again (F38).
    if (refusal.kind !== 'full' && refusal.kind !== 'busy') this.#shut()
    this.#why = `The call log is not being saved: ${refusal.why}.`
    this.#waiting.add(rows)
    if (!this.#retrying) {
      this.#retrying = true
      this.#clock.after(retryMs, () => this.#retry())
    }
    this.#options.onSaving(this.state())
  }

  #retry(): void {
    this.#retrying = false
    if (this.#closed) return
    try {
      const fault = this.#database === null ? this.#reopen() : null
      if (fault === null) this.#drain()
      else void this.#repair(fault)
    } catch (cause) {
      this.#refused(expected(cause), [])
    }
  }

  /** Looks at the file as the disk has it now; returns what is wrong with it, or null when it is in use again. */
  #reopen(): string | null {
    try {
      const database = openCurrent(this.#file)
      const fault = firstFault(database)
      if (fault === null) this.#use({ database, recovery: null })
      else database.close()
      return fault
    } catch (cause) {
      const refusal = refusalOf(cause)
      if (refusal.kind !== 'damaged') throw cause
      return refusal.why
    }
  }

  /** Calls go on meanwhile, and their rows wait. */
  async #repair(fault: string): Promise<void> {
    this.#repairing = true
    try {
      const { work } = this.#options
      const salvaged = await (work?.salvage() ?? salvageBeside(this.#file, () => this.#clock.elapsedMs()))
      // At the next start `openStore` ends what is left half-done.
      if (this.#closed) return
      this.#use(replaceBySalvaged(this.#file, fault, salvaged, this.#clock.nowMs()))
      this.#drain()
    } catch (cause) {
      const refusal = refusalOf(cause)
      this.#refused(refusal.kind === 'other' ? { ...refusal, why: 'the file could not be repaired' } : refusal, [])
    } finally {
      this.#repairing = false
    }
  }

  /** Writes what waited, one batch a turn; only after the last one new rows go to the file again. */
  #drain(): void {
    if (this.#closed) return
    const batch = this.#waiting.first(batchRows)
    const refusal = this.#commit(batch)
    if (refusal !== null) {
      this.#refused(refusal, [])
      return
    }
    this.#waiting.remove(batch.length)
    if (this.#waiting.length > 0) {
      setImmediate(() => this.#drain())
      return
    }
    this.#why = null
    this.#options.onSaving(this.state())
  }

  #use({ database, recovery }: OpenStore): void {
    const opened = callDatabase(database)
    if (recovery !== null) this.#options.onRecovery(recovery)
    try {
      this.#upkeep.prepare(opened)
      this.#lastId = Math.max(this.#lastId, opened.lastId())
      // Only once: later open rows are our own.
      if (!this.#foundLeftovers) opened.interrupt([])
      this.#foundLeftovers = true
      this.#database = opened
    } catch (cause) {
      opened.close()
      throw cause
    }
  }

  #shut(): void {
    try {
      this.#database?.close()
    } catch (cause) {
      expected(cause)
    } finally {
      this.#database = null
    }
  }

  /** A file too large to be checked at the start is checked by the other thread, while calls already run. */
  async #checkLater(): Promise<void> {
    const sound = await (this.#options.work?.isSound() ?? Promise.resolve(true)).catch(() => true)
    if (sound || this.#closed) return
    this.#refused({ kind: 'damaged', why: 'the file is damaged' }, [])
  }
}

const unsaved = (why: string): PointsmanError => new PointsmanError('store_write_failed', { why })

/** A refusal of the disk; anything else is a bug of ours and is thrown on. */
function expected(cause: unknown): Refusal {
  const refusal = refusalOf(cause)
  if (refusal.kind === 'other') throw cause
  return refusal
}
