/** `fill-first`: stays on its seat, even when an earlier one recovers, until that can take no more (EXT). */
import { first, plain, type Strategy } from './strategy.ts'

export const fillFirst: Strategy = {
  ...plain,
  id: 'fill-first',
  sentence: 'Stays with one account until that can take no more, then goes to the next and stays there.',
  order(_pool, seats, _nowMs, state) {
    const current = seats.findIndex(({ key, resting }) => key === state.stays && !resting)
    const picked = current >= 0 ? current : seats.findIndex(({ resting }) => !resting)
    const stays = seats[picked]?.key ?? state.stays
    return { order: first(picked, seats.length), next: { ...state, stays } }
  },
}
