/** Members of foresight and of bindings over a running core: what they say is what then happens. */
import { createRouterClient } from '@orpc/server'
import { afterEach, describe, expect, test } from 'vitest'
import type { Reading } from '../../src/main/domain/quota.ts'
import { claudeCode, codexCli, message, response } from './asks.ts'
import { id, type Rig, startRig, until } from './start-core.ts'

const hour = 3_600_000
const open: Rig[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((rig) => rig.close()))
})

async function start(...sources: readonly string[]) {
  const rig = await startRig({ sources })
  open.push(rig)
  return { rig, members: createRouterClient(rig.core.router) }
}

const read = (usedPercent: number, minutesAgo: number, change: Partial<Reading> = {}): Reading => ({
  ...{ window: 'weekly', usedPercent, lengthMs: 168 * hour, resetAtMs: Date.now() + 90 * hour, family: null },
  ...{ source: 'header', readAtMs: Date.now() - minutesAgo * 60_000 },
  ...change,
})
/** Problems of the core and refusals of the contract alike. */
const codeOf = (cause: unknown): unknown => {
  const { code, problem } = cause as { code?: unknown; problem?: { code: unknown } }
  return problem?.code ?? code
}

describe('accounts.refreshQuota', () => {
  test('reads at once, says where the values are from, and once a minute only', async () => {
    const { rig, members } = await start('codex-team')
    const { windows } = await members.accounts.refreshQuota({ id: 'codex-team' })
    expect(windows.map(({ window, source }) => [window, source])).toContainEqual(['five-hour', 'poll'])
    expect(await members.accounts.refreshQuota({ id: 'codex-team' }).catch(codeOf)).toBe('too_soon')
    const methods = rig.practice.seen({ operation: 'usage' }).map(({ method }) => method)
    expect(new Set(methods)).toEqual(new Set(['GET']))
  })

  test('Claude’s too; while nobody looks its usage is not read', async () => {
    const { rig, members } = await start('claude-work')
    const before = rig.practice.seen({ operation: 'usage' }).length
    expect(before).toBe(0)
    const { windows } = await members.accounts.refreshQuota({ id: 'claude-work' })
    expect(windows.map(({ window }) => window)).toContain('weekly:fable')
  })

  test('a failing endpoint keeps the values and blocks no call', async () => {
    const { rig, members } = await start('codex-team')
    await members.accounts.refreshQuota({ id: 'codex-team' })
    rig.practice.usually('codex-team', { on: ['usage'], reply: { kind: 'status', status: 500, body: '<html>' } })
    const known = await members.quota.windows({})
    const answer = await rig.call('/codex/v1/responses', response(), codexCli())
    expect([answer.status, known.length > 0]).toEqual([200, true])
  })
})

test('while somebody listens to quota.changed Claude’s usage is read too; sources with an address of their own never', async () => {
  const rig = await startRig({ sources: ['claude-work', 'codex-team', 'openai-key', 'ollama'], polling: true })
  open.push(rig)
  const members = createRouterClient(rig.core.router)
  const reads = (sourceId: string): number => rig.practice.seen({ sourceId, operation: 'usage' }).length
  const listener = new AbortController()
  const changes = await members.quota.changed(undefined, { signal: listener.signal })
  await changes.next()
  await until(() => (reads('claude-work') === 1 && reads('codex-team') === 1 ? true : null), 'both are read')
  await until(() => {
    const { readings } = rig.core.api.conditions.snapshot(id('claude-work'))
    return readings.length > 0 ? true : null
  }, 'the reading counts')
  const windows = await members.quota.windows({ sourceId: 'claude-work' })
  expect(windows.map(({ window, source }) => [window, source])).toContainEqual(['weekly', 'poll'])
  listener.abort()
  expect(
    rig.practice
      .seen({ operation: 'usage' })
      .map(({ origin }) => origin)
      .sort(),
  ).toEqual(['claude', 'codex'])
})

describe('quota.forecast', () => {
  test('says who runs out when, at the pace of the last hour, and who then really follows', async () => {
    const { rig, members } = await start('codex-team', 'codex-personal')
    const { conditions } = rig.core.api
    conditions.forgetWindows(id('codex-team'))
    for (const [used, ago] of [
      [40, 60],
      [52, 0],
    ] as const) {
      conditions.read(id('codex-team'), [read(used, ago)])
    }
    const [team] = await members.quota.forecast({ poolId: 'gpt-5.5' })
    expect([team?.sourceId, team?.follower?.sourceId]).toEqual(['codex-team', 'codex-personal'])
    const weekly = team?.windows.find(({ window }) => window === 'weekly')
    expect(Math.round(weekly?.percentPerHour ?? 0)).toBe(12)
    expect(Math.abs((weekly?.runsOutAtMs ?? 0) - (Date.now() + 4 * hour)) < 5 * 60_000).toBe(true)

    rig.practice.script('codex-team', { reply: { kind: 'error', error: 'spent' } })
    const answer = await rig.call('/codex/v1/responses', response(), codexCli())
    expect(answer.text).toContain('Codex, personal')
  })
})

