/** What an access key may do, over HTTP: states, scopes, policies, concurrency, and how a refusal reaches each client (access.md). */
import { afterEach, describe, expect, test } from 'vitest'
import type { AccessKey } from '../../src/main/domain/access-key.ts'
import { sourceId } from '../../src/shared/ids.ts'
import { claudeCode, codexCli, message, response } from './asks.ts'
import { type Rig, startRig, until } from './start-core.ts'

const open: Rig[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((rig) => rig.close()))
})
async function start(...sources: string[]): Promise<Rig> {
  const rig = await startRig({ sources: sources.length > 0 ? sources : ['codex-team', 'codex-personal'] })
  open.push(rig)
  return rig
}
const as = (key: string, thread = 'thread') => ({
  headers: { ...codexCli(thread).headers, authorization: `Bearer ${key}` },
})
const find = (rig: Rig, label: string) => rig.core.api.keys.find(label)

describe('a key’s state counts at once', () => {
  test('disabled, enabled, rotated, revoked', async () => {
    const rig = await start()
    const secret = rig.newKey('mine')
    const ask = (key = secret) => rig.call('/codex/v1/responses', response(), as(key))
    expect((await ask()).status).toBe(200)
    rig.core.api.keys.setState(find(rig, 'mine').id, 'disabled')
    expect((await ask()).status).toBe(401)
    rig.core.api.keys.setState(find(rig, 'mine').id, 'active')
    expect((await ask()).status).toBe(200)
    const { secret: fresh } = rig.core.api.keys.rotate(find(rig, 'mine').id)
    expect([(await ask()).status, (await ask(fresh)).status]).toEqual([401, 200])
    expect((await rig.latest(3)).decision?.reason).toBe('affinity')
    rig.core.api.keys.setState(find(rig, 'mine').id, 'revoked')
    expect((await ask(fresh)).status).toBe(401)
  })

  test('a key disabled between two attempts starts no second one', async () => {
    const rig = await start()
    const secret = rig.newKey('mine')
    rig.practice.script('codex-team', { delayMs: 150, reply: { kind: 'error', error: 'server-error' } })
    const running = rig.call('/codex/v1/responses', response({ stream: false }), as(secret))
    await rig.practice.waitFor(({ sourceId: source }) => source === 'codex-team')
    rig.core.api.keys.setState(find(rig, 'mine').id, 'disabled')
    const answer = await running
    expect([answer.status, answer.headers['x-pointsman-error']]).toEqual([403, 'access_credential_inactive'])
    expect(rig.practice.seen({ sourceId: 'codex-personal' }).length).toBe(0)
  })

  test('a key without a policy authenticates and is then refused', async () => {
    const rig = await start()
    const secret = rig.newKey('unbound', { policy: null })
    const answer = await rig.call('/codex/v1/responses', response({ stream: false }), as(secret))
    expect([answer.status, answer.headers['x-pointsman-error']]).toEqual([403, 'access_key_unbound'])
  })
})

describe('a key’s scope', () => {
  const rows: readonly (readonly [string, Partial<AccessKey>, string, object, boolean])[] = [
    ['provider', { providers: ['codex'] }, '/v1/responses', response({ stream: false }), false],
    ['provider', { providers: ['codex'] }, '/codex/v1/responses', response({ stream: false }), true],
    ['model', { models: ['gpt-6.2-sol'] }, '/codex/v1/responses', response({ stream: false }), false],
    ['model', { models: ['gpt-5.5'] }, '/codex/v1/responses', response({ stream: false }), true],
    ['operation', { operations: ['count'] }, '/codex/v1/responses', response({ stream: false }), false],
    [
      'service tier',
      { serviceTiers: ['default'] },
      '/codex/v1/responses',
      response({ stream: false, service_tier: 'priority' }),
      false,
    ],
    [
      'service tier',
      { serviceTiers: ['priority'] },
      '/codex/v1/responses',
      response({ stream: false, service_tier: 'priority' }),
      true,
    ],
  ]
  for (const [what, change, path, body, passes] of rows) {
    test(`${what} ${JSON.stringify(change)} ${passes ? 'lets through' : 'refuses'} ${path}`, async () => {
      const rig = await start()
      const answer = await rig.call(path, body, as(rig.newKey('mine', change)))
      expect([answer.status, answer.headers['x-pointsman-error']]).toEqual(
        passes ? [200, undefined] : [403, 'access_scope_denied'],
      )
      expect(rig.practice.seen().length).toBe(passes ? 1 : 0)
    })
  }
})

