/**
 * The part of the log that is before the eyes: pages are read as they come into sight and given up as they leave it.
 * All are counted from the newest call that was known when the reader began, so that new calls move nothing; while the
 * reader follows, that is always the newest one.
 */
import { createStore } from 'zustand'
import { client } from '../bridge/client.ts'
import { type Problem, problemOf } from '../bridge/problem.ts'
import { onChange } from '../state/areas.ts'
import type { CallPage, CallRow, Filter, Order } from './call-types.ts'
import type { Span } from './scroll.ts'

export interface LogView {
  readonly rows: ReadonlyMap<number, CallRow>
  /** Null until it has been read once. */
  readonly total: number | null
  /** How many calls came since. */
  readonly newer: number
  readonly problem: Problem | null
}

interface Reading {
  readonly chunk: number
  readonly abort: AbortController
}

const chunkRows = 100
const mostKept = 4_000

export class CallLog {
  readonly store = createStore<LogView>()(() => ({ rows: new Map(), total: null, newer: 0, problem: null }))
  #filter: Filter
  #order: Order
  #upToId: string | null = null
  #isFollowing = true
  /** The next answer replaces what is shown. */
  #isOther = true
  #inSight: Span = { first: 0, end: 1 }
  /** Chunks that nothing has happened to since they were read. */
  readonly #fresh = new Set<number>()
  #changes = 0
  #reading: Reading | null = null
  #restUntilMs = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(filter: Filter, order: Order) {
    this.#filter = filter
    this.#order = order
  }

  /** Follows the log; the returned function stops. */
  start(): () => void {
    const stop = onChange('calls', () => {
      this.#changes += 1
      this.#fresh.clear()
      this.#readNext()
    })
    return () => {
      stop()
      clearTimeout(this.#timer)
      this.#giveUp()
    }
  }

  /** False when that is what is shown already. */
  show(filter: Filter, order: Order): boolean {
    if (JSON.stringify([filter, order]) === JSON.stringify([this.#filter, this.#order])) return false
    this.#filter = filter
    this.#order = order
    this.#upToId = null
    this.#isFollowing = true
    this.#isOther = true
    this.#inSight = { first: 0, end: 1 }
    this.#fresh.clear()
    this.#giveUp()
    this.#readNext()
    return true
  }

  look(inSight: Span): void {
    this.#inSight = inSight
    this.#readNext()
  }

  /** Whether the first row is to be the newest call; what stands there stays where it is otherwise. */
  follow(isFollowing: boolean): void {
    if (this.#isFollowing === isFollowing) return
    this.#isFollowing = isFollowing
    if (!isFollowing) return
    this.#fresh.clear()
    this.#readNext()
  }

  /** The row that a call stands in, or null when it isn't among these. */
  async placeOf(id: string): Promise<number | null> {
    this.#isFollowing = false
    const ask = { limit: 1, filter: this.#filter }
    const [own, all] = await Promise.all([
      client.calls.page({ ...ask, upToId: id }),
      client.calls.page({ ...ask, ...(this.#upToId === null ? {} : { upToId: this.#upToId }) }),
    ])
    if (own.rows[0]?.id !== id) return null
    if (this.#order === 'oldest') return own.total - 1
    const place = own.newer - all.newer
    // Newer than what is shown: the log has to be read anew from there.
    if (place < 0) {
      this.#upToId = null
      this.#isOther = true
      this.#fresh.clear()
      this.#readNext()
      return own.newer
    }
    return place
  }

  #giveUp(): void {
    this.#reading?.abort.abort()
    this.#reading = null
  }

  #chunks(): readonly number[] {
    if (this.#isOther) return [0]
    const first = Math.floor(this.#inSight.first / chunkRows)
    const last = Math.floor(Math.max(this.#inSight.first, this.#inSight.end - 1) / chunkRows)
    // The top is read first while it is followed: it decides what the others are counted from.
    return Array.from({ length: last - first + 1 }, (_, step) => first + step)
  }

  #readNext(): void {
    const chunks = this.#chunks()
    if (this.#reading !== null) {
      if (chunks.includes(this.#reading.chunk)) return
      this.#giveUp()
    }
    const { rows, total } = this.store.getState()
    const isThere = (chunk: number): boolean =>
      !this.#isOther && (rows.has(chunk * chunkRows) || chunk * chunkRows >= (total ?? 1))
    const missing = chunks.find((chunk) => !isThere(chunk))
    const stale = chunks.find((chunk) => !this.#fresh.has(chunk))
    const chunk = missing ?? stale
    if (chunk === undefined) return
    const waitMs = missing === undefined ? this.#restUntilMs - performance.now() : 0
    if (waitMs <= 0) void this.#read(chunk)
    else {
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => this.#readNext(), waitMs)
    }
  }

  async #read(chunk: number): Promise<void> {
    const reading: Reading = { chunk, abort: new AbortController() }
    this.#reading = reading
    const beganMs = performance.now()
    const changes = this.#changes
    const isFromTop = this.#order === 'oldest' || (chunk === 0 && this.#isFollowing)
    const bound = isFromTop || this.#upToId === null ? {} : { upToId: this.#upToId }
    const ask = { limit: chunkRows, offset: chunk * chunkRows, filter: this.#filter, order: this.#order, ...bound }
    try {
      const page = await client.calls.page(ask, { signal: reading.abort.signal })
      if (this.#reading !== reading) return
      this.#take(chunk, page, !('upToId' in bound))
      if (changes === this.#changes) this.#fresh.add(chunk)
    } catch (cause) {
      if (this.#reading !== reading) return
      const problem = problemOf(cause)
      // A lost connection is said above; it is read again once it is back.
      if (problem.code !== 'connection') this.store.setState({ problem })
      this.#fresh.add(chunk)
    }
    this.#reading = null
    // What takes long to read is not read without pause.
    this.#restUntilMs = performance.now() + 2 * (performance.now() - beganMs)
    this.#readNext()
  }

  #take(chunk: number, page: CallPage, isUnbounded: boolean): void {
    const newest = page.rows[0]?.id ?? null
    const isMoved = this.#order === 'newest' && isUnbounded && newest !== this.#upToId
    const rows = this.#isOther || isMoved ? new Map<number, CallRow>() : new Map(this.store.getState().rows)
    if (isMoved) this.#fresh.clear()
    if (this.#order === 'newest' && isUnbounded) this.#upToId = newest
    this.#isOther = false
    for (let step = 0; step < chunkRows; step += 1) {
      const row = page.rows[step]
      if (row === undefined) rows.delete(chunk * chunkRows + step)
      else rows.set(chunk * chunkRows + step, row)
    }
    if (rows.size > mostKept) this.#forgetFar(rows)
    this.store.setState({ rows, total: page.total, newer: page.newer, problem: null })
  }

  #forgetFar(rows: Map<number, CallRow>): void {
    const { first, end } = this.#inSight
    for (const place of rows.keys()) if (place < first - mostKept / 4 || place > end + mostKept / 4) rows.delete(place)
  }
}
