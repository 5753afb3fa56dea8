/** `GET /__debug/routes`: what the calling key could reach and in which order; off by default, no secrets (routing §2). */
import { bytesOf } from '../dialects/json.ts'
import type { AccessKey } from '../domain/access-key.ts'
import { dialectsOf } from '../domain/source.ts'
import type { Exchange } from '../ports.ts'
import { deliverOwn } from './70-relay.ts'
import { explain } from './explain.ts'
import type { Ask, View } from './view.ts'

export interface DebugRequest {
  readonly kind: 'debug-routes'
  readonly key: AccessKey
  readonly test: boolean
  readonly query: string
}

export function debugRoutes(request: DebugRequest, io: Exchange, view: View): void {
  const wantedProvider = parameter(request.query, 'provider_id') ?? 'any'
  const wantedModel = parameter(request.query, 'model_id')
  const routes = view.picture.pools.list
    .filter((pool) => wantedModel === null || pool.model === wantedModel)
    .map((pool) => ({ model: pool.model, ...explain(askFor(request.key, wantedProvider, pool.model, view), view) }))
  const body = bytesOf(JSON.stringify({ routes }))
  deliverOwn(io, 200, ['content-type', 'application/json', 'content-length', String(body.length)], body)
}

function askFor(key: AccessKey, providerId: string, model: string, view: View): Ask {
  const first = view.picture.pools.find(model)?.pool.places[0]?.backend
  return {
    providerId,
    dialect: first === undefined ? 'responses' : (dialectsOf(first.source)[0] ?? 'responses'),
    operation: 'generate',
    model,
    serviceTier: null,
    key,
    session: null,
    parents: [],
    interactive: true,
    claudeCodeMarks: ['session-id', 'x-app', 'user-agent'],
    codexClient: true,
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
