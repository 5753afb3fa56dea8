/** What comes in wrong, subscriptions, and that no member lets a secret out (T3.2). */
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { contract } from '../../src/shared/contract/index.ts'
import { account, callOnce, canary, failure, model, practiceProgram, problemOf, profile } from './members-kit.ts'

const program = practiceProgram()

describe('what comes in', () => {
  test.each([
    ['app.snapshot', { extra: 1 }],
    ['accounts.rename', { id: account }],
    ['accounts.rename', { id: account, label: '' }],
    ['accounts.rename', { id: account, label: 'a\u001b[2Jb' }],
    ['calls.page', { limit: 0 }],
    ['calls.page', { limit: 10_000_000 }],
    ['calls.stats', { fromMs: 0, toMs: 1e15, stepMs: 60_000 }],
    ['settings.set', { attempts: 'many' }],
    ['settings.set', { defaultStrategy: 'nope' }],
    ['settings.set', { nope: 1 }],
    ['profiles.create', { kind: 'api', label: 'x', dialects: ['chat'], baseUrl: 'http://169.254.169.254', models: [] }],
    ['keys.create', { label: 'x', expiresAt: 5 }],
    ['models.setOrder', { poolId: model, tiers: [] }],
  ])('%s %j is refused as invalid_input with a sentence', async (member, given) => {
    expect(await problemOf(program().rpc(member, given))).toEqual({
      code: 'invalid_input',
      sentence: expect.stringMatching(/^The input is not valid: .+\.$/),
      next: expect.any(String),
    })
  })

  test('a refused secret is not repeated', async () => {
    const { sentence } = await problemOf(
      program().rpc('profiles.create', { kind: 'api', label: 'x', apiKey: canary, nope: canary }),
    )
    expect(sentence).not.toContain(canary)
  })

  test('more than 8 MiB is refused before any member is asked', async () => {
    const big = { id: account, label: 'x'.repeat(9 * 1024 * 1024) }
    expect(await failure(program().rpc('accounts.rename', big))).toMatchObject({ status: 413 })
  })
})

describe('subscriptions', () => {
  const members = ['app.changed', 'accounts.changed', 'models.changed', 'calls.appended', 'quota.changed']

  test.each(members)('%s begins with the present revision', async (member) => {
    const { revision } = await program().rpc<{ revision: number }>('app.snapshot')
    const messages = await program().rpc<AsyncIterableIterator<{ revision: number }>>(member)
    const first = await messages.next()
    expect(first.value?.revision).toBeGreaterThanOrEqual(revision)
    await messages.return?.()
  })

  test('announces a finished call and a changed pool', async () => {
    const calls = await program().rpc<AsyncIterableIterator<{ revision: number }>>('calls.appended')
    const models = await program().rpc<AsyncIterableIterator<{ revision: number }>>('models.changed')
    const from = [(await calls.next()).value?.revision ?? 0, (await models.next()).value?.revision ?? 0]
    await callOnce(program())
    await program().rpc('models.setStrategy', { poolId: model, strategy: null })
    expect((await calls.next()).value?.revision).toBeGreaterThan(from[0] ?? 0)
    expect((await models.next()).value?.revision).toBeGreaterThan(from[1] ?? 0)
    await calls.return?.()
    await models.return?.()
  })
})

test('a plain request for no member is answered with 404, and a GET changes nothing', async () => {
  expect(await plain('POST', '/nope/nope')).toBe(404)
  expect(await plain('GET', '/app/pause')).toBe(405)
  expect(await program().rpc('app.snapshot')).toMatchObject({ paused: false })
})

const plain = (method: string, path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request({ socketPath: program().ready.control, method, path }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0))
    })
    sent.once('error', reject).end()
  })

describe('T3.2 no secret comes out', () => {
  /** Inputs that let every reading member answer; what makes a new secret is the exception, by name. */
  const inputs: Readonly<Record<string, unknown>> = {
    'accounts.setOptions': { id: account, weight: 1 },
    'accounts.rename': { id: account, label: 'Codex, team' },
    'accounts.setActive': { id: account, active: true },
    'accounts.refreshModels': { id: account },
    'accounts.import': { provider: 'claude', label: 'Canary', setupToken: `sk-ant-oat01-${canary}` },
    'accounts.signOut': { id: 'canary' },
    'accounts.remove': { id: 'canary' },
    'profiles.update': { id: profile, weight: 1 },
    'profiles.create': {
      kind: 'local',
      label: 'canary-local',
      dialects: ['chat'],
      baseUrl: 'http://127.0.0.1:9',
      apiKey: canary,
      models: [],
    },
    'profiles.remove': { id: 'canary-local' },
    'profiles.discoverModels': { kind: 'local', dialects: ['chat'], baseUrl: 'http://127.0.0.1:9', apiKey: canary },
    'models.setOrder': { poolId: model, tiers: [], basedOn: 0 },
    'models.setEnabled': { backendId: `codex-team:${model}`, enabled: true },
    'models.setStrategy': { poolId: model, strategy: null },
    'models.setBackend': { backendId: `codex-team:${model}`, weight: 1 },
    'models.test': { backendId: `openai-key:${model}` },
    'models.explain': { providerId: 'codex', model, dialect: 'responses' },
    'calls.get': { id: '1' },
    'calls.stats': { fromMs: 0, toMs: 3_600_000, stepMs: 3_600_000 },
    'keys.setState': { id: 'default', state: 'active' },
    'keys.setPolicy': { id: 'default', concurrency: null },
    'settings.set': {},
    'practice.fault': { sourceId: account, fault: 'none' },
  }
  const makers = ['keys.create', 'keys.rotate']
  /** The one member whose answer is a one-time link. */
  const links = ['app.openLink']

  test('from any member, nor into the log or any file of the folder', async () => {
    const names = Object.entries(contract).flatMap(([area, members]) =>
      Object.keys(members).map((name) => `${area}.${name}`),
    )
    expect(names.length).toBeGreaterThan(45)
    const answers: string[] = []
    for (const name of names) {
      if (makers.includes(name) || links.includes(name) || /\.(changed|appended)$/.test(name)) continue
      try {
        answers.push(`${name} ${JSON.stringify(await program().rpc(name, inputs[name]))}`)
      } catch (cause) {
        const { data, message } = cause as { data?: unknown; message: string }
        answers.push(`${name} ${message} ${JSON.stringify(data)}`)
      }
    }
    const secrets =
      /pk_[A-Za-z0-9_-]{43}|sk-[A-Za-z0-9-]{12}|eyJ[\w-]{20}|refresh_?token|access_?token|canary-5up3r|canary-access|canary-refresh|proxy-canary|prompt-canary/i
    // Negative control: the scan sees what it looks for.
    expect(secrets.test(program().key())).toBe(true)
    expect(answers.filter((answer) => secrets.test(answer))).toEqual([])
    const files = ['pointsman.log', 'pointsman.db', 'pointsman.db-wal', 'calls.db', 'calls.db-wal', 'instance.json']
    for (const name of files) {
      const text = readFileSync(join(program().dataDir, name), 'latin1')
      expect([name, /canary-5up3r|canary-access|canary-refresh|prompt-canary/.exec(text)?.[0]]).toEqual([
        name,
        undefined,
      ])
      expect([name, text.includes(program().key())]).toEqual([name, false])
    }
  })
})
