/** The mirrors of the Models tab, and their shapes as the contract says them. */
import { useEffect } from 'react'
import { type Client, client } from '../bridge/client.ts'
import { mirror } from '../state/mirror.ts'
import type { Tiers } from './rows.ts'

export type Pool = Awaited<ReturnType<Client['models']['pools']>>[number]
export type Backend = Pool['tiers'][number][number]
export type Strategy = Awaited<ReturnType<Client['models']['strategies']>>[number]

export const poolsMirror = mirror(['models', 'accounts', 'quota'], async () => shared(await client.models.pools({})))

let known: ReadonlyMap<string, { readonly text: string; readonly pool: Pool }> = new Map()

/** A pool that reads the same stays the same object, so that only the lists that changed are drawn again. */
function shared(fresh: readonly Pool[]): readonly Pool[] {
  const next = new Map(
    fresh.map((pool) => {
      const text = JSON.stringify(pool)
      const last = known.get(pool.id)
      return [pool.id, last?.text === text ? last : { text, pool }] as const
    }),
  )
  known = next
  return fresh.map((pool) => next.get(pool.id)?.pool ?? pool)
}

export type Forecast = Awaited<ReturnType<Client['quota']['forecast']>>[number]

export const forecastMirror = mirror(['quota', 'accounts'], () => client.quota.forecast({}))
export const strategiesMirror = mirror(['app'], () => client.models.strategies({}))

export const tiersOfPool = ({ tiers }: Pool): Tiers => tiers.map((tier) => tier.map(({ backendId }) => backendId))

export const poolNow = (id: string): Pool | undefined =>
  poolsMirror.store.getState().value?.find((pool) => pool.id === id)

/** Shows what a command answered, until the next reading. */
export const takePools = (fresh: readonly Pool[]): void =>
  poolsMirror.foresee((pools) => pools.map((pool) => fresh.find(({ id }) => id === pool.id) ?? pool))

const longestWaitMs = 3_600_000

/** A rest or a window that ends is announced by nobody: the list is read again at the first such moment. */
export function useReadAtNextChange(pools: readonly Pool[] | null): void {
  const soonestMs = Math.min(
    ...(pools ?? [])
      .flatMap(({ tiers }) => tiers.flat().flatMap(({ untilMs, tightest }) => [untilMs, tightest?.resetAtMs ?? null]))
      .flatMap((atMs) => (atMs === null || atMs <= Date.now() ? [] : [atMs])),
  )
  useEffect(() => {
    if (!Number.isFinite(soonestMs)) return
    const waitMs = Math.min(longestWaitMs, soonestMs - Date.now() + 250)
    const timer = setTimeout(() => void poolsMirror.refresh(), Math.max(0, waitMs))
    return () => clearTimeout(timer)
  }, [soonestMs])
}
