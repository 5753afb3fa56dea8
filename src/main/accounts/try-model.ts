/** One small request to a model behind a key or on this machine: proves address, key and model at once. */
import { type Problem, problem } from '../../shared/errors.ts'
import { asObject, asText } from '../dialects/json.ts'
import type { Credential } from '../domain/credential.ts'
import type { Dialect, LocalProvider, Profile } from '../domain/source.ts'
import { keyHeaders } from './models.ts'
import { failureText, isAnswer, jsonOf, type ReadDeps } from './own-request.ts'

/** A local model may have to be loaded first. */
const timeoutMs = 60_000
const words = 'Answer with the word ok.'
const turns = [{ role: 'user', content: words }]

/** At most 16 tokens of answer, the least that the Responses API takes; the first dialect of the source is spoken. */
function askIn(dialect: Dialect, model: string): { readonly path: string; readonly body: object } {
  switch (dialect) {
    case 'messages':
      return { path: '/v1/messages', body: { model, max_tokens: 16, messages: turns } }
    case 'responses':
      return { path: '/v1/responses', body: { model, max_output_tokens: 16, input: words, store: false } }
    case 'chat':
      return { path: '/v1/chat/completions', body: { model, max_tokens: 16, messages: turns } }
  }
}

/** Null when the model answered. Never for a subscription: it gets no request of ours (product, promise 4). */
export async function tryModel(
  source: Profile | LocalProvider,
  upstreamModel: string,
  credential: Credential | null,
  deps: ReadDeps,
): Promise<Problem | null> {
  const { label, proxy } = source
  const { path, body } = askIn(source.dialects[0] ?? 'chat', upstreamModel)
  const headers = [...keyHeaders(source.provider, credential), 'content-type', 'application/json']
  const url = `${source.baseUrl}${path}`
  const answer = await deps.web.fetch({ url, method: 'POST', headers, body: JSON.stringify(body), proxy, timeoutMs })
  if (!isAnswer(answer)) return problem('test_failed', { label, why: failureText(answer) })
  if (answer.status === 200) return null
  if (answer.status === 401) return problem('key_rejected', { label })
  const said = asText(asObject(asObject(jsonOf(answer))?.error)?.type)
  const why = said === null ? failureText(answer) : `${failureText(answer)}, ${said.slice(0, 80)}`
  return problem('test_failed', { label, why })
}
