/** `latency`: the lowest recent time to the first content, with a share of requests that explores (CLO phase 5). */
import { exploreShare, optionOf } from './options.ts'
import { placed, plain, type Strategy } from './strategy.ts'

export const latency: Strategy = {
  ...plain,
  id: 'latency',
  sentence: 'Prefers who began to answer fastest lately, and now and then tries another.',
  byLatency: true,
  options: [exploreShare],
  order(_pool, seats, _nowMs, state, options) {
    const sorted = placed(seats).sort(({ seat: a }, { seat: b }) => timeOf(a) - timeOf(b))
    const explored = explore(sorted, optionOf(exploreShare, options) / 100, state.draw)
    return { order: explored.map(({ index }) => index), next: state }
  },
}

const timeOf = ({ firstContentMs }: { readonly firstContentMs: number | null }): number =>
  firstContentMs ?? Number.MAX_SAFE_INTEGER

/** A draw below the share brings one of the others forward, each as likely as the next. */
function explore<T extends { readonly seat: { readonly resting: boolean } }>(
  sorted: readonly T[],
  share: number,
  draw: number,
): readonly T[] {
  if (draw >= share) return sorted
  const best = sorted.find(({ seat }) => !seat.resting)
  const others = sorted.filter((one) => one !== best && !one.seat.resting)
  const chosen = others[Math.floor((draw / share) * others.length)]
  return chosen === undefined ? sorted : [chosen, ...sorted.filter((one) => one !== chosen)]
}
