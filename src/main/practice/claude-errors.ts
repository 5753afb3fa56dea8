/** Failures in Anthropic's words, before and inside a stream (claude §4.4, §4.5). */
import type { ErrorName } from './behaviour.ts'
import { type Event, json, type Planned, text } from './vendor.ts'

export interface ClaudeFailure {
  readonly status: number
  readonly type: string
  readonly message: string
  readonly details?: object
  /** Seconds. */
  readonly retryAfter?: number
}

const failures: { readonly [Name in Exclude<ErrorName, 'html-block'>]: ClaudeFailure } = {
  spent: limit('This request would exceed your account’s rate limit. Please try again later.'),
  'spent-family': limit('This request would exceed your account’s rate limit. Please try again later.'),
  burst: { ...limit('Number of requests has exceeded your per-minute rate limit.'), retryAfter: 3 },
  overloaded: { status: 529, type: 'overloaded_error', message: 'Overloaded' },
  'server-error': { status: 500, type: 'api_error', message: 'Internal server error' },
  timeout: { status: 504, type: 'timeout_error', message: 'The request timed out' },
  unauthorised: { status: 401, type: 'authentication_error', message: 'Invalid bearer token' },
  expired: { status: 401, type: 'authentication_error', message: 'OAuth token has expired.' },
  revoked: { status: 401, type: 'authentication_error', message: 'OAuth access token has been revoked.' },
  deactivated: { status: 403, type: 'permission_error', message: 'This organization has been disabled.' },
  forbidden: { status: 403, type: 'permission_error', message: 'Your account does not have access.' },
  billing: { status: 402, type: 'billing_error', message: 'There is a problem with the payment method.' },
  'model-unknown': { status: 404, type: 'not_found_error', message: 'model: not found' },
  'model-not-entitled': { status: 403, type: 'permission_error', message: 'This model is not available on your plan.' },
  invalid: { status: 400, type: 'invalid_request_error', message: 'messages: Field required' },
  'too-large': { status: 413, type: 'request_too_large', message: 'Request exceeds the maximum size' },
  'context-too-long': { status: 400, type: 'invalid_request_error', message: 'prompt is too long' },
  'long-context': limit('Extra usage is required for long context requests.'),
  'extra-usage': { status: 400, type: 'invalid_request_error', message: "You're out of extra usage." },
  safety: { status: 400, type: 'invalid_request_error', message: 'Output blocked by content filtering policy' },
  'previous-response-not-found': { status: 404, type: 'not_found_error', message: 'Not found' },
  'connection-limit': { status: 500, type: 'api_error', message: 'Internal server error' },
}

function limit(message: string): ClaudeFailure {
  return { status: 429, type: 'rate_limit_error', message }
}

export function claudeFailure(name: ErrorName): ClaudeFailure {
  return name === 'html-block' ? failures.forbidden : failures[name]
}

export function claudeError(failure: ClaudeFailure, ordinal: number, headers: readonly string[] = []): Planned {
  const { status, type, message, details, retryAfter } = failure
  const id = requestId(ordinal)
  const error = { type, message, ...(details === undefined ? {} : { details }) }
  return json(status, { type: 'error', error, request_id: id }, [
    'request-id',
    id,
    ...(retryAfter === undefined ? [] : ['retry-after', String(retryAfter)]),
    ...headers,
  ])
}

export const claudeErrorEvent = (name: ErrorName): Event => {
  const { type, message } = claudeFailure(name)
  return { type: 'error', error: { type, message } }
}

export const requestId = (ordinal: number): string => `req_practice_${String(ordinal).padStart(8, '0')}`

/** A guard's page in front of either vendor: HTML, never JSON (claude §4.4, codex §4.6). */
export const htmlBlock = (): Planned =>
  text(403, '<!DOCTYPE html><title>Just a moment...</title><h1>Attention Required</h1>', 'text/html; charset=UTF-8', [
    'cf-ray',
    'practice-ray',
    'cf-mitigated',
    'challenge',
    'server',
    'cloudflare',
  ])
