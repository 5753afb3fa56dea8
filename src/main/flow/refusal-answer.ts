/** How a refusal reaches the person: in the client's own style, so that it is shown at once (access.md, table). Pure. */
import type { Problem } from '../../shared/errors.ts'
import { bytesOf } from '../dialects/json.ts'
import type { Dialect } from '../domain/source.ts'
import type { Refusal } from './trail.ts'

export interface RefusalAnswer {
  readonly status: number
  readonly headers: readonly string[]
  readonly body: Uint8Array
}

/** What the answer depends on; nulls while it isn't known yet. */
export interface Caller {
  readonly authenticated: boolean
  readonly dialect: Dialect | null
  readonly stream: boolean
  /** The Codex CLI: it neither repeats a 429 nor shows what it says (access.md, table), and knows no `retry-after`. */
  readonly isCodex?: boolean
  /** For `response.failed`: an id that doesn't exist upstream. */
  readonly callId: string
}

/** Answered to anybody, with nothing that tells who we are. */
export const beforeKey: ReadonlySet<string> = new Set([
  ...['origin_refused', 'no_credentials', 'headers_too_many', 'bad_request', 'access_unavailable'],
])

const soonMs = 60_000

export function refusalAnswer(refusal: Refusal, caller: Caller): RefusalAnswer {
  const { problem } = refusal
  // The same to everybody, and it spares Claude Code minutes of silent retries once its key is disabled.
  if (!caller.authenticated) return answer(problem.status, strangerBody(problem), ['x-should-retry', 'false'])
  const again = mayPassSoon(refusal)
  const headers = ['x-pointsman-error', problem.code]
  if (refusal.retryAfterMs !== null) headers.push('retry-after', String(Math.ceil(refusal.retryAfterMs / 1_000)))
  switch (caller.dialect) {
    case 'messages':
      if (!again) headers.push('x-should-retry', 'false')
      return answer(problem.status, messagesBody(problem), headers)
    case 'responses':
      // The vendor's own code: the client begins its conversation anew on it (codex §2.5).
      if (refusal.param !== undefined) return answer(problem.status, openAiBody(problem, refusal.param), headers)
      if (problem.code === 'state_elsewhere') return answer(problem.status, lostStateBody(problem), headers)
      if (caller.stream && !again) return failedStream(final(problem), headers, caller.callId)
      if (caller.stream && caller.isCodex === true && isMomentary(refusal))
        return failedStream(repeatable(refusal), headers, caller.callId)
      return answer(problem.status, openAiBody(problem), headers)
    case 'chat':
      if (!again) headers.push('x-should-retry', 'false')
      return answer(problem.status, openAiBody(problem, refusal.param), headers)
    case null:
      return answer(problem.status, plainBody(problem), headers)
  }
}

/** Whether the same request may succeed by itself within a minute: then the client's own retry is welcome. */
function mayPassSoon({ problem, retryAfterMs }: Refusal): boolean {
  if (!problem.again) return false
  if (problem.code === 'none_available') return retryAfterMs !== null && retryAfterMs < soonMs
  return retryAfterMs === null || retryAfterMs < soonMs
}

/** Over in a moment or at a known time; of a lost host nobody knows, and the CLI's own tries over 24 s do better. */
const isMomentary = ({ problem, retryAfterMs }: Refusal): boolean =>
  problem.status === 429 || problem.code === 'local_busy' || retryAfterMs !== null

const text = (problem: Problem): string => `${problem.sentence} ${problem.next}`

/** The vendor's own type for a status (claude §4.4), so that the client treats it as it would the vendor's. */
function messagesType(status: number): string {
  switch (status) {
    case 401:
      return 'authentication_error'
    case 403:
      return 'permission_error'
    case 404:
      return 'not_found_error'
    case 413:
      return 'request_too_large'
    case 429:
      return 'rate_limit_error'
    default:
      return status >= 500 ? 'api_error' : 'invalid_request_error'
  }
}

const messagesBody = (problem: Problem): unknown => ({
  type: 'error',
  error: { type: messagesType(problem.status), message: text(problem), code: problem.code },
})

const openAiBody = (problem: Problem, param?: Refusal['param']): unknown => ({
  error: {
    message: text(problem),
    type: problem.status >= 500 ? 'server_error' : 'invalid_request_error',
    param: param?.path ?? null,
    code: param?.code ?? problem.code,
  },
})

const lostStateBody = (problem: Problem): unknown => ({
  error: {
    message: text(problem),
    type: 'invalid_request_error',
    param: 'previous_response_id',
    code: 'previous_response_not_found',
  },
})

/** Nothing that tells a stranger which program answers (T1.10). */
const strangerBody = (problem: Problem): unknown => ({
  type: 'error',
  error: { type: messagesType(problem.status), message: problem.sentence, code: problem.code },
})

/** Readable by every client: the outer shape of one vendor, the inner fields of the other. */
const plainBody = (problem: Problem): unknown => ({
  type: 'error',
  error: { type: messagesType(problem.status), message: text(problem), code: problem.code },
})

function answer(status: number, body: unknown, headers: readonly string[]): RefusalAnswer {
  const bytes = bytesOf(JSON.stringify(body))
  const fixed = [
    'content-type',
    'application/json',
    'content-length',
    String(bytes.length),
    'cache-control',
    'no-store',
  ]
  return { status, headers: [...fixed, ...headers], body: bytes }
}

interface StreamError {
  readonly code: string
  readonly message: string
}

/** The Codex CLI shows exactly our sentence, once. */
const final = (problem: Problem): StreamError => ({ code: 'invalid_prompt', message: text(problem) })

const usualWaitMs = 2_000

/** It waits as long as the words say, tries again five times, and then shows our sentence (seen with 0.169). */
function repeatable({ problem, retryAfterMs }: Refusal): StreamError {
  const seconds = Math.ceil((retryAfterMs ?? usualWaitMs) / 1_000)
  return { code: 'rate_limit_exceeded', message: `${text(problem)} Please try again in ${seconds}s.` }
}

/** A 200 stream that ends in `response.failed`: the one form of which the Codex CLI reads our own words. */
function failedStream(error: StreamError, headers: readonly string[], callId: string): RefusalAnswer {
  const response = { id: `resp_pointsman_${callId}`, object: 'response', output: [], usage: null }
  const events = [
    { type: 'response.created', sequence_number: 0, response: { ...response, status: 'in_progress', error: null } },
    { type: 'response.failed', sequence_number: 1, response: { ...response, status: 'failed', error } },
  ]
  const body = bytesOf(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''))
  const fixed = ['content-type', 'text/event-stream', 'cache-control', 'no-store']
  return { status: 200, headers: [...fixed, ...headers], body }
}
