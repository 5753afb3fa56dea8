/** Pools and access keys over the control socket: order, conflicts, states, policies. */
import { describe, expect, test } from 'vitest'
import { account, model, practiceProgram, problemOf } from './members-kit.ts'

const program = practiceProgram()

describe('pools', () => {
  const poolNow = async () => {
    const pools =
      await program().rpc<
        {
          id: string
          revision: number
          tiers: { backendId: string; enabled: boolean; usedPercent: number | null }[][]
        }[]
      >('models.pools')
    const found = pools.find(({ id }) => id === model)
    if (found === undefined) throw new Error('no pool')
    return found
  }
  const orderOf = ({ tiers }: { tiers: { backendId: string }[][] }) =>
    tiers.map((tier) => tier.map(({ backendId }) => backendId))

  test('are put in order and tiers; what isn’t named follows in the last tier', async () => {
    const { revision } = await poolNow()
    const tiers = [[`codex-personal:${model}`], [`openai-key:${model}`]]
    const changed = await program().rpc<Awaited<ReturnType<typeof poolNow>>>('models.setOrder', {
      poolId: model,
      tiers,
      basedOn: revision,
    })
    expect(orderOf(changed)).toEqual([[`codex-personal:${model}`], [`openai-key:${model}`, `codex-team:${model}`]])
    expect(changed.revision).toBe(revision + 1)
    expect(await program().rpc('models.explain', { providerId: 'codex', model, dialect: 'responses' })).toMatchObject({
      order: [{ backendId: `codex-personal:${model}` }, {}, {}],
    })
  })

  test('a change based on an older picture is a conflict and changes nothing', async () => {
    // The picture tells what both accounts have used, once their usage has been read.
    const read = async () => (await poolNow()).tiers.flat().filter(({ usedPercent }) => usedPercent !== null).length
    await expect.poll(read, { timeout: 10_000 }).toBe(2)
    const before = await poolNow()
    const stale = { poolId: model, tiers: [], basedOn: before.revision - 1 }
    expect(await problemOf(program().rpc('models.setOrder', stale))).toMatchObject({ code: 'conflict' })
    expect(
      (
        await problemOf(
          program().rpc('models.setEnabled', { backendId: `codex-team:${model}`, enabled: false, basedOn: 99 }),
        )
      ).code,
    ).toBe('conflict')
    expect(
      (await problemOf(program().rpc('models.setStrategy', { poolId: model, strategy: 'ordered', basedOn: 99 }))).code,
    ).toBe('conflict')
    expect(await poolNow()).toEqual(before)
  })

  test('a tier names each backend once, and only those of its pool', async () => {
    const { revision: basedOn } = await poolNow()
    for (const tiers of [[[`codex-team:${model}`, `codex-team:${model}`]], [['ollama:gpt-oss:20b']]]) {
      expect((await problemOf(program().rpc('models.setOrder', { poolId: model, tiers, basedOn }))).code).toBe(
        'invalid_input',
      )
    }
  })

  test('backends are switched, weighed and given aliases', async () => {
    const backendId = `codex-team:${model}`
    const [off] = await program().rpc<Awaited<ReturnType<typeof poolNow>>[]>('models.setEnabled', {
      backendId,
      enabled: false,
    })
    expect(off?.tiers.flat().find((one) => one.backendId === backendId)).toMatchObject({
      enabled: false,
      usable: false,
      because: 'disabled',
    })
    await program().rpc('models.setEnabled', { backendId, enabled: true, poolId: model })
    const changed = await program().rpc<{ id: string; tiers: object[][] }[]>('models.setBackend', {
      backendId,
      weight: 4,
      aliases: ['fast'],
    })
    expect(changed.map(({ id }) => id)).toEqual([model, 'fast'])
    expect(changed[1]?.tiers.flat()).toMatchObject([{ backendId, weight: 4, aliases: ['fast'] }])
    await program().rpc('models.setBackend', { backendId, weight: 1, aliases: [] })
  })

  test('take a strategy that exists, without options that it doesn’t have', async () => {
    expect(await program().rpc('models.setStrategy', { poolId: model, strategy: 'ordered' })).toMatchObject({
      strategy: 'ordered',
      usesDefaultStrategy: false,
    })
    expect(await program().rpc('models.setStrategy', { poolId: model, strategy: null })).toMatchObject({
      usesDefaultStrategy: true,
    })
    expect((await problemOf(program().rpc('models.setStrategy', { poolId: model, strategy: 'nope' }))).code).toBe(
      'invalid_input',
    )
    expect(
      (
        await problemOf(
          program().rpc('models.setStrategy', { poolId: model, strategy: 'ordered', options: { speed: 1 } }),
        )
      ).code,
    ).toBe('invalid_input')
  })
})

