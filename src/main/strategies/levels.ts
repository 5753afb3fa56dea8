/** Levels of use: fine, low, all but used up (MAG's tiers; a *tier* here is a group of a pool). */
import type { Seat } from '../domain/seat.ts'
import { lowShare, optionOf, type StrategyOptions, usedShare } from './options.ts'

export const levelOptions = [lowShare, usedShare] as const

/** 0 fine, 1 low, 2 all but used up. */
export function level(used: number, options: StrategyOptions): 0 | 1 | 2 {
  if (used >= optionOf(usedShare, options)) return 2
  return used >= optionOf(lowShare, options) ? 1 : 0
}

/** Of those all but used up, one that goes on on its credits goes first, then the less used. */
export function compareSpent(a: Seat, b: Seat): number {
  return a.credits === b.credits ? a.used - b.used : a.credits ? -1 : 1
}
