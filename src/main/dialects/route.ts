/** What a request line asks for: key segment, provider id, dialect and operation (the table of routing §2). */
import type { Dialect, Operation } from '../domain/source.ts'

export interface Route {
  readonly kind: 'route'
  /** The access key in the path, or null. Never logged, never sent on. */
  readonly pathKey: string | null
  /** `any` at the root. */
  readonly providerId: string
  readonly dialect: Dialect
  readonly operation: Operation
  /** `GET /v1/models/{id}`: the id. */
  readonly modelId: string | null
  /** Begins with `?`, or empty. */
  readonly query: string
}

export type RouteRead =
  | Route
  /** A client's liveness probe, answered locally without a key. */
  | { readonly kind: 'alive' }
  | { readonly kind: 'debug-routes'; readonly pathKey: string | null; readonly test: boolean; readonly query: string }
  /** Method or path isn't served; `shown` is the path without its key segment. */
  | { readonly kind: 'unknown'; readonly pathKey: string | null; readonly shown: string }

/** Shown to an authenticated caller who asked for something else. */
export const served: readonly string[] = [
  'POST /v1/messages',
  'POST /v1/messages/count_tokens',
  'POST /v1/responses',
  'POST /v1/responses/input_tokens',
  'POST /v1/responses/compact',
  'POST /v1/chat/completions',
  'GET /v1/models',
]

const operations: Readonly<Record<string, { readonly dialect: Dialect; readonly operation: Operation }>> = {
  'POST messages': { dialect: 'messages', operation: 'generate' },
  'POST messages/count_tokens': { dialect: 'messages', operation: 'count' },
  'POST responses': { dialect: 'responses', operation: 'generate' },
  'POST responses/input_tokens': { dialect: 'responses', operation: 'count' },
  'POST responses/compact': { dialect: 'responses', operation: 'compact' },
  'POST chat/completions': { dialect: 'chat', operation: 'generate' },
  'GET models': { dialect: 'responses', operation: 'list' },
}

const plainPath = /^\/[A-Za-z0-9._~!$&'()*+,;=:@/-]*$/
const longestTarget = 8_192

/** Clients ask for the same few again and again. */
const mostRemembered = 200
const remembered = new Map<string, RouteRead>()

/** Reads method and target. A path with encoded, doubled or dotted segments is unknown, never guessed (T7.7). */
export function readRoute(method: string, target: string): RouteRead {
  // A key in the path is not kept.
  if (target.startsWith('/k/')) return read(method, target)
  const line = `${method} ${target}`
  const known = remembered.get(line)
  if (known !== undefined) return known
  const route = read(method, target)
  if (remembered.size >= mostRemembered) remembered.clear()
  if (route.kind === 'route') remembered.set(line, route)
  return route
}

function read(method: string, target: string): RouteRead {
  const mark = target.indexOf('?')
  const path = mark < 0 ? target : target.slice(0, mark)
  const query = mark < 0 ? '' : target.slice(mark)
  const segments = path.split('/').slice(1)
  let pathKey: string | null = null
  if (segments[0] === 'k') {
    pathKey = segments[1] ?? ''
    segments.splice(0, 2)
  }
  const shown = `/${segments.join('/')}`
  const unknown: RouteRead = { kind: 'unknown', pathKey, shown: shown.slice(0, 200) }
  const isModel = modelPath(segments)
  if (target.length > longestTarget || (!plainPath.test(path) && !isModel)) return unknown
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) return unknown

  if ((method === 'GET' || method === 'HEAD') && /^(?:[^/]+\/)?api\/hello$/.test(segments.join('/'))) {
    return { kind: 'alive' }
  }
  if (segments[0] === '__debug' && segments[1] === 'routes') {
    if (method === 'GET' && segments.length === 2) return { kind: 'debug-routes', pathKey, test: false, query }
    if (method === 'POST' && segments.length === 3 && segments[2] === 'test') {
      return { kind: 'debug-routes', pathKey, test: true, query }
    }
    return unknown
  }
  const made = (providerId: string, rest: readonly string[]): RouteRead => {
    if (isModel && method === 'GET') {
      const modelId = decodeModel(rest.slice(1).join('/'))
      if (modelId === null) return unknown
      return { kind: 'route', pathKey, providerId, dialect: 'responses', operation: 'list', modelId, query }
    }
    const found = operations[`${method} ${rest.join('/')}`]
    return found === undefined ? unknown : { kind: 'route', pathKey, providerId, ...found, modelId: null, query }
  }
  if (segments[0] === 'backend-api') {
    const rest = segments.slice(2)
    return segments[1] === 'codex' && rest[0] === 'responses' ? made('codex', rest) : unknown
  }
  if (segments[0] === 'v1') return made('any', segments.slice(1))
  const [providerId] = segments
  if (providerId !== undefined && segments[1] === 'v1') return made(providerId, segments.slice(2))
  return unknown
}

/** `…/v1/models/{id}`: model ids may hold slashes, colons and encoded characters. */
function modelPath(segments: readonly string[]): boolean {
  const at = segments.indexOf('v1')
  return at >= 0 && at <= 1 && segments[at + 1] === 'models' && segments.length > at + 2
}

function decodeModel(text: string): string | null {
  try {
    const id = decodeURIComponent(text)
    return id.length <= 256 && !/[\p{Cc}]/u.test(id) ? id : null
  } catch {
    return null
  }
}
