/** The strategies by name: the thirteen built in, and any registered over them (MAG `Register`, `Find`, `Served`). */
import { fillFirst } from './fill-first.ts'
import { freeFirst } from './free-first.ts'
import { healthiest } from './healthiest.ts'
import { latency } from './latency.ts'
import { leastUsed } from './least-used.ts'
import { balanced, quotaPressure, resetFirst } from './long-window.ts'
import { ordered } from './ordered.ts'
import { pace } from './pace.ts'
import { rotate } from './rotate.ts'
import { smart } from './smart.ts'
import type { Strategy } from './strategy.ts'
import { weighted } from './weighted.ts'

/** In the order in which they are offered. */
export const strategies: readonly Strategy[] = [
  ordered,
  smart,
  rotate,
  leastUsed,
  pace,
  weighted,
  freeFirst,
  resetFirst,
  quotaPressure,
  balanced,
  latency,
  fillFirst,
  healthiest,
]

export interface Registry {
  /** Serves `id` by `strategy` until the returned function is called. One already served stacks: the last serves. */
  register(id: string, strategy: Strategy): () => void
  /** The strategy serving `id`: `smart` for an empty one, else the last registered; undefined when none is. */
  find(id: string): Strategy | undefined
  served(id: string): boolean
}

export function registryOf(builtIn: readonly Strategy[]): Registry {
  const stacks = new Map<string, readonly { readonly strategy: Strategy }[]>()
  const register = (id: string, strategy: Strategy): (() => void) => {
    const entry = { strategy }
    stacks.set(id, [...(stacks.get(id) ?? []), entry])
    return () => {
      stacks.set(
        id,
        (stacks.get(id) ?? []).filter((other) => other !== entry),
      )
    }
  }
  for (const strategy of builtIn) register(strategy.id, strategy)
  const find = (id: string): Strategy | undefined => stacks.get(id === '' ? smart.id : id)?.at(-1)?.strategy
  return { register, find, served: (id) => find(id) !== undefined }
}

const registry = registryOf(strategies)

export const findStrategy = registry.find
