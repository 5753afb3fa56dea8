/** Ingress: from bytes to a call. `admitHead` makes the checks that need only the head; `readCall` reads the body once. */
import type { CallId, SessionKey } from '../../shared/ids.ts'
import { HeaderList } from '../dialects/headers.ts'
import { heldState } from '../dialects/held-state.ts'
import { asText } from '../dialects/json.ts'
import { type Route, readRoute, served } from '../dialects/route.ts'
import { FieldScan, type Scan, scanBody } from '../dialects/scan.ts'
import { claudeCodeEvidence, foldersOf, isCodexClient, sessionOf } from '../dialects/session.ts'
import type { GiveWay } from '../dialects/stretches.ts'
import { type AccessKey, keyState } from '../domain/access-key.ts'
import type { Body, BodyProblem, Digest, Exchange, Inflate, RequestHead } from '../ports.ts'
import { refuseHead } from './head-guard.ts'
import { unbound } from './key-budget.ts'
import { Refusal, type Staged } from './trail.ts'
import type { Ask, View } from './view.ts'

/** A head that passed checks 1 to 5 of access.md. */
export interface AdmittedHead {
  readonly kind: 'admitted'
  readonly route: Route
  readonly headers: HeaderList
  readonly key: AccessKey
}

export type HeadRead =
  | AdmittedHead
  | { readonly kind: 'alive' }
  | { readonly kind: 'debug-routes'; readonly key: AccessKey; readonly test: boolean; readonly query: string }

/** Finds the key that a client presented, whatever its state. */
export type KeyLookup = (text: string) => AccessKey | undefined

/** Host, origin, key, route, binding, state: before one body byte is read (access.md, checks 1 to 5). */
export function admitHead(head: RequestHead, view: View, present: KeyLookup): Staged<HeadRead> | Refusal {
  const headers = new HeaderList(head.rawHeaders)
  const refused = refuseHead(head, headers)
  if (refused !== null) return refused
  const step = { stage: 'ingress', decision: 'head-admitted', because: 'key' } as const
  const route = readRoute(head.method, head.target)
  if (route.kind === 'alive') return { value: route, step }
  const key = keyOf(route.pathKey, headers, present)
  if (key instanceof Refusal) return key
  if (key === undefined || keyState(key, view.nowMs) !== 'active') return new Refusal('no_credentials')
  // Before the path: an upgrade is a GET, and any answer but 426 costs the Codex CLI seven tries (codex §2.5).
  if (isWebSocket(headers)) return new Refusal('websocket_not_served')
  if (route.kind === 'unknown') {
    return new Refusal('not_served', { method: head.method.slice(0, 16), path: route.shown, served: served.join(', ') })
  }
  const unboundKey = unbound(key, view)
  if (unboundKey !== null) return unboundKey
  if (route.kind === 'debug-routes') {
    if (!view.settings.debugRoutes) {
      return new Refusal('not_served', { method: head.method, path: '/__debug/routes', served: served.join(', ') })
    }
    return { value: { kind: 'debug-routes', key, test: route.test, query: route.query }, step }
  }
  return { value: { kind: 'admitted', route, headers, key }, step }
}

const isWebSocket = (headers: HeaderList): boolean => headers.get('upgrade')?.toLowerCase() === 'websocket'

/** Keys that can't be read let nobody in (access.md). */
function keyOf(pathKey: string | null, headers: HeaderList, present: KeyLookup): AccessKey | undefined | Refusal {
  try {
    return credentialOf(pathKey, headers, present)
  } catch {
    return new Refusal('access_unavailable')
  }
}

/** The path segment wins, then `authorization`, then `x-api-key`; a client may send both (claude §7). */
function credentialOf(pathKey: string | null, headers: HeaderList, present: KeyLookup): AccessKey | undefined {
  if (pathKey !== null) return present(pathKey)
  const bearer = headers.get('authorization')
  if (bearer !== null && bearer.slice(0, 7).toLowerCase() === 'bearer ') {
    const key = present(bearer.slice(7).trim())
    if (key !== undefined) return key
  }
  const apiKey = headers.get('x-api-key')
  return apiKey === null ? undefined : present(apiKey.trim())
}

export interface Call extends Ask {
  readonly id: CallId
  readonly startedMs: number
  readonly route: Route
  readonly headers: HeaderList
  readonly stream: boolean
  /** As it came; null for a request without one. */
  readonly body: Body | null
  /** Decoded copy, or the same when it wasn't encoded. */
  readonly plain: Body | null
  readonly encoding: string | null
  readonly scan: Scan | null
  /** Agent and version of the client, for the log. */
  readonly client: string | null
}

export interface IngressDeps {
  /** Set for a turn that came over a WebSocket; the log says so. */
  readonly turn?: object | undefined
  readonly giveWay: GiveWay
  readonly inflate: Inflate
  readonly digest: Digest
}

