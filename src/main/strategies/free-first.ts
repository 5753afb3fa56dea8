/** `free-first`: what costs nothing before what is paid for, each in their listed order (MAG). */
import { placed, plain, type Strategy } from './strategy.ts'

export const freeFirst: Strategy = {
  ...plain,
  id: 'free-first',
  sentence: 'Uses first what costs nothing, otherwise in your order.',
  byFree: true,
  order(_pool, seats, _nowMs, state) {
    const all = placed(seats)
    const free = all.filter(({ seat }) => seat.free)
    const paid = all.filter(({ seat }) => !seat.free)
    return { order: [...free, ...paid].map(({ index }) => index), next: state }
  },
}
