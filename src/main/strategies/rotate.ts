/** `rotate`: starts each request one further along the pool (MAG). */
import { identity, plain, type Strategy } from './strategy.ts'

export const rotate: Strategy = {
  ...plain,
  id: 'rotate',
  sentence: 'Takes turns: each new request starts one further down your list.',
  order(_pool, seats, _nowMs, state) {
    const listed = identity(seats.length)
    const start = state.turn % seats.length
    return { order: [...listed.slice(start), ...listed.slice(0, start)], next: { ...state, turn: state.turn + 1 } }
  },
}
