/** The keychain adapter on a real gnome-keyring: unlocked, locked, absent, silent, and what the vault makes of each. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { nodeHelper, type StartHelper } from '../../../src/main/adapters/vault/helper-process.ts'
import { keychain } from '../../../src/main/adapters/vault/keychain.ts'
import { openVault } from '../../../src/main/adapters/vault/open-vault.ts'
import { Secret } from '../../../src/main/adapters/vault/secret.ts'
import { credential, digestOf, filesIn, filesShowing, type Place, place, realClock, ref, refusalOf } from './kit.ts'
import { helperScript, homeOf, missingKeyring, session } from './session-bus.ts'

const missing = missingKeyring()
if (missing !== null) console.log(`keychain tests skipped: ${missing}`)

const open = (at: Place, startHelper: StartHelper, limits = { patienceMs: 8_000, limitMs: 8_000 }) =>
  openVault({ ...at, clock: realClock, kind: 'keychain', startHelper, ...limits })

/** A vault with six accounts whose key is in the person's keyring; the session has ended. */
async function madeBefore() {
  const at = place()
  const home = homeOf(at.root)
  const before = await session(home, 'unlocked')
  const vault = await open(at, before.startHelper)
  expect(vault.state()).toEqual({ kind: 'keychain', state: 'open' })
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await vault.write(ref(name), credential(name))
  await vault.close()
  return { at, home, before }
}

