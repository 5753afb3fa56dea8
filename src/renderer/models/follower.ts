/** Who takes over once the one that serves now is used up, and about when; pure. */
import type { Forecast, Pool } from './pools.ts'

export interface Follower {
  readonly now: string
  readonly next: string
  readonly atMs: number
}

/** Null while nothing runs out before its reset, or nobody stands behind it. */
export function followerOf({ serving, tiers }: Pool, forecasts: readonly Forecast[]): Follower | null {
  const backends = tiers.flat()
  const order = serving.order.flatMap((id) => backends.find(({ backendId }) => backendId === id) ?? [])
  const [first] = order
  const next = order.find(({ sourceId }) => sourceId !== first?.sourceId)
  if (first === undefined || next === undefined) return null
  const windows = forecasts.find(({ sourceId }) => sourceId === first.sourceId)?.windows ?? []
  const family = first.tightest?.family ?? null
  const ends = windows
    .filter((window) => window.family === null || window.family === family)
    .flatMap(({ runsOutAtMs }) => (runsOutAtMs === null ? [] : [runsOutAtMs]))
  return ends.length === 0 ? null : { now: first.sourceLabel, next: next.sourceLabel, atMs: Math.min(...ends) }
}
