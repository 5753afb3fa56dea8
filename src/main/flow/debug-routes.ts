/**
 * `GET /__debug/routes` and `POST /__debug/routes/test`: the answers of `models.explain` for the calling key; off by
 * default, no secrets, and nothing that the key may not use (routing §2).
 */
import { asObject, asText, bytesOf } from '../dialects/json.ts'
import type { AccessKey } from '../domain/access-key.ts'
import { type Dialect, dialects, dialectsOf } from '../domain/source.ts'
import type { Digest, Exchange } from '../ports.ts'
import { deliverOwn } from './70-relay.ts'
import { type Explanation, explain } from './explain.ts'
import { askOf, type DescribedCall } from './explain-ask.ts'
import type { View } from './view.ts'

export interface DebugRequest {
  readonly kind: 'debug-routes'
  readonly key: AccessKey
  readonly test: boolean
  readonly query: string
}

const largestBody = 64 * 1024

export async function debugRoutes(
  request: DebugRequest,
  io: Exchange,
  view: View,
  digest: Pick<Digest, 'sha256'>,
): Promise<void> {
  const providerId = parameter(request.query, 'provider_id') ?? 'any'
  const model = parameter(request.query, 'model_id')
  const body = request.test ? await fieldsOf(io) : null
  const answer = request.test
    ? shown(callOf(body ?? {}, providerId, model, view), request.key, view, digest)
    : { routes: routesOf(request.key, providerId, model, view, digest) }
  const bytes = bytesOf(JSON.stringify(answer))
  deliverOwn(io, 200, ['content-type', 'application/json', 'content-length', String(bytes.length)], bytes)
}

/** Every pool of which the key may use something. */
function routesOf(
  key: AccessKey,
  providerId: string,
  wanted: string | null,
  view: View,
  digest: Pick<Digest, 'sha256'>,
): readonly (Explanation & { readonly model: string })[] {
  return view.picture.pools.list
    .filter(({ model }) => (wanted === null || model === wanted) && (key.models?.includes(model) ?? true))
    .map(({ model }) => ({ model, ...shown(callOf({}, providerId, model, view), key, view, digest) }))
    .filter(({ order, excluded }) => order.length + excluded.length > 0)
}

/** As `models.explain` says it, without the accounts that the key's policy keeps from it. */
function shown(call: DescribedCall, key: AccessKey, view: View, digest: Pick<Digest, 'sha256'>): Explanation {
  const explained = explain(askOf(call, key, digest), view)
  return { ...explained, excluded: explained.excluded.filter(({ because }) => because !== 'policy') }
}

/** The body's fields win over the query's; a dialect that isn't named is the pool's first. */
function callOf(
  body: Readonly<Record<string, unknown>>,
  providerId: string,
  model: string | null,
  view: View,
): DescribedCall {
  const named = asText(body.model_id) ?? model
  const first = named === null ? undefined : view.picture.pools.find(named)?.pool.places[0]?.backend.source
  const usual: Dialect = first === undefined ? 'responses' : (dialectsOf(first)[0] ?? 'responses')
  return {
    providerId: asText(body.provider_id) ?? providerId,
    model: named,
    dialect: dialects.find((dialect) => dialect === body.dialect) ?? usual,
    sessionId: asText(body.session_id) ?? undefined,
    client: asText(body.client) ?? undefined,
    class: body.class === 'background' ? 'background' : 'interactive',
  }
}

async function fieldsOf(io: Exchange): Promise<Readonly<Record<string, unknown>> | null> {
  const body = await io.readBody(largestBody)
  if (typeof body === 'string') return null
  const decoder = new TextDecoder()
  try {
    const text = body.pieces.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode()
    return asObject(JSON.parse(text))
  } catch {
    return null
  }
}

function parameter(query: string, name: string): string | null {
  for (const pair of query.slice(1).split('&')) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at) === name) {
      try {
        return decodeURIComponent(pair.slice(at + 1).replaceAll('+', ' '))
      } catch {
        return null
      }
    }
  }
  return null
}
