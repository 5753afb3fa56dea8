/** How one tier of a pool is ordered: seats in, a permutation out; an order that isn't one fails open (routing §4, MAG). */

/** One backend as a strategy weighs it. */
export interface Seat {
  /** Who it is, the same from request to request. */
  readonly key: string
  /** A subscription account, not an API key. */
  readonly account: boolean
  /** Its allowance is known; `used` is read from it. */
  readonly known: boolean
  /** Share of its allowance used that counts the model, 0–100; 0 when unknown. */
  readonly used: number
  readonly weight: number
  readonly resting: boolean
  readonly free: boolean
}

export interface Strategy {
  readonly id: string
  /** What it does, in one sentence for the person. */
  readonly sentence: string
  /** Its order stands as it says. */
  readonly exact: boolean
  /** A permutation of the seats' indexes; asked with two seats or more. */
  order(seats: readonly Seat[]): readonly number[]
}

/** The dragged order is law. */
export const ordered: Strategy = {
  id: 'ordered',
  sentence: 'In the order below: the first until it can not answer.',
  exact: true,
  order: (seats) => seats.map((_, index) => index),
}

const registry: ReadonlyMap<string, Strategy> = new Map([[ordered.id, ordered]])

export const strategies: readonly Strategy[] = [...registry.values()]

export const findStrategy = (id: string): Strategy | undefined => registry.get(id)

export interface Applied {
  readonly order: readonly number[]
  /** Set when the strategy's answer was not a permutation or it threw: listed order stands. */
  readonly failedOpen: boolean
}

/** The order that `strategy` gives, checked. */
export function apply(strategy: Strategy, seats: readonly Seat[]): Applied {
  const listed = seats.map((_, index) => index)
  if (seats.length < 2) return { order: listed, failedOpen: false }
  try {
    const order = strategy.order(seats)
    const valid =
      order.length === seats.length && new Set(order).size === seats.length && order.every((i) => i in seats)
    return valid ? { order, failedOpen: false } : { order: listed, failedOpen: true }
  } catch {
    return { order: listed, failedOpen: true }
  }
}
