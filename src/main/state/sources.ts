/** Owner of sources and pools: keeps the derived picture in memory, saves every change before it counts. */

import { PointsmanError } from '../../shared/errors.ts'
import type { PoolId, SourceId } from '../../shared/ids.ts'
import { slug } from '../../shared/ids.ts'
import { type Backend, deriveBackends } from '../domain/backend.ts'
import { type Arrangement, derivePools, type Pools } from '../domain/pool.ts'
import type { Source } from '../domain/source.ts'
import type { Clock, ConfigStore } from '../ports.ts'
import type { Announcer } from './announcer.ts'

/** Everything about sources that routing reads; swapped whole. */
export interface SourcesPicture {
  readonly sources: ReadonlyMap<SourceId, Source>
  readonly backends: readonly Backend[]
  readonly pools: Pools
  /** First path segments that exist: source ids and the provider ids that something reaches. */
  readonly addresses: ReadonlySet<string>
  /** Scheme and authority that each source is reached at; an overloaded host rests as a whole. */
  readonly origins: ReadonlyMap<SourceId, string>
}

/** Without `options` they stay as they are. */
export type ArrangementChange = Omit<Arrangement, 'revision' | 'options'> & Partial<Pick<Arrangement, 'options'>>

export type OriginOf = (source: Source) => string

export function pictureOf(
  sources: readonly Source[],
  arrangements: readonly Arrangement[],
  originOf: OriginOf,
): SourcesPicture {
  const backends = deriveBackends(sources)
  const addresses = new Set(['any', 'claude', 'codex'])
  for (const source of sources) {
    addresses.add(source.id)
    if (source.type !== 'subscription') for (const joined of source.joins) addresses.add(joined)
  }
  return {
    sources: new Map(sources.map((source) => [source.id, source])),
    backends,
    pools: derivePools(backends, arrangements),
    addresses,
    origins: new Map(sources.map((source) => [source.id, originOf(source)])),
  }
}

export class Sources {
  readonly #store: ConfigStore
  readonly #clock: Clock
  readonly #announcer: Announcer
  readonly #originOf: OriginOf
  #arrangements: ReadonlyMap<PoolId, Arrangement>
  #picture: SourcesPicture

  constructor(store: ConfigStore, clock: Clock, announcer: Announcer, originOf: OriginOf) {
    this.#store = store
    this.#originOf = originOf
    this.#clock = clock
    this.#announcer = announcer
    this.#arrangements = new Map(store.arrangements().map((arrangement) => [arrangement.poolId, arrangement]))
    this.#picture = pictureOf(store.sources(), [...this.#arrangements.values()], originOf)
  }

  get picture(): SourcesPicture {
    return this.#picture
  }

  all(): readonly Source[] {
    return [...this.#picture.sources.values()]
  }

  get(id: SourceId): Source | undefined {
    return this.#picture.sources.get(id)
  }

  /** An unused id for a new source with this label. */
  freshId(label: string): SourceId {
    return slug(label, new Set(this.#picture.sources.keys()))
  }

  /** Adds or replaces a source; durable when it returns. */
  save(source: Source): void {
    this.#store.saveSource(source)
    const others = this.all().filter((other) => other.id !== source.id)
    const place = this.all().findIndex((other) => other.id === source.id)
    const list = place < 0 ? [...others, source] : [...others.slice(0, place), source, ...others.slice(place)]
    this.#swap(list)
  }

  remove(id: SourceId): void {
    if (!this.#picture.sources.has(id)) throw new PointsmanError('not_found', { what: `source ${id}` })
    this.#store.removeSource(id)
    this.#swap(this.all().filter((source) => source.id !== id))
  }

  /** Marks an account as needing a new sign-in; the first reason stays. */
  signedOut(id: SourceId, because: string): void {
    const source = this.get(id)
    if (source?.type !== 'subscription' || source.signedOut !== null) return
    const nowMs = this.#clock.nowMs()
    this.save({ ...source, signedOut: { because, sinceMs: nowMs }, updatedAtMs: nowMs })
  }

  arrangement(id: PoolId): Arrangement {
    const empty: Arrangement = { poolId: id, tiers: [], disabled: [], strategy: null, options: {}, revision: 0 }
    return this.#arrangements.get(id) ?? empty
  }

  /** Saves a pool's arrangement; `basedOn` is the revision the person saw, null skips the check. */
  arrange(change: ArrangementChange, basedOn: number | null): Arrangement {
    const { revision, options } = this.arrangement(change.poolId)
    if (basedOn !== null && basedOn !== revision) {
      throw new PointsmanError('conflict', { what: `The pool ${change.poolId}` })
    }
    const next: Arrangement = { options, ...change, revision: revision + 1 }
    this.#store.saveArrangement(next)
    this.#arrangements = new Map(this.#arrangements).set(next.poolId, next)
    this.#swap(this.all())
    return next
  }

  #swap(list: readonly Source[]): void {
    this.#picture = pictureOf(list, [...this.#arrangements.values()], this.#originOf)
    this.#announcer.changed('accounts')
    this.#announcer.changed('models')
  }
}
