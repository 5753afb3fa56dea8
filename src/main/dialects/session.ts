/**
 * Which conversation a request belongs to: headers first by QR's table and precedence, then the body (routing §5,
 * claude §3, codex §3). `x-client-request-id` is never used. Nothing here is stored: keys are hashed before.
 */
import type { SessionIdentity } from '../domain/session.ts'
import { asObject, asText, type JsonObject } from './json.ts'

type Lookup = (name: string) => string | null

/** Body fields that can name a session. */
export interface SessionFields {
  readonly metadata: unknown
  readonly promptCacheKey: unknown
}

const generic = [
  'x-session-id',
  'x-session-affinity',
  'x-slot-session-id',
  'x-task-id',
  'x-conversation-id',
  'x-thread-id',
] as const

const clean = (value: string | null | undefined): string | null => {
  const text = value?.trim() ?? ''
  return text === '' || text.length > 512 ? null : text
}

/** Null when neither headers nor body name a conversation. */
export function sessionOf(header: Lookup, fields: SessionFields): SessionIdentity | null {
  return fromClaudeHeaders(header) ?? fromCodexHeaders(header) ?? fromGenericHeaders(header) ?? fromBody(fields)
}

function fromClaudeHeaders(header: Lookup): SessionIdentity | null {
  const session = clean(header('x-claude-code-session-id'))
  if (session === null) return null
  const agent = clean(header('x-claude-code-agent-id'))
  if (agent === null) return { key: `claude:${session}`, parents: [], interactive: true, from: 'header' }
  const parentAgent = clean(header('x-claude-code-parent-agent-id'))
  const parents = parentAgent === null ? [] : [`claude:${session}:agent:${parentAgent}`]
  return {
    key: `claude:${session}:agent:${agent}`,
    parents: [...parents, `claude:${session}`],
    interactive: true,
    from: 'header',
  }
}

function fromCodexHeaders(header: Lookup): SessionIdentity | null {
  const turn = turnMetadata(header('x-codex-turn-metadata'))
  const session = clean(header('session-id')) ?? clean(header('session_id')) ?? clean(asText(turn?.session_id))
  const thread =
    clean(header('thread-id')) ?? clean(asText(turn?.thread_id)) ?? clean(header('conversation_id')) ?? session
  if (thread === null) return null
  const candidates = [
    clean(header('x-codex-parent-thread-id')),
    clean(asText(turn?.parent_thread_id)),
    clean(asText(turn?.forked_from_thread_id)),
    session,
  ]
  const parents = new Set<string>()
  for (const parent of candidates) if (parent !== null && parent !== thread) parents.add(`codex:${parent}`)
  const kind = asText(turn?.request_kind) ?? ''
  const background = kind === 'memory' || header('x-openai-memgen-request') === 'true'
  return { key: `codex:${thread}`, parents: [...parents], interactive: !background, from: 'header' }
}

/** Where the client works: said by `connect`'s own header, or by Codex of its turn (access.md, "Access keys"). */
export function foldersOf(header: Lookup): readonly string[] {
  const own = header('x-pointsman-folder')
  if (own !== null) return own.length <= longestFolder ? [own] : []
  const text = header('x-codex-turn-metadata')
  const workspaces = text?.includes('"workspaces"') === true ? asObject(turnMetadata(text)?.workspaces) : null
  return workspaces === null ? [] : Object.keys(workspaces).slice(0, mostFolders)
}

const longestFolder = 4_096
const mostFolders = 20

function fromGenericHeaders(header: Lookup): SessionIdentity | null {
  for (const name of generic) {
    const id = clean(header(name))
    if (id === null) continue
    const parent = clean(header(`x-parent-${name.slice(2)}`))
    return {
      key: `generic:${id}`,
      parents: parent === null ? [] : [`generic:${parent}`],
      interactive: true,
      from: 'header',
    }
  }
  return null
}

function fromBody(fields: SessionFields): SessionIdentity | null {
  const user = asText(asObject(fields.metadata)?.user_id)
  const claude = user === null ? null : claudeUser(user)
  if (claude !== null && claude.session !== null) {
    const parents = claude.parent === null ? [] : [`claude:${claude.parent}`]
    return { key: `claude:${claude.session}`, parents, interactive: true, from: 'body' }
  }
  const cacheKey = clean(asText(fields.promptCacheKey))
  return cacheKey === null ? null : { key: `codex:${cacheKey}`, parents: [], interactive: true, from: 'body' }
}

const oldUser = /^user_[0-9a-f]{64}_account_[0-9a-f-]*_session_([0-9a-f-]{8,64})$/

/** `metadata.user_id` in its two known forms (claude §3); null when it is neither. */
export function claudeUser(text: string): { readonly session: string | null; readonly parent: string | null } | null {
  const old = oldUser.exec(text)
  if (old !== null) return { session: clean(old[1]), parent: null }
  if (!text.startsWith('{')) return null
  const parsed = parseObject(text)
  if (parsed === null || typeof parsed.device_id !== 'string') return null
  return { session: clean(asText(parsed.session_id)), parent: clean(asText(parsed.parent_session_id)) }
}

function turnMetadata(text: string | null): JsonObject | null {
  return text === null || text.length > 65_536 ? null : parseObject(text)
}

function parseObject(text: string): JsonObject | null {
  try {
    return asObject(JSON.parse(text))
  } catch {
    return null
  }
}

/**
 * Evidence that a request comes from genuine Claude Code: at least three of four marks (routing §6). A filter, not a
 * proof; the marks found are recorded.
 */
export function claudeCodeEvidence(header: Lookup, metadata: unknown): readonly string[] {
  const marks: string[] = []
  if (clean(header('x-claude-code-session-id')) !== null) marks.push('session-id')
  if (clean(header('x-app')) !== null) marks.push('x-app')
  if (header('user-agent')?.startsWith('claude-cli/') === true) marks.push('user-agent')
  const user = asText(asObject(metadata)?.user_id)
  if (user !== null && claudeUser(user) !== null) marks.push('user-id')
  return marks
}

/** Codex CLI's own marks: its originator and its agent (codex §2.2, §3). */
export function isCodexClient(header: Lookup): boolean {
  const originator = header('originator') ?? ''
  return originator.startsWith('codex') && (header('user-agent') ?? '').startsWith(originator)
}
