/** The one door for changes: removal during a renewal, profiles, model refreshes (F68, T3.7). */
import { describe, expect, it } from 'vitest'
import type { Account } from '../../src/main/domain/source.ts'
import type { WebAnswer } from '../../src/main/ports.ts'
import { credentialRef, sourceId } from '../../src/shared/ids.ts'
import { desk } from './desk-kit.ts'
import { account, fresh, gate, json, settle, startMs, work } from './kit.ts'

describe('removing', () => {
  const file = (expiresAt: number) => ({
    claudeAiOauth: { accessToken: 'sk-ant-oat01-old', refreshToken: 'sk-ant-ort01-old', expiresAt },
  })

  it.each(['remove', 'signOut'] as const)(
    'F68 %s during a renewal: the credential does not rise again',
    async (how) => {
      const { desk: door, vault, sources, refresher, web } = desk()
      await door.import({ provider: 'claude', label: 'Work', credential: file(startMs - 1) })
      const held = gate<WebAnswer>()
      web.next(() => held.opened)
      const given = refresher.tokenFor(sources.get(work) as Account)
      await settle()
      expect(await door[how](work)).toBe(null)
      held.open(fresh)
      expect(await given).toHaveProperty('code')
      expect(vault.records.size).toBe(0)
      expect(sources.get(work)).toEqual(
        how === 'remove'
          ? undefined
          : expect.objectContaining({ signedOut: { because: 'you signed it out', sinceMs: startMs } }),
      )
    },
  )

  it('F68 an account of the same name that comes after is not touched by the old one’s renewal', async () => {
    const { desk: door, vault, sources, refresher, web } = desk()
    await door.import({ provider: 'claude', label: 'Work', credential: file(startMs - 1) })
    const held = gate<WebAnswer>()
    web.next(() => held.opened)
    const given = refresher.tokenFor(sources.get(work) as Account)
    await settle()
    await door.remove(work)
    await door.import({ provider: 'claude', label: 'Work', setupToken: 'sk-ant-oat01-STATIC' })
    held.open(fresh)
    await given
    expect(vault.records.get(credentialRef(work))).toMatchObject({ accessToken: 'sk-ant-oat01-STATIC' })
  })

  it('works on a full disk, and says so when there is nothing to remove', async () => {
    const { desk: door, vault, sources } = desk()
    await door.import({ provider: 'claude', label: 'Work', setupToken: 'sk-ant-oat01-STATIC' })
    vault.isFull = true
    expect(await door.remove(work)).toBe(null)
    expect({ records: vault.records.size, sources: sources.all() }).toEqual({ records: 0, sources: [] })
    expect(await door.remove(work)).toMatchObject({ code: 'not_found' })
  })
})

describe('profiles and models', () => {
  const input = {
    kind: 'api',
    label: 'Gateway',
    dialects: ['chat'],
    baseUrl: 'https://gateway.example.test',
    apiKey: 'key-1',
    models: [{ id: 'm' }],
  } as const

  it('a profile’s key goes to the vault, first', async () => {
    const { desk: door, vault, sources, refresher } = desk()
    const made = await door.createProfile(input)
    expect(sources.all()).toEqual([made])
    expect(await refresher.tokenFor(made as never)).toEqual({ kind: 'api-key', key: 'key-1' })
    vault.isFull = true
    expect(await door.createProfile(input)).toMatchObject({ code: 'vault_write_failed' })
    expect({ records: vault.records.size, sources: sources.all() }).toEqual({ records: 1, sources: [made] })
  })

  it('a local provider without a key needs no credential', async () => {
    const { desk: door, refresher } = desk()
    const made = await door.createProfile({
      kind: 'local',
      label: 'Ollama',
      dialects: ['chat'],
      baseUrl: 'http://127.0.0.1:11434',
      models: [],
    })
    expect(await refresher.tokenFor(made as never)).toBe(null)
  })

  it('an update changes what it names, and is refused for what isn’t a profile', async () => {
    const { desk: door, vault } = desk()
    await door.createProfile(input)
    const id = sourceId('gateway')
    expect(await door.updateProfile(id, { apiKey: 'key-2', label: 'New' })).toMatchObject({ id, label: 'New' })
    expect(vault.records.get(credentialRef(id))).toEqual({ kind: 'api-key', key: 'key-2' })
    expect(await door.updateProfile(sourceId('no'), {})).toMatchObject({ code: 'not_found' })
  })

  it('T3.7 discovery sends no official key to a foreign host', async () => {
    const { desk: door, web } = desk()
    expect(await door.discoverModels({ ...input, apiKey: 'sk-ant-api03-FAKE' })).toMatchObject({
      code: 'host_not_allowed',
    })
    expect(await door.discoverModels({ ...input, baseUrl: 'https://169.254.169.254' })).toMatchObject({
      code: 'invalid_input',
    })
    expect(web.requests).toEqual([])
    expect(await door.discoverModels(input)).toMatchObject({ code: 'models_unreadable' })
    expect(web.requests).toHaveLength(1)
  })

  it('a refresh reads the list with a working token and keeps the person’s aliases and a change made meanwhile', async () => {
    const answers = { '/v1/models': json(200, { data: [{ id: 'a' }, { id: 'b' }] }) }
    const { desk: door, sources } = desk(answers)
    await door.import({ provider: 'claude', label: 'Work', setupToken: 'sk-ant-oat01-STATIC' })
    const mine = { id: 'a', upstreamModel: 'a', aliases: ['mine'], free: false }
    sources.save({ ...(sources.get(work) as Account), models: [mine] })
    const refreshing = door.refreshModels(work)
    sources.save({ ...(sources.get(work) as Account), label: 'Renamed' })
    expect(await refreshing).toMatchObject({ label: 'Renamed', models: [mine, { id: 'b', aliases: [] }] })
  })

  it('a refresh of a signed-out account says so and changes nothing', async () => {
    const { desk: door, sources, web } = desk()
    sources.save(account({ signedOut: { because: 'x', sinceMs: 0 } }))
    expect(await door.refreshModels(work)).toMatchObject({ code: 'needs_sign_in' })
    expect(web.requests).toEqual([])
  })
})
