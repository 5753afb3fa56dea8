/**
 * What a host was found to lack: counting although its dialect has it, or a field that its dialect knows. Learned from a
 * refusal, so that it isn't asked again and again (bridge §1.7, §5). Never stored.
 */
import type { Clock } from '../ports.ts'

/** A host may learn it meanwhile. */
const rememberedMs = 3_600_000
const most = 256

export class Lacking {
  readonly #clock: Pick<Clock, 'elapsedMs'>
  /** Address and model → until when it is believed. */
  readonly #until = new Map<string, number>()

  constructor(clock: Pick<Clock, 'elapsedMs'>) {
    this.#clock = clock
  }

  note(place: string, forMs = rememberedMs): void {
    this.#until.delete(place)
    this.#until.set(place, this.#clock.elapsedMs() + forMs)
    const [oldest] = this.#until.keys()
    if (this.#until.size > most && oldest !== undefined) this.#until.delete(oldest)
  }

  has(place: string): boolean {
    return this.#clock.elapsedMs() < (this.#until.get(place) ?? 0)
  }
}
