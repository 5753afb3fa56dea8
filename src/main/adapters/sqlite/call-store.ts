/** `calls.db`, the writing side: ids, open calls, and finished ones released once their rows are in the file. */
import { type CallId, callId } from '../../../shared/ids.ts'
import type { Ledger, StoredBalance } from '../../budget-ports.ts'
import type { LedgerEntry } from '../../domain/budget.ts'
import type { CallRecord } from '../../domain/call.ts'
import type { CallStore, Clock, OpenCall, SavingState } from '../../ports.ts'
import { callsFile, type FinishedRow } from './calls/call-database.ts'
import { CallSaver } from './calls/call-saver.ts'
import type { FileWork } from './calls/call-upkeep.ts'
import { OpenCalls } from './calls/open-calls.ts'
import type { Limits } from './calls/retention.ts'
import type { Recovery } from './recovery.ts'

export interface CallStoreOptions {
  readonly path: string
  readonly clock: Clock
  /** Asked before each purge. */
  readonly limits: () => Limits
  /** The reader, which does slow work on the file in its thread; null: the store does it itself. */
  readonly work: FileWork | null
  /** A larger file is checked by `work` after the start; 256 MiB unless a test says otherwise. */
  readonly checkedAtOnceBytes?: number | undefined
  /** Open rows of lasting calls have reached the file. */
  readonly onOpened?: (() => void) | undefined
  readonly onSaving?: ((state: SavingState) => void) | undefined
  /** The file was damaged, at the start or later: what came back. */
  readonly onRecovery?: ((recovery: Recovery) => void) | undefined
  /** A row could not be written although the disk is well: a bug; the row is dropped. */
  readonly onFault?: ((cause: unknown) => void) | undefined
}

/** 64 rows hold up the loop for about half a millisecond. */
const batchRows = 64
/** While other calls end in every turn of the loop, a commit waits for them, but no longer than this. */
const mostTurns = 4
const busyRetryMs = 5

interface Finished extends FinishedRow {
  readonly released: () => void
}

export class SqliteCallStore implements CallStore, Ledger {
  readonly #clock: Clock
  readonly #saver: CallSaver
  readonly #open: OpenCalls
  #queue: Finished[] = []
  #flushing = false
  /** Rows in the queue when the loop last turned. */
  #seen = 0
  #turns = 0
  #lastId = 0
  #closed = false

  /** Throws `store_newer` and `store_unreadable`; a full or busy disk only means that nothing is saved yet (F36). */
  constructor({ clock, onOpened, onSaving, onRecovery, onFault, ...options }: CallStoreOptions) {
    const { path, limits, work, checkedAtOnceBytes } = options
    this.#clock = clock
    this.#saver = new CallSaver({
      file: callsFile(path, checkedAtOnceBytes),
      clock,
      limits,
      work,
      onSaving: onSaving ?? (() => {}),
      onRecovery: onRecovery ?? (() => {}),
      onFault: onFault ?? (() => {}),
    })
    this.#open = new OpenCalls(clock, (calls) => {
      const isWritten = this.#saver.saveOpen(calls)
      if (isWritten) onOpened?.()
      return isWritten
    })
  }

  /** When the newest stored call began, by its id; null in an empty log. */
  newestMs(): number | null {
    const { lastId } = this.#saver
    return lastId === 0 ? null : Math.trunc(lastId / 1_000)
  }

  nextId(startedMs: number): CallId {
    this.#lastId = Math.max(this.#lastId + 1, this.#saver.lastId + 1, Math.trunc(startedMs) * 1_000)
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
    // Nobody else is under way: there is nothing to share a commit with.
    if (this.#open.size === 0 && !this.#flushing) this.#flush()
    else this.#flushSoon()
  }

  enter(entry: LedgerEntry): boolean {
    return this.#saver.enter(entry)
  }

  sums(): readonly StoredBalance[] {
    return this.#saver.sums()
  }

  saving(): SavingState {
    return this.#saver.state()
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    const queue = this.#queue.splice(0)
    try {
      this.#saver.close(queue, this.#open.unwritten())
    } finally {
      for (const { released } of queue) released()
    }
  }

  #flushSoon(): void {
    if (this.#flushing) return
    this.#flushing = true
    this.#turns = 0
    this.#seen = 0
    setImmediate(this.#turn)
  }

  /** One commit serves many rows, so it waits as long as every turn of the loop brings more. */
  readonly #turn = (): void => {
    const rows = this.#queue.length
    this.#turns += 1
    if (rows > this.#seen && rows < batchRows && this.#turns < mostTurns && this.#open.size > 0) {
      this.#seen = rows
      setImmediate(this.#turn)
    } else this.#flush()
  }

  /** Commits at most 64 rows, then releases their calls: none is acknowledged before it is in the file. */
  #flush(): void {
    this.#flushing = false
    const batch = this.#queue.splice(0, batchRows)
    if (batch.length === 0) return
    if (this.#saver.save(batch) === 'busy') {
      this.#queue.unshift(...batch)
      this.#flushing = true
      this.#clock.after(busyRetryMs, () => this.#flush())
      return
    }
    for (const { released } of batch) released()
    if (this.#queue.length > 0) this.#flushSoon()
  }
}
