/** Builds the upstream request of one candidate from the client's own bytes: the few allowed edits and no others. Pure. */
import { setFields } from '../dialects/edit.ts'
import type { Credential } from '../domain/credential.ts'
import type { Body, UpstreamRequest } from '../ports.ts'
import { type HostOverrides, outboundHeaders, providerOf } from '../providers/index.ts'
import type { Call } from './10-ingress.ts'
import type { Candidate } from './40-candidates.ts'
import type { Plan } from './50-order.ts'

const minuteMs = 60_000

export interface Outbound {
  readonly request: UpstreamRequest
  /** The upstream only streams and the caller wants one answer: it is put together here (codex §2.3). */
  readonly aggregate: boolean
}

/** Null when this upstream has no such operation. */
export function outbound(
  call: Call,
  candidate: Candidate,
  { suffix, own, tied }: Pick<Plan, 'suffix' | 'own' | 'tied'>,
  credential: Credential | null,
  hosts: HostOverrides,
): Outbound | null {
  const { source } = candidate.backend
  const provider = providerOf(source)
  const target = provider.target(source, call.dialect, call.operation, call.route.query, hosts)
  if (target === null) return null
  const edits = bodyEdits(call, candidate, suffix, provider.streamOnly)
  // A client compresses for its own vendor (codex §2.4); a host behind a key or a local one may not know the coding.
  const asSent = edits === null && (call.encoding === null || source.type === 'subscription')
  const body = asSent ? call.body : edited(call, edits ?? new Map())
  const rebuilt = !asSent && call.encoding !== null
  const owner = tied?.sourceId ?? own
  const raw = owner === null || owner === source.id ? call.headers.raw : withoutTurnState(call.headers.raw)
  const headers = outboundHeaders(raw, provider.headers(source, call.dialect), credential, rebuilt)
  const aggregate = provider.streamOnly && call.operation === 'generate' && !call.stream
  return {
    aggregate,
    request: {
      origin: target.origin,
      path: target.path,
      method: call.operation === 'list' ? 'GET' : 'POST',
      headers,
      body,
      proxy: source.proxy,
      headTimeoutMs: (call.operation === 'compact' ? 20 : 10) * minuteMs,
      idleTimeoutMs: (call.stream ? 5 : 10) * minuteMs,
    },
  }
}

/** The token for the rest of a turn belongs to the account that gave it out; the Codex CLI keeps the first (codex §3). */
function withoutTurnState(raw: readonly string[]): readonly string[] {
  const at = raw.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'x-codex-turn-state')
  return at < 0 ? raw : raw.toSpliced(at, 2)
}

/** The complete list: the model's name, and `store: false` and `stream: true` where nothing else is accepted. */
function bodyEdits(
  call: Call,
  { backend }: Candidate,
  suffix: string,
  streamOnly: boolean,
): Map<string, unknown> | null {
  if (call.scan === null) return null
  const edits = new Map<string, unknown>()
  const upstreamModel = `${backend.upstreamModel}${suffix}`
  if (call.model !== upstreamModel) edits.set('model', upstreamModel)
  if (streamOnly && call.operation === 'generate') {
    if (call.scan.fields.get('store')?.value !== false) edits.set('store', false)
    if (!call.stream) edits.set('stream', true)
  }
  return edits.size === 0 ? null : edits
}

function edited(call: Call, edits: ReadonlyMap<string, unknown>): Body | null {
  if (call.plain === null || call.scan === null) return call.body
  const pieces = setFields(call.plain.pieces, call.scan, edits)
  return { pieces, length: pieces.reduce((sum, piece) => sum + piece.length, 0) }
}
