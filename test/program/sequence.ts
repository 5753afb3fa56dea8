/** Chance that is the same in each run: what the fuzz and the planned streams draw from. */
export type Random = (below: number) => number

/** Whole numbers from 0 up to `below`, which look random and follow from the seed. */
export function sequence(seed: number): Random {
  let state = (seed * 2_654_435_761 + 1) >>> 0
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_507) + 0x9e3779b9) >>> 0
    return (state >>> 8) % below
  }
}

/** One of a list. */
export const oneOf = <T>(random: Random, list: readonly T[]): T => list[random(list.length)] as T
