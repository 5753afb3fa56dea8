/** A simulated OpenAI-style API host: responses, compact, chat completions, models, by API key (codex §5). */
import type { Content, ErrorName, PracticeOperation } from './behaviour.ts'
import { apiModels, openaiList, openaiModel } from './catalogue.ts'
import { chatChunks, chatStream, wholeCompletion } from './chat-answer.ts'
import { fill } from './content.ts'
import {
  errorObject,
  namedError,
  type OpenaiFailure,
  openaiError,
  openaiFailure,
  responsesErrorEvent,
} from './openai-errors.ts'
import { responseEvents, wholeResponse } from './responses-answer.ts'
import {
  type Ask,
  bearerOf,
  failing,
  json,
  type Planned,
  recordOf,
  serverSent,
  stream,
  stringOf,
  type Vendor,
} from './vendor.ts'
import type { PracticeSource, World } from './world.ts'

const operations: Readonly<Record<string, PracticeOperation>> = {
  'POST /v1/responses': 'generate',
  'POST /v1/responses/input_tokens': 'count',
  'POST /v1/responses/compact': 'compact',
  'POST /v1/chat/completions': 'generate',
  'GET /v1/models': 'list',
}

export function openaiKeys(world: World): Vendor {
  const source = (ask: Ask): PracticeSource | null => world.byKey('openaiApi', bearerOf(ask))
  return {
    operation: openaiOperation,
    source,
    error: (_ask, _source, name: ErrorName) => namedError(name, 'api'),
    answer(ask, _source, content) {
      const found = source(ask)
      if (found?.kind !== 'key') return namedError('unauthorised', 'api')
      if (found.refusal !== null) return namedError(found.refusal, 'api')
      return openaiAnswer(ask, found, content, rateHeaders)
    },
  }
}

export function openaiOperation(ask: Ask): PracticeOperation {
  if (ask.method === 'GET' && ask.path.startsWith('/v1/models/')) return 'list'
  return operations[`${ask.method} ${ask.path}`] ?? 'other'
}

const rateHeaders: readonly string[] = [
  'x-ratelimit-limit-requests',
  '10000',
  'x-ratelimit-remaining-requests',
  '9999',
  'x-ratelimit-reset-requests',
  '6ms',
  'x-ratelimit-limit-tokens',
  '2000000',
  'x-ratelimit-remaining-tokens',
  '1990000',
  'x-ratelimit-reset-tokens',
  '300ms',
]

/** What an admitted caller gets; Ollama's OpenAI-style side answers through this as well. */
export function openaiAnswer(ask: Ask, source: PracticeSource, content: Content, extra: readonly string[]): Planned {
  const operation = openaiOperation(ask)
  if (operation === 'list') return list(ask)
  if (operation === 'other') return openaiError({ ...openaiFailure('model-unknown', 'api'), status: 404 })
  const wrong = openaiBodyProblem(ask)
  if (wrong !== null) return openaiError(wrong)
  const answer = fill(content, ask, source)
  const headers = ['x-request-id', `req_${answer.id}`, 'openai-processing-ms', '12', ...extra]
  if (operation === 'count') {
    return json(200, { object: 'response.input_tokens', input_tokens: answer.usage.inputTokens }, headers)
  }
  const streaming = ask.json?.stream === true
  const more = content.extraEvents ?? []
  if (operation === 'compact') {
    const summary = { type: 'compaction', encrypted_content: `practice-compaction-${answer.id}` }
    return json(200, { ...wholeResponse(answer), object: 'response.compaction', output: [summary] }, headers)
  }
  if (ask.path.endsWith('/chat/completions')) {
    if (!streaming) return json(200, wholeCompletion(answer), headers)
    const withUsage = recordOf(ask.json?.stream_options)?.include_usage === true
    const chunks = failing(chatChunks(answer, withUsage, more), content, (name) => [
      { error: errorObject(openaiFailure(name, 'api')) },
    ])
    return stream(content.fail === undefined ? chatStream(chunks) : serverSent(chunks, false), headers)
  }
  if (!streaming) return json(200, wholeResponse(answer), headers)
  const events = failing(responseEvents(answer, more), content, (name) => [
    responsesErrorEvent(openaiFailure(name, 'api'), 'api', `resp_${answer.id}`),
  ])
  return stream(serverSent(events, true), headers)
}

function openaiBodyProblem(ask: Ask): OpenaiFailure | null {
  const refuse = (message: string, status = 400): OpenaiFailure => ({
    status,
    body: { error: { message, type: 'invalid_request_error', param: null, code: null } },
  })
  if (ask.bodyProblem === 'unknown-encoding') return refuse('Unsupported content encoding.', 415)
  if (ask.bodyProblem === 'too-large') return refuse('The request is too large.', 413)
  const { json: body } = ask
  if (ask.bodyProblem !== null || body === null) return refuse('We could not parse the JSON body of your request.')
  if (stringOf(body.model) === null) return refuse("Missing required parameter: 'model'.")
  if (ask.path.endsWith('/chat/completions')) {
    return Array.isArray(body.messages) ? null : refuse("Missing required parameter: 'messages'.")
  }
  const { input } = body
  return typeof input === 'string' || Array.isArray(input) ? null : refuse("Missing required parameter: 'input'.")
}

function list(ask: Ask): Planned {
  const id = decodeURIComponent(ask.path.slice('/v1/models/'.length))
  if (id === '') return json(200, openaiList(apiModels, 'practice'))
  const model = apiModels.find((candidate) => candidate.id === id)
  return model === undefined ? namedError('model-unknown', 'api') : json(200, openaiModel(model, 'practice'))
}
