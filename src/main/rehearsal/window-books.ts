/** Windows over the rehearsed time: as they were read, as they would have been, and what either lost at its reset. */
import { nominalMs } from '../domain/allowance.ts'
import type { SeatWindow } from './logged-call.ts'
import { sameResetMs, type UseRates, type WindowRate } from './use-rates.ts'

interface Meter {
  resetAtMs: number | null
  usedPercent: number
}

/** One window of one source, twice. */
interface Book extends WindowRate {
  readonly window: string
  readonly lengthMs: number
  readonly was: Meter
  readonly would: Meter
  /** Tokens that were sent since the last reading. */
  unread: number
  /** Tokens that would have been sent, less those that were, since the would-be window began. */
  difference: number
}

/** Means over the windows of one name that ended. */
export interface LostAtReset {
  readonly window: string
  readonly actualEnded: number
  readonly wouldEnded: number
  /** Percent lost per ended window; null when none ended. */
  readonly actualLostPercent: number | null
  readonly wouldLostPercent: number | null
}

type Way = 'was' | 'would'
interface Lost {
  readonly was: { ended: number; percent: number }
  readonly would: { ended: number; percent: number }
}

export class WindowBooks {
  readonly #rates: Pick<UseRates, 'of'>
  readonly #sources = new Map<string, Map<string, Book>>()
  readonly #lost = new Map<string, Lost>()

  constructor(rates: Pick<UseRates, 'of'>) {
    this.#rates = rates
  }

  /** Takes what a call saw of a source's windows. */
  saw(sourceId: string, windows: readonly SeatWindow[]): void {
    const known = this.#sources.get(sourceId) ?? new Map<string, Book>()
    this.#sources.set(sourceId, known)
    for (const read of windows) {
      const book = known.get(read.window) ?? this.#begin(sourceId, read)
      known.set(read.window, book)
      book.was.resetAtMs = read.resetAtMs
      book.was.usedPercent = read.usedPercent
      book.unread = 0
      // While both stand in the same window, a reading corrects what was only reckoned.
      if (book.rate !== null && isSame(book.would.resetAtMs, read.resetAtMs)) {
        book.would.resetAtMs = read.resetAtMs
        book.would.usedPercent = clamp(read.usedPercent + book.rate * book.difference)
      }
    }
  }

  /** Ends every window whose reset has passed. */
  passTo(atMs: number): void {
    for (const books of this.#sources.values()) {
      for (const book of books.values()) {
        this.#end(book, 'was', atMs)
        this.#end(book, 'would', atMs)
      }
    }
  }

  /** Counts the tokens of one call to whom they went, and to whom they would have gone. */
  sent(was: string | null, would: string | null, tokens: number, atMs: number): void {
    for (const book of this.#booksOf(was)) {
      book.unread += tokens
      book.difference -= tokens
      book.was.resetAtMs ??= atMs + book.lengthMs
    }
    for (const book of this.#booksOf(would)) {
      book.difference += tokens
      book.would.resetAtMs ??= atMs + book.lengthMs
      book.would.usedPercent = clamp(book.would.usedPercent + (book.rate ?? 0) * tokens)
    }
  }

  /** The windows of a source as they would stand; `names` are those that count, null for all that every model shares. */
  would(sourceId: string, names: readonly string[] | null): readonly SeatWindow[] {
    const found: SeatWindow[] = []
    for (const book of this.#booksOf(sourceId)) {
      if (names === null ? book.window.includes(':') : !names.includes(book.window)) continue
      // Without a rate nothing better is known than what was read.
      const { resetAtMs, usedPercent } = book.rate === null ? book.was : book.would
      found.push({ window: book.window, usedPercent, resetAtMs, lengthMs: book.lengthMs })
    }
    return found
  }

  lost(): readonly LostAtReset[] {
    return [...this.#lost]
      .map(([window, { was, would }]) => ({
        window,
        actualEnded: was.ended,
        wouldEnded: would.ended,
        actualLostPercent: mean(was),
        wouldLostPercent: mean(would),
      }))
      .sort((a, b) => (a.window < b.window ? -1 : 1))
  }

  /** Windows of which it isn't known how much a token takes. */
  unrated(): readonly string[] {
    return [...this.#sources].flatMap(([sourceId, books]) =>
      [...books.values()].filter(({ rate }) => rate === null).map(({ window }) => `${sourceId} ${window}`),
    )
  }

  #booksOf(sourceId: string | null): Iterable<Book> {
    return (sourceId === null ? undefined : this.#sources.get(sourceId))?.values() ?? []
  }

  #begin(sourceId: string, { window, usedPercent, resetAtMs, lengthMs }: SeatWindow): Book {
    return {
      ...this.#rates.of(sourceId, window),
      window,
      lengthMs: lengthMs ?? nominalMs(window),
      was: { resetAtMs, usedPercent },
      would: { resetAtMs, usedPercent },
      unread: 0,
      difference: 0,
    }
  }

  #end(book: Book, way: Way, atMs: number): void {
    const meter = book[way]
    while (meter.resetAtMs !== null && meter.resetAtMs <= atMs) {
      const unread = way === 'was' ? book.unread * (book.rate ?? 0) : 0
      const lost = this.#lost.get(book.window) ?? { was: { ended: 0, percent: 0 }, would: { ended: 0, percent: 0 } }
      this.#lost.set(book.window, lost)
      lost[way].ended += 1
      lost[way].percent += 100 - clamp(meter.usedPercent + unread)
      meter.usedPercent = 0
      meter.resetAtMs = book.isFixed ? meter.resetAtMs + book.lengthMs : null
      if (way === 'was') book.unread = 0
      else book.difference = 0
    }
  }
}

const isSame = (a: number | null, b: number | null): boolean =>
  a === null || b === null ? a === b : Math.abs(a - b) <= sameResetMs

const clamp = (percent: number): number => Math.min(100, Math.max(0, percent))
const mean = ({ ended, percent }: Lost['was']): number | null =>
  ended === 0 ? null : Math.round((percent / ended) * 10) / 10
