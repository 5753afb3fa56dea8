/** Backends: one model on one source, always derived from the sources (CLO). */
import { type BackendId, backendId } from '../../shared/ids.ts'
import { addressesOf, type Dialect, dialectsOf, type Source } from './source.ts'

export interface Backend {
  readonly id: BackendId
  readonly source: Source
  /** The id clients ask for. */
  readonly model: string
  readonly upstreamModel: string
  readonly aliases: readonly string[]
  readonly free: boolean
  readonly dialects: readonly Dialect[]
  /** First path segments that reach it. */
  readonly addresses: ReadonlySet<string>
  /** False for a model that no source lists and that goes to its vendor as written (routing §3). */
  readonly listed: boolean
}

/** Every backend of every source, in the order of a fresh pool: API profiles, accounts, local providers (CLO). */
export function deriveBackends(sources: readonly Source[]): readonly Backend[] {
  const rank = { api: 0, subscription: 1, local: 2 } as const
  const ordered = [...sources].sort((a, b) => rank[a.type] - rank[b.type] || a.createdAtMs - b.createdAtMs)
  return ordered.flatMap((source) => {
    const addresses: ReadonlySet<string> = new Set(addressesOf(source))
    const dialects = dialectsOf(source)
    return source.models.map((model) => ({
      id: backendId(source.id, model.id),
      source,
      model: model.id,
      upstreamModel: model.upstreamModel,
      aliases: model.aliases,
      free: model.free,
      dialects,
      addresses,
      listed: true,
    }))
  })
}

/** A backend for a model that `source` does not list: the name goes upstream as written. */
export function unlistedBackend(source: Source, model: string): Backend {
  return {
    id: backendId(source.id, model),
    source,
    model,
    upstreamModel: model,
    aliases: [],
    free: false,
    dialects: dialectsOf(source),
    addresses: new Set(addressesOf(source)),
    listed: false,
  }
}
