/** Strictness per model and per route rule on the built program: set by the contract and the command line, obeyed over HTTP. */
import { describe, expect, test } from 'vitest'
import { model, practiceProgram, problemOf } from './members-kit.ts'

const program = practiceProgram()

const ask = async () => {
  const answer = await fetch(`${program().address}/openai-key/v1/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${program().key()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, max_tokens: 64, top_k: 5, messages: [{ role: 'user', content: 'hello' }] }),
  })
  return { status: answer.status, body: (await answer.json()) as { error?: { message: string } } }
}
const lastDecision = async () => {
  const { rows } = await program().rpc<{ rows: { id: string }[] }>('calls.page', { limit: 1, offset: 0 })
  return (await program().rpc<{ decision: { sentence: string; warnings: string[] } }>('calls.get', { id: rows[0]?.id }))
    .decision
}
const setStrict = (poolId: string, strict: boolean | null) => program().rpc('models.setStrict', { poolId, strict })

describe('strictness of one model', () => {
  test('refuses there what is left out elsewhere, and the record says so', async () => {
    expect((await ask()).status).toBe(200)
    expect((await lastDecision()).warnings).toContain('top k dropped (top_k): dropped.')
    expect(await setStrict(model, true)).toEqual({ strict: true, isStrict: true })
    const refused = await ask()
    expect([refused.status, refused.body.error?.message]).toEqual([400, expect.stringContaining('strict here (top_k)')])
    expect((await lastDecision()).sentence).toContain('strict here')
    const pools = await program().rpc<{ id: string; strict: boolean | null; isStrict: boolean }[]>('models.pools')
    expect(pools.filter(({ strict }) => strict !== null)).toMatchObject([{ id: model, strict: true, isStrict: true }])
  })
  test('off goes before the setting for all', async () => {
    await program().rpc('settings.set', { strictTranslation: true })
    await setStrict(model, null)
    expect((await ask()).status).toBe(400)
    expect(await setStrict(model, false)).toEqual({ strict: false, isStrict: false })
    expect((await ask()).status).toBe(200)
    await program().rpc('settings.set', { strictTranslation: false })
    await setStrict(model, null)
  })
  test('is set from the command line', async () => {
    const on = await program().cli(['models', 'strict', model, 'on'])
    expect(on.stdout).toContain(`${model}: what a translation would leave out is refused.`)
    expect((await ask()).status).toBe(400)
    const off = await program().cli(['models', 'strict', model, 'default'])
    expect(off.stdout).toContain('left out with a note')
    expect((await problemOf(setStrict('nothing', true))).code).toBe('not_found')
  })
})

test('a route rule has its own, which goes with it', async () => {
  const rule = { providerId: 'openai-key', matchModel: model, tiers: [[`openai-key:${model}`]], strict: true }
  const made = await program().rpc<{ id: string }>('models.setRoute', rule)
  expect(made).toMatchObject({ strict: true })
  expect((await ask()).status).toBe(400)
  expect(await setStrict(`route:${made.id}`, null)).toEqual({ strict: null, isStrict: false })
  expect((await ask()).status).toBe(200)
  await setStrict(`route:${made.id}`, true)
  await program().rpc('models.removeRoute', { id: made.id })
  const again = await program().rpc<{ id: string }>('models.setRoute', { ...rule, strict: undefined })
  expect([again.id, again]).toEqual([made.id, expect.objectContaining({ strict: null })])
  expect((await ask()).status).toBe(200)
  await program().rpc('models.removeRoute', { id: made.id })
})