test('quota.calendar has every window with a reset, the soonest first, and when each began', async () => {
  const { rig, members } = await start('codex-team', 'codex-personal')
  rig.core.api.conditions.read(id('codex-team'), [read(10, 0, { resetAtMs: 5_000_000_000_000 })])
  rig.core.api.conditions.read(id('codex-personal'), [
    read(10, 0, { window: 'five-hour', lengthMs: 5 * hour, resetAtMs: 4_900_000_000_000 }),
    read(10, 0, { window: 'not-started', resetAtMs: null }),
  ])
  const rows = await members.quota.calendar()
  const shown = rows.filter(({ resetAtMs }) => resetAtMs >= 4_900_000_000_000)
  expect(shown.map((row) => [row.sourceId, row.window, row.resetAtMs, row.startsAtMs])).toEqual([
    ['codex-personal', 'five-hour', 4_900_000_000_000, 4_900_000_000_000 - 5 * hour],
    ['codex-team', 'weekly', 5_000_000_000_000, 5_000_000_000_000 - 168 * hour],
  ])
})

test('quota.history and quota.waste tell what was read and what was lost, in the plan’s money', async () => {
  const { rig, members } = await start('codex-team')
  const team = id('codex-team')
  rig.core.api.conditions.forgetWindows(team)
  const resetAtMs = Date.now() - 60_000
  rig.core.api.conditions.read(team, [read(75, 2, { resetAtMs })])
  rig.core.api.conditions.read(team, [read(0, 0, { resetAtMs: resetAtMs + 168 * hour })])
  await members.accounts.setOptions({ id: 'codex-team', monthlyPrice: 200_000_000_000 })
  const { resets, weeks } = await until(async () => {
    const found = await members.quota.waste({})
    return found.resets.length > 0 ? found : null
  }, 'the loss is on disk')
  expect(resets).toMatchObject([{ sourceId: 'codex-team', window: 'weekly', resetAtMs, lostPercent: 25 }])
  expect(Math.round((weeks[0]?.money ?? 0) / 1e9)).toBe(11)
  const samples = await members.quota.history({ sourceId: 'codex-team', window: 'weekly' })
  expect(samples.map(({ usedPercent }) => usedPercent)).toEqual(expect.arrayContaining([75, 0]))
})

