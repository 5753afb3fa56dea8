/** The call store with its witnesses: who has served since the start, what was used lately, and the announcement that a call was kept. */
import type { CallId, SessionKey, SourceId } from '../../shared/ids.ts'
import type { CallRecord } from '../domain/call.ts'
import type { CallStore, OpenCall, SavingState } from '../ports.ts'
import type { Announcer } from './announcer.ts'
import type { Budgets } from './budgets.ts'
import type { RecentUse } from './recent-use.ts'

const mostSizes = 20_000

export class FinishedCalls implements CallStore {
  readonly #store: CallStore
  readonly #announcer: Announcer
  readonly #recent: Pick<RecentUse, 'note'>
  readonly #budgets: Pick<Budgets, 'settle'>
  readonly #served = new Set<SourceId>()
  readonly #sizes = new Map<SessionKey, number>()

  constructor(
    store: CallStore,
    announcer: Announcer,
    recent: Pick<RecentUse, 'note'>,
    budgets: Pick<Budgets, 'settle'>,
  ) {
    this.#store = store
    this.#announcer = announcer
    this.#recent = recent
    this.#budgets = budgets
  }

  /** Tells a healthy source from one of which nothing is known. */
  hasServed(sourceId: SourceId): boolean {
    return this.#served.has(sourceId)
  }

  /** Tokens of the conversation so far, as its last call told: what another account would read uncached. */
  sizeOf(session: SessionKey): number | null {
    return this.#sizes.get(session) ?? null
  }

  nextId(startedMs: number): CallId {
    return this.#store.nextId(startedMs)
  }

  begin(call: OpenCall): void {
    this.#store.begin(call)
  }

  finish(record: CallRecord, released: () => void): void {
    if (record.outcome === 'done' && record.sourceId !== null) this.#served.add(record.sourceId)
    this.#recent.note(record)
    this.#measure(record)
    if (record.settles !== undefined) this.#budgets.settle(record.settles)
    this.#store.finish(record, () => {
      released()
      this.#announcer.changed('calls')
    })
  }

  #measure({ session, usage, operation }: CallRecord): void {
    if (session === null || usage === null || operation !== 'generate') return
    const key = session as SessionKey
    // Set anew so that it is the youngest.
    this.#sizes.delete(key)
    this.#sizes.set(key, usage.inputTokens + usage.outputTokens)
    const [oldest] = this.#sizes.size > mostSizes ? this.#sizes.keys() : []
    if (oldest !== undefined) this.#sizes.delete(oldest)
  }

  saving(): SavingState {
    return this.#store.saving()
  }

  close(): void {
    this.#store.close()
  }
}
