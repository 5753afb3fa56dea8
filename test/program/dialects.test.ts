/** Which dialects a backend speaks, what is translated for it, what that loses, and the test that proves it. */
import { describe, expect, test } from 'vitest'
import { account, model, practiceProgram } from './members-kit.ts'

const program = practiceProgram()

interface Backend {
  readonly backendId: string
  readonly dialects: readonly string[]
  readonly translates: readonly object[]
}
const backends = async (): Promise<ReadonlyMap<string, Backend>> => {
  const pools = await program().rpc<{ tiers: Backend[][] }[]>('models.pools')
  return new Map(pools.flatMap(({ tiers }) => tiers.flat()).map((backend) => [backend.backendId, backend]))
}

describe('a backend', () => {
  test('shows whose calls are translated for it; a Claude account is asked in nothing but its own', async () => {
    const all = await backends()
    const shown = (start: string) => [...all.values()].find(({ backendId }) => backendId.startsWith(start))?.translates
    expect([shown('claude-work:'), shown(`${account}:`), shown('openai-key:'), shown('ollama:')]).toEqual([
      [],
      [
        { from: 'messages', to: 'responses' },
        { from: 'chat', to: 'responses' },
      ],
      [{ from: 'messages', to: 'responses' }],
      [],
    ])
  })
  test('kept for its vendor’s own client is asked in nothing else', async () => {
    await program().rpc('accounts.setOptions', { id: account, serves: 'codex-only' })
    expect((await backends()).get(`${account}:${model}`)?.translates).toEqual([])
    expect(await program().rpc('models.losses', { backendId: `${account}:${model}` })).toEqual([])
    await program().rpc('accounts.setOptions', { id: account, serves: 'any-client' })
  })
  test('tells what each translation loses', async () => {
    const [there] = await program().rpc<{ from: string; losses: { id: string; action: string; sentence: string }[] }[]>(
      'models.losses',
      { backendId: `openai-key:${model}` },
    )
    expect(there?.losses.find(({ id }) => id === 'top-k')).toEqual({
      id: 'top-k',
      action: 'dropped',
      sentence: '`top_k` is left out.',
    })
    await expect(program().rpc('models.losses', { backendId: 'nobody:m' })).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('a test', () => {
  test('runs a tool call through the translation where there is one', async () => {
    expect(await program().rpc('models.test', { backendId: `openai-key:${model}` })).toMatchObject({
      ok: true,
      sentence: `OpenAI key answered as ${model}.`,
      translations: [
        {
          from: 'messages',
          to: 'responses',
          ok: true,
          sentence: 'A tool call came through the translation from Messages to Responses.',
        },
      ],
    })
  })
  test('of a subscription asks no model', async () => {
    expect(await program().rpc('models.test', { backendId: `${account}:${model}` })).toMatchObject({ translations: [] })
  })
  test('is one small request where every dialect is spoken', async () => {
    const [local] = [...(await backends()).keys()].filter((id) => id.startsWith('ollama:'))
    expect(await program().rpc('models.test', { backendId: local })).toMatchObject({ ok: true, translations: [] })
  })
})