/** What the router reads of a body. */
export const scannedFields: ReadonlySet<string> = new Set([
  'model',
  'stream',
  'service_tier',
  'speed',
  'metadata',
  'prompt_cache_key',
  'previous_response_id',
  'store',
  'container',
  'client_metadata',
])

/** Reads the body whole, keeps its bytes, scans a decoded copy (routing §2). */
export async function readCall(
  head: AdmittedHead,
  io: Exchange,
  view: View,
  identity: { readonly id: CallId; readonly startedMs: number },
  deps: IngressDeps,
): Promise<Staged<Call> | Refusal> {
  const { route, headers, key } = head
  if (route.operation !== 'list' && !isJson(headers)) return new Refusal('body_type_refused')
  const limit = view.settings.bodyLimitBytes
  const encoding = encodingOf(headers)
  // While it still comes: what is looked at by then costs no time.
  const arriving = new FieldScan(scannedFields)
  const watch = encoding === null ? (piece: Uint8Array): void => arriving.push(piece) : undefined
  const body = route.operation === 'list' ? null : await io.readBody(limit, watch)
  if (typeof body === 'string') return bodyRefusal(body, limit)
  const plain = body === null || encoding === null ? body : await decode(body, encoding, view, deps.inflate)
  if (plain instanceof Refusal) return plain
  const scanning = plain === null ? null : scanned(plain, arriving, deps.giveWay)
  const scan = scanning instanceof Promise ? await scanning : scanning
  if (scan !== null && scan.kind === 'duplicate') return new Refusal('duplicate_field', { field: scan.field })
  if (scan !== null && scan.kind === 'not-json') return new Refusal('body_not_json', { why: scan.why })
  const field = (name: string): unknown => scan?.fields.get(name)?.value
  const session = sessionOf(headers.get, { metadata: field('metadata'), promptCacheKey: field('prompt_cache_key') })
  const hash = (text: string): SessionKey => deps.digest.sha256(`${key.id}\n${text}`) as SessionKey
  const model = asText(field('model'))
  const call: Call = {
    ...identity,
    route,
    headers,
    key,
    providerId: route.providerId,
    dialect: route.dialect,
    operation: route.operation,
    model: model === '' ? null : model,
    stream: field('stream') === true,
    serviceTier: asText(field('service_tier')),
    session: session === null ? null : hash(session.key),
    folders: foldersOf(headers.get),
    parents: session === null ? [] : session.parents.map(hash),
    interactive: session?.interactive ?? true,
    holds: heldState(headers.get, {
      previousResponseId: field('previous_response_id'),
      container: field('container'),
    }).map(({ kind, name }) => ({ kind, hash: hash(`${kind}\n${name}`) })),
    claudeCodeMarks: claudeCodeEvidence(headers.get, field('metadata')),
    codexClient: isCodexClient(headers.get),
    body,
    plain,
    encoding,
    scan,
    client: clientName(headers.get('user-agent')),
  }
  const because = deps.turn === undefined ? 'read' : 'websocket'
  return { value: call, step: { stage: 'ingress', decision: `${call.dialect} ${call.operation}`, because } }
}

/** What was found while the body came; one that was decoded, or came at once, is looked through now. */
const scanned = (body: Body, arriving: FieldScan, giveWay: GiveWay) =>
  arriving.length === body.length ? arriving.end() : scanBody(body.pieces, scannedFields, giveWay)

const isJson = (headers: HeaderList): boolean =>
  headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() === 'application/json'

function bodyRefusal(found: BodyProblem, limit: number): Refusal {
  switch (found) {
    case 'too-large':
      return new Refusal('body_too_large', { limit: sizeWords(limit) })
    case 'timeout':
      return new Refusal('body_timeout')
    case 'no-room':
      return new Refusal('local_busy')
    case 'incomplete':
    case 'gone':
      return new Refusal('body_incomplete')
  }
}

function encodingOf(headers: HeaderList): string | null {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? ''
  return encoding === '' || encoding === 'identity' ? null : encoding
}

async function decode(body: Body, encoding: string, view: View, inflate: Inflate): Promise<Body | Refusal> {
  const limit = view.settings.bodyLimitBytes
  const decoded = await inflate.decode(body, encoding, limit)
  switch (decoded) {
    case 'unknown-encoding':
      return new Refusal('encoding_unknown', { encoding: encoding.slice(0, 32) })
    case 'corrupt':
      return new Refusal('encoding_corrupt')
    case 'too-large':
      return new Refusal('body_too_large', { limit: `${sizeWords(limit)} decoded` })
    default:
      return decoded
  }
}

const sizeWords = (bytes: number): string =>
  bytes >= 1_048_576 ? `${Math.round(bytes / 1_048_576)} MiB` : `${Math.round(bytes / 1_024)} KiB`

/** `claude-cli/2.1.328` out of a user agent; anything odd is left out. */
function clientName(agent: string | null): string | null {
  return agent === null ? null : (/^[\w.@/+-]{1,64}/.exec(agent)?.[0] ?? null)
}
