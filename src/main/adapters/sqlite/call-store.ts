/** `calls.db`, the writing side: ids, group commit, and going on when the disk refuses. */
import { type CallId, callId } from '../../../shared/ids.ts'
import type { CallRecord } from '../../domain/call.ts'
import type { CallStore, Clock, OpenCall, SavingState } from '../../ports.ts'
import { type CallDatabase, callDatabase, callsFile, type FinishedRow } from './calls/call-database.ts'
import { CallUpkeep, type FileWork } from './calls/call-upkeep.ts'
import { OpenCalls } from './calls/open-calls.ts'
import type { Limits } from './calls/retention.ts'
import { WaitingRows } from './calls/waiting-rows.ts'
import { openCurrent, type StoreFile } from './database.ts'
import { type Refusal, refusalOf } from './disk-refusal.ts'
import { firstFault, isCheckedAtOnce, openStore } from './open-store.ts'
import { type OpenStore, type Recovery, replaceBySalvaged, salvageBeside } from './recovery.ts'

export interface CallStoreOptions {
  readonly path: string
  readonly clock: Clock
  /** Asked before each purge. */
  readonly limits: () => Limits
  /** Null: the store does this work itself, on this thread. */
  readonly work: FileWork | null
  /** A larger file is checked by `work` after the start; 256 MiB unless a test says otherwise. */
  readonly checkedAtOnceBytes?: number | undefined
  readonly onSaving?: ((state: SavingState) => void) | undefined
  /** The file was damaged, at the start or later: what came back. */
  readonly onRecovery?: ((recovery: Recovery) => void) | undefined
}

const batchRows = 64
const retryMs = 1_000
const busyRetryMs = 5
const busyPatienceMs = 2_000

interface Finished extends FinishedRow {
  readonly released: () => void
}

export class SqliteCallStore implements CallStore {
  readonly #options: CallStoreOptions
  readonly #clock: Clock
  readonly #file: StoreFile
  readonly #open: OpenCalls
  readonly #upkeep: CallUpkeep
  readonly #waiting = new WaitingRows()
  /** Null while the file can't be used. */
  #database: CallDatabase | null = null
  #queue: Finished[] = []
  #flushing = false
  /** Since when another program has held the file. */
  #busySinceMs: number | null = null
  /** Why nothing is saved now. */
  #why: string | null = null
  #retrying = false
  #repairing = false
  /** Rows that an earlier process left open have been ended. */
  #foundLeftovers = false
  #lastId = 0
  #closed = false

  /** Throws `store_newer` and `store_unreadable`; a full or busy disk only means that nothing is saved yet (F36). */
  constructor(options: CallStoreOptions) {
    this.#options = options
    this.#clock = options.clock
    this.#file = callsFile(options.path, options.checkedAtOnceBytes)
    this.#open = new OpenCalls(this.#clock, (calls) => this.#saveOpen(calls))
    const current = (): CallDatabase | null => this.#database
    this.#upkeep = new CallUpkeep(options.path, this.#clock, options.limits, options.work, current)
    try {
      this.#use(openStore(this.#file, this.#clock))
      if (!isCheckedAtOnce(this.#file)) void this.#checkLater()
    } catch (cause) {
      const refusal = refusalOf(cause)
      const passes = refusal.kind === 'full' || refusal.kind === 'busy' || refusal.kind === 'io'
      if (!passes) {
        this.#upkeep.close()
        throw cause
      }
      this.#refused(refusal, [])
    }
  }

  nextId(startedMs: number): CallId {
    this.#lastId = Math.max(this.#lastId + 1, Math.trunc(startedMs) * 1_000)
    return callId(String(this.#lastId))
  }

  begin(call: OpenCall): void {
    this.#open.begin(call)
  }

  finish(record: CallRecord, released: () => void): void {
    const mayExist = this.#open.end(record.id)
    if (this.#closed) {
      released()
      return
    }
    this.#queue.push({ record, mayExist, released })
    this.#flushSoon()
  }

  saving(): SavingState {
    const { length, dropped } = this.#waiting
    return { saving: this.#why === null, waiting: length, dropped, why: this.#why }
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#upkeep.close()
    const queue = this.#queue.splice(0)
    try {
      if (this.#database === null && !this.#repairing) this.#reopen()
      // Nobody is served any more, so this last time the lock is waited for.
      this.#database?.database.pragma('busy_timeout = 1000')
      this.#database?.saveFinished([...this.#waiting.first(this.#waiting.length), ...queue])
      this.#database?.interrupt(this.#open.unwritten())
    } catch (cause) {
      if (refusalOf(cause).kind === 'other') throw cause
    } finally {
      this.#shut()
      for (const { released } of queue) released()
    }
  }

  #flushSoon(): void {
    if (this.#flushing) return
    this.#flushing = true
    setImmediate(() => this.#flush())
  }

  /** Commits at most 64 rows, then releases their calls: none is acknowledged before it is in the file. */
  #flush(): void {
    this.#flushing = false
    const batch = this.#queue.splice(0, batchRows)
    if (batch.length === 0) return
    const refusal = this.#why === null ? this.#commit(batch) : null
    if (refusal?.kind === 'busy' && this.#hasPatience()) {
      this.#queue.unshift(...batch)
      this.#flushing = true
      this.#clock.after(busyRetryMs, () => this.#flush())
      return
    }
    if (refusal !== null) this.#refused(refusal, batch)
    else if (this.#why !== null) this.#waiting.add(batch)
    for (const { released } of batch) released()
    if (this.#queue.length > 0) this.#flushSoon()
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
      return expected(cause)
    }
  }

  #saveOpen(calls: readonly OpenCall[]): boolean {
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
    this.#options.onSaving?.(this.saving())
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
    this.#options.onSaving?.(this.saving())
  }

  #use({ database, recovery }: OpenStore): void {
    const opened = callDatabase(database)
    if (recovery !== null) this.#options.onRecovery?.(recovery)
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

/** A refusal of the disk; anything else is a bug of ours and is thrown on. */
function expected(cause: unknown): Refusal {
  const refusal = refusalOf(cause)
  if (refusal.kind === 'other') throw cause
  return refusal
}
