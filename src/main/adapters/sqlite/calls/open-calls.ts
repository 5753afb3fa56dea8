/** Calls that run: kept in memory, and given an open row once they have lasted 100 ms. */
import type { CallId } from '../../../../shared/ids.ts'
import type { Clock, OpenCall } from '../../../ports.ts'

/** Also how often is looked, while any call has no row yet. */
const openAfterMs = 100
/** Rows written at once, so that a burst of long calls doesn't hold up the others. */
const rowsAtOnce = 128

export class OpenCalls {
  readonly #clock: Clock
  readonly #write: (calls: readonly OpenCall[]) => boolean
  readonly #begun = new Map<CallId, { readonly call: OpenCall; readonly sinceMs: number }>()
  readonly #written = new Set<CallId>()
  #ticking = false

  /** `write` says whether the rows are in the file; if not, they are offered again. */
  constructor(clock: Clock, write: (calls: readonly OpenCall[]) => boolean) {
    this.#clock = clock
    this.#write = write
  }

  /** Calls that run. */
  get size(): number {
    return this.#begun.size + this.#written.size
  }

  begin(call: OpenCall): void {
    this.#begun.set(call.id, { call, sinceMs: this.#clock.elapsedMs() })
    this.#arm()
  }

  /** Takes the call out; true when it has an open row. */
  end(id: CallId): boolean {
    this.#begun.delete(id)
    return this.#written.delete(id)
  }

  /** What has no row yet. */
  unwritten(): readonly OpenCall[] {
    return Array.from(this.#begun.values(), ({ call }) => call)
  }

  /** One timer for all calls, and only while there is something to write. */
  #arm(): void {
    if (this.#ticking || this.#begun.size === 0) return
    this.#ticking = true
    this.#clock.after(openAfterMs, () => {
      this.#ticking = false
      this.#writeLasting()
      this.#arm()
    })
  }

  /** The map keeps the order in which calls began, so the first young one ends the search. */
  #writeLasting(): void {
    const begunByMs = this.#clock.elapsedMs() - openAfterMs
    const lasting: OpenCall[] = []
    for (const { call, sinceMs } of this.#begun.values()) {
      if (sinceMs > begunByMs || lasting.length === rowsAtOnce) break
      lasting.push(call)
    }
    if (lasting.length === 0 || !this.#write(lasting)) return
    for (const { id } of lasting) {
      this.#begun.delete(id)
      this.#written.add(id)
    }
  }
}
