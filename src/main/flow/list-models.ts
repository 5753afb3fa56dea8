/** `GET /v1/models` in the client's own shape, made from the pools that the caller may use (routing §2). */

import { problem } from '../../shared/errors.ts'
import { bytesOf } from '../dialects/json.ts'
import type { Exchange } from '../ports.ts'
import type { Call } from './10-ingress.ts'
import type { Possible } from './40-candidates.ts'
import { deliverOwn } from './70-relay.ts'
import type { View } from './view.ts'

/**
 * Answers from memory; false when the vendor's own catalogue should answer instead: the Codex CLI asks with its
 * version for rows that only the vendor knows (codex §6.1), and an account here can be asked.
 */
export function listModels(possible: Possible, call: Call, io: Exchange, view: View): boolean {
  const codexShape = call.route.query.includes('client_version=')
  if (codexShape && possible.candidates.some((candidate) => candidate.backend.source.type === 'subscription'))
    return false
  const names = modelNames(possible, call, view)
  const { modelId } = call.route
  const anthropic = call.headers.has('anthropic-version')
  if (modelId !== null) {
    const found = names.includes(modelId)
    if (found) answer(io, 200, anthropic ? anthropicModel(modelId) : openAiModel(modelId))
    else answer(io, 404, notFound(modelId, anthropic))
    return true
  }
  if (codexShape) answer(io, 200, { models: [] })
  else
    answer(
      io,
      200,
      anthropic ? anthropicPage(names, call.route.query) : { object: 'list', data: names.map(openAiModel) },
    )
  return true
}

/** Names of the pools with a backend at this address that the key's policy allows. */
function modelNames({ ask, policy }: Possible, call: Call, view: View): readonly string[] {
  const allowed = policy.mode === 'strict' || policy.mode === 'pool' ? new Set<string>(policy.sources) : null
  const ruled = view.picture.routes.models(ask.providerId)
  const names = [...view.picture.pools.list, ...ruled]
    .filter((pool) =>
      pool.places.some(
        ({ backend, enabled }) =>
          enabled &&
          backend.source.active &&
          (ruled.includes(pool) || ask.providerId === 'any' || backend.addresses.has(ask.providerId)) &&
          (allowed === null || allowed.has(backend.source.id)),
      ),
    )
    .map((pool) => pool.model)
    .filter((model) => call.key.models === null || call.key.models.includes(model))
  return [...new Set(names)]
}

const epoch = '2026-01-01T00:00:00Z'

/** What it takes at most is for whoever serves it to say. */
const anthropicModel = (id: string): unknown => ({
  type: 'model',
  id,
  display_name: id,
  created_at: epoch,
  max_input_tokens: null,
  max_tokens: null,
})

const openAiModel = (id: string): unknown => ({ id, object: 'model', created: 1_767_225_600, owned_by: 'pointsman' })

/** The page asked for by `limit`, `after_id` and `before_id`; without a limit the whole list (bridge §5). */
function anthropicPage(names: readonly string[], query: string): unknown {
  const value = (name: string): string | null => new RegExp(`(?:^|[?&])${name}=([^&]*)`).exec(query)?.[1] ?? null
  const placeOf = (name: string): number =>
    names.findIndex((id) => encodeURIComponent(id) === value(name) || id === value(name))
  const limit = /^[1-9]\d{0,5}$/.test(value('limit') ?? '') ? Number(value('limit')) : names.length
  const end = placeOf('before_id')
  const from = end < 0 ? placeOf('after_id') + 1 : Math.max(0, end - limit)
  const page = names.slice(from, end < 0 ? from + limit : end)
  return {
    data: page.map(anthropicModel),
    has_more: end < 0 ? from + page.length < names.length : from > 0,
    first_id: page[0] ?? null,
    last_id: page.at(-1) ?? null,
  }
}

function notFound(model: string, anthropic: boolean): unknown {
  const { sentence, next, code } = problem('model_not_served', { model, served: 'a model of GET /v1/models' })
  const message = `${sentence} ${next}`
  if (anthropic) return { type: 'error', error: { type: 'not_found_error', message } }
  return { error: { message, type: 'invalid_request_error', param: 'model', code } }
}

function answer(io: Exchange, status: number, body: unknown): void {
  const bytes = bytesOf(JSON.stringify(body))
  deliverOwn(io, status, ['content-type', 'application/json', 'content-length', String(bytes.length)], bytes)
}
