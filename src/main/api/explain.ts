/** `models.explain`: turns a described call into the question that the flow's pure stages answer. */
import type { SessionKey } from '../../shared/ids.ts'
import type { Dialect } from '../domain/source.ts'
import { type Explanation, explain } from '../flow/explain.ts'
import type { ApiDeps } from './api-deps.ts'
import { allClaudeCodeMarks, anyKey } from './stand.ts'

export interface ExplainInput {
  readonly providerId: string
  readonly model: string | null
  readonly dialect: Dialect
  readonly sessionId?: string | undefined
  readonly keyId?: string | undefined
  readonly client?: string | undefined
  readonly class?: 'interactive' | 'background' | undefined
}

export function explainFor(input: ExplainInput, deps: ApiDeps): Explanation {
  const { providerId, model, dialect, sessionId, keyId } = input
  const key = keyId === undefined ? anyKey : deps.keys.find(keyId)
  const client = input.client ?? ownClient(dialect)
  const ask = {
    ...{ providerId, dialect, model, key },
    operation: 'generate',
    serviceTier: null,
    session: sessionId === undefined ? null : sessionKey(sessionId, dialect, key.id, deps),
    parents: [],
    interactive: input.class !== 'background',
    claudeCodeMarks: client === 'claude-code' ? allClaudeCodeMarks : [],
    codexClient: client === 'codex',
  } as const
  return explain(ask, deps.view())
}

/** Who speaks a dialect most of the time. */
function ownClient(dialect: Dialect): string {
  if (dialect === 'messages') return 'claude-code'
  return dialect === 'responses' ? 'codex' : 'other'
}

const stored = /^[0-9a-f]{64}$/
const named = /^(claude|codex|generic):/
const prefixes: Readonly<Record<Dialect, string>> = { messages: 'claude', responses: 'codex', chat: 'generic' }

/** A session as the call log stores it, with its prefix, or as the client names it (routing §5). */
function sessionKey(text: string, dialect: Dialect, keyId: string, { digest }: ApiDeps): SessionKey {
  if (stored.test(text)) return text as SessionKey
  const full = named.test(text) ? text : `${prefixes[dialect]}:${text}`
  return digest.sha256(`${keyId}\n${full}`) as SessionKey
}
