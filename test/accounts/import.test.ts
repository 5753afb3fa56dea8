/** Imports in their three forms, and whose account a login is (F66). */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { builtInModels } from '../../src/main/accounts/built-in-models.ts'
import type { Account } from '../../src/main/domain/source.ts'
import type { WebAnswer } from '../../src/main/ports.ts'
import { credentialRef, sourceId } from '../../src/shared/ids.ts'
import { codexFile, desk } from './desk-kit.ts'
import { account, gate, hourMs, json, settle, startMs } from './kit.ts'

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), 'utf8'))
const profile = (userId: string, orgId: string) =>
  json(200, {
    account: { uuid: userId, email: 'me@example.test' },
    organization: {
      uuid: orgId,
      name: 'Example Org',
      organization_type: 'claude_max',
      rate_limit_tier: 'default_claude_max_5x',
    },
  })

describe('importing', () => {
  it('a copy of a Codex login makes Pointsman its holder, with a warning, even offline', async () => {
    const { desk: door, vault, sources } = desk()
    const imported = await door.import({ provider: 'codex', label: ' Team Plan ', credential: fixture('codex-auth') })
    const id = sourceId('team-plan')
    const expected: Account = {
      ...account({
        id,
        label: 'Team Plan',
        provider: 'codex',
        serves: 'any-client',
        models: builtInModels.codex.models,
      }),
      identity: { userId: 'user-FAKE1', workspaceId: '11111111-2222-3333-4444-555555555555' },
      email: 'mé@example.test',
      plan: 'plus',
      origin: 'import',
      takenAtMs: startMs,
      handedFrom: null,
    }
    expect(imported).toEqual({ account: expected, isNew: true, warning: expect.stringContaining('`codex login`') })
    expect(sources.all()).toEqual([expected])
    expect(vault.records.get(credentialRef(id))).toMatchObject({ kind: 'oauth', refreshToken: 'rt_FAKE_1' })
  })

  it('a copy of a Claude login learns whose it is and which models it has', async () => {
    const { desk: door, clock } = desk({
      '/api/oauth/profile': profile('u1', 'o1'),
      '/v1/models': json(200, { data: [{ id: 'claude-new' }] }),
    })
    clock.wallMs = 1_790_000_000_000
    const imported = await door.import({ provider: 'claude', label: 'Max', credential: fixture('claude-credentials') })
    expect(imported).toMatchObject({
      account: {
        id: 'max',
        identity: { userId: 'u1', workspaceId: 'o1' },
        email: 'me@example.test',
        workspace: 'Example Org',
        plan: 'max 5x',
        custody: 'pointsman',
        serves: 'claude-code-only',
        models: [{ id: 'claude-new', upstreamModel: 'claude-new', aliases: [], free: false }],
      },
    })
  })

  it('a path is read-only: no secret is stored, no warning given', async () => {
    const { desk: door, vault, files } = desk()
    files.texts.set('/home/me/.codex/auth.json', JSON.stringify(fixture('codex-auth')))
    const imported = await door.import({ provider: 'codex', label: 'CLI', path: '/home/me/.codex/auth.json' })
    expect(imported).toMatchObject({
      warning: null,
      account: { custody: 'read-only', path: '/home/me/.codex/auth.json', credentialRef: null },
    })
    expect(vault.writes).toEqual([])
  })

  it('a setup-token is static and never asked whose it is', async () => {
    const { desk: door, web, vault } = desk()
    const imported = await door.import({ provider: 'claude', label: 'Setup', setupToken: 'sk-ant-oat01-STATIC' })
    expect(imported).toMatchObject({
      warning: null,
      account: { custody: 'setup-token', identity: null, models: builtInModels.claude.models },
    })
    expect(vault.records.get(credentialRef(sourceId('setup')))).toMatchObject({
      accessToken: 'sk-ant-oat01-STATIC',
      refreshToken: null,
    })
    expect(web.requests.map(({ url }) => url)).toEqual(['https://api.anthropic.com/v1/models?limit=100'])
  })

  it('an expired login asks the vendor nothing', async () => {
    const { desk: door, web, clock } = desk()
    clock.wallMs = 1_800_000_000_000
    await door.import({ provider: 'claude', label: 'Old', credential: fixture('claude-credentials') })
    expect(web.requests).toEqual([])
  })

  it.each([
    ['nothing', { provider: 'claude', label: 'x' }, 'invalid_input'],
    ['no label', { provider: 'claude', label: ' ', setupToken: 'sk-ant-oat01-A' }, 'invalid_input'],
    [
      'a setup-token for Codex',
      { provider: 'codex', label: 'x', setupToken: 'sk-ant-oat01-A' },
      'credential_unreadable',
    ],
    ['a relative path', { provider: 'codex', label: 'x', path: 'auth.json' }, 'invalid_input'],
    ['a file that is not there', { provider: 'codex', label: 'x', path: '/nowhere' }, 'credential_unreadable'],
    [
      'an API key',
      { provider: 'codex', label: 'x', credential: fixture('codex-auth-api-key') },
      'credential_unreadable',
    ],
    [
      'MCP sign-ins',
      { provider: 'claude', label: 'x', credential: fixture('claude-mcp-only') },
      'credential_unreadable',
    ],
    [
      'an unknown account to sign in again',
      { provider: 'claude', label: 'x', setupToken: 'sk-ant-oat01-A', replaces: sourceId('no') },
      'not_found',
    ],
  ] as const)('%s is refused and leaves nothing behind', async (_, input, code) => {
    const { desk: door, vault, sources } = desk()
    expect(await door.import(input)).toMatchObject({ code })
    expect({ records: vault.records.size, sources: sources.all() }).toEqual({ records: 0, sources: [] })
  })

  it('a vault that can not save: no account, no record', async () => {
    const { desk: door, vault, sources } = desk()
    vault.isFull = true
    expect(await door.import({ provider: 'codex', label: 'x', credential: fixture('codex-auth') })).toMatchObject({
      code: 'vault_write_failed',
    })
    expect({ records: vault.records.size, sources: sources.all() }).toEqual({ records: 0, sources: [] })
  })
})

