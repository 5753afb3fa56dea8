/** A simulated Ollama: probe, tags, and its OpenAI- and Anthropic-style sides, without authentication (codex §8). */
import type { Content, ErrorName } from './behaviour.ts'
import { ollamaModels, openaiList } from './catalogue.ts'
import { claudeErrorEvent } from './claude-errors.ts'
import { fill } from './content.ts'
import { messageEvents, wholeMessage } from './messages-answer.ts'
import { openaiAnswer, openaiOperation } from './openai.ts'
import { openaiFailure } from './openai-errors.ts'
import { type Ask, failing, json, type Planned, serverSent, stream, text, type Vendor } from './vendor.ts'
import type { PracticeSource, World } from './world.ts'

export function ollama(world: World): Vendor {
  return {
    operation(ask) {
      if (ask.path === '/' || ask.path === '/api/version') return 'probe'
      if (ask.path === '/api/tags') return 'list'
      return ask.method === 'POST' && ask.path === '/v1/messages' ? 'generate' : openaiOperation(ask)
    },
    source: () => world.local('ollamaHost'),
    error: (_ask, _source, name: ErrorName) => refusal(name),
    answer(ask, source, content) {
      if (ask.path === '/') return text(200, 'Ollama is running', 'text/plain; charset=utf-8')
      if (ask.path === '/api/version') return json(200, { version: '0.33.0' })
      if (ask.path === '/api/tags') return json(200, { models: ollamaModels.map(({ id }) => tag(id)) })
      if (ask.path === '/v1/models') return json(200, openaiList(ollamaModels, 'library'))
      const stateful = ['previous_response_id', 'conversation', 'truncation'].some((name) => ask.json?.[name] != null)
      if (
        source === null ||
        ['/v1/responses/compact', '/v1/responses/input_tokens'].includes(ask.path) ||
        ask.path === '/v1/messages/count_tokens'
      ) {
        return text(404, '404 page not found', 'text/plain')
      }
      if (ask.path === '/v1/responses' && stateful) return json(400, { error: 'only stateless requests are supported' })
      if (ask.method === 'POST' && ask.path === '/v1/messages') return messages(ask, source, content)
      return openaiOperation(ask) === 'other'
        ? text(404, '404 page not found', 'text/plain')
        : openaiAnswer(ask, source, content, [])
    },
  }
}

function messages(ask: Ask, source: PracticeSource, content: Content): Planned {
  if (ask.json === null || !Array.isArray(ask.json.messages)) {
    return json(400, { type: 'error', error: { type: 'invalid_request_error', message: 'messages is required' } })
  }
  const answer = fill(content, ask, source)
  if (ask.json.stream !== true) return json(200, wholeMessage(answer))
  const events = failing(messageEvents(answer, content.extraEvents ?? []), content, (name) => [claudeErrorEvent(name)])
  return stream(serverSent(events, true))
}

/** Native errors are one text. */
function refusal(name: ErrorName): Planned {
  const { status } = openaiFailure(name, 'api')
  return json(status, {
    error: name === 'model-unknown' ? 'model not found, try pulling it first' : 'the model could not answer',
  })
}

const tag = (id: string): object => ({
  name: id,
  model: id,
  modified_at: '2026-11-01T00:00:00Z',
  size: 13_000_000_000,
  digest: 'practice',
  details: {
    format: 'gguf',
    family: id.split(/[-:]/, 1)[0],
    families: null,
    parameter_size: id.split(':')[1],
    quantization_level: 'MXFP4',
  },
})
