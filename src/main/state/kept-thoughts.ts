/**
 * Opaque thoughts of answers to Chat clients, which have no field to carry them: kept for an hour, by the access key
 * and the account that made them, under the call that they led to (bridge §1.5). Never stored.
 */
import type { Clock } from '../ports.ts'
import type { KeptThought, KeptThoughts as Thoughts } from '../translate/decode-chat.ts'

interface Entry {
  readonly callId: string
  readonly thoughts: readonly KeptThought[]
  readonly atMs: number
}

const keptMs = 3_600_000
const mostPerOwner = 256
const mostOwners = 64

export class KeptThoughts {
  readonly #clock: Pick<Clock, 'elapsedMs'>
  readonly #owners = new Map<string, Entry[]>()

  constructor(clock: Pick<Clock, 'elapsedMs'>) {
    this.#clock = clock
  }

  keep(owner: string, made: readonly (readonly [callId: string, thoughts: readonly KeptThought[]])[]): void {
    if (made.length === 0) return
    const atMs = this.#clock.elapsedMs()
    const entries = (this.#owners.get(owner) ?? []).filter((entry) => atMs - entry.atMs < keptMs)
    for (const [callId, thoughts] of made) entries.push({ callId, thoughts, atMs })
    this.#owners.delete(owner)
    this.#owners.set(owner, entries.slice(-mostPerOwner))
    const [oldest] = this.#owners.keys()
    if (this.#owners.size > mostOwners && oldest !== undefined) this.#owners.delete(oldest)
  }

  of(owner: string): Thoughts {
    const nowMs = this.#clock.elapsedMs()
    const found = (this.#owners.get(owner) ?? []).filter((entry) => nowMs - entry.atMs < keptMs)
    return Object.fromEntries(found.map(({ callId, thoughts }) => [callId, thoughts]))
  }
}
