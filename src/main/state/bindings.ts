/**
 * Which account each conversation is bound to. A binding is reserved in memory at pick, so that parallel first
 * requests of one session agree, confirmed on the first success, and released on total failure (routing §5).
 */
import type { SessionKey, SourceId } from '../../shared/ids.ts'
import { type Binding, bindingRules } from '../domain/session.ts'

interface Entry {
  readonly binding: Binding
  readonly confirmed: boolean
  /** Calls that reserved it and have not ended: the last one to fail gives it back. */
  readonly holders: number
  /** What stood before an unconfirmed change. */
  readonly previous: Binding | null
}

export class Bindings {
  readonly #entries = new Map<SessionKey, Entry>()
  #changed = new Set<SessionKey>()
  #gone = new Set<SessionKey>()

  constructor(stored: readonly Binding[], nowMs: number) {
    for (const binding of stored) {
      if (nowMs - binding.lastUsedMs > bindingRules.rememberMs) this.#gone.add(binding.session)
      else this.#entries.set(binding.session, { binding, confirmed: true, holders: 0, previous: null })
    }
  }

  get(session: SessionKey): Binding | undefined {
    return this.#entries.get(session)?.binding
  }

  get size(): number {
    return this.#entries.size
  }

  all(): readonly Binding[] {
    return [...this.#entries.values()].map((entry) => entry.binding)
  }

  /** Reserves a choice; a confirmed binding to the same account is left as it is. */
  reserve(session: SessionKey, sourceId: SourceId, nowMs: number): void {
    const entry = this.#entries.get(session)
    if (entry?.binding.sourceId === sourceId) {
      if (!entry.confirmed) this.#entries.set(session, { ...entry, holders: entry.holders + 1 })
      return
    }
    const previous = entry === undefined ? null : entry.confirmed ? entry.binding : entry.previous
    const binding: Binding = { session, sourceId, boundAtMs: nowMs, lastUsedMs: nowMs }
    this.#entries.set(session, { binding, confirmed: false, holders: 1, previous })
  }

  /** The account answered: the binding is real from now on and warm again. */
  confirm(session: SessionKey, sourceId: SourceId, nowMs: number, model: string | null = null): void {
    const entry = this.#entries.get(session)
    const boundAtMs = entry?.binding.sourceId === sourceId ? entry.binding.boundAtMs : nowMs
    const binding: Binding = { session, sourceId, boundAtMs, lastUsedMs: nowMs, model }
    this.#entries.set(session, { binding, confirmed: true, holders: 0, previous: null })
    this.#changed.add(session)
    this.#gone.delete(session)
  }

  /** Every attempt failed: what was only reserved goes back to what stood before. */
  release(session: SessionKey): void {
    const entry = this.#entries.get(session)
    if (entry === undefined || entry.confirmed) return
    if (entry.holders > 1) this.#entries.set(session, { ...entry, holders: entry.holders - 1 })
    else if (entry.previous === null) this.#entries.delete(session)
    else this.#entries.set(session, { binding: entry.previous, confirmed: true, holders: 0, previous: null })
  }

  /**
   * Moves conversations by the person's wish: to `target`, or, with null, to wherever a new one would go at its next
   * request. Returns how many were moved.
   */
  move(matches: (binding: Binding) => boolean, target: SourceId | null, nowMs: number): number {
    let count = 0
    for (const [session, entry] of this.#entries) {
      if (!matches(entry.binding)) continue
      const moved: Partial<Binding> =
        target === null ? { moved: 'anew' } : { moved: 'here', sourceId: target, boundAtMs: nowMs }
      this.#entries.set(session, {
        binding: { ...entry.binding, ...moved },
        confirmed: true,
        holders: 0,
        previous: null,
      })
      this.#changed.add(session)
      count += 1
    }
    return count
  }

  /** Forgets bindings, by the user's wish or because their account is gone. */
  forget(matches: (binding: Binding) => boolean): number {
    let count = 0
    for (const [session, entry] of this.#entries) {
      if (!matches(entry.binding)) continue
      this.#entries.delete(session)
      this.#gone.add(session)
      this.#changed.delete(session)
      count += 1
    }
    return count
  }

  /** What has to be written since the last call. */
  takeChanges(): { readonly bindings: readonly Binding[]; readonly unbound: readonly SessionKey[] } {
    const bindings = [...this.#changed]
      .map((session) => this.#entries.get(session)?.binding)
      .filter((binding) => binding !== undefined)
    const unbound = [...this.#gone]
    this.#changed = new Set()
    this.#gone = new Set()
    return { bindings, unbound }
  }
}
