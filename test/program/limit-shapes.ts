/** What the vendors answer when they refuse a subscription's request, and what each must lead to (claude §4.3–4.5, codex §4.4–4.6). */
export const hour = 3_600_000
const day = 24 * hour
/** On a whole second, as the vendors write resets. */
export const startMs = Math.floor(Date.now() / 1_000) * 1_000
const epoch = (fromNowMs: number): string => String((startMs + fromNowMs) / 1_000)

type Mark = readonly [window: string, family: string | null, fromStartMs: number | null]

export interface Shape {
  readonly name: string
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
  /** Served by the other account, or passed on unchanged. */
  readonly goes: 'other' | 'passed'
  readonly marks?: readonly Mark[]
  readonly rests?: string
  readonly hostRests?: boolean
  readonly notEntitled?: boolean
  readonly model?: string
}

const claudeError = (type: string, text = 'No.', more: object = {}) => ({
  type: 'error',
  error: { type, message: text, ...more },
  request_id: 'req_FAKE',
})
const unified = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`anthropic-ratelimit-unified-${name}`, value]))
const five = (status: string) => ({ '5h-status': status, '5h-reset': epoch(2 * hour) })
const week = (status: string) => ({ '7d-status': status, '7d-reset': epoch(3 * day) })
const fable = (status: string) => ({ '7d_oi-status': status, '7d_oi-reset': epoch(4 * day) })

export const claudeShapes: readonly Shape[] = [
  {
    name: 'a rejected 5-hour window',
    status: 429,
    headers: unified({ status: 'rejected', ...five('rejected'), ...week('allowed') }),
    body: claudeError('rate_limit_error'),
    goes: 'other',
    marks: [['five-hour', null, 2 * hour]],
  },
  {
    name: 'a rejected weekly window, although x-should-retry says true',
    status: 429,
    headers: {
      ...unified({ status: 'rejected', ...week('rejected') }),
      'x-should-retry': 'true',
      'retry-after': '259200',
    },
    body: claudeError('rate_limit_error'),
    goes: 'other',
    marks: [['weekly', null, 3 * day]],
  },
  {
    name: 'both windows rejected',
    status: 429,
    headers: unified({ status: 'rejected', ...five('rejected'), ...week('rejected') }),
    body: claudeError('rate_limit_error'),
    goes: 'other',
    marks: [
      ['five-hour', null, 2 * hour],
      ['weekly', null, 3 * day],
    ],
  },
  {
    name: 'only the Fable bucket rejected: only that family',
    status: 429,
    headers: unified({ status: 'rejected', ...five('allowed'), ...week('allowed'), ...fable('rejected') }),
    body: claudeError('rate_limit_error'),
    model: 'claude-fable-5-1',
    goes: 'other',
    marks: [['weekly:fable', 'fable', 4 * day]],
  },
  {
    name: 'the governing claim alone',
    status: 429,
    headers: unified({ status: 'rejected', reset: epoch(hour), 'representative-claim': 'seven_day' }),
    body: claudeError('rate_limit_error'),
    goes: 'other',
    marks: [['weekly', null, hour]],
  },
  {
    name: 'the older Opus bucket',
    status: 429,
    headers: unified({ status: 'rejected', '7d_opus-status': 'rejected', '7d_opus-reset': epoch(day) }),
    body: claudeError('rate_limit_error'),
    goes: 'other',
    marks: [['weekly:opus', 'opus', day]],
  },
  {
    name: 'a window rejected with overage disabled',
    status: 429,
    headers: unified({
      ...{ status: 'rejected', ...five('rejected') },
      ...{ 'overage-status': 'rejected', 'overage-disabled-reason': 'out_of_credits' },
    }),
    body: claudeError('rate_limit_error'),
    goes: 'other',
    marks: [['five-hour', null, 2 * hour]],
  },
  {
    name: 'a bare 429: burst, quota untouched',
    status: 429,
    body: claudeError('rate_limit_error', 'Rate limited. Please try again later.'),
    goes: 'other',
    rests: 'burst',
  },
  {
    name: 'a 429 with room in every window and a long retry-after',
    status: 429,
    headers: { ...unified({ status: 'allowed', ...five('allowed') }), 'retry-after': '60' },
    body: claudeError('rate_limit_error'),
    goes: 'other',
    rests: 'burst',
  },
  {
    name: 'long context needs extra usage',
    status: 429,
    body: claudeError('rate_limit_error', 'Extra usage is required for long context requests.'),
    goes: 'passed',
  },
  {
    name: 'invalid request',
    status: 400,
    body: claudeError('invalid_request_error', 'messages: required'),
    goes: 'passed',
  },
  { name: 'too large', status: 413, body: claudeError('request_too_large'), goes: 'passed' },
  { name: 'payment problem', status: 402, body: claudeError('billing_error'), goes: 'other', rests: 'billing' },
  { name: 'overloaded', status: 529, body: claudeError('overloaded_error'), goes: 'passed', hostRests: true },
  {
    name: 'a failure of the vendor’s own',
    status: 500,
    body: claudeError('api_error'),
    goes: 'other',
    rests: 'cooldown',
  },
  {
    name: 'an HTML page with 403',
    status: 403,
    headers: { 'content-type': 'text/html', 'cf-ray': 'x', 'cf-mitigated': 'challenge' },
    body: '<html><title>Just a moment...</title></html>',
    goes: 'passed',
    hostRests: true,
  },
]