describe('a route policy', () => {
  const personal = sourceId('codex-personal')
  const team = sourceId('codex-team')

  test('strict never uses another account, not on a retry, not on an error', async () => {
    const rig = await start()
    const secret = rig.newKey('strict', { policy: { mode: 'strict', sources: [personal] } })
    expect((await rig.call('/codex/v1/responses', response(), as(secret))).text).toContain('Codex, personal')
    for (const error of ['server-error', 'overloaded', 'spent'] as const) {
      rig.practice.script('codex-personal', { reply: { kind: 'error', error } })
      expect(
        (await rig.call('/codex/v1/responses', response({ stream: false }), as(secret, error))).status,
      ).toBeGreaterThanOrEqual(400)
    }
    await rig.add('codex-personal', { active: false })
    const gone = await rig.call('/codex/v1/responses', response({ stream: false }), as(secret))
    expect([gone.status, gone.headers['x-pointsman-error']]).toEqual([503, 'upstream_binding_unavailable'])
    expect(rig.practice.seen({ sourceId: 'codex-team' }).length).toBe(0)
    expect(gone.text).not.toContain('Codex, team')
  })

  test('a session bound under one key says nothing to another key', async () => {
    const rig = await start()
    const first = rig.newKey('first', { policy: { mode: 'strict', sources: [personal] } })
    await rig.call('/codex/v1/responses', response(), as(first, 'shared thread'))
    const other = await rig.call('/codex/v1/responses', response(), as(rig.key, 'shared thread'))
    expect(other.text).toContain('Codex, team')
  })

  test('preferred tries the named account first and then its fallback, and records both', async () => {
    const rig = await start()
    const secret = rig.newKey('preferred', { policy: { mode: 'preferred', sources: [personal], fallback: 'default' } })
    expect((await rig.call('/codex/v1/responses', response(), as(secret, 'a'))).text).toContain('Codex, personal')
    rig.practice.script('codex-personal', { reply: { kind: 'error', error: 'spent' } })
    expect((await rig.call('/codex/v1/responses', response(), as(secret, 'b'))).text).toContain('Codex, team')
    const { decision } = await rig.latest(2)
    expect([decision?.wanted, decision?.actual]).toEqual([personal, team])
    expect(decision?.warnings).toEqual([expect.stringMatching(/^Fallback: Codex, personal was wanted\. .*used up/)])
    const alone = rig.newKey('no fallback', { policy: { mode: 'preferred', sources: [personal], fallback: 'none' } })
    rig.practice.script('codex-personal', { reply: { kind: 'error', error: 'server-error' } })
    rig.core.api.conditions.forgetWindows(personal)
    expect((await rig.call('/codex/v1/responses', response({ stream: false }), as(alone, 'c'))).status).toBe(500)
  })

  test('pool uses its own set only', async () => {
    const rig = await start('codex-team', 'codex-personal', 'openai-key')
    const secret = rig.newKey('pool', {
      policy: { mode: 'pool', sources: [personal, team], strategy: 'ordered' },
    })
    for (const id of ['codex-team', 'codex-personal'])
      rig.practice.script(id, { reply: { kind: 'error', error: 'server-error' } })
    expect((await rig.call('/codex/v1/responses', response({ stream: false }), as(secret))).status).toBe(500)
    expect(rig.practice.seen({ origin: 'openaiApi' }).length).toBe(0)
  })
})

test('a concurrency cap lets only so many run; the next waits for a slot and then runs', async () => {
  const rig = await start()
  const secret = rig.newKey('two', { concurrency: 2 })
  rig.practice.usually('codex-team', { delayMs: 60, reply: { kind: 'vendor' } })
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, n) => rig.call('/codex/v1/responses', response(), as(secret, `t${n}`))),
  )
  expect(answers.map((answer) => answer.status)).toEqual(Array(6).fill(200))
  const calls = rig.practice.seen({ operation: 'generate' })
  const atOnce = calls.map(({ arrivedMs }) => {
    const running = calls.filter((other) => other.arrivedMs <= arrivedMs && (other.endedMs ?? Infinity) > arrivedMs)
    return running.length
  })
  expect(Math.max(...atOnce)).toBe(2)
})

test('pausing refuses new calls and lets running ones end', async () => {
  const rig = await start()
  rig.practice.script('codex-team', { delayMs: 80, reply: { kind: 'vendor' } })
  const running = rig.call('/codex/v1/responses', response(), codexCli())
  await rig.practice.waitFor(() => true)
  rig.set({ paused: true })
  const refused = await rig.call('/codex/v1/responses', response({ stream: false }), codexCli())
  expect([refused.status, refused.headers['x-pointsman-error'], (await running).status]).toEqual([
    503,
    'routing_paused',
    200,
  ])
})

