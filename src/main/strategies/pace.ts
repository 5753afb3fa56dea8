/** `pace`: by what is left of the week per hour until that renews, the most first, alike within a tenth (MAG). */
import type { Seat } from '../domain/seat.ts'
import { level, levelOptions } from './levels.ts'
import type { StrategyOptions } from './options.ts'
import { placed, plain, type Strategy } from './strategy.ts'

export const pace: Strategy = {
  ...plain,
  id: 'pace',
  sentence: 'Prefers the account that would lose most at its weekly reset, hour for hour.',
  byUse: true,
  options: levelOptions,
  order(_pool, seats, _nowMs, state, options) {
    const bands = bandsOf(seats, options)
    const sorted = placed(seats).sort((a, b) => {
      const [s, t] = [a.seat, b.seat]
      const at = level(s.used, options)
      const other = level(t.used, options)
      if (at !== other) return at - other
      if (at === 2 && s.credits !== t.credits) return s.credits ? -1 : 1
      if (at > 0 && s.used !== t.used) return s.used - t.used
      if (at === 0) {
        if (s.learns !== t.learns) return s.learns ? -1 : 1
        const band = (bands[a.index] ?? 0) - (bands[b.index] ?? 0)
        if (band !== 0) return band
      }
      return s.tokens - t.tokens
    })
    return { order: sorted.map(({ index }) => index), next: state }
  },
}

/**
 * The band of each seat, 0 the highest: drawn before sorting, from each band's highest down, because "within a tenth
 * of each other" alone goes round in a circle. Drawn among those that the pace orders alone.
 */
export function bandsOf(seats: readonly Seat[], options: StrategyOptions): readonly number[] {
  const bands = seats.map(() => 0)
  const byPace = placed(seats)
    .filter(({ seat }) => level(seat.used, options) === 0 && !seat.learns)
    .sort((a, b) => b.seat.pace - a.seat.pace)
  let band = 0
  let top = byPace[0]?.seat.pace ?? 0
  for (const { index, seat } of byPace) {
    if (seat.pace < 0.9 * top) {
      top = seat.pace
      band += 1
    }
    bands[index] = band
  }
  return bands
}
