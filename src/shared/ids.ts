/** Branded ids: a string that was checked once and can't be mixed up with another kind of string. */
declare const brand: unique symbol
type Branded<Name extends string> = string & { readonly [brand]: Name }

/** Slug of a source's first label, unique, never changed by a rename (`work`, `codex-team`). */
export type SourceId = Branded<'SourceId'>
/** `SOURCE:MODEL`, derived, never written by hand. */
export type BackendId = Branded<'BackendId'>
/** The model name that clients send; a pool is one model with its ordered backends. */
export type PoolId = Branded<'PoolId'>
/** Id of an access key (`key_…`); never the key itself. */
export type KeyId = Branded<'KeyId'>
/** Id of a budget. */
export type BudgetId = Branded<'BudgetId'>
/** Id of one client request; sorts by time. */
export type CallId = Branded<'CallId'>
/** SHA-256 (hex) of key id and session id: the only form in which a session is stored. */
export type SessionKey = Branded<'SessionKey'>
/** Where a source's secret lies in the vault. */
export type CredentialRef = Branded<'CredentialRef'>

export const sourceId = (text: string): SourceId => text as SourceId
export const backendId = (source: SourceId, model: string): BackendId => `${source}:${model}` as BackendId
export const poolId = (model: string): PoolId => model as PoolId
export const keyId = (text: string): KeyId => text as KeyId
export const callId = (text: string): CallId => text as CallId
export const credentialRef = (source: SourceId): CredentialRef => `credential/${source}` as CredentialRef

/** First path segments that a source's id may never take (routing §2). */
export const reservedIds: ReadonlySet<string> = new Set([
  'claude',
  'codex',
  'any',
  'v1',
  'k',
  'api',
  'backend-api',
  '__debug',
])

/**
 * Makes a source id from a label: lower case, letters and digits, single hyphens, unique among `taken`.
 * A label without any usable letter becomes `source`.
 */
export function slug(label: string, taken: ReadonlySet<string>): SourceId {
  const base =
    label
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 48) || 'source'
  let id = base
  for (let n = 2; taken.has(id) || reservedIds.has(id); n += 1) id = `${base}-${n}`
  return sourceId(id)
}
