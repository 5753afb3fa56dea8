/** `weighted`: a smooth round by each seat's weight, charged to who really served (MAG `Weighted`, `Round`, `MoveRound`). */
import type { RoundState } from './round-state.ts'
import { first, plain, type Strategy } from './strategy.ts'

export const weighted: Strategy = {
  ...plain,
  id: 'weighted',
  sentence: 'Spreads requests by each account’s weight, smoothly.',
  order(_pool, seats, _nowMs, state) {
    const { picked, next } = round(
      state,
      seats.map(({ key }) => key),
      seats.map(({ weight }) => Math.max(1, weight)),
      seats.map(({ resting }) => resting),
    )
    return { order: first(picked, seats.length), next }
  },
}

/** Adds each weight, picks the highest, charges it the total; those resting are left out, −1 when every one rests. */
export function round(
  state: RoundState,
  keys: readonly string[],
  weights: readonly number[],
  rests: readonly boolean[],
): { readonly picked: number; readonly next: RoundState } {
  const charges = new Map(state.charges)
  let total = 0
  let picked = -1
  let highest = -Infinity
  keys.forEach((key, index) => {
    if (rests[index] === true) return
    const weight = weights[index] ?? 1
    const balance = (charges.get(key) ?? 0) + weight
    charges.set(key, balance)
    total += weight
    if (balance > highest) {
      highest = balance
      picked = index
    }
  })
  const key = keys[picked]
  if (key === undefined) return { picked: -1, next: state }
  charges.set(key, highest - total)
  return { picked, next: { ...state, charges, charge: total } }
}

/** Charges the last pick to `kept` instead: the round counts the requests that each really took. */
export function moveRound(state: RoundState, picked: string, kept: string, charge = state.charge): RoundState {
  if (picked === kept || charge === 0) return state
  const charges = new Map(state.charges)
  charges.set(picked, (charges.get(picked) ?? 0) + charge)
  charges.set(kept, (charges.get(kept) ?? 0) - charge)
  return { ...state, charges }
}

/**
 * The state after a request that `kept` takes, where the strategy had picked `picked`: the round is charged to `kept`,
 * and to nobody when a seat outside the round serves; what was to be learnt of another seat is still to be learnt.
 */
export function settle(before: RoundState, next: RoundState, picked: string, kept: string | null): RoundState {
  if (kept === picked) return next
  const { learntAtMs } = before
  if (kept === null) return { ...next, learntAtMs, charges: before.charges, charge: 0 }
  return { ...moveRound(next, picked, kept), learntAtMs }
}
