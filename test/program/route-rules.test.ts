/** Route rules on the built program: written by the contract, obeyed over HTTP, told in the log, kept over a restart. */
import { describe, expect, test } from 'vitest'
import { callOnce, model, practiceProgram, problemOf } from './members-kit.ts'

const program = practiceProgram()

interface Rule {
  readonly id: string
  readonly revision: number
}
const written = {
  providerId: 'codex',
  matchModel: model,
  tiers: [[`openai-key:${model}`], [`codex-personal:${model}`]],
}
const setRoute = (change: object = {}) => program().rpc<Rule>('models.setRoute', { ...written, ...change })
const served = async (): Promise<readonly unknown[]> => {
  await callOnce(program())
  const { rows } = await program().rpc<{ rows: { id: string; sourceId: string; upstreamModel: string }[] }>(
    'calls.page',
    {
      limit: 1,
      offset: 0,
    },
  )
  const { decision } = await program().rpc<{ decision: { pool: string; trail: { because: string }[] } }>('calls.get', {
    id: rows[0]?.id,
  })
  const by = decision.trail.find(({ because }) => because.startsWith('route:'))?.because ?? null
  return [rows[0]?.sourceId, decision.pool, by]
}

describe('a route rule', () => {
  test('decides a real call, is shown by explain and in the list, and lets go when it is removed', async () => {
    expect(await served()).toEqual(['codex-team', model, null])
    const preview = await program().rpc('models.previewRoute', written)
    expect(preview).toMatchObject({
      before: { route: null, order: [{ backendId: `codex-team:${model}` }, {}, {}] },
      after: { route: 'route:codex-gpt-5-5', order: [{ backendId: `openai-key:${model}` }, {}] },
    })
    expect(await program().rpc('models.routes')).toEqual([])
    const made = await setRoute()
    expect(made).toMatchObject({ id: 'codex-gpt-5-5', revision: 1, enabled: true, strategy: 'ordered', dialect: null })
    expect(await served()).toEqual(['openai-key', 'route:codex-gpt-5-5', 'route:codex-gpt-5-5'])
    const asked = { providerId: 'codex', model, dialect: 'responses' }
    expect(await program().rpc('models.explain', asked)).toMatchObject({
      route: 'route:codex-gpt-5-5',
      order: [{ backendId: `openai-key:${model}` }, { backendId: `codex-personal:${model}` }],
    })
    const pools = await program().rpc<{ id: string; serving: object }[]>('models.pools')
    expect(pools.find(({ id }) => id === model)?.serving).toMatchObject({ route: 'route:codex-gpt-5-5' })
    const listed = await program().cli(['models', 'routes'])
    expect(listed.stdout).toMatch(/codex-gpt-5-5 +codex +gpt-5\.5 +any +ordered +openai-key:gpt-5\.5 \/ codex-personal/)
    await program().rpc('models.removeRoute', { id: made.id, basedOn: 1 })
    expect(await served()).toEqual(['codex-team', model, null])
  })

  test('maps the request to another model’s backend, which the address doesn’t reach by itself', async () => {
    const { id } = await setRoute({ matchModel: 'codex-next', tiers: [[`openai-key:${model}`]] })
    const answer = await fetch(`${program().address}/codex/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${program().key()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'codex-next', input: [{ role: 'user', content: 'hello' }], stream: true }),
    })
    await answer.text()
    expect(answer.status).toBe(200)
    const { rows } = await program().rpc<{ rows: object[] }>('calls.page', { limit: 1, offset: 0 })
    expect(rows).toMatchObject([{ requestedModel: 'codex-next', upstreamModel: model, sourceId: 'openai-key' }])
    await program().rpc('models.removeRoute', { id })
  })

  test('a change based on an older picture is a conflict', async () => {
    const { id } = await setRoute({ dialect: 'chat' })
    expect(await setRoute({ id, dialect: 'chat', enabled: false, basedOn: 1 })).toMatchObject({ revision: 2 })
    expect((await problemOf(setRoute({ id, dialect: 'chat', basedOn: 1 }))).code).toBe('conflict')
    expect((await problemOf(program().rpc('models.removeRoute', { id, basedOn: 1 }))).code).toBe('conflict')
    expect((await problemOf(setRoute({ dialect: 'chat' }))).sentence).toContain('same address, model and client style')
    await program().rpc('models.removeRoute', { id })
    expect((await problemOf(program().rpc('models.removeRoute', { id }))).code).toBe('not_found')
  })

  for (const [what, change, says] of [
    ['an address that doesn’t exist', { providerId: 'nowhere' }, 'no address nowhere'],
    ['an account’s own address', { providerId: 'codex-team' }, 'names one account'],
    ['a backend that doesn’t exist', { tiers: [['nobody:x']] }, 'no backend nobody:x'],
    ['a backend twice', { tiers: [[`openai-key:${model}`], [`openai-key:${model}`]] }, 'named twice'],
    ['no backend', { tiers: [[]] }, 'needs a backend'],
    ['a strategy that doesn’t exist', { strategy: 'guess' }, 'no strategy guess'],
    ['an option that the strategy doesn’t have', { options: { lowShare: 10 } }, 'lowShare'],
    ['a suffix', { matchModel: `${model}-high` }, 'leave out the suffix'],
  ] as const) {
    test(`${what} is refused`, async () => {
      const refused = await problemOf(setRoute(change))
      expect([refused.code, refused.sentence.includes(says)]).toEqual(['invalid_input', true])
      expect(await program().rpc('models.routes')).toEqual([])
    })
  }
})
