/** The shapes of the reading members, over the control socket of the built program. */
import { beforeAll, describe, expect, test } from 'vitest'
import { account, callOnce, model, practiceProgram, problemOf } from './members-kit.ts'

const program = practiceProgram()

describe('the shapes that scripts rely on', () => {
  beforeAll(() => callOnce(program()))

  test('app.snapshot, pause and resume', async () => {
    const before = await program().rpc<{ revision: number }>('app.snapshot')
    expect(before).toMatchObject({
      version: expect.any(String),
      practice: true,
      paused: false,
      address: program().address,
      dataDir: program().dataDir,
      vault: { kind: 'memory', state: 'open', why: null, unsaved: null, isOlder: false },
      saving: { saving: true, waiting: 0, dropped: 0, why: null },
    })
    expect(await program().rpc('app.pause')).toEqual({ ok: true })
    const paused = await program().rpc<{ revision: number }>('app.snapshot')
    expect(paused).toMatchObject({ paused: true })
    expect(paused.revision).toBeGreaterThan(before.revision)
    expect(await program().rpc('app.resume')).toEqual({ ok: true })
    expect(await program().rpc('app.snapshot')).toMatchObject({ paused: false })
  })

  test('accounts.list', async () => {
    const accounts = await program().rpc<{ id: string }[]>('accounts.list')
    expect(accounts.map(({ id }) => id)).toEqual(['claude-work', 'claude-personal', 'codex-team', 'codex-personal'])
    expect(accounts[2]).toEqual({
      id: 'codex-team',
      kind: 'subscription',
      provider: 'codex',
      label: 'Codex, team',
      active: true,
      credentialRef: 'credential/codex-team',
      plan: 'business',
      email: expect.any(String),
      workspace: expect.any(String),
      state: 'ready',
      because: expect.stringMatching(/% left\.$/),
      untilMs: null,
      serves: 'any-client',
      custody: 'pointsman',
      models: expect.arrayContaining([
        expect.objectContaining({ id: model, upstreamModel: model, aliases: [], free: false }),
      ]),
      defaultModel: null,
      weight: 1,
      reservePercent: 0,
      monthlyPrice: null,
      // Null until its usage has been read, which begins by itself.
      credits: expect.toSatisfy(() => true),
      bankedResets: expect.toSatisfy(() => true),
      maySpendBeyondPlan: false,
      proxy: null,
      holder: 'pointsman',
      path: null,
      renewedAtMs: expect.any(Number),
      renewsAtMs: expect.any(Number),
      canHandBack: false,
      createdAtMs: expect.any(Number),
      updatedAtMs: expect.any(Number),
      windows: expect.arrayContaining([
        {
          window: 'five-hour',
          usedPercent: expect.any(Number),
          resetAtMs: expect.any(Number),
          family: null,
          source: 'header',
          ageMs: expect.any(Number),
          state: 'known',
        },
      ]),
    })
  })

  test('profiles.list', async () => {
    const profiles = await program().rpc<{ id: string }[]>('profiles.list')
    expect(profiles.map(({ id }) => id)).toEqual(['anthropic-key', 'openai-key', 'ollama'])
    expect(profiles[1]).toMatchObject({
      kind: 'api',
      provider: 'openai-compatible',
      dialects: ['responses', 'chat'],
      baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      joins: ['codex'],
      state: 'ready',
    })
  })

  test('models.pools', async () => {
    const pools = await program().rpc<{ id: string; tiers: unknown[][] }[]>('models.pools')
    const pool = pools.find(({ id }) => id === model)
    expect(pool).toMatchObject({ id: model, model, strategy: 'ordered', revision: expect.any(Number) })
    expect(pool?.tiers[0]?.[0]).toMatchObject({
      backendId: `codex-team:${model}`,
      sourceType: 'subscription',
      sourceId: 'codex-team',
      sourceLabel: 'Codex, team',
      upstreamModel: model,
      dialects: ['responses'],
      enabled: true,
      weight: 1,
      health: 'healthy',
      usable: true,
      because: 'ready',
    })
  })

  test('models.strategies', async () => {
    const strategies = await program().rpc<{ id: string; sentence: string }[]>('models.strategies')
    expect(strategies.find(({ id }) => id === 'ordered')).toMatchObject({ sentence: expect.stringMatching(/\.$/) })
  })

  test('models.explain says what a real call then does', async () => {
    const asked = { providerId: 'codex', model, dialect: 'responses' }
    const explained = await program().rpc<{ order: { backendId: string }[] }>('models.explain', asked)
    expect(explained).toEqual({
      route: null,
      order: expect.arrayContaining([{ backendId: `codex-team:${model}`, because: 'rank' }]),
      excluded: [],
      switchCostTokens: null,
      sentence: expect.stringContaining('Codex, team'),
    })
    await callOnce(program())
    const { rows } = await program().rpc<{ rows: { backendId: string }[] }>('calls.page', { limit: 1 })
    expect(rows[0]?.backendId).toBe(explained.order[0]?.backendId)
    const other = await program().rpc('models.explain', {
      providerId: 'claude',
      model: 'claude-opus-5-5',
      dialect: 'messages',
      client: 'curl',
    })
    expect(other).toMatchObject({
      excluded: expect.arrayContaining([{ backendId: 'claude-work:claude-opus-5-5', because: 'genuine-client-only' }]),
    })
  })

  test('calls.page, get, export and stats', async () => {
    await callOnce(program())
    const page = await program().rpc<{ rows: { id: string; startedMs: number }[]; next: number; total: number }>(
      'calls.page',
      { limit: 1 },
    )
    expect(page).toMatchObject({ next: 1, total: expect.any(Number) })
    const [row] = page.rows
    expect(row).toMatchObject({
      id: expect.stringMatching(/^\d+$/),
      startedMs: expect.any(Number),
      providerId: 'codex',
      requestedModel: model,
      upstreamModel: model,
      backendId: `codex-team:${model}`,
      sourceType: 'subscription',
      sourceId: 'codex-team',
      sourceLabel: 'Codex, team',
      keyId: expect.stringMatching(/^key_/),
      outcome: 'done',
      status: 200,
      attempts: 1,
      attemptBackends: [`codex-team:${model}`],
      usage: { inputTokens: expect.any(Number), outputTokens: expect.any(Number) },
      firstByteMs: expect.any(Number),
      totalMs: expect.any(Number),
    })
    const following = await program().rpc<{ rows: { id: string }[] }>('calls.page', { limit: 1, cursor: page.next })
    expect(Number(following.rows[0]?.id)).toBeLessThan(Number(row?.id))
    const whole = await program().rpc('calls.get', { id: row?.id })
    expect(whole).toMatchObject({
      call: { id: row?.id },
      executions: [{ sourceId: 'codex-team', outcome: 'done', status: 200, because: 'done' }],
      decision: { strategy: 'ordered', reason: 'rank', wanted: null, actual: 'codex-team', excluded: [] },
    })
    expect(await program().rpc('calls.export', { limit: 1 })).toEqual({ calls: [whole], next: row?.id })
    const filtered = { limit: 5, filter: { sourceId: 'nobody' } }
    expect(await program().rpc('calls.page', filtered)).toEqual({ rows: [], next: null, total: 0, newer: 0 })
    const startedMs = row?.startedMs ?? 0
    const stats = { fromMs: startedMs - 3_600_000, toMs: startedMs + 1, stepMs: 3_600_000 }
    expect(await program().rpc('calls.stats', stats)).toEqual(
      expect.arrayContaining([expect.objectContaining({ sourceId: 'codex-team', failed: 0 })]),
    )
  })

  test('quota.windows, of all and of one', async () => {
    const all = await program().rpc<{ sourceId: string }[]>('quota.windows')
    const one = await program().rpc<{ sourceId: string }[]>('quota.windows', { sourceId: account })
    expect(one.length).toBeGreaterThan(0)
    expect(one.every(({ sourceId }) => sourceId === account)).toBe(true)
    expect(all.filter(({ sourceId }) => sourceId === account)).toHaveLength(one.length)
  })

  test('settings.get and set change only what is given', async () => {
    const before = await program().rpc<object>('settings.get')
    expect(await program().rpc('settings.set', { attempts: 5 })).toEqual({ ...before, attempts: 5 })
    expect(await program().rpc('settings.set', { attempts: 3 })).toEqual(before)
  })

  test('vault.status and unlock', async () => {
    const open = { kind: 'memory', state: 'open', why: null, unsaved: null, isOlder: false }
    expect(await program().rpc('vault.status')).toEqual(open)
    expect(await program().rpc('vault.unlock')).toEqual(open)
  })
})

test('practice.state and fault: an exhausted account shows in quota, pools and the next call', async () => {
  expect(await program().rpc('practice.state')).toMatchObject({
    on: true,
    sources: expect.arrayContaining([{ sourceId: account, label: 'Codex, team', fault: 'none' }]),
  })
  expect(await program().rpc('practice.fault', { sourceId: 'claude-work', fault: 'overload' })).toEqual({ ok: true })
  expect(await program().rpc('practice.state')).toMatchObject({
    sources: expect.arrayContaining([{ sourceId: 'claude-work', label: 'Claude, work', fault: 'overload' }]),
  })
  expect(await program().rpc('practice.fault', { sourceId: 'claude-work', fault: 'none' })).toEqual({ ok: true })
  expect((await problemOf(program().rpc('practice.fault', { sourceId: 'nobody', fault: 'none' }))).code).toBe(
    'not_found',
  )
})
