/** Turns a described call into the question that the pure stages answer; for `models.explain` and the debug routes. */
import type { SessionKey } from '../../shared/ids.ts'
import type { AccessKey } from '../domain/access-key.ts'
import type { Dialect } from '../domain/source.ts'
import type { Digest } from '../ports.ts'
import type { Ask } from './view.ts'

export interface DescribedCall {
  readonly providerId: string
  readonly model: string | null
  readonly dialect: Dialect
  readonly sessionId?: string | undefined
  readonly client?: string | undefined
  readonly folder?: string | undefined
  readonly class?: 'interactive' | 'background' | undefined
}

/** All four marks of genuine Claude Code (routing §6). */
export const allClaudeCodeMarks: readonly string[] = ['session-id', 'x-app', 'user-agent', 'user-id']

export function askOf(call: DescribedCall, key: AccessKey, digest: Pick<Digest, 'sha256'>): Ask {
  const { providerId, model, dialect, sessionId } = call
  const client = call.client ?? ownClient(dialect)
  return {
    ...{ providerId, dialect, model, key },
    operation: 'generate',
    serviceTier: null,
    session: sessionId === undefined ? null : sessionKey(sessionId, dialect, key.id, digest),
    parents: [],
    folders: call.folder === undefined ? [] : [call.folder],
    interactive: call.class !== 'background',
    claudeCodeMarks: client === 'claude-code' ? allClaudeCodeMarks : [],
    codexClient: client === 'codex',
  }
}

/** Who speaks a dialect most of the time. */
export function ownClient(dialect: Dialect): string {
  if (dialect === 'messages') return 'claude-code'
  return dialect === 'responses' ? 'codex' : 'other'
}

const stored = /^[0-9a-f]{64}$/
const named = /^(claude|codex|generic):/
const prefixes: Readonly<Record<Dialect, string>> = { messages: 'claude', responses: 'codex', chat: 'generic' }

/** A session as the call log stores it, with its prefix, or as the client names it (routing §5). */
function sessionKey(text: string, dialect: Dialect, keyId: string, digest: Pick<Digest, 'sha256'>): SessionKey {
  if (stored.test(text)) return text as SessionKey
  const full = named.test(text) ? text : `${prefixes[dialect]}:${text}`
  return digest.sha256(`${keyId}\n${full}`) as SessionKey
}
