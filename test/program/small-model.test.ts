/** Claude Code's small model on a backend of the person's choice, while its large one stays where it is. */
import { expect, test } from 'vitest'
import { message } from './asks.ts'
import { practiceProgram, problemOf } from './members-kit.ts'

const program = practiceProgram()
const session = '6b1f8a52-5b1e-4a0e-9c3b-1f2e3d4c5b6a'

/** As Claude Code asks. */
const ask = async (model: string) => {
  const answer = await fetch(`${program().address}/claude/v1/messages?beta=true`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${program().key()}`,
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
      'user-agent': 'claude-cli/2.1.328 (external, cli)',
      'x-app': 'cli',
      'x-claude-code-session-id': session,
    },
    body: JSON.stringify(message({ model, metadata: { user_id: JSON.stringify({ session_id: session }) } })),
  })
  await answer.text()
  const { rows } = await program().rpc<{ rows: { sourceId: string }[] }>('calls.page', { limit: 1, offset: 0 })
  return [answer.status, rows[0]?.sourceId]
}

test('it goes there, whatever haiku is asked for, and the conversation stays on its account', async () => {
  const [, before] = await ask('claude-opus-4-8')
  expect(before).toMatch(/^claude-/)
  expect(await program().rpc('clients.smallModel')).toEqual({ backendId: null })
  const chosen = { backendId: 'codex-team:gpt-5.5' }
  expect(await program().rpc('clients.setSmallModel', chosen)).toEqual(chosen)
  expect(await ask('claude-haiku-4-5-20251001')).toEqual([200, 'codex-team'])
  expect(await ask('claude-haiku-99')).toEqual([200, 'codex-team'])
  expect(await ask('claude-opus-4-8')).toEqual([200, before])
  const listed = await program().rpc<{ matchModel: string; providerId: string }[]>('models.routes')
  expect(listed).toMatchObject([{ providerId: 'claude', matchModel: '*haiku*', dialect: 'messages' }])
  expect(await program().rpc('clients.setSmallModel', { backendId: null })).toEqual({ backendId: null })
  expect(await program().rpc('models.routes')).toEqual([])
})

test('is chosen from the command line; a backend that is not there is refused', async () => {
  const set = await program().cli(['models', 'small', 'ollama:gpt-oss:20b'])
  expect(set.stdout).toContain('served by ollama:gpt-oss:20b.')
  expect((await program().cli(['models', 'small', 'default'])).stdout).toContain('whoever has it')
  expect((await problemOf(program().rpc('clients.setSmallModel', { backendId: 'a:b' }))).code).toBe('not_found')
})

test('a pattern is previewed by a model that it stands for', async () => {
  const rule = { providerId: 'claude', matchModel: '*haiku*', dialect: 'messages', tiers: [['codex-team:gpt-5.5']] }
  expect(await program().rpc('models.previewRoute', rule)).toMatchObject({
    before: { route: null },
    after: { order: [{ backendId: 'codex-team:gpt-5.5' }] },
  })
})
