/** Accounts and profiles over the control socket: imported, changed, removed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { account, canary, model, practiceProgram, problemOf, profile } from './members-kit.ts'

const program = practiceProgram()
const folder = mkdtempSync(join(tmpdir(), 'pointsman-members-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('accounts', () => {
  test('are renamed, switched and given options; the id stays', async () => {
    expect(await program().rpc('accounts.rename', { id: account, label: 'Team' })).toMatchObject({
      id: account,
      label: 'Team',
    })
    expect(await program().rpc('accounts.setActive', { id: account, active: false })).toMatchObject({
      state: 'inactive',
    })
    expect(await program().rpc('accounts.setActive', { id: account, active: true })).toMatchObject({ state: 'ready' })
    const options = { id: account, weight: 3, reservePercent: 10, maySpendBeyondPlan: true, defaultModel: model }
    expect(await program().rpc('accounts.setOptions', options)).toMatchObject(options)
    const login = { id: account, proxy: 'http://user:proxy-canary@127.0.0.1:1' }
    expect(await program().rpc('accounts.setOptions', login)).toMatchObject({
      proxy: 'http://…@127.0.0.1:1',
      weight: 3,
    })
    expect(await program().rpc('accounts.setOptions', { id: account, proxy: null, weight: 1 })).toMatchObject({
      proxy: null,
    })
    await program().rpc('accounts.rename', { id: account, label: 'Codex, team' })
  })

  test('of Codex may be kept for its own client; of Claude serve nothing but Claude Code', async () => {
    const serving = (id: string, serves: string) => program().rpc('accounts.setOptions', { id, serves })
    expect(await serving(account, 'codex-only')).toMatchObject({ serves: 'codex-only' })
    expect(await serving(account, 'any-client')).toMatchObject({ serves: 'any-client' })
    await expect(serving('claude-work', 'any-client')).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(serving(account, 'claude-code-only')).rejects.toMatchObject({ code: 'invalid_input' })
  })

  test('read their models anew', async () => {
    expect(await program().rpc('accounts.refreshModels', { id: 'codex-personal' })).toMatchObject({ state: 'ready' })
    expect(await program().rpc('models.test', { backendId: `codex-personal:${model}` })).toEqual({
      ok: true,
      code: null,
      sentence: `Codex, personal answered and lists ${model}.`,
      elapsedMs: expect.any(Number),
      translations: [],
    })
  })

  test('are signed out and removed', async () => {
    expect(await program().rpc('accounts.signOut', { id: 'claude-personal' })).toMatchObject({
      state: 'signed-out',
      because: expect.stringContaining('you signed it out'),
    })
    expect(await program().rpc('accounts.remove', { id: 'claude-personal' })).toEqual({ ok: true })
    expect((await problemOf(program().rpc('accounts.remove', { id: 'claude-personal' }))).code).toBe('not_found')
  })

  test('are imported from a copy, a file and a setup-token', async () => {
    const claude = {
      claudeAiOauth: {
        accessToken: 'sk-ant-oat01-canary-access',
        refreshToken: 'sk-ant-ort01-canary-refresh',
        expiresAt: Date.now() + 3_600_000,
        scopes: ['user:inference'],
      },
    }
    const copy = await program().rpc<{ id: string }>('accounts.import', {
      provider: 'claude',
      label: 'Copied',
      credential: claude,
    })
    expect(copy).toMatchObject({
      id: 'copied',
      custody: 'pointsman',
      isNew: true,
      warning: expect.stringContaining('renews'),
    })
    const token = await program().rpc('accounts.import', {
      provider: 'claude',
      label: 'Token',
      setupToken: 'sk-ant-oat01-canary-setup-token',
    })
    expect(token).toMatchObject({
      id: 'token',
      custody: 'setup-token',
      warning: expect.stringContaining('several subscriptions'),
    })
    const path = join(folder, '.credentials.json')
    writeFileSync(
      path,
      JSON.stringify({
        claudeAiOauth: {
          ...claude.claudeAiOauth,
          accessToken: 'sk-ant-oat01-canary-file',
          refreshToken: 'sk-ant-ort01-canary-file',
        },
      }),
    )
    const file = await program().rpc('accounts.import', { provider: 'claude', label: 'File', path })
    expect(file).toMatchObject({
      id: 'file',
      custody: 'read-only',
      credentialRef: null,
      warning: expect.stringContaining('several'),
    })
    for (const id of ['copied', 'token', 'file']) await program().rpc('accounts.remove', { id })
    expect(
      (await problemOf(program().rpc('accounts.import', { provider: 'claude', label: 'x', path: 'relative' }))).code,
    ).toBe('invalid_input')
    expect(
      (await problemOf(program().rpc('accounts.import', { provider: 'codex', label: 'x', credential: {} }))).code,
    ).toBe('credential_unreadable')
  })
})

test('profiles are made, changed, asked and removed; the key never comes out', async () => {
  const { baseUrl } = (await program().rpc<{ id: string; baseUrl: string }[]>('profiles.list')).find(
    ({ id }) => id === profile,
  ) ?? { baseUrl: '' }
  const made = await program().rpc<{ id: string }>('profiles.create', {
    kind: 'api',
    label: 'Mine',
    dialects: ['chat'],
    baseUrl,
    apiKey: canary,
    models: [{ id: 'm1', upstreamModel: 'u1', aliases: ['a1'] }],
  })
  expect(made).toMatchObject({
    id: 'mine',
    kind: 'api',
    joins: [],
    keyPreview: '…6789',
    models: [{ id: 'm1', upstreamModel: 'u1', aliases: ['a1'], free: false }],
  })
  expect(await program().rpc('profiles.update', { id: 'mine', label: 'Ours', active: false })).toMatchObject({
    label: 'Ours',
    state: 'inactive',
    keyPreview: '…6789',
  })
  expect((await problemOf(program().rpc('profiles.update', { id: 'mine', baseUrl: 'http://127.0.0.1:9' }))).code).toBe(
    'invalid_input',
  )
  expect(await program().rpc('models.test', { backendId: 'mine:m1' })).toMatchObject({
    ok: false,
    code: 'key_rejected',
  })
  expect(
    await program().rpc('profiles.discoverModels', {
      kind: 'local',
      dialects: ['chat'],
      baseUrl: (await ollama()).baseUrl,
    }),
  ).toMatchObject([{ free: true }, { free: true }])
  expect(await program().rpc('profiles.remove', { id: 'mine' })).toEqual({ ok: true })
  expect((await problemOf(program().rpc('profiles.update', { id: 'mine' }))).code).toBe('not_found')
  expect((await problemOf(program().rpc('profiles.remove', { id: account }))).code).toBe('not_found')
})

const ollama = async (): Promise<{ baseUrl: string }> =>
  (await program().rpc<{ id: string; baseUrl: string }[]>('profiles.list')).find(({ id }) => id === 'ollama') ?? {
    baseUrl: '',
  }
