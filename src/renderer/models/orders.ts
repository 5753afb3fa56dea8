/**
 * Saves the order of a pool whole. What the person arranged is shown at once and stays until the program has it; moves
 * made meanwhile wait for each other, so that a person never conflicts with themselves.
 */
import { create } from 'zustand'
import { client } from '../bridge/client.ts'
import { type Problem, problemOf } from '../bridge/problem.ts'
import { type Pool, poolNow, poolsMirror, takePools } from './pools.ts'
import { isSame, type Tiers } from './rows.ts'

/** Why what the person arranged is not what is shown. */
export interface Trouble {
  readonly problem: Problem
  /** What they wanted, to do it again. */
  readonly mine: Tiers
}

export interface Orders {
  readonly shown: ReadonlyMap<string, Tiers>
  readonly troubles: ReadonlyMap<string, Trouble>
}

export const useOrders = create<Orders>()(() => ({ shown: new Map(), troubles: new Map() }))

interface Lane {
  wanted: Tiers
  readonly done: Promise<boolean>
}

const lanes = new Map<string, Lane>()

/** Resolves with whether it was saved; if not, the pool says why. */
export function saveOrder(pool: Pool, tiers: Tiers): Promise<boolean> {
  show(pool.id, tiers)
  tell(pool.id, null)
  const busy = lanes.get(pool.id)
  if (busy !== undefined) {
    busy.wanted = tiers
    return busy.done
  }
  let start: () => void = () => {}
  const started = new Promise<void>((resolve) => {
    start = resolve
  })
  const lane: Lane = { wanted: tiers, done: started.then(() => run(pool, lane)) }
  lanes.set(pool.id, lane)
  start()
  return lane.done
}

async function run({ id, revision }: Pool, lane: Lane): Promise<boolean> {
  let basedOn = revision
  let saved: Tiers | null = null
  try {
    while (saved === null || !isSame(saved, lane.wanted)) {
      saved = lane.wanted
      const fresh = await client.models.setOrder({ poolId: id, tiers: saved.map((tier) => [...tier]), basedOn })
      basedOn = fresh.revision
      takePools([fresh])
    }
    lanes.delete(id)
    // A reading that began before the change must not be the one that is shown next.
    await poolsMirror.refresh()
    return true
  } catch (cause) {
    lanes.delete(id)
    tell(id, { problem: problemOf(cause), mine: lane.wanted })
    await poolsMirror.refresh()
    return false
  } finally {
    if (!lanes.has(id)) show(id, null)
  }
}

export const forgetTrouble = (id: string): void => tell(id, null)

/** Does again what was refused, on what is there now. */
export async function redo(id: string): Promise<boolean> {
  const mine = useOrders.getState().troubles.get(id)?.mine
  const pool = poolNow(id)
  return mine !== undefined && pool !== undefined && saveOrder(pool, withAll(mine, pool))
}

/** Backends that came meanwhile go last, those that left are left out. */
function withAll(mine: Tiers, pool: Pool): Tiers {
  const present = pool.tiers.flat().map(({ backendId }) => backendId)
  const kept = mine.map((tier) => tier.filter((id) => present.includes(id)))
  const named = new Set(kept.flat())
  const fresh = present.filter((id) => !named.has(id))
  return [...kept.slice(0, -1), [...(kept.at(-1) ?? []), ...fresh]].filter((tier) => tier.length > 0)
}

const show = (id: string, tiers: Tiers | null): void =>
  useOrders.setState(({ shown }) => ({ shown: withEntry(shown, id, tiers) }))
const tell = (id: string, trouble: Trouble | null): void =>
  useOrders.setState(({ troubles }) => ({ troubles: withEntry(troubles, id, trouble) }))

function withEntry<Value>(
  map: ReadonlyMap<string, Value>,
  id: string,
  value: Value | null,
): ReadonlyMap<string, Value> {
  const next = new Map(map)
  if (value === null) next.delete(id)
  else next.set(id, value)
  return next
}
