/** Pools: one model with its ordered backends, in tiers; the dragged order is kept per pool (routing §3). */
import { type BackendId, type PoolId, poolId } from '../../shared/ids.ts'
import type { Backend } from './backend.ts'

/** What is stored of a pool: the person's order. Backends it doesn't name follow in fresh order, in its last tier. */
export interface Arrangement {
  readonly poolId: PoolId
  readonly tiers: readonly (readonly BackendId[])[]
  readonly disabled: readonly BackendId[]
  /** Null: the default strategy. */
  readonly strategy: string | null
  /** What the person set of the strategy's options, by name; absent ones have their default. */
  readonly options: PoolOptions
  /** Grows with every change; a command based on an older one is a conflict. */
  readonly revision: number
}

export type PoolOptions = Readonly<Record<string, number>>

export interface Place {
  readonly backend: Backend
  readonly tier: number
  readonly position: number
  readonly enabled: boolean
}

export interface Pool {
  readonly id: PoolId
  readonly model: string
  /** In order: tier, then position. */
  readonly places: readonly Place[]
  readonly strategy: string | null
  readonly options: PoolOptions
  readonly revision: number
}

export interface Pools {
  /** Pools to show: one per model id or alias. */
  readonly list: readonly Pool[]
  /** The pool that serves a requested name; the first kind of match with any backend wins (routing §3). */
  find(model: string): Match | null
}

export interface Match {
  readonly pool: Pool
  /** `route:ID`: a route rule gave the places. */
  readonly by: 'model' | 'upstream-model' | 'alias' | `route:${string}`
  /** Effort or thinking suffix that goes upstream as written. */
  readonly suffix: string
}

const suffixPattern =
  /(?:\[1m\]|\((?:none|minimal|low|medium|high|xhigh|max|ultra)\)|[-:](?:none|minimal|low|medium|high|xhigh|max|ultra|thinking))+$/

/** Splits `gpt-5.5-high` or `claude-opus-4-8[1m]` into name and suffix; no suffix gives an empty one. */
export function splitSuffix(model: string): { readonly name: string; readonly suffix: string } {
  const suffix = suffixPattern.exec(model)?.[0] ?? ''
  const name = model.slice(0, model.length - suffix.length)
  return name === '' ? { name: model, suffix: '' } : { name, suffix }
}

/** All pools of these backends, arranged as stored. */
export function derivePools(backends: readonly Backend[], arrangements: readonly Arrangement[]): Pools {
  const stored = new Map(arrangements.map((arrangement) => [arrangement.poolId as string, arrangement]))
  const byModel = group(backends, (backend) => [backend.model])
  const byUpstream = group(backends, (backend) => [backend.upstreamModel])
  const byAlias = group(backends, (backend) => backend.aliases)
  const made = new Map<string, Pool>()
  const pool = (name: string, members: readonly Backend[]): Pool => {
    const known = made.get(name)
    if (known !== undefined) return known
    const fresh = arrange(name, members, stored.get(name))
    made.set(name, fresh)
    return fresh
  }
  const exactly = (name: string, suffix: string): Match | null => {
    const exact = byModel.get(name)
    if (exact !== undefined) return { pool: pool(name, exact), by: 'model', suffix }
    const upstream = byUpstream.get(name)
    if (upstream !== undefined) return { pool: pool(name, upstream), by: 'upstream-model', suffix }
    const alias = byAlias.get(name)
    return alias === undefined ? null : { pool: pool(name, alias), by: 'alias', suffix }
  }
  const names = new Set([...byModel.keys(), ...[...byAlias.keys()].filter((name) => !byUpstream.has(name))])
  const list = [...names].map((name) => exactly(name, '')?.pool).filter((found) => found !== undefined)
  return {
    list,
    find(model) {
      const written = exactly(model, '')
      if (written !== null) return written
      const { name, suffix } = splitSuffix(model)
      return suffix === '' ? null : exactly(name, suffix)
    },
  }
}

function arrange(name: string, members: readonly Backend[], stored: Arrangement | undefined): Pool {
  const id = poolId(name)
  const disabled = new Set(stored?.disabled ?? [])
  const byId = new Map(members.map((backend) => [backend.id, backend]))
  const tiers: Backend[][] = (stored?.tiers ?? []).map((tier) =>
    tier.map((backend) => byId.get(backend)).filter((backend) => backend !== undefined),
  )
  const named = new Set(tiers.flat().map((backend) => backend.id))
  const others = members.filter((backend) => !named.has(backend.id))
  const filled = tiers.filter((tier) => tier.length > 0)
  const last = filled.at(-1)
  if (last === undefined) filled.push(others)
  else last.push(...others)
  const places = filled.flatMap((tier, tierIndex) =>
    tier.map((backend, position) => ({
      backend,
      tier: tierIndex,
      position,
      enabled: !disabled.has(backend.id),
    })),
  )
  const { strategy = null, options = {}, revision = 0 } = stored ?? {}
  return { id, model: name, places, strategy, options, revision }
}

function group(backends: readonly Backend[], names: (backend: Backend) => readonly string[]): Map<string, Backend[]> {
  const groups = new Map<string, Backend[]>()
  for (const backend of backends) {
    for (const name of new Set(names(backend))) {
      const members = groups.get(name)
      if (members === undefined) groups.set(name, [backend])
      else members.push(backend)
    }
  }
  return groups
}
