/**
 * Notices that the machine slept or that its clock was set: the wall clock moved by over 30 s more (or less) than a
 * short tick explains (F24, F60). What follows is the owner's to say; timers themselves are not to be trusted then.
 */
import type { Clock } from '../ports.ts'

const tickMs = 5_000
const driftMs = 30_000

export class WakeWatch {
  readonly #clock: Clock
  readonly #onJump: () => void
  #cancel: () => void = () => {}
  #wallMs = 0
  #steadyMs = 0

  constructor(clock: Clock, onJump: () => void) {
    this.#clock = clock
    this.#onJump = onJump
  }

  start(): void {
    this.#mark()
    this.#cancel = this.#clock.after(tickMs, () => {
      const wallMs = this.#clock.nowMs() - this.#wallMs
      const steadyMs = this.#clock.elapsedMs() - this.#steadyMs
      // A stopped process sees both clocks jump, a sleeping machine on some systems only the wall's.
      const jumped = Math.abs(wallMs - tickMs) > driftMs || Math.abs(wallMs - steadyMs) > driftMs
      this.start()
      if (jumped) this.#onJump()
    })
  }

  close(): void {
    this.#cancel()
  }

  #mark(): void {
    this.#wallMs = this.#clock.nowMs()
    this.#steadyMs = this.#clock.elapsedMs()
  }
}