const detail = (code: string) => ({ detail: { code } })
const openError = (fields: object) => ({ error: { message: 'No.', ...fields } })
const reached = (resetMs: number) =>
  openError({ type: 'usage_limit_reached', plan_type: 'plus', resets_at: (startMs + resetMs) / 1_000 })
const slot = (stem: string, percent: number, minutes: number, resetMs: number) => ({
  [`${stem}-used-percent`]: String(percent),
  [`${stem}-window-minutes`]: String(minutes),
  [`${stem}-reset-at`]: epoch(resetMs),
})

export const codexShapes: readonly Shape[] = [
  {
    name: 'usage_limit_reached with a full weekly window in the primary slot',
    status: 429,
    headers: slot('x-codex-primary', 100, 10_080, 2 * day),
    body: reached(2 * day),
    goes: 'other',
    marks: [['weekly', null, 2 * day]],
  },
  {
    name: 'usage_limit_reached with a full 5-hour window in the secondary slot',
    status: 429,
    headers: { ...slot('x-codex-primary', 40, 10_080, 2 * day), ...slot('x-codex-secondary', 100, 300, hour) },
    body: reached(hour),
    goes: 'other',
    marks: [['five-hour', null, hour]],
  },
  {
    name: 'usage_limit_reached without headers: unnamed, until the stated reset',
    status: 429,
    body: reached(3 * hour),
    goes: 'other',
    marks: [['unnamed', null, 3 * hour]],
  },
  {
    name: 'usage_limit_reached without any reset: only evidence lifts it',
    status: 429,
    body: openError({ type: 'usage_limit_reached' }),
    goes: 'other',
    marks: [['unnamed', null, null]],
  },
  {
    name: 'a pool of its own is full: only that family',
    status: 429,
    headers: {
      ...slot('x-codex-primary', 20, 300, hour),
      ...slot('x-codex-bengalfox-primary', 100, 300, 2 * hour),
      ...{ 'x-codex-bengalfox-limit-name': 'GPT-5.3-Codex-Spark', 'x-codex-active-limit': 'codex_bengalfox' },
    },
    body: reached(2 * hour),
    model: 'gpt-5.3-codex-spark',
    goes: 'other',
    marks: [['five-hour:spark', 'spark', 2 * hour]],
  },
  {
    name: 'rate_limit_exceeded with a long wait: burst',
    status: 429,
    body: openError({ type: 'rate_limit_error', code: 'rate_limit_exceeded', message: 'Please try again in 20s.' }),
    goes: 'other',
    rests: 'burst',
  },
  { name: 'a 429 without a body', status: 429, body: '', goes: 'other', rests: 'burst' },
  {
    name: 'a plan without Codex',
    status: 403,
    body: openError({ type: 'usage_not_included' }),
    goes: 'other',
    rests: 'account-refused',
  },
  {
    name: 'insufficient_quota',
    status: 429,
    body: openError({ type: 'insufficient_quota', code: 'insufficient_quota' }),
    goes: 'other',
    rests: 'billing',
  },
  {
    name: 'a deactivated workspace',
    status: 402,
    body: detail('deactivated_workspace'),
    goes: 'other',
    rests: 'account-refused',
  },
  {
    name: 'no entitlement',
    status: 403,
    body: detail('codex_entitlement_missing'),
    goes: 'other',
    rests: 'account-refused',
  },
  {
    name: 'no access to the workspace',
    status: 403,
    body: openError({ code: 'codex_workspace_access_denied' }),
    goes: 'other',
    rests: 'account-refused',
  },
  {
    name: 'an HTML page with 403',
    status: 403,
    headers: { 'content-type': 'text/html', 'cf-ray': 'x' },
    body: '<html><title>Attention Required! | Cloudflare</title></html>',
    goes: 'passed',
    hostRests: true,
  },
  { name: 'overload', status: 503, body: openError({ code: 'server_is_overloaded' }), goes: 'passed', hostRests: true },
  { name: 'a safety refusal', status: 400, body: openError({ code: 'cyber_policy' }), goes: 'passed' },
  { name: 'an invalid request', status: 400, body: { detail: 'Input must be a list' }, goes: 'passed' },
  {
    name: 'usage_limit_reached inside a 200 stream, before any content',
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: `data: ${JSON.stringify({ type: 'response.failed', response: { id: 'resp_1', status: 'failed', error: { code: 'usage_limit_reached', message: 'No.', resets_at: (startMs + hour) / 1_000 } } })}\n\n`,
    goes: 'other',
  },
]
