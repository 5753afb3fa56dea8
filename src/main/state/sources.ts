/** Owner of sources and pools: keeps the derived picture in memory, saves every change before it counts. */

import { PointsmanError } from '../../shared/errors.ts'
import type { PoolId, SourceId } from '../../shared/ids.ts'
import { slug } from '../../shared/ids.ts'
import { type Backend, deriveBackends } from '../domain/backend.ts'
import { type Arrangement, derivePools, type Pools } from '../domain/pool.ts'
import { deriveRoutes, isTwin, type RouteRule, type Routes } from '../domain/route-rule.ts'
import type { Source } from '../domain/source.ts'
import type { Clock, ConfigStore } from '../ports.ts'
import type { Announcer } from './announcer.ts'

/** Everything about sources that routing reads; swapped whole. */
export interface SourcesPicture {
  readonly sources: ReadonlyMap<SourceId, Source>
  readonly backends: readonly Backend[]
  readonly pools: Pools
  /** The person's own rules, which stand before the pools. */
  readonly routes: Routes
  /** First path segments that exist: source ids and the provider ids that something reaches. */
  readonly addresses: ReadonlySet<string>
  /** Scheme and authority that each source is reached at; an overloaded host rests as a whole. */
  readonly origins: ReadonlyMap<SourceId, string>
}

/** Without `options` they stay as they are. */
export type ArrangementChange = Omit<Arrangement, 'revision' | 'options'> & Partial<Pick<Arrangement, 'options'>>

export type RouteRuleChange = Omit<RouteRule, 'revision' | 'createdAtMs' | 'updatedAtMs'>

export type OriginOf = (source: Source) => string

export function pictureOf(
  sources: readonly Source[],
  arrangements: readonly Arrangement[],
  originOf: OriginOf,
  rules: readonly RouteRule[] = [],
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
    routes: deriveRoutes(rules, backends, new Set(sources.map(({ id }) => id))),
    addresses,
    origins: new Map(sources.map((source) => [source.id, originOf(source)])),
  }
}

/** The same picture under other rules. */
export const withRules = (picture: SourcesPicture, rules: readonly RouteRule[]): SourcesPicture => ({
  ...picture,
  routes: deriveRoutes(rules, picture.backends, new Set(picture.sources.keys())),
})

interface Held {
  readonly list: readonly Source[]
  readonly arrangements: ReadonlyMap<PoolId, Arrangement>
  readonly rules: readonly RouteRule[]
}

export class Sources {
  readonly #store: ConfigStore
  readonly #clock: Clock
  readonly #announcer: Announcer
  readonly #originOf: OriginOf
  #arrangements: ReadonlyMap<PoolId, Arrangement>
  #rules: readonly RouteRule[]
  #picture: SourcesPicture

  constructor(store: ConfigStore, clock: Clock, announcer: Announcer, originOf: OriginOf) {
    this.#store = store
    this.#originOf = originOf
    this.#clock = clock
    this.#announcer = announcer
    this.#arrangements = new Map(store.arrangements().map((arrangement) => [arrangement.poolId, arrangement]))
    this.#rules = store.routeRules()
    this.#picture = pictureOf(store.sources(), [...this.#arrangements.values()], originOf, this.#rules)
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
    const others = this.all().filter((other) => other.id !== source.id)
    const place = this.all().findIndex((other) => other.id === source.id)
    const list = place < 0 ? [...others, source] : [...others.slice(0, place), source, ...others.slice(place)]
    this.#swap({ list }, () => this.#store.saveSource(source))
  }

  remove(id: SourceId): void {
    if (!this.#picture.sources.has(id)) throw new PointsmanError('not_found', { what: `source ${id}` })
    const list = this.all().filter((source) => source.id !== id)
    this.#swap({ list }, () => this.#store.removeSource(id))
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
    const arrangements = new Map(this.#arrangements).set(next.poolId, next)
    this.#swap({ arrangements }, () => this.#store.saveArrangement(next))
    return next
  }

  /** Adds or replaces a rule; `basedOn` is the revision the person saw, null skips the check. */
  saveRule(change: RouteRuleChange, basedOn: number | null): RouteRule {
    const known = this.#rules.find(({ id }) => id === change.id)
    this.#checkSeen(change.id, known, basedOn)
    const nowMs = this.#clock.nowMs()
    const times = { createdAtMs: known?.createdAtMs ?? nowMs, updatedAtMs: nowMs }
    const next: RouteRule = { ...change, revision: (known?.revision ?? 0) + 1, ...times }
    const twin = this.#rules.find((rule) => isTwin(rule, next))
    if (twin !== undefined) {
      const why = `the rule ${twin.id} is for the same address, model and client style`
      throw new PointsmanError('invalid_input', { why })
    }
    const others = this.#rules.filter(({ id }) => id !== next.id)
    const rules = [...others, next].sort((a, b) => (a.id < b.id ? -1 : 1))
    this.#swap({ rules }, () => this.#store.saveRouteRule(next))
    return next
  }

  removeRule(id: string, basedOn: number | null): void {
    const known = this.#rules.find((rule) => rule.id === id)
    if (known === undefined) throw new PointsmanError('not_found', { what: `route rule ${id}` })
    this.#checkSeen(id, known, basedOn)
    const rules = this.#rules.filter((rule) => rule.id !== id)
    this.#swap({ rules }, () => this.#store.removeRouteRule(id))
  }

  #checkSeen(id: string, known: RouteRule | undefined, basedOn: number | null): void {
    if (basedOn !== null && basedOn !== (known?.revision ?? 0)) {
      throw new PointsmanError('conflict', { what: `The route rule ${id}` })
    }
  }

  /** Built before it is stored, and it counts only once it is: what can't be built or written leaves all as it was. */
  #swap(change: Partial<Held>, write: () => void): void {
    const { list = this.all(), arrangements = this.#arrangements, rules = this.#rules } = change
    const picture = pictureOf(list, [...arrangements.values()], this.#originOf, rules)
    write()
    this.#arrangements = arrangements
    this.#rules = rules
    this.#picture = picture
    this.#announcer.changed('accounts')
    this.#announcer.changed('models')
  }
}
