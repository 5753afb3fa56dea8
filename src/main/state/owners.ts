/**
 * Which source made what only it can read again: earlier answers (`previous_response_id`), containers, routing tokens.
 * Names are hashed before they come here; remembered like bindings, the oldest forgotten first (routing §5).
 */
import type { SourceId } from '../../shared/ids.ts'
import { bindingRules, type Owned } from '../domain/session.ts'

export class Owners {
  readonly #owned = new Map<string, Owned>()
  #changed = new Set<string>()

  constructor(stored: readonly Owned[], nowMs: number) {
    for (const owned of stored.slice(-bindingRules.mostOwned)) {
      if (nowMs - owned.atMs <= bindingRules.rememberMs) this.#owned.set(owned.hash, owned)
    }
  }

  get(hash: string): SourceId | undefined {
    return this.#owned.get(hash)?.sourceId
  }

  learn(hash: string, sourceId: SourceId, atMs: number): void {
    // Set anew so that it is the youngest.
    this.#owned.delete(hash)
    this.#owned.set(hash, { hash, sourceId, atMs })
    this.#changed.add(hash)
    if (this.#owned.size <= bindingRules.mostOwned) return
    const [oldest] = this.#owned.keys()
    if (oldest !== undefined) this.#owned.delete(oldest)
  }

  forgetSource(id: SourceId): void {
    for (const [hash, owned] of this.#owned) if (owned.sourceId === id) this.#owned.delete(hash)
  }

  /** What has to be written since the last call. */
  takeChanges(): readonly Owned[] {
    const changed = [...this.#changed].flatMap((hash) => this.#owned.get(hash) ?? [])
    this.#changed = new Set()
    return changed
  }
}
