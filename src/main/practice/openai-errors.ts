/** Failures in OpenAI's words: the ChatGPT backend and the public API, before and inside a stream (codex §4.5–4.6, §5). */
import type { ErrorName } from './behaviour.ts'
import { htmlBlock } from './claude-errors.ts'
import { type Event, json, type Planned } from './vendor.ts'

/** `codex`: the ChatGPT backend; `api`: the public API and hosts like it. */
export type OpenaiHouse = 'codex' | 'api'

export interface OpenaiFailure {
  readonly status: number
  /** The whole body. */
  readonly body: Readonly<Record<string, unknown>>
  /** Seconds. */
  readonly retryAfter?: number
}

const error = (status: number, type: string, code: string | null, message: string): OpenaiFailure => ({
  status,
  body: { error: { message, type, code, param: null } },
})

const detail = (status: number, value: unknown): OpenaiFailure => ({ status, body: { detail: value } })

type Table = { readonly [Name in Exclude<ErrorName, 'html-block'>]: OpenaiFailure }

const api: Table = {
  spent: error(429, 'insufficient_quota', 'insufficient_quota', 'You exceeded your current quota.'),
  'spent-family': error(429, 'insufficient_quota', 'insufficient_quota', 'You exceeded your current quota.'),
  burst: {
    ...error(429, 'requests', 'rate_limit_exceeded', 'Rate limit reached. Please try again in 1.2s.'),
    retryAfter: 2,
  },
  overloaded: error(503, 'server_error', 'server_is_overloaded', 'The server is overloaded.'),
  'server-error': error(500, 'server_error', null, 'The server had an error.'),
  timeout: error(504, 'server_error', null, 'The request timed out.'),
  unauthorised: error(401, 'invalid_request_error', 'invalid_api_key', 'Incorrect API key provided.'),
  expired: error(401, 'invalid_request_error', 'invalid_api_key', 'Incorrect API key provided.'),
  revoked: error(401, 'invalid_request_error', 'invalid_api_key', 'Incorrect API key provided.'),
  deactivated: error(401, 'invalid_request_error', 'account_deactivated', 'The account has been deactivated.'),
  forbidden: error(403, 'invalid_request_error', 'unsupported_country_region_territory', 'Region not supported.'),
  billing: error(429, 'insufficient_quota', 'insufficient_quota', 'You exceeded your current quota.'),
  'model-unknown': error(404, 'invalid_request_error', 'model_not_found', 'The model does not exist.'),
  'model-not-entitled': error(
    403,
    'invalid_request_error',
    'model_not_found',
    'The project has no access to the model.',
  ),
  invalid: error(400, 'invalid_request_error', null, 'Invalid request.'),
  'too-large': error(413, 'invalid_request_error', null, 'The request is too large.'),
  'context-too-long': error(400, 'invalid_request_error', 'context_length_exceeded', 'The input is too long.'),
  'long-context': error(400, 'invalid_request_error', 'context_length_exceeded', 'The input is too long.'),
  'extra-usage': error(429, 'insufficient_quota', 'insufficient_quota', 'You exceeded your current quota.'),
  safety: error(400, 'invalid_request_error', 'cyber_policy', 'The request was stopped by a policy.'),
  'previous-response-not-found': error(
    400,
    'invalid_request_error',
    'previous_response_not_found',
    'The previous response was not found.',
  ),
  'connection-limit': error(
    400,
    'invalid_request_error',
    'websocket_connection_limit_reached',
    'The connection has reached its time limit.',
  ),
}

const codex: Table = {
  ...api,
  burst: { ...error(429, 'rate_limit_error', 'rate_limit_exceeded', 'Please try again in 1.2s.'), retryAfter: 2 },
  unauthorised: detail(401, 'Unauthorized'),
  expired: error(401, 'invalid_request_error', 'token_expired', 'The access token has expired.'),
  revoked: error(401, 'invalid_request_error', 'token_invalidated', 'The token has been invalidated.'),
  deactivated: detail(402, { code: 'deactivated_workspace' }),
  forbidden: detail(403, { code: 'codex_workspace_access_denied' }),
  billing: error(429, 'usage_not_included', 'usage_not_included', 'The plan does not include this.'),
  'model-unknown': detail(400, 'The model is not supported when using Codex with a ChatGPT account.'),
  'model-not-entitled': detail(400, 'The model is not supported when using Codex with a ChatGPT account.'),
  invalid: detail(400, 'Invalid request'),
}

export function openaiFailure(name: ErrorName, house: OpenaiHouse): OpenaiFailure {
  const table = house === 'codex' ? codex : api
  return name === 'html-block' ? table.forbidden : table[name]
}

/** A spent window of a ChatGPT account, with its reset (codex §4.5). */
export function usageLimit(plan: string, resetAtMs: number, nowMs: number): OpenaiFailure {
  const inSeconds = Math.max(1, Math.ceil((resetAtMs - nowMs) / 1000))
  return {
    status: 429,
    body: {
      error: {
        type: 'usage_limit_reached',
        message: 'The usage limit has been reached',
        plan_type: plan,
        resets_at: Math.ceil(resetAtMs / 1000),
        resets_in_seconds: inSeconds,
        eligible_promo: null,
      },
    },
  }
}

export function openaiError(failure: OpenaiFailure, headers: readonly string[] = []): Planned {
  const wait = failure.retryAfter === undefined ? [] : ['retry-after', String(failure.retryAfter)]
  return json(failure.status, failure.body, [...wait, ...headers])
}

export const namedError = (name: ErrorName, house: OpenaiHouse, headers: readonly string[] = []): Planned =>
  name === 'html-block' ? htmlBlock() : openaiError(openaiFailure(name, house), headers)

/** The same failure as an event in a Responses stream: coded ones as `response.failed`, others as `error`. */
export function responsesErrorEvent(failure: OpenaiFailure, house: OpenaiHouse, id: string): Event {
  const inner = errorObject(failure)
  const failed = ['server_is_overloaded', 'context_length_exceeded', 'rate_limit_exceeded', 'cyber_policy']
  const code = inner.code
  if (typeof code === 'string' && failed.includes(code)) {
    const response = {
      id,
      object: 'response',
      status: 'failed',
      error: { code, message: inner.message },
      usage: null,
    }
    return { type: 'response.failed', response }
  }
  return house === 'codex'
    ? { type: 'error', error: inner }
    : { type: 'error', code: code ?? null, message: inner.message, param: null }
}

/** The failure's `error` object; a `detail` becomes one. */
export function errorObject({ body }: OpenaiFailure): Readonly<Record<string, unknown>> {
  const inner = body.error
  if (typeof inner === 'object' && inner !== null) return inner as Record<string, unknown>
  return { type: 'invalid_request_error', code: null, message: String(body.detail ?? 'error') }
}
