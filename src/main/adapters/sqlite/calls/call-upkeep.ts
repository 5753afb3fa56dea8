/** Keeps `calls.db` and its write-ahead log small: purges in short steps, moves the log into the file off-thread. */
import { statSync } from 'node:fs'
import type { Clock } from '../../../ports.ts'
import type { Salvaged } from '../salvage.ts'
import type { CallDatabase } from './call-database.ts'
import type { Limits, Purged } from './retention.ts'

/** Work on the whole file that another thread does, so that no stream waits for the disk. */
export interface FileWork {
  /** Moves what is in the write-ahead log into the file; `truncate` also empties the log. */
  checkpoint(kind: 'passive' | 'truncate'): Promise<void>
  /** Whether every page is sound. */
  isSound(): Promise<boolean>
  /** Brings everything readable of a damaged file into one beside it (`salvageBeside`). */
  salvage(): Promise<Salvaged>
}

const purgeEveryMs = 60_000
const purgePauseMs = 20
const logBytes = 4 * 1024 * 1024
const looksEveryCommits = 32

export class CallUpkeep {
  readonly #path: string
  readonly #clock: Clock
  readonly #limits: () => Limits
  readonly #work: FileWork | null
  readonly #current: () => CallDatabase | null
  #commits = 0
  #checkpointing = false
  #purged = false
  #cancel: () => void = () => {}

  constructor(
    path: string,
    clock: Clock,
    limits: () => Limits,
    work: FileWork | null,
    current: () => CallDatabase | null,
  ) {
    this.#path = path
    this.#clock = clock
    this.#limits = limits
    this.#work = work
    this.#current = current
    this.#purgeAfter(purgePauseMs)
  }

  /** SQLite moves the log by itself, within a commit, unless another thread can do it. */
  prepare({ database }: CallDatabase): void {
    if (this.#work !== null) database.pragma('wal_autocheckpoint = 0')
  }

  committed(): void {
    this.#commits += 1
    if (this.#work === null || this.#commits % looksEveryCommits !== 0) return
    const { size } = statSync(`${this.#path}-wal`, { throwIfNoEntry: false }) ?? { size: 0 }
    if (size > logBytes) void this.#checkpoint('passive')
  }

  close(): void {
    this.#cancel()
  }

  #purgeAfter(delayMs: number): void {
    this.#cancel = this.#clock.after(delayMs, () => this.#purge())
  }

  #purge(): void {
    const { removed, isDone } = this.#purgeStep()
    this.#purged ||= removed
    if (isDone && this.#purged) {
      // What was forgotten must not stay readable in the log (T5.2).
      void this.#checkpoint('truncate')
      this.#purged = false
    }
    this.#purgeAfter(isDone ? purgeEveryMs : purgePauseMs)
  }

  /** A disk that refuses is noticed and told by the next commit. */
  #purgeStep(): Purged {
    const nothing: Purged = { removed: false, isDone: true }
    try {
      return this.#current()?.purgeStep(this.#limits(), this.#clock) ?? nothing
    } catch {
      return nothing
    }
  }

  async #checkpoint(kind: 'passive' | 'truncate'): Promise<void> {
    if (this.#checkpointing) return
    this.#checkpointing = true
    try {
      if (this.#work !== null) await this.#work.checkpoint(kind)
      else this.#current()?.database.pragma(`wal_checkpoint(${kind.toUpperCase()})`)
    } catch {
      // The log only grows until the next try; what it holds is safe.
    } finally {
      this.#checkpointing = false
    }
  }
}