describe('identity', () => {
  it('is user and workspace: one person’s two workspaces are two accounts, the same one again is one', async () => {
    const { desk: door, sources, vault, clock } = desk()
    await door.import({ provider: 'codex', label: 'Mine', credential: codexFile('u1', 'personal') })
    await door.import({ provider: 'codex', label: 'Mine', credential: codexFile('u1', 'team') })
    const before = sources.get(sourceId('mine')) as Account
    sources.save({ ...before, label: 'Renamed', weight: 4, active: false, signedOut: { because: 'x', sinceMs: 1 } })
    clock.advance(hourMs)
    const again = await door.import({
      provider: 'codex',
      label: 'Other',
      credential: codexFile('u1', 'personal', 'newer'),
    })
    expect(again).toMatchObject({ isNew: false })
    expect(sources.all().map(({ id }) => id)).toEqual(['mine', 'mine-2'])
    expect(sources.get(sourceId('mine'))).toEqual({
      ...before,
      label: 'Renamed',
      weight: 4,
      active: false,
      takenAtMs: startMs + hourMs,
      updatedAtMs: startMs + hourMs,
    })
    expect(vault.records.get(credentialRef(sourceId('mine')))).toMatchObject({ refreshToken: 'newer' })
    expect(vault.records.get(credentialRef(sourceId('mine-2')))).toMatchObject({ refreshToken: 'rt-u1-team' })
  })

  it('that isn’t known is the account that has this very token or file', async () => {
    const { desk: door, sources, files } = desk()
    files.texts.set('/p', JSON.stringify(fixture('claude-credentials')))
    for (const label of ['a', 'b']) {
      await door.import({ provider: 'claude', label, credential: fixture('claude-credentials') })
      await door.import({ provider: 'claude', label, setupToken: 'sk-ant-oat01-STATIC' })
      await door.import({ provider: 'codex', label, path: '/p' })
    }
    expect(sources.all().map(({ id }) => id)).toEqual(['a', 'a-2'])
  })

  it('found later fills in the account that had none', async () => {
    const answers: Record<string, WebAnswer> = {}
    const { desk: door, sources, clock } = desk(answers)
    clock.wallMs = 1_790_000_000_000
    await door.import({ provider: 'claude', label: 'a', credential: fixture('claude-credentials') })
    answers['/api/oauth/profile'] = profile('u1', 'o1')
    await door.import({ provider: 'claude', label: 'b', credential: fixture('claude-credentials') })
    expect(sources.all()).toMatchObject([{ id: 'a', identity: { userId: 'u1', workspaceId: 'o1' } }])
  })

  it('of another account is refused when one account is to be signed in again', async () => {
    const { desk: door, sources } = desk()
    await door.import({ provider: 'codex', label: 'one', credential: codexFile('u1', 'w1') })
    await door.import({ provider: 'codex', label: 'two', credential: codexFile('u2', 'w2') })
    for (const credential of [codexFile('u2', 'w2'), codexFile('u3', 'w3')]) {
      const given = await door.import({ provider: 'codex', label: 'x', credential, replaces: sourceId('one') })
      expect(given).toMatchObject({ code: 'invalid_input' })
    }
    expect(
      await door.import({
        provider: 'codex',
        label: 'x',
        credential: codexFile('u1', 'w1', 'r2'),
        replaces: sourceId('one'),
      }),
    ).toMatchObject({ isNew: false })
    expect(sources.all().map(({ id }) => id)).toEqual(['one', 'two'])
  })

  it('holds for a double click', async () => {
    const { desk: door, sources } = desk()
    const input = { provider: 'codex', label: 'x', credential: codexFile('u1', 'w1') } as const
    const all = await Promise.all([
      door.import(input),
      door.import(input),
      door.import({ ...input, credential: codexFile('u2', 'w2') }),
    ])
    expect(all.map((one) => 'isNew' in one && one.isNew)).toEqual([true, false, true])
    expect(sources.all().map(({ id }) => id)).toEqual(['x', 'x-2'])
  })

  it('of another person in the same file is another account', async () => {
    const { desk: door, sources, files } = desk()
    for (const user of ['u1', 'u2']) {
      files.texts.set('/p', JSON.stringify(codexFile(user, 'w1')))
      await door.import({ provider: 'codex', label: user, path: '/p' })
    }
    expect(sources.all().map(({ id }) => id)).toEqual(['u1', 'u2'])
  })

  it('keeps what its owner changes while the vault is being written, and does not revive what was removed', async () => {
    for (const change of ['rename', 'remove'] as const) {
      const { desk: door, sources, vault } = desk()
      const input = { provider: 'codex', label: 'x', credential: codexFile('u1', 'w1') } as const
      await door.import(input)
      const x = sources.get(sourceId('x')) as Account
      const disk = gate()
      vault.gate = disk.opened
      const again = door.import(input)
      await settle()
      if (change === 'rename') sources.save({ ...x, label: 'Renamed' })
      else sources.remove(x.id)
      disk.open()
      if (change === 'rename') expect(await again).toMatchObject({ account: { label: 'Renamed' } })
      else expect(await again).toMatchObject({ code: 'conflict' })
      expect([sources.all().length, vault.records.size]).toEqual(change === 'rename' ? [1, 1] : [0, 0])
    }
  })

  it('handed over from read-only to ours and back leaves no secret behind', async () => {
    const { desk: door, sources, vault, files } = desk()
    files.texts.set('/p', JSON.stringify(codexFile('u1', 'w1')))
    await door.import({ provider: 'codex', label: 'x', path: '/p' })
    await door.import({ provider: 'codex', label: 'x', credential: codexFile('u1', 'w1') })
    expect(sources.all()).toMatchObject([{ custody: 'pointsman', path: null, credentialRef: 'credential/x' }])
    await door.import({ provider: 'codex', label: 'x', path: '/p' })
    expect(sources.all()).toMatchObject([{ custody: 'read-only', path: '/p', credentialRef: null }])
    expect(vault.records.size).toBe(0)
  })
})
