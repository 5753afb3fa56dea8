/** Builds the upstream request of one candidate from the client's own bytes: the few allowed edits and no others. Pure. */
import { setFields } from '../dialects/edit.ts'
import { asObject, type JsonObject } from '../dialects/json.ts'
import type { Backend } from '../domain/backend.ts'
import type { Credential } from '../domain/credential.ts'
import { splitSuffix } from '../domain/pool.ts'
import type { Dialect } from '../domain/source.ts'
import type { Body, UpstreamRequest } from '../ports.ts'
import { type HostOverrides, outboundHeaders, providerOf } from '../providers/index.ts'
import type { HeaderEdits } from '../providers/provider.ts'
import type { Call } from './10-ingress.ts'
import type { Candidate } from './40-candidates.ts'
import type { Plan } from './50-order.ts'
import type { SentTranslation, Translation } from './opened.ts'

const minuteMs = 60_000

export interface Outbound {
  readonly request: UpstreamRequest
  /** The upstream only streams and the caller wants one answer: it is put together here (codex §2.3). */
  readonly aggregate: boolean
  /** The dialect spoken upstream. */
  readonly dialect: Dialect
  readonly translation: SentTranslation | null
}

/** A body in another dialect than the client's. */
export interface Translated extends Translation {
  readonly kind: 'translated'
  readonly body: Uint8Array
}

/** Null when this upstream has no such operation. */
export function outbound(
  call: Call,
  candidate: Candidate,
  { suffix, own: ownId, tied }: Pick<Plan, 'suffix' | 'own' | 'tied'>,
  credential: Credential | null,
  hosts: HostOverrides,
  translated: Translated | null,
): Outbound | null {
  const { source } = candidate.backend
  const provider = providerOf(source)
  const dialect = translated?.dialect ?? call.dialect
  // A query is said to one vendor and means nothing to another.
  const query = translated === null ? call.route.query : ''
  const target = provider.target(source, dialect, call.operation, query, hosts)
  if (target === null) return null
  const headerEdits = provider.headers(source, dialect)
  const edits = translated !== null ? null : bodyEdits(call, candidate, suffix, provider.streamOnly, headerEdits)
  // A client compresses for its own vendor (codex §2.4); a host behind a key or a local one may not know the coding.
  const asSent = edits === null && (call.encoding === null || source.type === 'subscription')
  const plain = asSent ? call.body : edited(call, edits ?? new Map())
  const body = translated === null ? plain : { pieces: [translated.body], length: translated.body.length }
  const rebuilt = translated !== null || (!asSent && call.encoding !== null)
  const owner = tied?.sourceId ?? ownId
  const own = owner === null || owner === source.id ? call.headers.raw : withoutTurnState(call.headers.raw)
  const raw = translated === null ? own : withoutVendorHeaders(own)
  const headers = outboundHeaders(raw, headerEdits, credential, rebuilt)
  const aggregate = provider.streamOnly && call.operation === 'generate' && !call.stream
  const request = {
    origin: target.origin,
    path: target.path,
    method: call.operation === 'list' ? 'GET' : 'POST',
    headers,
    body,
    proxy: source.proxy,
    headTimeoutMs: (call.operation === 'compact' ? 20 : 10) * minuteMs,
    idleTimeoutMs: (call.stream ? 5 : 10) * minuteMs,
  } as const
  return { aggregate, dialect, request, translation: translated === null ? null : { ...translated, request } }
}

/** What a client says to its own vendor only; the body that it belongs to is another one now (bridge §1.1). */
const vendorHeaders =
  /^(?:anthropic-|x-stainless-|x-claude-|x-app$|x-codex-|x-openai-|x-oai-|openai-|originator$|version$)/i

function withoutVendorHeaders(raw: readonly string[]): readonly string[] {
  return raw.filter((_, at) => !vendorHeaders.test(raw[at - (at % 2)] ?? ''))
}

/** The token for the rest of a turn belongs to the account that gave it out; the Codex CLI keeps the first (codex §3). */
function withoutTurnState(raw: readonly string[]): readonly string[] {
  const at = raw.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'x-codex-turn-state')
  return at < 0 ? raw : raw.toSpliced(at, 2)
}

/**
 * The complete list: the model's name, `store: false` and `stream: true` where nothing else is accepted, and no turn
 * metadata for another vendor.
 */
function bodyEdits(
  call: Call,
  { backend }: Candidate,
  suffix: string,
  streamOnly: boolean,
  { dropPrefixes }: HeaderEdits,
): Map<string, unknown> | null {
  if (call.scan === null) return null
  const edits = new Map<string, unknown>()
  const upstreamModel = `${backend.upstreamModel}${suffixAt(backend, call, suffix)}`
  if (call.model !== upstreamModel) edits.set('model', upstreamModel)
  if (streamOnly && call.operation === 'generate') {
    if (call.scan.fields.get('store')?.value !== false) edits.set('store', false)
    if (!call.stream) edits.set('stream', true)
  }
  const metadata = asObject(call.scan.fields.get('client_metadata')?.value)
  const kept = metadata === null ? null : withoutPrivate(metadata, dropPrefixes)
  if (kept !== null) edits.set('client_metadata', kept)
  return edits.size === 0 ? null : edits
}

const largeContext = '[1m]'

/**
 * As written, except `[1m]`: it asks for the large context of the model that the client named (claude §6), so a model
 * that a rule gave instead goes by its own name, and one that is called so already isn't called so twice.
 */
function suffixAt({ model, upstreamModel, aliases }: Backend, call: Call, suffix: string): string {
  const named = call.model === null ? model : splitSuffix(call.model).name
  const isNamed = named === model || named === upstreamModel || aliases.includes(named)
  return isNamed && !upstreamModel.includes(largeContext) ? suffix : suffix.replace(largeContext, '')
}

/** The Codex CLI writes folders and git remotes into the body too: what is no header there is no member either (codex §3). */
function withoutPrivate(metadata: JsonObject, dropPrefixes: readonly string[]): JsonObject | null {
  const isPrivate = (name: string): boolean => dropPrefixes.some((prefix) => name.toLowerCase().startsWith(prefix))
  const members = Object.entries(metadata)
  const kept = members.filter(([name]) => !isPrivate(name))
  return kept.length === members.length ? null : Object.fromEntries(kept)
}

function edited(call: Call, edits: ReadonlyMap<string, unknown>): Body | null {
  if (call.plain === null || call.scan === null) return call.body
  const pieces = setFields(call.plain.pieces, call.scan, edits)
  return { pieces, length: pieces.reduce((sum, piece) => sum + piece.length, 0) }
}
