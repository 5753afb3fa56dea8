/** What a change would affect, before it is saved: keys, conversations and recent calls (access.md, "Route policy"). */
import { type SourceId, sourceId } from '../../shared/ids.ts'
import { type AccessKey, policyFor, type RoutePolicy } from '../domain/access-key.ts'
import { allowed } from '../flow/standing.ts'
import type { CallRow } from '../ports.ts'
import type { ApiDeps } from './api-deps.ts'

export interface Preview {
  readonly keys: readonly { readonly id: string; readonly label: string; readonly because: string }[]
  /** Conversations among the recent calls. */
  readonly sessions: number
  /** Recent calls that would have been refused or served elsewhere. */
  readonly calls: number
  /** How many recent calls were looked at, and since when. */
  readonly looked: number
  readonly sinceMs: number
  readonly sentence: string
}

const dayMs = 86_400_000
const mostCalls = 1_000

type Touches = (row: CallRow) => boolean

/**
 * Keys as they would be, against the calls that they made. Folders and service tiers aren't kept with calls, so rules
 * about them are not seen here.
 */
export function previewKeys(after: readonly AccessKey[], deps: ApiDeps): Promise<Preview> {
  const [only] = after
  const byId = new Map<string, AccessKey>(after.map((key) => [key.id, key]))
  const told = after.map((key) => ({ id: key.id, label: key.label, because: isRefused(key) ? 'refused' : 'changed' }))
  return look(deps, after.length === 1 && only !== undefined ? { keyId: only.id } : {}, told, (row) => {
    const key = byId.get(row.keyId)
    return key !== undefined && touches(key, row, deps)
  })
}

const isRefused = ({ state, policy }: AccessKey): boolean => state !== 'active' || policy === null

function touches(key: AccessKey, row: CallRow, deps: ApiDeps): boolean {
  const { models, providers, operations } = key
  if (isRefused(key)) return true
  if (models !== null && !models.includes(row.requestedModel ?? '')) return true
  if (providers !== null && !providers.includes(row.providerId)) return true
  if (operations !== null && !operations.includes(row.operation)) return true
  const policy = policyFor(key, [])
  return policy === null || (row.sourceId !== null && !mayServe(row.sourceId, policy, deps))
}

/** An account that is switched off or removed: the keys that name it, and what it served. */
export function previewSource(id: SourceId, deps: ApiDeps): Promise<Preview> {
  const named = deps.keys.all().flatMap((key) => {
    const how = key.state === 'revoked' ? null : namedBy(key, id)
    return how === null ? [] : [{ id: key.id, label: key.label, because: how }]
  })
  return look(deps, { sourceId: id }, named, () => true)
}

/** A pool whose order or strategy changes: what asked for its model. */
export async function previewPool(model: string, deps: ApiDeps): Promise<Preview> {
  const found = await look(deps, { model }, [], (row) => row.requestedModel === model)
  const served = deps.sources.picture.pools.find(model)?.pool.places.map(({ backend }) => backend.source) ?? []
  const reaches = ({ policy, folders = [] }: AccessKey): boolean =>
    [policy, ...folders.map((rule) => rule.policy)].some(
      (one) => one !== null && served.some((source) => allowed(source, one)),
    )
  const keys = deps.keys
    .all()
    .filter((key) => key.state !== 'revoked' && (key.models?.includes(model) ?? true) && reaches(key))
  return { ...found, keys: keys.map(({ id, label }) => ({ id, label, because: 'asks-for-it' })) }
}

function namedBy({ policy, folders = [] }: AccessKey, id: SourceId): string | null {
  const policies = [policy, ...folders.map((rule) => rule.policy)].filter((one) => one !== null)
  const naming = policies.filter((one) => one.mode !== 'default' && one.sources.includes(id))
  if (naming.some((one) => one.mode !== 'default' && one.mode !== 'preferred' && one.sources.length === 1)) {
    return 'has-no-other'
  }
  return naming.length === 0 ? null : 'names-it'
}

function mayServe(id: SourceId, policy: RoutePolicy, { sources }: ApiDeps): boolean {
  const source = sources.get(sourceId(id))
  return source !== undefined && allowed(source, policy)
}

async function look(
  deps: ApiDeps,
  filter: { readonly keyId?: string; readonly sourceId?: string; readonly model?: string },
  keys: Preview['keys'],
  touches: Touches,
): Promise<Preview> {
  const sinceMs = deps.clock.nowMs() - 7 * dayMs
  const { rows } = await deps.reader.page(mostCalls, 0, { ...filter, fromMs: sinceMs })
  const touched = rows.filter(touches)
  const sessions = new Set(touched.flatMap(({ session }) => (session === null ? [] : [session]))).size
  const sentence =
    touched.length === 0
      ? 'None of the calls of the last 7 days would have gone elsewhere.'
      : `${touched.length} of the last ${rows.length} calls, in ${sessions} conversations, are affected.`
  return { keys, sessions, calls: touched.length, looked: rows.length, sinceMs, sentence }
}
