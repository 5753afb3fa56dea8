/** The simulated ChatGPT backend for Codex: responses, compact, models, usage (codex §2, §4). */
import { modelFamily } from '../domain/quota.ts'
import type { Content, ErrorName, PracticeOperation } from './behaviour.ts'
import { codexCatalogue, codexModels } from './catalogue.ts'
import { codexHeaders, resetCredits, whamUsage } from './codex-limits.ts'
import { fill } from './content.ts'
import type { Checked, Grants } from './grants.ts'
import {
  namedError,
  type OpenaiFailure,
  openaiError,
  openaiFailure,
  responsesErrorEvent,
  usageLimit,
} from './openai-errors.ts'
import { responseEvents, wholeResponse } from './responses-answer.ts'
import { type Ask, bearerOf, failing, json, type Planned, serverSent, stream, stringOf, type Vendor } from './vendor.ts'
import { blocking, spentUntil } from './windows.ts'
import { countCall, type PracticeAccount, type PracticeSource, type World, windowsNow } from './world.ts'

const base = '/backend-api/codex'
const spentForMs = 5 * 60_000

const operations: Readonly<Record<string, PracticeOperation>> = {
  [`POST ${base}/responses`]: 'generate',
  [`POST ${base}/responses/compact`]: 'compact',
  [`GET ${base}/models`]: 'list',
  'GET /backend-api/wham/usage': 'usage',
  'GET /backend-api/wham/rate-limit-reset-credits': 'reset-credits',
}

/** Known to the public API, refused here (codex §2.3). */
const unsupported = [
  'previous_response_id',
  'stream_options',
  'truncation',
  'background',
  'conversation',
  'max_output_tokens',
  'temperature',
  'top_p',
  'metadata',
  'user',
]

export interface CodexVendor extends Vendor {
  /** The account of an upgrade request, or the answer that turns it away. */
  admit(ask: Ask): { readonly account: PracticeAccount } | { readonly refusal: Planned }
  /** Whether the token of an upgrade has been revoked since. */
  revoked(upgrade: Ask): boolean
}

export function codexAccounts(world: World, grants: Grants): CodexVendor {
  const check = (ask: Ask): Checked => grants.check(bearerOf(ask), ask.nowMs)
  const admit: CodexVendor['admit'] = (ask) => {
    const found = check(ask)
    if (found.kind === 'expired' || found.kind === 'revoked') return { refusal: namedError(found.kind, 'codex') }
    const wrong = found.account === null || found.account.provider !== 'codex'
    if (wrong || ask.header('chatgpt-account-id') !== found.account.workspaceId) {
      return { refusal: namedError('unauthorised', 'codex') }
    }
    return { account: world.account(found.account.id) }
  }
  return {
    operation: (ask) => operations[`${ask.method} ${ask.path}`] ?? 'other',
    source: (ask) => check(ask).account,
    admit,
    revoked: (upgrade) => check(upgrade).kind === 'revoked',
    error: codexRefusal,
    answer(ask, _source, content) {
      const admitted = admit(ask)
      if ('refusal' in admitted) return admitted.refusal
      const { account } = admitted
      switch (operations[`${ask.method} ${ask.path}`]) {
        case 'generate':
          return generate(ask, account, content)
        case 'compact':
          return compact(ask, account, content)
        case 'list':
          return json(200, codexCatalogue(codexModels), ['etag', '"practice-models-1"'])
        case 'usage':
          return json(200, whamUsage(account, windowsNow(account, ask.nowMs), ask.nowMs))
        case 'reset-credits':
          return json(200, resetCredits(ask.nowMs))
        default:
          return openaiError({ status: 404, body: { detail: 'Not Found' } })
      }
    },
  }
}