describe('access keys', () => {
  type Key = { id: string; secret: string; preview: string }
  const works = async (secret: string): Promise<number> => {
    const answer = await fetch(`${program().address}/codex/v1/models`, {
      headers: { authorization: `Bearer ${secret}` },
    })
    await answer.text()
    return answer.status
  }

  test('are shown once, renewed, switched and ended', async () => {
    const made = await program().rpc<Key>('keys.create', { label: 'laptop' })
    expect(made.secret).toMatch(/^pk_[A-Za-z0-9_-]{43}$/)
    expect(await works(made.secret)).toBe(200)
    expect((await problemOf(program().rpc('keys.create', { label: 'laptop' }))).code).toBe('already_exists')
    const renewed = await program().rpc<Key>('keys.rotate', { id: made.id })
    expect([renewed.id, await works(made.secret), await works(renewed.secret)]).toEqual([made.id, 401, 200])
    expect(await program().rpc('keys.setState', { id: 'laptop', state: 'disabled' })).toMatchObject({
      state: 'disabled',
    })
    expect(await works(renewed.secret)).toBe(401)
    expect(await program().rpc('keys.setState', { id: 'laptop', state: 'active' })).toMatchObject({ state: 'active' })
    expect(await program().rpc('keys.setState', { id: made.id, state: 'revoked' })).toMatchObject({ state: 'revoked' })
    expect((await problemOf(program().rpc('keys.setState', { id: made.id, state: 'active' }))).code).toBe(
      'invalid_input',
    )
    const again = await program().rpc<Key>('keys.create', { label: 'laptop' })
    // The label belongs to the new one.
    expect(await program().rpc('keys.setState', { id: 'laptop', state: 'disabled' })).toMatchObject({ id: again.id })
  })

  test('the default key’s file follows its rotation', async () => {
    const renewed = await program().rpc<Key>('keys.rotate', { id: 'default' })
    expect(program().key()).toBe(renewed.secret)
    expect(await works(program().key())).toBe(200)
  })

  test('take a policy and limits; null policy refuses every call', async () => {
    const { id, secret } = await program().rpc<Key>('keys.create', {
      label: 'bound',
      policy: { mode: 'strict', sources: [account] },
      providers: ['codex'],
    })
    expect(
      await program().rpc('models.explain', { providerId: 'codex', model, dialect: 'responses', keyId: 'bound' }),
    ).toMatchObject({
      order: [{ backendId: `codex-team:${model}` }],
      excluded: expect.arrayContaining([{ backendId: `openai-key:${model}`, because: 'policy' }]),
    })
    expect(
      await program().rpc('keys.setPolicy', { id, policy: { mode: 'preferred', sources: [account] }, concurrency: 2 }),
    ).toMatchObject({
      policy: { mode: 'preferred', sources: [account], fallback: 'default' },
      providers: ['codex'],
      concurrency: 2,
    })
    expect(await program().rpc('keys.setPolicy', { id, policy: null })).toMatchObject({ policy: null, concurrency: 2 })
    expect(await works(secret)).toBe(403)
    for (const policy of [
      { mode: 'strict', sources: ['nobody'] },
      { mode: 'pool', sources: [account], strategy: 'nope' },
      { mode: 'strict', sources: [] },
      { mode: 'other' },
    ]) {
      const { code } = await problemOf(program().rpc('keys.setPolicy', { id, policy }))
      expect([policy, ['not_found', 'invalid_input'].includes(code)]).toEqual([policy, true])
    }
    expect(
      (
        await problemOf(
          program().rpc('keys.setPolicy', {
            id,
            models: ['gpt-5.5'],
            policy: { mode: 'strict', sources: ['claude-work'] },
          }),
        )
      ).code,
    ).toBe('invalid_input')
  })
})
