/** The reading side of `calls.db`: asks a worker that starts with the first question and stops when none comes. */
import { Worker } from 'node:worker_threads'
import { PointsmanError } from '../../../shared/errors.ts'
import type { BudgetId, CallId } from '../../../shared/ids.ts'
import type { LedgerLine, LedgerReader } from '../../budget-ports.ts'
import type {
  Abort,
  CallDetail,
  CallFilter,
  CallPage,
  CallReader,
  CallSummary,
  CallTotals,
  Clock,
  PageView,
  StatsRange,
} from '../../ports.ts'
import type { FileWork } from './calls/call-upkeep.ts'
import type { ReaderAnswer, ReaderQuestion } from './calls-reader.ts'
import type { Salvaged } from './salvage.ts'

export interface CallReaderOptions {
  readonly path: string
  readonly clock: Clock
  /** The built worker entry `calls-reader`. */
  readonly workerUrl: URL
}

const idleMs = 30_000

interface Waiter {
  readonly question: ReaderQuestion
  readonly resolve: (value: unknown) => void
  readonly reject: (cause: Error) => void
}

export class WorkerCallReader implements CallReader, LedgerReader, FileWork {
  readonly #options: CallReaderOptions
  /** The first is asked of the worker, the others wait for it: whoever leaves meanwhile needs no answer. */
  readonly #waiters = new Set<Waiter>()
  #asked: Waiter | null = null
  #worker: Worker | null = null
  #stopIdle: () => void = () => {}
  #closed = false

  constructor(options: CallReaderOptions) {
    this.#options = options
  }

  page(limit: number, offset: number, filter: CallFilter, view: PageView = {}, left?: Abort): Promise<CallPage> {
    return this.#ask({ kind: 'page', limit, offset, filter, view }, left)
  }

  get(id: CallId): Promise<CallDetail | null> {
    return this.#ask({ kind: 'get', id })
  }

  older(before: CallId | null, limit: number, filter: CallFilter = {}): Promise<readonly CallDetail[]> {
    return this.#ask({ kind: 'older', before, limit, filter })
  }

  stats(range: StatsRange): Promise<readonly CallTotals[]> {
    return this.#ask({ kind: 'stats', range })
  }

  summary({ fromMs, toMs }: Pick<StatsRange, 'fromMs' | 'toMs'>): Promise<CallSummary> {
    return this.#ask({ kind: 'summary', fromMs, toMs })
  }

  ledger(budgetId: BudgetId, limit: number): Promise<readonly LedgerLine[]> {
    return this.#ask({ kind: 'ledger', budgetId, limit })
  }

  async checkpoint(kind: 'passive' | 'truncate'): Promise<void> {
    await this.#ask({ kind: 'checkpoint', truncate: kind === 'truncate' })
  }

  isSound(): Promise<boolean> {
    return this.#ask({ kind: 'is-sound' })
  }

  salvage(): Promise<Salvaged> {
    return this.#ask({ kind: 'salvage' })
  }

  /** True while a worker runs. */
  get isRunning(): boolean {
    return this.#worker !== null
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#stop('Pointsman is stopping')
  }

  #ask<T>(question: ReaderQuestion, left?: Abort): Promise<T> {
    if (this.#closed) return Promise.reject(unreadable('Pointsman is stopping'))
    if (left?.aborted === true) return Promise.reject(unreadable('nobody waits for it'))
    this.#stopIdle()
    return new Promise<T>((resolve, reject) => {
      const waiter: Waiter = { question, resolve: resolve as (value: unknown) => void, reject }
      this.#waiters.add(waiter)
      left?.addEventListener('abort', () => {
        if (this.#asked !== waiter && this.#waiters.delete(waiter)) reject(unreadable('nobody waits for it'))
      })
      this.#askNext()
    })
  }

  #askNext(): void {
    if (this.#asked !== null) return
    const [waiter] = this.#waiters
    if (waiter === undefined) return
    const worker = this.#worker ?? this.#start()
    worker.ref()
    this.#asked = waiter
    worker.postMessage(waiter.question)
  }

  #start(): Worker {
    const { workerUrl, path } = this.#options
    const worker = new Worker(workerUrl, { workerData: { path }, name: 'calls-reader' })
    this.#worker = worker
    worker.on('message', (answer: ReaderAnswer) => this.#answered(worker, answer))
    worker.on('error', () => this.#lost(worker))
    worker.on('exit', () => this.#lost(worker))
    return worker
  }

  #answered(worker: Worker, answer: ReaderAnswer): void {
    const waiter = this.#asked
    if (this.#worker !== worker || waiter === null) return
    this.#waiters.delete(waiter)
    this.#asked = null
    if (answer.kind === 'value') waiter.resolve(answer.value)
    else waiter.reject(unreadable(answer.why))
    if (this.#waiters.size > 0) {
      this.#askNext()
      return
    }
    // An idle worker keeps neither the process alive nor its memory for long.
    worker.unref()
    this.#stopIdle = this.#options.clock.after(idleMs, () => void this.#stop('idle'))
  }

  /** The next question starts a new worker; those under way are answered by a refusal. */
  #lost(worker: Worker): void {
    if (this.#worker !== worker) return
    this.#worker = null
    this.#rejectAll('the reader stopped')
  }

  async #stop(why: string): Promise<void> {
    this.#stopIdle()
    const worker = this.#worker
    this.#worker = null
    this.#rejectAll(why)
    worker?.ref()
    await worker?.terminate()
  }

  #rejectAll(why: string): void {
    const waiters = [...this.#waiters]
    this.#waiters.clear()
    this.#asked = null
    for (const { reject } of waiters) reject(unreadable(why))
  }
}

const unreadable = (why: string): PointsmanError => new PointsmanError('store_unreadable', { file: 'calls.db', why })