function generate(ask: Ask, account: PracticeAccount, content: Content): Planned {
  const wrong = codexBodyProblem(ask, 'generate')
  if (wrong !== null) return openaiError(wrong)
  const spent = spentNow(ask, account)
  if (spent !== null) return openaiError(spent, limitHeaders(ask, account))
  countCall(account, poolFamily(ask), ask.nowMs)
  const answer = fill(content, ask, account)
  const events = failing(responseEvents(answer, content.extraEvents ?? []), content, (name) => [
    responsesErrorEvent(codexFailure(ask, account, name), 'codex', `resp_${answer.id}`),
  ])
  return stream(serverSent(events, true), [
    'openai-model',
    answer.model,
    'x-request-id',
    `req-${answer.id}`,
    'x-codex-turn-state',
    `practice-turn-${account.id}`,
    'x-models-etag',
    '"practice-models-1"',
    ...limitHeaders(ask, account),
  ])
}

function compact(ask: Ask, account: PracticeAccount, content: Content): Planned {
  const wrong = codexBodyProblem(ask, 'compact')
  if (wrong !== null) return openaiError(wrong)
  const spent = spentNow(ask, account)
  if (spent !== null) return openaiError(spent, limitHeaders(ask, account))
  countCall(account, poolFamily(ask), ask.nowMs)
  const answer = fill(content, ask, account)
  const summary = { type: 'compaction', encrypted_content: `practice-compaction-${answer.id}` }
  return json(
    200,
    { ...wholeResponse(answer), object: 'response.compaction', output: [summary] },
    limitHeaders(ask, account),
  )
}

/** What the backend says against a body, or null (codex §2.3, §2.4). */
export function codexBodyProblem(ask: Ask, operation: 'generate' | 'compact' | 'frame'): OpenaiFailure | null {
  const refuse = (text: string, status = 400): OpenaiFailure => ({ status, body: { detail: text } })
  if (ask.bodyProblem === 'unknown-encoding') return refuse('Unsupported content encoding', 415)
  if (ask.bodyProblem === 'too-large') return refuse('Request body is too large', 413)
  const { json: body } = ask
  if (ask.bodyProblem !== null || body === null) return refuse('Could not parse the request body')
  if (stringOf(body.model) === null) return refuse('Model is required')
  const forbidden = operation === 'compact' ? [...unsupported, 'client_metadata', 'store', 'stream'] : unsupported
  for (const name of forbidden) {
    if (name in body && !(operation === 'frame' && (name === 'previous_response_id' || name === 'background'))) {
      return refuse(`Unsupported parameter: ${name}`)
    }
  }
  if (!Array.isArray(body.input)) return refuse('Input must be a list')
  if (operation === 'compact') return null
  if (body.store !== false) return refuse('Store must be set to false')
  return operation === 'generate' && body.stream !== true ? refuse('Stream must be set to true') : null
}

export function spentNow(ask: Ask, account: PracticeAccount): OpenaiFailure | null {
  const block = blocking(windowsNow(account, ask.nowMs), poolFamily(ask))
  return block === null ? null : usageLimit(account.plan, block.resetAtMs ?? ask.nowMs, ask.nowMs)
}

export const limitHeaders = (ask: Ask, account: PracticeAccount): readonly string[] =>
  codexHeaders(account, windowsNow(account, ask.nowMs), poolFamily(ask), ask.nowMs)

export function codexFailure(ask: Ask, source: PracticeSource | null, name: ErrorName): OpenaiFailure {
  if (name !== 'spent' && name !== 'spent-family') return openaiFailure(name, 'codex')
  return usageLimit(source?.kind === 'account' ? source.plan : 'plus', ask.nowMs + spentForMs, ask.nowMs)
}

function codexRefusal(ask: Ask, source: PracticeSource | null, name: ErrorName): Planned {
  if (source?.kind !== 'account') return namedError(name, 'codex')
  const failure = codexFailure(ask, source, name)
  if (name === 'spent' || name === 'spent-family') {
    const windows = spentUntil(windowsNow(source, ask.nowMs), ask.nowMs + spentForMs)
    return openaiError(failure, codexHeaders(source, windows, poolFamily(ask), ask.nowMs))
  }
  const known = !['unauthorised', 'expired', 'revoked', 'html-block'].includes(name)
  return namedError(name, 'codex', known ? limitHeaders(ask, source) : [])
}

/** The pool of its own that the model counts against, or null. */
export function poolFamily(ask: Ask): string | null {
  return modelFamily(stringOf(ask.json?.model) ?? '') === 'spark' ? 'spark' : null
}
