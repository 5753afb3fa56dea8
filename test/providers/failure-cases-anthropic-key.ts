/** What Anthropic answers on API keys (claude §4.3–4.5). */
import { billing, burst, epoch, type FailureCase, hourMs, keyRejected } from './failure-case.ts'

const error = (type: string, message: string, more: object = {}) => ({
  type: 'error',
  error: { type, message, ...more },
  request_id: 'req_FAKE',
})
const unified = (values: Readonly<Record<string, string | number>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`anthropic-ratelimit-unified-${name}`, String(value)]),
  )
const limited = error(
  'rate_limit_error',
  'This request would exceed your account’s rate limit. Please try again later.',
)

const key = (row: Omit<FailureCase, 'kind'>): FailureCase => ({ kind: 'anthropic-compatible', ...row })

export const anthropicKeyCases: readonly FailureCase[] = [
  key({
    name: 'an invalid key is rejected without a refresh',
    status: 401,
    body: error('authentication_error', 'invalid x-api-key'),
    vendorCode: 'authentication_error',
    ...keyRejected,
  }),
  key({
    name: 'a payment problem rests the key without a timer',
    status: 402,
    body: error('billing_error', 'Payment required'),
    vendorCode: 'billing_error',
    ...billing('a payment is due'),
  }),
  key({
    name: 'a low credit balance is billing although it says 400',
    status: 400,
    body: error('invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'),
    vendorCode: 'invalid_request_error',
    ...billing('its credit balance is too low'),
  }),
  key({
    name: 'a spend limit that its owner set is billing',
    status: 400,
    body: error('invalid_request_error', 'You have reached your specified API usage limits.'),
    vendorCode: 'invalid_request_error',
    ...billing('its spend limit is reached'),
  }),
  key({
    name: 'a monthly cap behind a 429 is billing, not a throttle',
    status: 429,
    body: error('rate_limit_error', 'limited', { details: { error_code: 'enforced_spend_limit_reached' } }),
    vendorCode: 'enforced_spend_limit_reached',
    ...billing('its monthly spend limit is reached'),
  }),
  key({
    name: 'a throttle without retry-after waits for the empty bucket',
    status: 429,
    headers: {
      'anthropic-ratelimit-requests-remaining': '12',
      'anthropic-ratelimit-input-tokens-remaining': '0',
      'anthropic-ratelimit-input-tokens-reset': '2026-11-29T12:00:04Z',
    },
    body: error('rate_limit_error', 'input tokens per minute'),
    vendorCode: 'rate_limit_error',
    ...burst(4_000),
  }),
  key({
    name: 'a key has no windows even where a relay shows those of the account behind it',
    status: 429,
    headers: { ...unified({ '5h-status': 'rejected', '5h-reset': epoch(hourMs) }), 'retry-after': '3600' },
    body: limited,
    vendorCode: 'rate_limit_error',
    ...burst(hourMs),
  }),
]
