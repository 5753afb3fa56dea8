/** What OpenAI-style hosts and Ollama answer (codex §5.3, §8). */
import {
  billing,
  burst,
  dayMs,
  type FailureCase,
  final,
  keyRejected,
  modelUnknown,
  notEntitled,
  overloaded,
  requestScoped,
  serverError,
} from './failure-case.ts'

const key = (row: Omit<FailureCase, 'kind'>): FailureCase => ({ kind: 'openai-compatible', ...row })
const local = (row: Omit<FailureCase, 'kind'>): FailureCase => ({ kind: 'ollama', ...row })

export const keyCases: readonly FailureCase[] = [
  key({
    name: 'an invalid key is rejected and its code holds no part of it',
    status: 401,
    body: {
      error: { message: 'Incorrect API key provided: sk-FAKE', type: 'invalid_request_error', code: 'invalid_api_key' },
    },
    vendorCode: 'invalid_api_key',
    ...keyRejected,
  }),
  key({
    name: 'a spent balance is billing although it says 429',
    status: 429,
    headers: { 'retry-after': '2' },
    body: {
      error: { message: 'You exceeded your current quota', type: 'insufficient_quota', code: 'insufficient_quota' },
    },
    vendorCode: 'insufficient_quota',
    ...billing('its credits or billing limit are used up'),
  }),
  key({
    name: 'retry-after-ms goes before retry-after',
    status: 429,
    headers: { 'retry-after': '60', 'retry-after-ms': '2500' },
    body: { error: { message: 'Rate limit reached', type: 'tokens', code: 'rate_limit_exceeded' } },
    vendorCode: 'rate_limit_exceeded',
    signal: { kind: 'burst', retryAfterMs: 2_500 },
    verdict: { ...burst(3_000).verdict, waitMs: 2_500 },
  }),
  key({
    name: 'retry-after may be a date',
    status: 429,
    headers: { 'retry-after': 'Sun, 29 Nov 2026 12:00:45 GMT' },
    body: { error: { message: 'Rate limit reached', code: 'rate_limit_exceeded' } },
    vendorCode: 'rate_limit_exceeded',
    ...burst(45_000),
  }),
  key({
    name: 'a rest of 18 days is cut to one day',
    status: 429,
    headers: { 'retry-after': String(18 * 86_400) },
    body: {},
    vendorCode: null,
    ...burst(dayMs),
  }),
  key({
    name: 'a text in minutes and seconds is read whole',
    status: 429,
    body: { error: { message: 'Limit reached. Please try again in 6m30s.', code: 'rate_limit_exceeded' } },
    vendorCode: 'rate_limit_exceeded',
    ...burst(390_000),
  }),
  key({
    name: 'a request larger than the limit itself is this request’s matter',
    status: 429,
    body: { error: { message: 'Request too large for gpt-5.5 on tokens per min', code: 'rate_limit_exceeded' } },
    vendorCode: 'rate_limit_exceeded',
    ...requestScoped,
  }),
  key({
    name: 'an unknown model goes on to the next',
    status: 404,
    body: { error: { message: 'The model does not exist or you do not have access to it.', code: 'model_not_found' } },
    vendorCode: 'model_not_found',
    ...modelUnknown,
  }),
  key({
    name: 'a project without the model excludes that pair',
    status: 403,
    body: { error: { message: 'Project does not have access to model gpt-5.5', code: 'model_not_found' } },
    vendorCode: 'model_not_found',
    ...notEntitled,
  }),
  key({
    name: 'an unsupported region is the same everywhere',
    status: 403,
    body: { error: { code: 'unsupported_country_region_territory', message: 'text' } },
    vendorCode: 'unsupported_country_region_territory',
    ...final,
  }),
  key({
    name: 'a key-like code is never kept',
    status: 500,
    body: { error: { code: 'sk-proj-FAKE0123456789', type: 'server_error' } },
    vendorCode: 'server_error',
    ...serverError(500),
  }),
  local({
    name: 'a model that is not pulled goes on to the next',
    status: 404,
    body: { error: 'model "qwen9" not found, try pulling it first' },
    vendorCode: null,
    ...modelUnknown,
  }),
  local({
    name: 'a full queue is an overload',
    status: 503,
    body: { error: 'server busy, please try again. maximum pending requests exceeded' },
    vendorCode: null,
    ...overloaded,
  }),
  local({
    name: 'a cloud model without sign-in excludes only itself',
    status: 401,
    body: { error: 'unauthorized' },
    vendorCode: null,
    ...notEntitled,
  }),
]