describe('a refusal reaches the person', () => {
  test('in each client’s own style', async () => {
    const rig = await start('claude-work', 'codex-team')
    rig.set({ paused: true })
    const claude = await rig.call('/claude/v1/messages', message(), claudeCode())
    expect([
      claude.status,
      claude.headers['x-should-retry'],
      JSON.parse(claude.text).type,
      JSON.parse(claude.text).error.type,
    ]).toEqual([503, 'false', 'error', 'api_error'])
    const codex = await rig.call('/codex/v1/responses', response(), codexCli())
    expect([codex.status, codex.headers['content-type'], codex.headers['x-pointsman-error']]).toEqual([
      200,
      'text/event-stream',
      'routing_paused',
    ])
    const last = JSON.parse(codex.text.trim().split('\n').at(-1)?.slice(6) ?? '')
    expect([last.type, last.response.error.code, last.response.error.message.startsWith('Routing is paused.')]).toEqual(
      ['response.failed', 'invalid_prompt', true],
    )
    const unary = await rig.call('/codex/v1/responses', response({ stream: false }), codexCli())
    expect([unary.status, JSON.parse(unary.text).error.code]).toEqual([503, 'routing_paused'])
    const chat = await rig.call('/v1/chat/completions', { model: 'gpt-5.5', messages: [] })
    expect([chat.status, JSON.parse(chat.text).error.code]).toEqual([503, 'routing_paused'])
  })

  test('naming why each account can’t and when that changes, never an e-mail', async () => {
    const rig = await start()
    for (const id of ['codex-team', 'codex-personal'])
      rig.practice.script(id, { reply: { kind: 'error', error: 'spent' } })
    await rig.call('/codex/v1/responses', response({ stream: false }), codexCli())
    const answer = await rig.call('/codex/v1/responses', response({ stream: false }), codexCli())
    expect([answer.status, answer.headers['x-pointsman-error']]).toEqual([429, 'all_exhausted'])
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect([
      answer.text.includes('Codex, team'),
      answer.text.includes('Codex, personal'),
      answer.text.includes('@'),
    ]).toEqual([true, true, false])
  })
})

test('BerriAI/litellm#30273 the list of models shows what this key may use, in the client’s shape', async () => {
  const rig = await start('claude-work', 'codex-team', 'ollama')
  const list = async (path: string, headers: Record<string, string> = {}) =>
    JSON.parse((await rig.call(path, undefined, { headers })).text)
  const headers = { 'anthropic-version': '2023-06-01' }
  const all = await list('/v1/models')
  expect([all.object, all.data.some((model: { id: string }) => model.id === 'gpt-oss:20b')]).toEqual(['list', true])
  const claude = await list('/claude/v1/models', headers)
  expect([claude.has_more, claude.data.every((model: { id: string }) => model.id.startsWith('claude-'))]).toEqual([
    false,
    true,
  ])
  const narrow = rig.newKey('narrow', { models: ['gpt-5.5'] })
  const few = await list('/v1/models', { authorization: `Bearer ${narrow}` })
  expect(few.data.map((model: { id: string }) => model.id)).toEqual(['gpt-5.5'])
  const one = await list('/v1/models/gpt-oss%3A20b')
  expect(one.id).toBe('gpt-oss:20b')
  const limits = { max_input_tokens: null, max_tokens: null }
  expect(await list('/v1/models/gpt-oss%3A20b', headers)).toMatchObject({ type: 'model', id: 'gpt-oss:20b', ...limits })
  const absent = await rig.call('/v1/models/nothing', undefined, { headers })
  expect([absent.status, JSON.parse(absent.text)]).toMatchObject([404, { error: { type: 'not_found_error' } }])
  expect((await rig.call('/v1/models/nothing')).status).toBe(404)
  const codex = await rig.call('/codex/v1/models?client_version=0.169.0', undefined, codexCli())
  expect([codex.status, JSON.parse(codex.text).models.length > 0]).toEqual([200, true])
  // Where no vendor can be asked it gets its own shape, empty: it can't read another and keeps its own list then.
  const bare = await start('ollama')
  const none = await bare.call('/v1/models?client_version=0.169.0')
  expect([none.status, JSON.parse(none.text)]).toEqual([200, { models: [] }])
})

test('raine/claude-code-proxy#61 the list is served in pages where its client asks for them', async () => {
  const rig = await start()
  const list = async (query = '') => {
    const headers = { 'anthropic-version': '2023-06-01' }
    const { data, ...rest } = JSON.parse((await rig.call(`/v1/models${query}`, undefined, { headers })).text)
    return { ids: data.map(({ id }: { id: string }) => id) as string[], ...rest }
  }
  const all = await list()
  const [first = '', second = '', third = ''] = all.ids
  expect(all).toMatchObject({ has_more: false, first_id: first, last_id: all.ids.at(-1) })
  expect(await list('?limit=1000')).toEqual(all)
  expect(await list('?limit=2')).toEqual({ ids: [first, second], has_more: true, first_id: first, last_id: second })
  const next = await list(`?limit=1&after_id=${encodeURIComponent(second)}`)
  expect(next).toEqual({ ids: [third], has_more: true, first_id: third, last_id: third })
  const back = await list(`?before_id=${encodeURIComponent(third)}&limit=1`)
  expect(back).toEqual({ ids: [second], has_more: true, first_id: second, last_id: second })
  const rest = await list(`?after_id=${encodeURIComponent(all.ids.at(-2) ?? '')}`)
  expect([rest.ids, rest.has_more]).toEqual([all.ids.slice(-1), false])
})

test('the folder header never travels and bindings are given up only by those who made them', async () => {
  const rig = await start()
  await rig.call('/codex/v1/responses', response(), {
    headers: { ...codexCli('x').headers, 'x-pointsman-folder': '/home/someone/secret' },
  })
  const [seen] = rig.practice.seen()
  expect(seen?.rawHeaders.join(' ')).not.toContain('secret')
  await until(() => (rig.core.api.bindings.size === 1 ? true : null), 'one binding')
})
