/** `smart`: of those with room, the one whose allowance renews soonest, since what it has left is lost then (MAG). */
import { compareSpent, level, levelOptions } from './levels.ts'
import { placed, plain, type Strategy } from './strategy.ts'

const hourMs = 3_600_000

export const smart: Strategy = {
  ...plain,
  id: 'smart',
  sentence: 'Uses first what renews soonest, keeps nearly used-up accounts for last.',
  options: levelOptions,
  order(_pool, seats, _nowMs, state, options) {
    const all = placed(seats)
    const at = (wanted: number) => all.filter(({ seat }) => level(seat.used, options) === wanted)
    const fine = at(0).sort((a, b) => {
      if (a.seat.learns !== b.seat.learns) return a.seat.learns ? -1 : 1
      return compareRenewal(a.seat.soonMs, b.seat.soonMs)
    })
    const low = at(1).sort((a, b) => a.seat.used - b.seat.used)
    const spent = at(2).sort((a, b) => compareSpent(a.seat, b.seat))
    return { order: [...fine, ...low, ...spent].map(({ index }) => index), next: state }
  },
}

/** The biggest window decides, the next one only when that renews in the same UTC hour; an absent one comes after. */
function compareRenewal(a: readonly number[], b: readonly number[]): number {
  for (let k = 0; k < Math.max(a.length, b.length); k += 1) {
    const x = hour(a[k])
    const y = hour(b[k])
    if (x !== y) return x < y ? -1 : 1
  }
  return 0
}

const hour = (atMs: number | undefined): number => (atMs === undefined ? Infinity : Math.floor(atMs / hourMs))
