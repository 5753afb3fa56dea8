/** What the pinned clients really send, read by the session rules; `test/clients` fails when a client changes. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { HeaderList } from '../../src/main/dialects/headers.ts'
import { claudeCodeEvidence, isCodexClient, sessionOf } from '../../src/main/dialects/session.ts'
import type { SessionIdentity } from '../../src/main/domain/session.ts'

interface Captured {
  readonly line: string
  readonly headers: readonly string[]
  readonly body: { readonly metadata?: unknown; readonly prompt_cache_key?: unknown }
}

function capturedBy(name: string): readonly Captured[] {
  const text = readFileSync(new URL(`../clients/fixtures/${name}.json`, import.meta.url), 'utf8')
  return (JSON.parse(text) as { readonly requests: readonly Captured[] }).requests
}

const headersOf = ({ headers }: Captured): HeaderList =>
  new HeaderList(
    headers.flatMap((line) => {
      const colon = line.indexOf(': ')
      return [line.slice(0, colon), line.slice(colon + 2)]
    }),
  )

const sessionIn = (request: Captured): SessionIdentity | null =>
  sessionOf(headersOf(request).get, { metadata: request.body.metadata, promptCacheKey: request.body.prompt_cache_key })

const identity = (key: string, ...parents: readonly string[]): SessionIdentity => ({
  key,
  parents,
  interactive: true,
  from: 'header',
})

const allMarks = ['session-id', 'x-app', 'user-agent', 'user-id']

describe.each([
  ['codex-provider', [identity('codex:<uuid 1>'), identity('codex:<uuid 1>')]],
  ['codex-sign-in', [identity('codex:<uuid 1>'), identity('codex:<uuid 1>'), identity('codex:<uuid 1>')]],
  ['codex-subagent', [identity('codex:<uuid 1>', 'codex:<uuid 3>')]],
  ['claude-code', [identity('claude:<uuid 1>'), identity('claude:<uuid 1>:agent:<agent 1>', 'claude:<uuid 1>')]],
])('%s', (name, sessions) => {
  const isCodex = name.startsWith('codex')

  it('gives each request its conversation and the one it belongs to', () => {
    expect(capturedBy(name).map(sessionIn)).toEqual(sessions)
  })

  it('is told as the client that it is, and no other', () => {
    const told = capturedBy(name).map((request) => {
      const { get } = headersOf(request)
      return { codex: isCodexClient(get), claudeCode: claudeCodeEvidence(get, request.body.metadata) }
    })
    expect(told).toEqual(sessions.map(() => ({ codex: isCodex, claudeCode: isCodex ? [] : allMarks })))
  })
})

describe('without the headers', () => {
  const fromBody = ({ body }: Captured): SessionIdentity | null =>
    sessionOf(() => null, { metadata: body.metadata, promptCacheKey: body.prompt_cache_key })

  it('the body still names the conversation, of a subagent the one it belongs to', () => {
    const named = ['codex-provider', 'codex-subagent', 'claude-code'].map((name) => capturedBy(name).map(fromBody))
    const body = (key: string): SessionIdentity => ({ ...identity(key), from: 'body' })
    expect(named).toEqual([
      [body('codex:<uuid 1>'), body('codex:<uuid 1>')],
      [body('codex:<uuid 3>')],
      [body('claude:<uuid 1>'), body('claude:<uuid 1>')],
    ])
  })
})
