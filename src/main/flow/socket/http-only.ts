/** Which sources, or conversations, are better reached over HTTP for a while; forgotten by itself. */
import type { Clock } from '../../ports.ts'

const mostNames = 1_000

export class HttpOnly {
  readonly #clock: Clock
  readonly #forMs: number
  readonly #untilMs = new Map<string, number>()

  constructor(clock: Clock, forMs: number) {
    this.#clock = clock
    this.#forMs = forMs
  }

  note(name: string): void {
    this.#untilMs.delete(name)
    this.#untilMs.set(name, this.#clock.elapsedMs() + this.#forMs)
    const [oldest] = this.#untilMs.keys()
    if (this.#untilMs.size > mostNames && oldest !== undefined) this.#untilMs.delete(oldest)
  }

  has(name: string): boolean {
    const untilMs = this.#untilMs.get(name)
    if (untilMs === undefined) return false
    if (untilMs > this.#clock.elapsedMs()) return true
    this.#untilMs.delete(name)
    return false
  }

  /** Like `has`, and no longer after it. */
  take(name: string): boolean {
    const found = this.has(name)
    this.#untilMs.delete(name)
    return found
  }
}
