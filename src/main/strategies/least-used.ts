/** `least-used`: by the share used, then by what was sent lately; among the used-up ones, credits first (MAG). */
import { level, levelOptions } from './levels.ts'
import { placed, plain, type Strategy } from './strategy.ts'

export const leastUsed: Strategy = {
  ...plain,
  id: 'least-used',
  sentence: 'Prefers the account with the smallest share used, then the one that got least lately.',
  byUse: true,
  options: levelOptions,
  order(_pool, seats, _nowMs, state, options) {
    const spent = (used: number): boolean => level(used, options) === 2
    const sorted = placed(seats).sort(({ seat: a }, { seat: b }) => {
      if (spent(a.used) && spent(b.used) && a.credits !== b.credits) return a.credits ? -1 : 1
      return a.used - b.used || a.tokens - b.tokens
    })
    return { order: sorted.map(({ index }) => index), next: state }
  },
}
