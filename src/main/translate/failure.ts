/** Failures between the vendors' envelopes, translated by class; nobody else's words reach the client unread (bridge §2.4). */
import type { Dialect } from '../domain/source.ts'
import type { Failure, FailureClass } from './neutral-events.ts'
import { entryIn, type JsonObject, objectIn, parsed, textIn } from './value.ts'

interface Words {
  readonly messages: readonly [status: number, type: string]
  readonly openAi: readonly [status: number, type: string, code: string]
}

const words: Readonly<Record<FailureClass, Words>> = {
  'bad-request': {
    messages: [400, 'invalid_request_error'],
    openAi: [400, 'invalid_request_error', 'invalid_request'],
  },
  'too-long': {
    messages: [400, 'invalid_request_error'],
    openAi: [400, 'invalid_request_error', 'context_length_exceeded'],
  },
  unauthorised: { messages: [401, 'authentication_error'], openAi: [401, 'invalid_request_error', 'invalid_api_key'] },
  billing: { messages: [402, 'billing_error'], openAi: [429, 'insufficient_quota', 'insufficient_quota'] },
  forbidden: { messages: [403, 'permission_error'], openAi: [403, 'invalid_request_error', 'permission_denied'] },
  'not-found': { messages: [404, 'not_found_error'], openAi: [404, 'invalid_request_error', 'model_not_found'] },
  'too-large': { messages: [413, 'request_too_large'], openAi: [413, 'invalid_request_error', 'request_too_large'] },
  'rate-limit': { messages: [429, 'rate_limit_error'], openAi: [429, 'rate_limit_error', 'rate_limit_exceeded'] },
  server: { messages: [500, 'api_error'], openAi: [500, 'server_error', 'server_error'] },
  timeout: { messages: [504, 'timeout_error'], openAi: [504, 'server_error', 'timeout'] },
  overloaded: { messages: [529, 'overloaded_error'], openAi: [503, 'server_error', 'server_is_overloaded'] },
}

const byName: Readonly<Record<string, FailureClass>> = {
  context_length_exceeded: 'too-long',
  exceed_context_size_error: 'too-long',
  invalid_prompt: 'bad-request',
  invalid_request_error: 'bad-request',
  authentication_error: 'unauthorised',
  invalid_api_key: 'unauthorised',
  billing_error: 'billing',
  insufficient_quota: 'billing',
  usage_not_included: 'billing',
  permission_error: 'forbidden',
  permission_denied: 'forbidden',
  not_found_error: 'not-found',
  model_not_found: 'not-found',
  request_too_large: 'too-large',
  rate_limit_error: 'rate-limit',
  rate_limit_exceeded: 'rate-limit',
  usage_limit_reached: 'rate-limit',
  slow_down: 'rate-limit',
  timeout_error: 'timeout',
  overloaded_error: 'overloaded',
  server_is_overloaded: 'overloaded',
  api_error: 'server',
  server_error: 'server',
}

const byStatus = (status: number): FailureClass => {
  switch (status) {
    case 401:
      return 'unauthorised'
    case 402:
      return 'billing'
    case 403:
      return 'forbidden'
    case 404:
      return 'not-found'
    case 408:
    case 504:
      return 'timeout'
    case 413:
      return 'too-large'
    case 429:
      return 'rate-limit'
    case 503:
    case 529:
      return 'overloaded'
    default:
      return status >= 400 && status < 500 ? 'bad-request' : 'server'
  }
}

const longestMessage = 2_000
const tooLong = /(?:prompt|input) (?:is )?too long|context[_ ](?:length|window|size|limit)|too many tokens/i
/** Places that a vendor's sentence may name and a client has no business with. */
const addresses = /\bhttps?:\/\/[^\s"'<>]+/g
const secrets = /\b(?:sk|pk|key)-[\w*-]{8,}/g
/** Whose the account is. */
const owners = /\b(?:org|proj|user)[-_](?=\w*\d)\w{10,}|[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g

/** Reads an error object wherever a vendor put it; `status` 0 inside a stream. */
export function failureIn(status: number, body: JsonObject | null): Failure {
  const response = objectIn(body?.response)
  const error = objectIn(body?.error) ?? objectIn(response?.error) ?? body
  const said = textIn(error?.message) ?? textIn(body?.detail) ?? textIn(body?.error) ?? ''
  const named = [textIn(error?.code), textIn(error?.type)]
    .map((name) => entryIn(byName, name))
    .find((found) => found !== undefined)
  // Inside a stream some servers give the status as the code.
  const stated = status === 0 ? Number(body?.status ?? body?.status_code ?? error?.code ?? 0) : status
  // A status says more than a general type, a particular code more than a status.
  const general = named === undefined || named === 'bad-request' || named === 'server'
  let found = general && stated >= 400 ? byStatus(stated) : (named ?? 'server')
  if ((found === 'bad-request' || found === 'server') && tooLong.test(said)) found = 'too-long'
  const told = said.slice(0, longestMessage).replace(addresses, '(address)').replace(secrets, '(key)')
  const message = told.replace(owners, '(account)')
  return { class: found, message: message === '' ? plainWords[found] : message }
}

/** A negative answer's body, which may be a web page or nothing. */
export const failureOfAnswer = (status: number, body: string): Failure => failureIn(status, objectIn(parsed(body)))

const plainWords: Readonly<Record<FailureClass, string>> = {
  'bad-request': 'The upstream did not accept the request.',
  'too-long': 'The prompt is longer than the model can read.',
  unauthorised: 'The upstream did not accept the credential.',
  billing: 'The account has no credit left.',
  forbidden: 'The upstream does not allow this request.',
  'not-found': 'The upstream does not know the model.',
  'too-large': 'The request is too large for the upstream.',
  'rate-limit': 'The upstream limits requests just now.',
  server: 'The upstream failed.',
  timeout: 'The upstream took too long.',
  overloaded: 'The upstream is overloaded.',
}

export function failureStatus(client: Dialect, failure: Failure): number {
  return client === 'messages' ? words[failure.class].messages[0] : words[failure.class].openAi[0]
}

/** The envelope of a whole answer, and of an error event or chunk. */
export function failureBody(client: Dialect, failure: Failure): Record<string, unknown> {
  if (client !== 'messages') {
    const [, type, code] = words[failure.class].openAi
    return { error: { message: failure.message, type, param: null, code } }
  }
  // Clients look for these words to compact the conversation.
  const isTold = failure.class !== 'too-long' || failure.message.startsWith('prompt is too long')
  const message = isTold ? failure.message : `prompt is too long: ${failure.message}`
  return { type: 'error', error: { type: words[failure.class].messages[1], message } }
}

/** Of a stream that failed: clients know no code for a timeout there (bridge §3.7, §3.9). */
export const responsesCode = (failure: Failure): string =>
  failure.class === 'timeout' ? 'server_error' : words[failure.class].openAi[2]
