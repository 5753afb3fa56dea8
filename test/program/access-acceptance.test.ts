/** The access seed's acceptance list over the whole core: what each key may reach, and that strict is never widened (EXT). */
import { expect, onTestFinished, test } from 'vitest'
import type { AccessKey } from '../../src/main/domain/access-key.ts'
import { sourceId } from '../../src/shared/ids.ts'
import { codexCli, message, response } from './asks.ts'
import { type Rig, startRig, until } from './start-core.ts'

async function start(): Promise<Rig> {
  const rig = await startRig({ sources: ['codex-team', 'codex-personal'] })
  onTestFinished(() => rig.close())
  return rig
}
const path = '/codex/v1/responses'
const plain = response({ stream: false })
const as = (key: string, headers: Record<string, string> = {}) => ({
  headers: { ...codexCli().headers, ...headers, authorization: `Bearer ${key}` },
})
const code = (answer: { readonly status: number; readonly headers: Record<string, unknown> }) => [
  answer.status,
  answer.headers['x-pointsman-error'],
]
const strict: Partial<AccessKey> = { policy: { mode: 'strict', sources: [sourceId('codex-team')] } }

test('unknown, malformed, pending, disabled, expired and revoked keys get one and the same answer', async () => {
  const rig = await start()
  const { keys } = rig.core.api
  const secrets = [
    `pk_${'x'.repeat(43)}`,
    'sk-not-ours',
    rig.newKey('pending', { state: 'pending' }),
    rig.newKey('disabled', { state: 'disabled' }),
    rig.newKey('expired', { expiresAtMs: Date.now() - 1 }),
    rig.newKey('revoked'),
  ]
  keys.setState(keys.find('revoked').id, 'revoked')
  const answers = await Promise.all(secrets.map((secret) => rig.call(path, plain, as(secret))))
  expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1)
  expect(answers.map(({ status }) => status)).toEqual(secrets.map(() => 401))
})

test.each([
  '/v1/realtime',
  '/v1/realtime/client_secrets',
  '/v1/images/generations',
  '/v1/videos',
  '/v1/alpha/search',
  '/v1/memories',
  '/v1beta/models/gemini:generateContent',
  '/v1/embeddings',
])('%s is not on the list of what is served, with a good key too', async (target) => {
  const rig = await start()
  const answer = await rig.call(target, plain)
  expect(code(answer)).toEqual([404, 'not_served'])
})

test.each([
  ['deleted', (rig: Rig) => void rig.core.api.sources.remove(sourceId('codex-team'))],
  [
    'switched off',
    (rig: Rig) => {
      const source = rig.core.api.sources.get(sourceId('codex-team'))
      if (source !== undefined) rig.core.api.sources.save({ ...source, active: false })
    },
  ],
])('strict: its account is %s while a try runs; the retry goes nowhere else', async (_, act) => {
  const rig = await start()
  const secret = rig.newKey('mine', strict)
  rig.practice.script('codex-team', { delayMs: 150, reply: { kind: 'error', error: 'server-error' } })
  const running = rig.call(path, plain, as(secret))
  await rig.practice.waitFor(({ sourceId: source }) => source === 'codex-team')
  act(rig)
  expect((await running).status).toBeGreaterThanOrEqual(500)
  const answer = await rig.call(path, plain, as(secret))
  expect(code(answer)).toEqual([503, 'upstream_binding_unavailable'])
  expect(rig.practice.seen({ sourceId: 'codex-personal' })).toHaveLength(0)
})

const errors = ['server-error', 'overloaded', 'exhausted', 'unauthorised', 'burst'] as const
test('strict: no error of its account brings in another one', async () => {
  const rig = await start()
  const secret = rig.newKey('mine', strict)
  for (const error of errors) {
    rig.practice.script('codex-team', { reply: { kind: 'error', error: error as never } })
    await rig.call(path, plain, as(secret)).catch(() => null)
  }
  for (const end of ['fin', 'reset'] as const) {
    rig.practice.script('codex-team', { reply: { kind: 'no-head', end } })
    await rig.call(path, plain, as(secret)).catch(() => null)
  }
  expect(rig.practice.seen({ sourceId: 'codex-personal' })).toHaveLength(0)
})

test('a folder rule counts for what Codex says of its turn and for our own header, which stays here', async () => {
  const rig = await start()
  const folders = [
    { folder: '/home/me/play', policy: { mode: 'strict', sources: [sourceId('codex-personal')] } },
  ] as const
  const secret = rig.newKey('mine', { folders })
  const metadata = JSON.stringify({ workspaces: { '/home/me/play/game': {} } })
  const served = async (headers: Record<string, string>) => {
    const before = (await rig.core.api.reader.page(1, 0, {})).total
    const thread = { 'session-id': `thread-${before}`, 'thread-id': `thread-${before}` }
    expect((await rig.call(path, plain, as(secret, { ...thread, ...headers }))).status).toBe(200)
    return (await rig.latest(before + 1)).call.sourceId
  }
  expect(await served({})).toBe('codex-team')
  expect(await served({ 'x-codex-turn-metadata': metadata })).toBe('codex-personal')
  expect(await served({ 'x-pointsman-folder': '/home/me/play' })).toBe('codex-personal')
  expect(await served({ 'x-pointsman-folder': '/home/me/work' })).toBe('codex-team')
  const sent = rig.practice.seen({ sourceId: 'codex-personal' }).at(-1)
  expect(JSON.stringify(sent)).not.toContain('x-pointsman-folder')
})

test('a disabled key’s running call ends and is settled; its next one is refused', async () => {
  const rig = await start()
  const { keys, budgets } = rig.core.api
  const budget = budgets.create({ label: 'play', amount: 1e9, cycle: 'none', timeZone: 'UTC' })
  const secret = rig.newKey('mine', { ...strict, budgetId: budget.id })
  rig.practice.script('codex-team', { delayMs: 100, reply: { kind: 'vendor' } })
  const running = rig.call(path, plain, as(secret))
  await rig.practice.waitFor(({ sourceId: source }) => source === 'codex-team')
  keys.setState(keys.find('mine').id, 'disabled')
  expect((await running).status).toBe(200)
  await until(() => (budgets.left(budget, Date.now()) < 1e9 ? true : null), 'the settlement')
  expect((await rig.call(path, plain, as(secret))).status).toBe(401)
})

test('a call that was refused here costs nothing', async () => {
  const rig = await start()
  const { budgets } = rig.core.api
  const budget = budgets.create({ label: 'play', amount: 1e9, cycle: 'none', timeZone: 'UTC' })
  const secret = rig.newKey('mine', { models: ['other'], budgetId: budget.id })
  expect(code(await rig.call(path, plain, as(secret)))).toEqual([403, 'access_scope_denied'])
  expect(code(await rig.call('/v1/messages', message(), as(secret)))).toEqual([403, 'access_scope_denied'])
  expect(budgets.left(budget, Date.now())).toBe(1e9)
})
