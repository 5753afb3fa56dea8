/** Holds what a test or a person has asked the upstreams to do: queues for the next requests, and defaults. */
import { type Behaviour, type OriginName, originNames, type PracticeOperation } from './behaviour.ts'

const modelCalls: readonly PracticeOperation[] = ['generate', 'count', 'compact']
const authOrigins: readonly string[] = ['claudeAuth', 'codexAuth'] satisfies readonly OriginName[]

export class Script {
  readonly #queues = new Map<string, Behaviour[]>()
  readonly #defaults = new Map<string, Behaviour>()

  /** Each behaviour serves one request, in this order, once. */
  next(target: string, behaviours: readonly Behaviour[]): void {
    this.#queues.set(target, [...(this.#queues.get(target) ?? []), ...behaviours])
  }

  /** Serves whenever no queued behaviour does; null takes it away. */
  always(target: string, behaviour: Behaviour | null): void {
    if (behaviour === null) this.#defaults.delete(target)
    else this.#defaults.set(target, behaviour)
  }

  clear(target?: string): void {
    for (const map of [this.#queues, this.#defaults]) {
      if (target === undefined) map.clear()
      else map.delete(target)
    }
  }

  /** Queued behaviours not yet used. */
  left(target: string): number {
    return this.#queues.get(target)?.length ?? 0
  }

  /** The behaviour for one request: the source's queue, the origin's queue, then the defaults in the same order. */
  take(origin: OriginName, sourceId: string | null, operation: PracticeOperation): Behaviour {
    const targets = sourceId === null ? [origin] : [sourceId, origin]
    for (const target of targets) {
      const queue = this.#queues.get(target) ?? []
      const index = queue.findIndex((behaviour) => applies(behaviour, target, operation))
      if (index >= 0) return queue.splice(index, 1)[0] ?? {}
    }
    for (const target of targets) {
      const usual = this.#defaults.get(target)
      if (usual !== undefined && applies(usual, target, operation)) return usual
    }
    return {}
  }
}

function applies(behaviour: Behaviour, target: string, operation: PracticeOperation): boolean {
  if (behaviour.on === 'any') return true
  if (behaviour.on !== undefined) return behaviour.on.includes(operation)
  return authOrigins.includes(target) || modelCalls.includes(operation)
}

export const isOrigin = (target: string): target is OriginName => (originNames as readonly string[]).includes(target)