describe.skipIf(missing !== null)('with gnome-keyring', () => {
  test('holds six accounts of 8 kB each under one item of 32 bytes, and no token in any file', async () => {
    const { at, home, before } = await madeBefore()
    const listing = before.run('secret-tool', ['search', '--all', 'service', 'pointsman'])
    const values = [...listing.matchAll(/^secret = (.*)$/gm)].map((match) => match[1] ?? '')
    expect(values.map((value) => Buffer.from(value, 'base64url').length)).toEqual([32])
    await before.end()

    const again = await session(home, 'unlocked')
    const vault = await open(at, again.startHelper)
    expect(vault.read(ref('f'))).toEqual(credential('f'))
    await vault.close()
    expect(filesShowing(at.root, 'canary-')).toEqual([])
    expect(filesShowing(at.folder, values[0] ?? '')).toEqual([])
  })

  test('F52 a locked keyring is locked, not empty: no new key, the file untouched, open after unlocking', async () => {
    const { at, home, before } = await madeBefore()
    await before.end()
    const digest = digestOf(at.vault)

    const locked = await session(home, 'locked')
    const vault = await open(at, locked.startHelper)
    expect(vault.state()).toMatchObject({ kind: 'keychain', state: 'locked' })
    expect(refusalOf(() => vault.read(ref('a')))).toBe('vault_locked')
    expect(vault.read(ref('never'))).toBeNull()
    await expect(vault.write(ref('a'), credential('a', 1))).rejects.toMatchObject({ problem: { code: 'vault_locked' } })
    expect((await vault.unlock()).state).toBe('locked')
    await vault.close()
    expect(digestOf(at.vault)).toBe(digest)
    await locked.end()

    const unlocked = await session(home, 'unlocked')
    const opened = await open(at, unlocked.startHelper)
    expect(opened.read(ref('a'))).toEqual(credential('a'))
    await opened.close()
  })

  test('F51 a bus without a keychain is unavailable; the vault stays as it is and writes name the ways out', async () => {
    const { at, home, before } = await madeBefore()
    await before.end()
    const digest = digestOf(at.vault)
    const bare = await session(home, 'absent')
    const vault = await open(at, bare.startHelper)
    expect(vault.state()).toMatchObject({ kind: 'keychain', state: 'unavailable' })
    await expect(vault.write(ref('a'), credential('a', 1))).rejects.toMatchObject({
      problem: { code: 'vault_unavailable', next: expect.stringContaining('--vault passphrase, file or memory') },
    })
    await vault.close()
    expect(digestOf(at.vault)).toBe(digest)
  })

  test('F52 a keyring that was never made is unavailable and says so', async () => {
    const at = place()
    const started = await session(homeOf(at.root), 'locked')
    const vault = await open(at, started.startHelper)
    const why = 'there is no keyring yet; make one, or log in to the desktop'
    expect(vault.state()).toEqual({ kind: 'keychain', state: 'unavailable', why })
    await vault.close()
  })

  test('F53 a keychain that never answers is hung: the start goes on, helpers are killed, the file is untouched', async () => {
    const { at, home, before } = await madeBefore()
    await before.end()
    const digest = digestOf(at.vault)
    const silent = await session(home, 'silent')
    const started: number[] = []
    const startHelper: StartHelper = () => {
      const helper = silent.startHelper()
      started.push(helper.pid)
      return helper
    }
    const changes: string[] = []
    const vault = await openVault({
      ...at,
      clock: realClock,
      kind: 'keychain',
      startHelper,
      patienceMs: 200,
      limitMs: 1_500,
      onChange: ({ state }) => changes.push(state),
    })
    expect(vault.state()).toEqual({ kind: 'keychain', state: 'hung', why: 'it was asked a moment ago' })
    expect(await vault.unlock()).toEqual({ kind: 'keychain', state: 'hung', why: 'it gave no answer within 1.5 s' })
    expect(refusalOf(() => vault.read(ref('a')))).toBe('vault_hung')
    await expect(vault.write(ref('a'), credential('a', 1))).rejects.toMatchObject({ problem: { code: 'vault_hung' } })
    await vault.close()
    expect(changes).toEqual(['hung'])
    expect(digestOf(at.vault)).toBe(digest)
    expect(started).toHaveLength(1)
    await expect.poll(() => started.filter(isRunning)).toEqual([])
  })

  test('F54 a key that was deleted is missing, one that was replaced too; bringing it back opens the vault', async () => {
    const { at, before } = await madeBefore()
    const digest = digestOf(at.vault)
    const { keyId } = JSON.parse(readFileSync(at.vault, 'latin1').split('\n')[0] ?? '') as { keyId: string }
    const store = keychain({ startHelper: before.startHelper, clock: realClock, limitMs: 8_000 })
    const found = await store.find(keyId)
    if (found.kind !== 'found') throw new Error('the key was there')

    await store.forget(keyId)
    const without = await open(at, before.startHelper)
    const why = 'its key is not in this keychain'
    expect(without.state()).toEqual({ kind: 'keychain', state: 'key-missing', why })
    expect(refusalOf(() => without.read(ref('a')))).toBe('vault_key_missing')
    await without.close()

    await store.keep(keyId, Secret.random(32))
    const other = await open(at, before.startHelper)
    expect(other.state()).toEqual({ kind: 'keychain', state: 'key-missing', why: 'the keychain holds another key' })
    await expect(other.write(ref('a'), credential('a', 1))).rejects.toMatchObject({
      problem: { code: 'vault_key_missing' },
    })
    await other.close()
    expect(digestOf(at.vault)).toBe(digest)

    await store.keep(keyId, found.key)
    const back = await open(at, before.startHelper)
    expect(back.read(ref('a'))).toEqual(credential('a'))
    await back.close()
  })

  test('a keychain that goes away after the start changes nothing for an open vault', async () => {
    const at = place()
    const home = homeOf(at.root)
    const running = await session(home, 'unlocked')
    const vault = await open(at, running.startHelper)
    await running.end()
    await vault.write(ref('a'), credential('a', 1))
    expect(vault.state()).toEqual({ kind: 'keychain', state: 'open' })
    await vault.close()
    const next = await session(home, 'unlocked')
    const again = await open(at, next.startHelper)
    expect(again.read(ref('a'))).toEqual(credential('a', 1))
    await again.close()
  })
})

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe('without a keyring', () => {
  const helper = (environment: Readonly<Record<string, string>>, script = helperScript) =>
    nodeHelper({ script, environment, node: process.execPath })

  test.each([
    { case: 'no bus at all', environment: {}, why: /^no keychain was found/ },
    {
      case: 'a dead bus address',
      environment: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere/bus' },
      why: /^no keychain was found/,
    },
  ])('F51 $case is unavailable, and no file is made', async ({ environment, why }) => {
    const at = place()
    const vault = await open(at, helper(environment))
    expect(vault.state()).toMatchObject({ kind: 'keychain', state: 'unavailable', why: expect.stringMatching(why) })
    expect(vault.read(ref('a'))).toBeNull()
    await vault.close()
    expect(filesIn(at.folder)).toEqual([])
  })

  test('F51 a helper that ends without an answer is unavailable', async () => {
    const at = place()
    const vault = await open(at, helper({}, '/nowhere/helper.js'))
    const why = 'no keychain was found: its library could not be loaded (its helper process ended without an answer)'
    expect(vault.state()).toEqual({ kind: 'keychain', state: 'unavailable', why })
    await vault.close()
  })
})
