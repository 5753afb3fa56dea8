/**
 * Whether the wall clock may say what is old. It is doubted once it is far ahead of what is known: of the newest stored
 * call at the start, of itself a while ago, or of a vendor's answer, which settles it either way.
 */
import { isLeap, type KnownTime } from '../domain/clock-leap.ts'
import type { Clock } from '../ports.ts'

export class BelievedTime {
  readonly #clock: Clock
  readonly #onTurn: (isDoubted: boolean) => void
  #known: KnownTime
  #isDoubted = false

  /** `onTurn` hears when it begins to be doubted, and when it is believed again. */
  constructor(clock: Clock, onTurn: (isDoubted: boolean) => void) {
    this.#clock = clock
    this.#onTurn = onTurn
    this.#known = this.#now()
  }

  get isDoubted(): boolean {
    return this.#isDoubted
  }

  /** It was `wallMs` at least: a call was stored then. Says nothing where the clock was ahead in those days. */
  wasAt(wallMs: number): void {
    this.#known = { ...this.#known, wallMs: Math.min(wallMs, this.#known.wallMs) }
  }

  /** It is `wallMs` now, as a vendor says. */
  isAt(wallMs: number): void {
    this.#known = { ...this.#now(), wallMs }
    this.isBelieved()
  }

  /** Asked again and again: many short leaps, such as of a machine that sleeps, are believed one by one. */
  isBelieved(): boolean {
    const now = this.#now()
    const isDoubted = isLeap(this.#known, now)
    if (!isDoubted) this.#known = now
    if (isDoubted !== this.#isDoubted) {
      this.#isDoubted = isDoubted
      this.#onTurn(isDoubted)
    }
    return !isDoubted
  }

  #now(): KnownTime {
    return { wallMs: this.#clock.nowMs(), elapsedMs: this.#clock.elapsedMs() }
  }
}
