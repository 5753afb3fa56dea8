/** The simulated Anthropic API: subscription accounts by OAuth on one origin, API keys on another (claude §2, §4). */
import { modelFamily } from '../domain/quota.ts'
import type { Content, ErrorName, PracticeOperation } from './behaviour.ts'
import { anthropicList, anthropicModel, claudeModels } from './catalogue.ts'
import {
  type ClaudeFailure,
  claudeError,
  claudeErrorEvent,
  claudeFailure,
  htmlBlock,
  requestId,
} from './claude-errors.ts'
import { keyHeaders, profileBody, unifiedHeaders, usageBody } from './claude-limits.ts'
import { fill } from './content.ts'
import type { Checked, Grants } from './grants.ts'
import { messageEvents, wholeMessage } from './messages-answer.ts'
import { type Ask, bearerOf, failing, json, type Planned, serverSent, stream, stringOf, type Vendor } from './vendor.ts'
import { blocking, type PracticeWindow, spentUntil } from './windows.ts'
import { countCall, type PracticeAccount, type PracticeSource, type World, windowsNow } from './world.ts'

const spentForMs = 5 * 60_000

/** A key's monthly cap: no timer (claude §4.5). */
const spendLimit: ClaudeFailure = {
  status: 429,
  type: 'rate_limit_error',
  message: 'This workspace has reached its spend limit.',
  details: { error_code: 'enforced_spend_limit_reached' },
}

const operations: Readonly<Record<string, PracticeOperation>> = {
  'POST /v1/messages': 'generate',
  'POST /v1/messages/count_tokens': 'count',
  'GET /v1/models': 'list',
  'GET /api/oauth/usage': 'usage',
  'GET /api/oauth/profile': 'profile',
}

function claudeOperation(ask: Ask): PracticeOperation {
  if (ask.method === 'GET' && ask.path.startsWith('/v1/models/')) return 'list'
  return operations[`${ask.method} ${ask.path}`] ?? 'other'
}

/** The account or key that asks, or the answer that turns it away. */
type Admitted = { readonly source: PracticeSource; readonly scopes: readonly string[] } | { readonly refusal: Planned }

export function claudeAccounts(world: World, grants: Grants): Vendor {
  const check = (ask: Ask): Checked => grants.check(bearerOf(ask), ask.nowMs)
  return vendor({
    source: (ask) => check(ask).account,
    admit(ask) {
      const refuse = (name: ErrorName, message?: string): Admitted => {
        const failure = claudeFailure(name)
        return { refusal: claudeError({ ...failure, message: message ?? failure.message }, ask.ordinal) }
      }
      if (ask.header('x-api-key') !== null) return refuse('unauthorised', 'invalid x-api-key')
      const found = check(ask)
      if (found.kind === 'unknown') return refuse('unauthorised')
      if (found.kind !== 'ok') return refuse(found.kind)
      if (found.account.provider !== 'claude') return refuse('unauthorised')
      const betas = (ask.header('anthropic-beta') ?? '').split(',').map((beta) => beta.trim())
      if (ask.path !== '/api/oauth/profile' && !betas.includes('oauth-2025-04-20')) {
        return refuse('unauthorised', 'OAuth authentication is currently not supported.')
      }
      return { source: world.account(found.account.id), scopes: found.scopes }
    },
  })
}

export function claudeKeys(world: World): Vendor {
  return vendor({
    source: (ask) => world.byKey('anthropicApi', ask.header('x-api-key')),
    admit(ask) {
      const source = world.byKey('anthropicApi', ask.header('x-api-key'))
      if (source !== null) return { source, scopes: [] }
      const message = ask.header('x-api-key') === null ? 'x-api-key header is required' : 'invalid x-api-key'
      return { refusal: claudeError({ ...claudeFailure('unauthorised'), message }, ask.ordinal) }
    },
  })
}

function vendor(access: { source(ask: Ask): PracticeSource | null; admit(ask: Ask): Admitted }): Vendor {
  return {
    operation: claudeOperation,
    source: access.source,
    error: (ask, source, name) => claudeRefusal(ask, source, name),
    answer(ask, _source, content) {
      const admitted = access.admit(ask)
      if ('refusal' in admitted) return admitted.refusal
      const { source, scopes } = admitted
      if (source.kind === 'key' && source.refusal !== null) return claudeRefusal(ask, source, source.refusal)
      switch (claudeOperation(ask)) {
        case 'generate':
          return generate(ask, source, content)
        case 'count':
          return count(ask)
        case 'list':
          return list(ask)
        case 'usage':
        case 'profile':
          return account(ask, source, scopes)
        default:
          return claudeError({ ...claudeFailure('model-unknown'), message: 'Not found' }, ask.ordinal)
      }
    },
  }
}

function generate(ask: Ask, source: PracticeSource, content: Content): Planned {
  const problem = bodyProblem(ask)
  if (problem !== null) return problem
  const family = scopedFamily(ask)
  if (source.kind === 'account') {
    const block = blocking(windowsNow(source, ask.nowMs), family)
    if (block !== null) return spent(ask, source, source.windows, block)
    countCall(source, family, ask.nowMs)
  }
  const answer = fill(content, ask, source)
  const headers = answerHeaders(ask, source)
  if (ask.json?.stream !== true) return json(200, wholeMessage(answer), headers)
  const events = failing(messageEvents(answer, content.extraEvents ?? []), content, (name) => [claudeErrorEvent(name)])
  return stream(serverSent(events, true), headers, 'text/event-stream; charset=utf-8')
}

