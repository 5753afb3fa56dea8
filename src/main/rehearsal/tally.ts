/** Counts one way of serving the calls: refused, switches, cold starts, money; per day and per source, too. */
import { sourceOf } from './logged-call.ts'

export interface Totals {
  readonly served: number
  readonly refused: number
  /** A conversation went on with another source than before. */
  readonly switches: number
  /** The source had not served the conversation within the last hour. */
  readonly coldStarts: number
  /** Integer nano-USD of the calls whose price is known. */
  readonly cost: number
  readonly costUnknown: number
}

export interface Served {
  readonly calls: number
  readonly tokens: number
}

type Counts = { -readonly [Name in keyof Totals]: Totals[Name] }

const nothing = (): Counts => ({ served: 0, refused: 0, switches: 0, coldStarts: 0, cost: 0, costUnknown: 0 })

const cacheMs = 3_600_000

export interface Tallied {
  readonly atMs: number
  readonly session: string | null
  /** Null: refused. */
  readonly backendId: string | null
  readonly tokens: number | null
  /** Null: unknown. */
  readonly cost: number | null
}

export class Tally {
  readonly #totals = nothing()
  readonly #days = new Map<number, Counts>()
  readonly #sources = new Map<string, { calls: number; tokens: number }>()
  readonly #last = new Map<string, { readonly sourceId: string; readonly atMs: number }>()
  readonly #offsetMs: number

  /** `offsetMs` is local time minus UTC, so that days begin at local midnight. */
  constructor(offsetMs: number) {
    this.#offsetMs = offsetMs
  }

  take(call: Tallied): void {
    const dayMs = 86_400_000
    const day = Math.floor((call.atMs + this.#offsetMs) / dayMs) * dayMs - this.#offsetMs
    const daily = this.#days.get(day) ?? nothing()
    this.#days.set(day, daily)
    const facts = this.#factsOf(call)
    for (const counts of [this.#totals, daily]) {
      counts.served += facts.served
      counts.refused += facts.refused
      counts.switches += facts.switches
      counts.coldStarts += facts.coldStarts
      counts.cost += facts.cost
      counts.costUnknown += facts.costUnknown
    }
  }

  get totals(): Totals {
    return { ...this.#totals }
  }

  day(atMs: number): Totals {
    return this.#days.get(atMs) ?? nothing()
  }

  days(): readonly number[] {
    return [...this.#days.keys()]
  }

  source(sourceId: string): Served {
    return this.#sources.get(sourceId) ?? { calls: 0, tokens: 0 }
  }

  #factsOf({ atMs, session, backendId, tokens, cost }: Tallied): Totals {
    if (backendId === null) return { ...nothing(), refused: 1 }
    const sourceId = sourceOf(backendId)
    const served = this.#sources.get(sourceId) ?? { calls: 0, tokens: 0 }
    this.#sources.set(sourceId, { calls: served.calls + 1, tokens: served.tokens + (tokens ?? 0) })
    const last = session === null ? undefined : this.#last.get(session)
    if (session !== null) this.#last.set(session, { sourceId, atMs })
    const moved = last !== undefined && last.sourceId !== sourceId
    const cold = session !== null && (last === undefined || moved || atMs - last.atMs > cacheMs)
    return {
      served: 1,
      refused: 0,
      switches: Number(moved),
      coldStarts: Number(cold),
      cost: cost ?? 0,
      costUnknown: Number(cost === null),
    }
  }
}
