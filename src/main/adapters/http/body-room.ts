/**
 * How many bytes of request bodies may be held at once, over all calls (F48): a body is kept whole while its call runs,
 * and many large ones together would end the program for lack of memory.
 */
export const mostHeldBytes = 512 * 1024 * 1024

export class BodyRoom {
  readonly #most: number
  #held = 0

  constructor(most: number) {
    this.#most = most
  }

  /** False: no room now. A single body always finds some, whatever its size; that has a limit of its own. */
  take(bytes: number): boolean {
    if (this.#held > 0 && this.#held + bytes > this.#most) return false
    this.#held += bytes
    return true
  }

  giveBack(bytes: number): void {
    this.#held -= bytes
  }
}
