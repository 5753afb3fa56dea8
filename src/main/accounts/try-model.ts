/** One small request to a model behind a key or on this machine: proves address, key and model at once. */
import { type Problem, problem } from '../../shared/errors.ts'
import { asObject, asText } from '../dialects/json.ts'
import type { Credential } from '../domain/credential.ts'
import type { Dialect, LocalProvider, Profile } from '../domain/source.ts'
import type { WebAnswer } from '../ports.ts'
import { providerOf } from '../providers/index.ts'
import { keyHeaders } from './models.ts'
import { failureText, isAnswer, jsonOf, type ReadDeps } from './own-request.ts'

/** A local model may have to be loaded first. */
const timeoutMs = 60_000
const words = 'Answer with the word ok.'
const turns = [{ role: 'user', content: words }]

/** What a model is asked, in a dialect that its source speaks. */
export interface SmallAsk {
  readonly dialect: Dialect
  /** JSON. */
  readonly body: string
}

/** At most 16 tokens of answer, the least that the Responses API takes; the first dialect of the source is spoken. */
export function plainAsk({ dialects: [dialect = 'chat'] }: Pick<Profile, 'dialects'>, model: string): SmallAsk {
  const bodies: Readonly<Record<Dialect, object>> = {
    messages: { model, max_tokens: 16, messages: turns },
    responses: { model, max_output_tokens: 16, input: words, store: false },
    chat: { model, max_tokens: 16, messages: turns },
  }
  return { dialect, body: JSON.stringify(bodies[dialect]) }
}

/** The good answer, or why there is none. Never for a subscription: it gets no request of ours (product, promise 4). */
export async function tryModel(
  source: Profile | LocalProvider,
  { dialect, body }: SmallAsk,
  credential: Credential | null,
  deps: ReadDeps,
): Promise<WebAnswer | Problem> {
  const { label, proxy } = source
  // No vendor's host is meant, so none is replaced.
  const hosts = { claude: null, claudeAuth: null, codex: null, codexAuth: null }
  const target = providerOf(source).target(source, dialect, 'generate', '', hosts)
  if (target === null) return problem('test_failed', { label, why: 'it does not speak that dialect' })
  const headers = [...keyHeaders(source.provider, credential), 'content-type', 'application/json']
  const url = `${target.origin}${target.path}`
  const answer = await deps.web.fetch({ url, method: 'POST', headers, body, proxy, timeoutMs })
  if (!isAnswer(answer)) return problem('test_failed', { label, why: failureText(answer) })
  if (answer.status === 200) return answer
  if (answer.status === 401) return problem('key_rejected', { label })
  const said = asText(asObject(asObject(jsonOf(answer))?.error)?.type)
  const why = said === null ? failureText(answer) : `${failureText(answer)}, ${said.slice(0, 80)}`
  return problem('test_failed', { label, why })
}
