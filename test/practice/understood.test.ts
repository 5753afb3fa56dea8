/** The program's own reading of the simulated vendors: what they say is what it understands. */
import { expect, it } from 'vitest'
import type { Signal } from '../../src/main/domain/failure.ts'
import type { ProviderKind } from '../../src/main/domain/source.ts'
import type { ErrorName } from '../../src/main/practice/practice.ts'
import { providers } from '../../src/main/providers/index.ts'
import { begin, type Callers, message, noonMs, response } from './fixture.ts'

type Ask = (call: Callers) => Promise<Response>

const asks = {
  claude: ['claude-work', (call) => call.claude('/v1/messages', message)],
  codex: ['codex-team', (call) => call.codex('/backend-api/codex/responses', response)],
  'anthropic-compatible': ['anthropic-key', (call) => call.anthropic('/v1/messages', message)],
  'openai-compatible': ['openai-key', (call) => call.openai('/v1/responses', response)],
  ollama: ['ollama', (call) => call.ollama('/v1/responses', response)],
} as const satisfies Record<ProviderKind, readonly [string, Ask]>

const rows: readonly (readonly [ProviderKind, ErrorName, Signal['kind']])[] = [
  ['claude', 'spent', 'window-spent'],
  ['claude', 'burst', 'burst'],
  ['claude', 'overloaded', 'overloaded'],
  ['claude', 'server-error', 'server-error'],
  ['claude', 'unauthorised', 'unauthorised'],
  ['claude', 'expired', 'unauthorised'],
  ['claude', 'html-block', 'host-refused'],
  ['claude', 'billing', 'billing'],
  ['claude', 'model-unknown', 'model-unknown'],
  ['claude', 'invalid', 'final'],
  ['claude', 'too-large', 'final'],
  ['claude', 'long-context', 'request-scoped'],
  ['codex', 'spent', 'window-spent'],
  ['codex', 'burst', 'burst'],
  ['codex', 'overloaded', 'overloaded'],
  ['codex', 'server-error', 'server-error'],
  ['codex', 'unauthorised', 'unauthorised'],
  ['codex', 'expired', 'unauthorised'],
  ['codex', 'revoked', 'unauthorised'],
  ['codex', 'deactivated', 'account-refused'],
  ['codex', 'forbidden', 'account-refused'],
  ['codex', 'html-block', 'host-refused'],
  ['codex', 'model-not-entitled', 'model-not-entitled'],
  ['codex', 'invalid', 'final'],
  ['codex', 'safety', 'final'],
  ['anthropic-compatible', 'spent', 'billing'],
  ['anthropic-compatible', 'unauthorised', 'unauthorised'],
  ['openai-compatible', 'spent', 'billing'],
  ['openai-compatible', 'burst', 'burst'],
  ['openai-compatible', 'overloaded', 'overloaded'],
  ['openai-compatible', 'unauthorised', 'unauthorised'],
  ['openai-compatible', 'model-unknown', 'model-unknown'],
  ['ollama', 'model-unknown', 'model-unknown'],
]

it.each(rows)('%s: %s is read as %s', async (kind, error, signal) => {
  const { practice, call } = await begin()
  const [sourceId, ask] = asks[kind]
  practice.script(sourceId, { reply: { kind: 'error', error } })
  const answer = await ask(call)
  const body = await answer.text()
  const rawHeaders = [...answer.headers].flat()
  const read = providers[kind].read({ status: answer.status, rawHeaders, body, model: 'm', nowMs: noonMs })
  expect(read.signal.kind).toBe(signal)
})

it.each(['claude', 'codex'] as const)('the windows of a %s account are read out of a good answer', async (kind) => {
  const { practice, call } = await begin()
  const [sourceId, ask] = asks[kind]
  const answer = await ask(call)
  const readings = providers[kind].readings([...answer.headers].flat(), noonMs)
  const shown = practice.account(sourceId).windows.filter((window) => window.family === null)
  const plain = readings.filter((reading) => reading.family === null)
  expect(plain.map(({ window, usedPercent, resetAtMs }) => [window, usedPercent, resetAtMs]).sort()).toEqual(
    shown.map(({ name, usedPercent, resetAtMs }) => [name, usedPercent, resetAtMs]).sort(),
  )
})