describe('banked resets', () => {
  test('are listed with a warning and spent only with an explicit confirmation', async () => {
    const { rig, members } = await start('codex-team')
    const found = await members.quota.resetCredits({ sourceId: 'codex-team' })
    expect([found.available, found.credits[0]?.status]).toEqual([1, 'available'])
    expect(found.warning).toContain('can not be undone')
    const bare = members.quota.spendReset({ sourceId: 'codex-team' } as never)
    expect(await bare.catch(codeOf)).toBe('BAD_REQUEST')
    expect(rig.practice.seen({ method: 'POST' }).filter(({ path }) => path.includes('consume'))).toEqual([])
  })

  test('a retry is the same request to the vendor; a spent one ends every rest at once', async () => {
    const { rig, members } = await start('codex-team')
    const team = id('codex-team')
    const consume = (code: string) =>
      ({ on: 'any', reply: { kind: 'status', status: 200, body: JSON.stringify({ code, windows_reset: 2 }) } }) as const
    rig.core.api.conditions.spend(team, [
      { window: 'weekly', family: null, untilMs: Date.now() + hour, sinceMs: Date.now() },
    ])
    const spend = () =>
      members.quota.spendReset({ sourceId: 'codex-team', creditId: 'practice-reset-1', confirm: true })
    rig.practice.script('codex-team', { on: 'any', reply: { kind: 'status', status: 502, body: '' } })
    expect(await spend().catch(codeOf)).toBe('usage_unreadable')
    expect(rig.core.api.conditions.snapshot(team).spent.length).toBe(1)
    rig.practice.script('codex-team', consume('reset'))
    expect(await spend()).toMatchObject({ code: 'reset', windowsReset: 2 })
    expect(rig.core.api.conditions.snapshot(team).spent).toEqual([])
    const ids = rig.practice
      .seen({ method: 'POST' })
      .filter(({ path }) => path.endsWith('/consume'))
      .map(({ body }) => JSON.parse(Buffer.from(body ?? []).toString()))
    expect(ids.length).toBe(2)
    expect(ids[0]).toEqual(ids[1])
    expect(ids[0].redeem_request_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  test('Claude has none', async () => {
    const { members } = await start('claude-work')
    expect(await members.quota.resetCredits({ sourceId: 'claude-work' }).catch(codeOf)).toBe('invalid_input')
  })
})

describe('bindings', () => {
  test('are listed with what a switch would cost, moved, and released', async () => {
    const { rig, members } = await start('codex-team', 'codex-personal')
    await rig.call('/codex/v1/responses', response(), codexCli('one'))
    await rig.rows(1)
    const { rows, total } = await members.bindings.list({ poolId: 'gpt-5.5' })
    expect([total, rows[0]?.sourceId, rows[0]?.model, rows[0]?.warm]).toEqual([1, 'codex-team', 'gpt-5.5', true])
    const usage = (await rig.latest()).call.usage
    expect(rows[0]?.switchCostTokens).toBe((usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0))
    const session = rows[0]?.session ?? ''

    expect(await members.bindings.move({ session, sourceId: 'codex-personal' })).toEqual({ count: 1 })
    const moved = await rig.call('/codex/v1/responses', response(), codexCli('one'))
    expect(moved.text).toContain('Codex, personal')
    expect((await rig.latest(2)).decision?.reason).toBe('rebind:moved-by-user')
    await rig.call('/codex/v1/responses', response(), codexCli('one'))
    expect((await rig.latest(3)).decision?.reason).toBe('affinity')

    expect(await members.bindings.release({ session })).toEqual({ count: 1 })
    expect((await members.bindings.list({})).total).toBe(0)
    expect(await members.bindings.move({ session, sourceId: 'codex-team' }).catch(codeOf)).toBe('not_found')
    expect(await members.bindings.release({}).catch(codeOf)).toBe('invalid_input')
  })

  test('models.moveConversations takes the open ones of a pool along with a new order', async () => {
    const { rig, members } = await start('codex-team', 'codex-personal')
    for (const thread of ['one', 'two']) await rig.call('/codex/v1/responses', response(), codexCli(thread))
    await rig.call('/codex/v1/responses', response({ model: 'gpt-5.3-codex-spark' }), codexCli('spark'))
    const { revision } = (await members.models.pools()).find(({ id: pool }) => pool === 'gpt-5.5')!
    const tiers = [['codex-personal:gpt-5.5', 'codex-team:gpt-5.5']]
    await members.models.setOrder({ poolId: 'gpt-5.5', tiers, basedOn: revision })
    expect(await members.models.moveConversations({ poolId: 'gpt-5.5' })).toEqual({ count: 2 })
    const answers = await Promise.all(
      ['one', 'two'].map((thread) => rig.call('/codex/v1/responses', response(), codexCli(thread))),
    )
    expect(answers.every(({ text }) => text.includes('Codex, personal'))).toBe(true)
    const spark = await rig.call('/codex/v1/responses', response({ model: 'gpt-5.3-codex-spark' }), codexCli('spark'))
    expect(spark.text).toContain('Codex, team')
  })
})

describe('the debug routes', () => {
  const explain = (providerId: string, model: string, dialect: 'messages' | 'responses') => ({
    providerId,
    model,
    dialect,
  })

  test('are off by default', async () => {
    const { rig } = await start('codex-team')
    expect((await rig.call('/__debug/routes')).status).toBe(404)
  })

  test('say what models.explain says', async () => {
    const { rig, members } = await start('codex-team', 'codex-personal', 'claude-work')
    rig.set({ debugRoutes: true })
    const answer = await rig.call('/__debug/routes?provider_id=codex&model_id=gpt-5.5')
    const { switchCostTokens: _, ...explained } = await members.models.explain(explain('codex', 'gpt-5.5', 'responses'))
    expect(JSON.parse(answer.text)).toEqual({ routes: [{ model: 'gpt-5.5', ...explained }] })
    await rig.call('/claude/v1/messages', message(), claudeCode('conversation'))
    const session = { ...explain('claude', 'claude-opus-4-8', 'messages'), sessionId: 'conversation', keyId: 'default' }
    const { switchCostTokens: __, ...bound } = await members.models.explain(session)
    expect(bound.order[0]?.because).toBe('affinity')
    const test = { provider_id: 'claude', model_id: 'claude-opus-4-8', dialect: 'messages', session_id: 'conversation' }
    expect(JSON.parse((await rig.call('/__debug/routes/test', test)).text)).toEqual(bound)
  })

  test('show nothing that the key may not use', async () => {
    const { rig } = await start('codex-team', 'codex-personal')
    rig.set({ debugRoutes: true })
    const key = rig.newKey('narrow', {
      policy: { mode: 'strict', sources: [id('codex-personal')] },
      models: ['gpt-5.5'],
    })
    const headers = { authorization: `Bearer ${key}` }
    const { routes } = JSON.parse((await rig.call('/__debug/routes', undefined, { headers })).text)
    expect(routes.map(({ model }: { model: string }) => model)).toEqual(['gpt-5.5'])
    const tested = await rig.call('/__debug/routes/test', { model_id: 'gpt-5.5' }, { headers })
    for (const text of [JSON.stringify(routes), tested.text]) {
      expect(text).toContain('codex-personal:gpt-5.5')
      expect(text).not.toContain('codex-team')
      expect(text).not.toContain('Codex, team')
    }
  })
})
