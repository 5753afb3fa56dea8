/** Remembers, within bounds, every request that reached a simulated upstream and how its answer ended. */
import type { OriginName, PracticeOperation } from './behaviour.ts'

/** How an answer ended: sent whole, broken off on purpose, or the other side closed first. */
export type Ended = 'whole' | 'broken-off' | 'by-peer'

export interface Received {
  readonly number: number
  readonly origin: OriginName
  readonly operation: PracticeOperation
  readonly sourceId: string | null
  /** `FRAME` for a WebSocket message, whose body is its text. */
  readonly method: string
  /** Path and query as sent. */
  readonly path: string
  /** Name, value, name, value, … as sent. */
  readonly rawHeaders: readonly string[]
  /** As sent, still encoded; null once dropped for lack of room. */
  readonly body: Uint8Array | null
  /** Number of the socket since the start, and of the request on it, both from 1. */
  readonly connection: number
  readonly onConnection: number
  /** Monotonic milliseconds (`performance.now`). */
  readonly arrivedMs: number
  readonly status: number | null
  readonly endedMs: number | null
  readonly ended: Ended | null
}

export interface SeenFilter {
  readonly origin?: OriginName
  readonly sourceId?: string
  readonly operation?: PracticeOperation
  readonly method?: string
  /** Compared without the query. */
  readonly path?: string
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] }
export type OpenRecord = Writable<Received>

const mostRequests = 5_000
const mostBodyBytes = 64 * 1024 * 1024

export class ReceivedLog {
  readonly #rows: OpenRecord[] = []
  readonly #waiting = new Set<() => void>()
  #bodyBytes = 0
  #count = 0
  /** Index of the oldest row that still has its body. */
  #oldestBody = 0

  add(row: Omit<Received, 'number' | 'arrivedMs' | 'status' | 'endedMs' | 'ended'>): OpenRecord {
    this.#count += 1
    const record: OpenRecord = {
      ...row,
      number: this.#count,
      arrivedMs: performance.now(),
      status: null,
      endedMs: null,
      ended: null,
    }
    this.#rows.push(record)
    this.#bodyBytes += row.body?.length ?? 0
    while (this.#bodyBytes > mostBodyBytes && this.#oldestBody < this.#rows.length - 1) this.#dropOldestBody()
    while (this.#rows.length > mostRequests) {
      if (this.#oldestBody === 0) this.#dropOldestBody()
      this.#rows.shift()
      this.#oldestBody -= 1
    }
    this.changed()
    return record
  }

  end(record: OpenRecord, ended: Ended): void {
    if (record.ended !== null) return
    record.ended = ended
    record.endedMs = performance.now()
    this.changed()
  }

  /** Wakes whoever waits; called after each change of a row. */
  changed(): void {
    for (const look of [...this.#waiting]) look()
  }

  seen(filter: SeenFilter = {}): readonly Received[] {
    return this.#rows.filter((row) => matches(row, filter))
  }

  /** Resolves with the first request that fits, now or later; rejects after `boundMs`. */
  waitFor(fits: (request: Received) => boolean, boundMs = 5_000): Promise<Received> {
    const { promise, resolve, reject } = Promise.withResolvers<Received>()
    const look = (): void => {
      const found = this.#rows.find(fits)
      if (found === undefined) return
      this.#waiting.delete(look)
      clearTimeout(timer)
      resolve(found)
    }
    const timer = setTimeout(() => {
      this.#waiting.delete(look)
      const seen = this.#rows.slice(-5).map((row) => `${row.origin} ${row.method} ${row.path} ${row.ended ?? 'open'}`)
      reject(new Error(`no such request within ${boundMs} ms; the last ones: ${seen.join(' | ') || 'none'}`))
    }, boundMs)
    this.#waiting.add(look)
    look()
    return promise
  }

  clear(): void {
    this.#rows.length = 0
    this.#bodyBytes = 0
    this.#oldestBody = 0
  }

  #dropOldestBody(): void {
    const row = this.#rows[this.#oldestBody]
    if (row !== undefined) {
      this.#bodyBytes -= row.body?.length ?? 0
      row.body = null
    }
    this.#oldestBody += 1
  }
}

function matches(row: Received, filter: SeenFilter): boolean {
  return (
    (filter.origin === undefined || row.origin === filter.origin) &&
    (filter.sourceId === undefined || row.sourceId === filter.sourceId) &&
    (filter.operation === undefined || row.operation === filter.operation) &&
    (filter.method === undefined || row.method === filter.method) &&
    (filter.path === undefined || row.path.split('?', 1)[0] === filter.path)
  )
}

/** First value of a header in a flat list, null when absent. */
export function headerOf(rawHeaders: readonly string[], name: string): string | null {
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === name) return rawHeaders[index + 1] ?? null
  }
  return null
}
