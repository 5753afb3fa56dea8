/** `healthiest`: the fewest recent failures, then the listed order (EXT). */
import { placed, plain, type Strategy } from './strategy.ts'

export const healthiest: Strategy = {
  ...plain,
  id: 'healthiest',
  sentence: 'Prefers who failed least in the last hour, otherwise in your order.',
  byFailures: true,
  order(_pool, seats, _nowMs, state) {
    const sorted = placed(seats).sort(({ seat: a }, { seat: b }) => a.failures - b.failures)
    return { order: sorted.map(({ index }) => index), next: state }
  },
}
