/** What the strategies remember per round; changed once per client request by the spine, never by an explanation. */
import type { Chance } from '../ports.ts'
import { freshRound, type RoundState } from '../strategies/round-state.ts'
import { moveRound } from '../strategies/weighted.ts'

/** One request's turn in a round, as the order stage left it. */
export interface Turn {
  /** The round's name: pool, tier, and the key where its policy has an order of its own. */
  readonly scope: string
  readonly next: RoundState
  /** The seat that the request is charged to; null when none of this round. */
  readonly seat: string | null
  /** Seats that a charge may move to: those of this round. */
  readonly seats: ReadonlySet<string>
}

export class Rounds {
  readonly #chance: Pick<Chance, 'unit'>
  readonly #states = new Map<string, RoundState>()

  constructor(chance: Pick<Chance, 'unit'>) {
    this.#chance = chance
  }

  get(scope: string): RoundState {
    return this.#states.get(scope) ?? freshRound
  }

  commit({ scope, next }: Turn): void {
    this.#states.set(scope, { ...next, draw: this.#chance.unit() })
  }

  /** Another seat of the round served in the end: the request is charged to that one. */
  moveTo({ scope, next, seat, seats }: Turn, served: string): void {
    const state = this.#states.get(scope)
    if (state === undefined || seat === null || seat === served || !seats.has(served)) return
    this.#states.set(scope, moveRound(state, seat, served, next.charge))
  }

  /** Begins these rounds anew; every one with none named. */
  forget(...scopes: readonly string[]): void {
    if (scopes.length === 0) this.#states.clear()
    for (const scope of scopes) this.#states.delete(scope)
  }
}
