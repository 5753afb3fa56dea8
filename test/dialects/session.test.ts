/** Which conversation a request belongs to: headers first, then the body, one table (routing §5). */
import { describe, expect, test } from 'vitest'
import { claudeCodeEvidence, claudeUser, isCodexClient, sessionOf } from '../../src/main/dialects/session.ts'

const sid = '0d3b3f0e-1f44-4d2e-9df0-000000000001'
const oldUser = `user_${'a'.repeat(64)}_account_${sid}_session_${sid}`
const newUser = JSON.stringify({ device_id: 'd', account_uuid: 'a', session_id: sid, parent_session_id: 'parent' })

interface Row {
  readonly name: string
  readonly headers?: Readonly<Record<string, string>>
  readonly user?: string
  readonly promptCacheKey?: unknown
  readonly key: string | null
  readonly parents?: readonly string[]
  readonly interactive?: boolean
}

const rows: readonly Row[] = [
  { name: 'Claude Code', headers: { 'x-claude-code-session-id': sid }, key: `claude:${sid}` },
  {
    name: 'a Claude Code agent',
    headers: { 'x-claude-code-session-id': sid, 'x-claude-code-agent-id': 'a1' },
    key: `claude:${sid}:agent:a1`,
    parents: [`claude:${sid}`],
  },
  {
    name: 'a nested Claude Code agent',
    headers: { 'x-claude-code-session-id': sid, 'x-claude-code-agent-id': 'a2', 'x-claude-code-parent-agent-id': 'a1' },
    key: `claude:${sid}:agent:a2`,
    parents: [`claude:${sid}:agent:a1`, `claude:${sid}`],
  },
  {
    name: 'Claude’s header before its body',
    headers: { 'x-claude-code-session-id': 'header' },
    user: newUser,
    key: 'claude:header',
  },
  {
    name: 'Codex, thread and session',
    headers: { 'session-id': 's', 'thread-id': 't' },
    key: 'codex:t',
    parents: ['codex:s'],
  },
  { name: 'Codex, the root thread', headers: { 'session-id': 's', 'thread-id': 's' }, key: 'codex:s' },
  { name: 'Codex, older spelling', headers: { session_id: 's' }, key: 'codex:s' },
  {
    name: 'Codex, conversation id',
    headers: { conversation_id: 'c', session_id: 's' },
    key: 'codex:c',
    parents: ['codex:s'],
  },
  {
    name: 'Codex, parent by header',
    headers: { 'thread-id': 't', 'x-codex-parent-thread-id': 'p' },
    key: 'codex:t',
    parents: ['codex:p'],
  },
  {
    name: 'Codex, all in the turn’s metadata',
    headers: {
      'x-codex-turn-metadata': JSON.stringify({
        session_id: 's',
        thread_id: 't',
        parent_thread_id: 'p',
        forked_from_thread_id: 'f',
      }),
    },
    key: 'codex:t',
    parents: ['codex:p', 'codex:f', 'codex:s'],
  },
  {
    name: 'Codex, a memory request is not interactive',
    headers: { 'thread-id': 't', 'x-codex-turn-metadata': '{"request_kind":"memory"}' },
    key: 'codex:t',
    interactive: false,
  },
  {
    name: 'Codex, metadata that is no JSON',
    headers: { 'thread-id': 't', 'x-codex-turn-metadata': '{' },
    key: 'codex:t',
  },
  { name: 'generic, in order', headers: { 'x-thread-id': 'second', 'x-session-id': 'first' }, key: 'generic:first' },
  {
    name: 'generic with a parent',
    headers: { 'x-session-id': 's', 'x-parent-session-id': 'p' },
    key: 'generic:s',
    parents: ['generic:p'],
  },
  { name: 'Codex before generic', headers: { 'x-session-id': 's', 'thread-id': 't' }, key: 'codex:t' },
  { name: 'Claude before Codex', headers: { 'x-claude-code-session-id': 'c', 'thread-id': 't' }, key: 'claude:c' },
  { name: 'the body’s old user id', user: oldUser, key: `claude:${sid}` },
  { name: 'the body’s new user id', user: newUser, key: `claude:${sid}`, parents: ['claude:parent'] },
  { name: 'a user id of nobody’s form', user: 'user-7', key: null },
  { name: 'the prompt cache key', promptCacheKey: 'cache', key: 'codex:cache' },
  { name: 'a prompt cache key of another type', promptCacheKey: 7, key: null },
  { name: '`x-client-request-id` is never used', headers: { 'x-client-request-id': 'r' }, key: null },
  { name: 'nothing', key: null },
  { name: 'an empty id', headers: { 'x-claude-code-session-id': '  ' }, key: null },
  { name: 'an id that is far too long', headers: { 'x-session-id': 'x'.repeat(600) }, key: null },
]

describe('the conversation of', () => {
  for (const { name, headers = {}, user, promptCacheKey, key, parents = [], interactive = true } of rows) {
    test(name, () => {
      const metadata = user === undefined ? undefined : { user_id: user }
      const found = sessionOf((header) => headers[header] ?? null, { metadata, promptCacheKey })
      expect(found === null ? null : [found.key, found.parents, found.interactive]).toEqual(
        key === null ? null : [key, parents, interactive],
      )
    })
  }
})

test('the user id is read in its two forms only', () => {
  expect(claudeUser(oldUser)).toEqual({ session: sid, parent: null })
  expect(claudeUser(newUser)).toEqual({ session: sid, parent: 'parent' })
  expect(['', '{}', '{"session_id":"x"}', 'user_x_account__session_y', `${oldUser} `].map(claudeUser)).toEqual([
    null,
    null,
    null,
    null,
    null,
  ])
})

test('marks of Claude Code are counted one by one', () => {
  const headers: Record<string, string> = {
    'x-claude-code-session-id': sid,
    'x-app': 'cli',
    'user-agent': 'claude-cli/2.1.328 (external, cli)',
  }
  expect(claudeCodeEvidence((name) => headers[name] ?? null, { user_id: newUser })).toEqual([
    'session-id',
    'x-app',
    'user-agent',
    'user-id',
  ])
  expect(claudeCodeEvidence(() => null, { user_id: 'me' })).toEqual([])
  expect(claudeCodeEvidence((name) => (name === 'user-agent' ? 'my-claude-cli/1' : null), null)).toEqual([])
})

test('the Codex CLI is known by its originator and its agent together', () => {
  const by = (originator: string | null, agent: string | null) =>
    isCodexClient((name) => (name === 'originator' ? originator : name === 'user-agent' ? agent : null))
  expect([
    by('codex_cli_rs', 'codex_cli_rs/0.169.0'),
    by('codex_cli_rs', 'curl/8'),
    by(null, 'codex_cli_rs/0.169.0'),
    by('other', 'other/1'),
    by('', ''),
  ]).toEqual([true, false, false, false, false])
})