/** What is wrong with the body, or null (claude §2.2, §2.3). */
function bodyProblem(ask: Ask): Planned | null {
  const refuse = (message: string, name: ErrorName = 'invalid'): Planned =>
    claudeError({ ...claudeFailure(name), message }, ask.ordinal)
  if (ask.header('anthropic-version') === null) return refuse('anthropic-version: header is required')
  if (ask.bodyProblem === 'too-large') return refuse('Request exceeds the maximum size', 'too-large')
  if (ask.bodyProblem !== null || ask.json === null) return refuse('The request body is not valid JSON')
  if (stringOf(ask.json.model) === null) return refuse('model: Field required')
  if (!Array.isArray(ask.json.messages)) return refuse('messages: Field required')
  const fast = (ask.header('anthropic-beta') ?? '').includes('fast-mode-')
  if (ask.json.speed === 'fast' && !fast) return refuse('speed: Extra inputs are not permitted')
  return null
}

function count(ask: Ask): Planned {
  const problem = bodyProblem(ask)
  if (problem !== null) return problem
  for (const name of ['metadata', 'context_management', 'max_tokens', 'stream']) {
    if (ask.json !== null && name in ask.json) {
      const message = `${name}: Extra inputs are not permitted`
      return claudeError({ ...claudeFailure('invalid'), message }, ask.ordinal)
    }
  }
  return json(200, { input_tokens: Math.max(8, Math.ceil(ask.body.length / 4)) }, [
    'request-id',
    requestId(ask.ordinal),
  ])
}

function list(ask: Ask): Planned {
  const id = ask.path.slice('/v1/models/'.length)
  if (id === '') return json(200, anthropicList(claudeModels, ask.query))
  const model = claudeModels.find((candidate) => candidate.id === decodeURIComponent(id))
  return model === undefined
    ? claudeError({ ...claudeFailure('model-unknown'), message: `model: ${id}` }, ask.ordinal)
    : json(200, anthropicModel(model))
}

function account(ask: Ask, source: PracticeSource, scopes: readonly string[]): Planned {
  if (source.kind !== 'account') {
    return claudeError({ ...claudeFailure('model-unknown'), message: 'Not found' }, ask.ordinal)
  }
  if (!scopes.includes('user:profile')) {
    const message = 'OAuth token does not meet scope requirement user:profile'
    return claudeError({ ...claudeFailure('forbidden'), message }, ask.ordinal)
  }
  const body = ask.path.endsWith('/usage') ? usageBody(windowsNow(source, ask.nowMs)) : profileBody(source)
  return json(200, body, ['request-id', requestId(ask.ordinal)])
}

/** A named failure; limits also show in the headers, as if the window were full. */
function claudeRefusal(ask: Ask, source: PracticeSource | null, name: ErrorName): Planned {
  if (name === 'html-block') return htmlBlock()
  if (source?.kind === 'key' && name === 'spent') return claudeError(spendLimit, ask.ordinal, keyHeaders(ask))
  if (source?.kind === 'account' && (name === 'spent' || name === 'spent-family')) {
    const family = name === 'spent-family' ? (scopedFamily(ask) ?? 'fable') : null
    const windows = spentUntil(windowsNow(source, ask.nowMs), ask.nowMs + spentForMs, family)
    const block = blocking(windows, family)
    if (block !== null) return spent(ask, source, windows, block)
  }
  const limited = source !== null && name !== 'unauthorised' && name !== 'expired' && name !== 'revoked'
  return claudeError(claudeFailure(name), ask.ordinal, limited ? limitHeaders(ask, source) : [])
}

function spent(ask: Ask, source: PracticeAccount, windows: readonly PracticeWindow[], block: PracticeWindow): Planned {
  const retryAfter = Math.max(1, Math.ceil(((block.resetAtMs ?? ask.nowMs) - ask.nowMs) / 1000))
  return claudeError({ ...claudeFailure('spent'), retryAfter }, ask.ordinal, [
    'anthropic-organization-id',
    source.workspaceId,
    'x-should-retry',
    'true',
    ...unifiedHeaders(windows, scopedFamily(ask) ?? block.family),
  ])
}

const answerHeaders = (ask: Ask, source: PracticeSource): readonly string[] => [
  'request-id',
  requestId(ask.ordinal),
  ...limitHeaders(ask, source),
]

function limitHeaders(ask: Ask, source: PracticeSource): readonly string[] {
  if (source.kind !== 'account') return keyHeaders(ask)
  const windows = windowsNow(source, ask.nowMs)
  return ['anthropic-organization-id', source.workspaceId, ...unifiedHeaders(windows, scopedFamily(ask))]
}

/** The family whose own weekly window the model counts against (`7d_oi`), or null. */
function scopedFamily(ask: Ask): string | null {
  const family = modelFamily(stringOf(ask.json?.model) ?? '')
  return family === 'fable' || family === 'mythos' ? 'fable' : null
}
