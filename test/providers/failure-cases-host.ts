/** Overloads, server errors, pages and redirects: the host rather than the account (claude §4.4, codex §4.5). */
import {
  epoch,
  type FailureCase,
  hourMs,
  mark,
  overloaded,
  redirected,
  requestScoped,
  serverError,
  spent,
} from './failure-case.ts'

const error = (type: string, message: string, more: object = {}) => ({
  type: 'error',
  error: { type, message, ...more },
  request_id: 'req_FAKE',
})
const unified = (values: Readonly<Record<string, string | number>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`anthropic-ratelimit-unified-${name}`, String(value)]),
  )

const account = (row: Omit<FailureCase, 'kind'>): FailureCase => ({ kind: 'claude', ...row })

export const hostCases: readonly FailureCase[] = [
  account({
    name: 'F7 529 rests the host',
    status: 529,
    body: error('overloaded_error', 'Overloaded'),
    vendorCode: 'overloaded_error',
    ...overloaded,
  }),
  account({
    name: 'F10 an overload as first event of a 200 stream is an overload',
    status: 200,
    body: error('overloaded_error', 'Overloaded'),
    vendorCode: 'overloaded_error',
    ...overloaded,
  }),
  account({
    name: 'F10 a limit as first event of a 200 stream is read with the windows of its head',
    status: 200,
    headers: unified({ '5h-status': 'rejected', '5h-reset': epoch(hourMs) }),
    body: error('rate_limit_error', 'limited'),
    vendorCode: 'rate_limit_error',
    ...spent('The 5-hour limit is used up until 2026-11-29 13:00 UTC.', mark('five-hour', hourMs)),
  }),
  account({
    name: 'a 500 is a failure of the source',
    status: 500,
    body: error('api_error', 'Internal server error'),
    vendorCode: 'api_error',
    ...serverError(500),
  }),
  account({
    name: 'a 502 page is a failure of the source',
    status: 502,
    body: '<html>',
    vendorCode: null,
    ...serverError(502),
  }),
  account({
    name: 'an empty 504 is a failure of the source',
    status: 504,
    body: '',
    vendorCode: null,
    ...serverError(504),
  }),
  account({
    name: 'T6.1 a redirect is refused, never followed',
    status: 307,
    body: '',
    vendorCode: null,
    ...redirected,
  }),
  account({
    name: 'F7 a maintenance page rests the host',
    status: 503,
    headers: { 'content-type': 'text/html' },
    body: '<html>maintenance</html>',
    vendorCode: null,
    ...overloaded,
  }),
  account({
    name: 'words about accounts in a 500 refuse no account',
    status: 500,
    body: error('api_error', 'The token of your account has expired; the workspace was deactivated.'),
    vendorCode: 'api_error',
    ...serverError(500),
  }),
  account({
    name: 'a 429 about extra usage without a rejected window is this request’s matter',
    status: 429,
    headers: unified({ '5h-status': 'allowed', 'overage-status': 'rejected' }),
    body: error('rate_limit_error', 'You’re out of extra usage.'),
    vendorCode: 'rate_limit_error',
    ...requestScoped,
  }),
]
