/** How one tier of a pool is ordered: seats in, a permutation out; an order that isn't one fails open (routing §4, MAG). */
import type { Seat } from '../domain/seat.ts'
import type { OptionRule, StrategyOptions } from './options.ts'
import type { RoundState } from './round-state.ts'

export interface Ordered {
  /** A permutation of the seats' indexes, the first to try first. */
  readonly order: readonly number[]
  /** The state after this request, if it counts. */
  readonly next: RoundState
  /** Nothing trustworthy is known of any seat: listed order, and no conversation is bound by it (routing §5). */
  readonly untrusted?: boolean
}

export interface Strategy {
  readonly id: string
  /** What it does, in one sentence for the person. */
  readonly sentence: string
  /** Its order stands as it says; otherwise API keys that fit the request better go first among the keys. */
  readonly exact: boolean
  /** It weighs what was sent lately, which is then worked out and shown. */
  readonly byUse: boolean
  /** It weighs what costs nothing. */
  readonly byFree: boolean
  /** It weighs the time to the first content. */
  readonly byLatency: boolean
  /** It weighs recent failures. */
  readonly byFailures: boolean
  readonly options: readonly OptionRule[]
  /** Pure; asked with two seats or more. `pool` names the round. */
  order(pool: string, seats: readonly Seat[], nowMs: number, state: RoundState, options: StrategyOptions): Ordered
}

/** What most strategies have in common. */
export const plain = {
  exact: false,
  byUse: false,
  byFree: false,
  byLatency: false,
  byFailures: false,
  options: [],
} as const

export interface Applied {
  readonly order: readonly number[]
  readonly next: RoundState
  readonly untrusted: boolean
  /** The strategy threw or its answer was no permutation: the listed order stands. */
  readonly failedOpen: boolean
}

/** The order that `strategy` gives, checked: every route is still tried, whatever the strategy does. */
export function apply(
  strategy: Strategy,
  pool: string,
  seats: readonly Seat[],
  nowMs: number,
  state: RoundState,
  options: StrategyOptions = {},
): Applied {
  const listed: Applied = { order: identity(seats.length), next: state, untrusted: false, failedOpen: false }
  if (seats.length < 2) return listed
  try {
    const { order, next, untrusted = false } = strategy.order(pool, seats, nowMs, state, options)
    return isPermutation(order, seats.length)
      ? { order, next, untrusted, failedOpen: false }
      : { ...listed, failedOpen: true }
  } catch {
    return { ...listed, failedOpen: true }
  }
}

function isPermutation(order: readonly number[], length: number): boolean {
  if (!Array.isArray(order) || order.length !== length) return false
  const seen = new Set<number>()
  for (const index of order) {
    if (!Number.isInteger(index) || index < 0 || index >= length || seen.has(index)) return false
    seen.add(index)
  }
  return true
}

/** The listed order of `length` seats. */
export const identity = (length: number): number[] => [...new Array(length).keys()]

/** `best` first and the others after it in their order; a negative one leaves the list as it is. */
export function first(best: number, length: number): number[] {
  const listed = identity(length)
  return best < 0 ? listed : [best, ...listed.filter((index) => index !== best)]
}

/** Puts the API keys that fit better before the others, within the places that keys hold; accounts stay (MAG). */
export function fitFirst(order: readonly number[], seats: readonly Seat[], fits: readonly number[]): readonly number[] {
  const keys = order.filter((index) => seats[index]?.account === false)
  if (keys.length < 2) return order
  const sorted = [...keys].sort((a, b) => (fits[b] ?? 0) - (fits[a] ?? 0))
  let taken = 0
  return order.map((index) => (seats[index]?.account === false ? (sorted[taken++] ?? index) : index))
}

/** Seats as pairs with their place, for sorts that need both. */
export const placed = (seats: readonly Seat[]): { readonly index: number; readonly seat: Seat }[] =>
  seats.map((seat, index) => ({ index, seat }))
