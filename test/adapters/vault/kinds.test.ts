/** Key files, and going from one kind of vault to another and back. */
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openVault } from '../../../src/main/adapters/vault/open-vault.ts'
import { credential, digestOf, filesIn, type Place, place, ref } from './kit.ts'
import { simulatedKeychain } from './simulated-keychain.ts'

const inFile = (at: Place) => openVault({ ...at, kind: 'file', keyFile: at.keyPath })
const inKeychain = (at: Place, { startHelper } = simulatedKeychain()) =>
  openVault({ ...at, kind: 'keychain', startHelper })

describe('a key file', () => {
  test.each([
    {
      case: 'inside the data folder',
      path: (at: Place) => join(at.folder, 'keys'),
      why: 'the key file lies inside the data folder',
    },
    { case: 'in a folder that links into it', path: linkedIn, why: 'the key file lies inside the data folder' },
    {
      case: 'in no folder',
      path: (at: Place) => join(at.root, 'nowhere', 'keys'),
      why: 'the key file can not be used: its folder does not exist',
    },
    {
      case: 'that is a link',
      path: linked,
      why: 'the key file can not be used: something that is not a plain file lies in its place',
    },
    { case: 'with something else in it', path: foreign, why: 'the key file has a line that is not a key' },
  ])('$case is refused and nothing is made', async ({ path, why }) => {
    const at = place()
    const vault = await openVault({ ...at, kind: 'file', keyFile: path(at) })
    expect(vault.state()).toEqual({ kind: 'file', state: 'unavailable', why })
    await vault.close()
    expect(filesIn(at.folder)).toEqual([])
  })

  function linkedIn(at: Place) {
    mkdirSync(join(at.folder, 'deep'))
    symlinkSync(join(at.folder, 'deep'), join(at.root, 'link'))
    return join(at.root, 'link', 'keys')
  }

  function linked(at: Place) {
    symlinkSync(join(at.root, 'elsewhere'), at.keyPath)
    return at.keyPath
  }

  function foreign(at: Place) {
    writeFileSync(at.keyPath, 'my shopping list\n')
    return at.keyPath
  }

  test('may serve the vaults of two data folders', async () => {
    const [one, two] = [place(), place()]
    for (const at of [one, two]) {
      const vault = await openVault({ ...at, kind: 'file', keyFile: one.keyPath })
      await vault.write(ref('a'), credential('a'))
      await vault.close()
    }
    for (const at of [one, two]) {
      const vault = await openVault({ ...at, kind: 'file', keyFile: one.keyPath })
      expect(vault.read(ref('a'))).toEqual(credential('a'))
      await vault.close()
    }
  })
})

describe('F54 another kind', () => {
  test('than the vault was made with: key missing, nothing changed, and switching back works', async () => {
    const at = place()
    const simulated = simulatedKeychain()
    const first = await inKeychain(at, simulated)
    await first.write(ref('a'), credential('a'))
    await first.close()
    const before = filesIn(at.folder).map((path) => [path, digestOf(path)])

    const other = await inFile(at)
    expect(other.state()).toEqual({ kind: 'file', state: 'key-missing', why: 'the vault was made with keychain' })
    await expect(other.write(ref('b'), credential('b'))).rejects.toMatchObject({
      problem: {
        code: 'vault_key_missing',
        sentence: 'The key of this vault (made with keychain) is not on this machine.',
      },
    })
    await expect(other.remove(ref('a'))).rejects.toMatchObject({ problem: { code: 'vault_key_missing' } })
    await other.close()
    expect(filesIn(at.folder).map((path) => [path, digestOf(path)])).toEqual(before)
    expect(filesIn(join(at.root, 'keys'))).toEqual([])

    const back = await inKeychain(at, simulated)
    expect(back.read(ref('a'))).toEqual(credential('a'))
    await back.close()
  })

  test('may begin an empty vault on demand; putting the old file back brings the old accounts back', async () => {
    const at = place()
    const simulated = simulatedKeychain()
    const first = await inKeychain(at, simulated)
    await first.write(ref('a'), credential('a'))
    await first.close()
    const other = await inFile(at)
    expect(await other.setAside()).toEqual({ kind: 'file', state: 'open' })
    await other.write(ref('a'), credential('a', 1))
    await other.close()
    rmSync(at.vault)
    cpSync(`${at.vault}.set-aside-${at.clock.nowMs()}`, at.vault)
    const back = await inKeychain(at, simulated)
    expect(back.read(ref('a'))).toEqual(credential('a'))
    await back.close()
  })

  test('setting aside is refused while the vault can be read', async () => {
    const at = place()
    const vault = await inFile(at)
    await vault.write(ref('a'), credential('a'))
    const before = filesIn(at.folder)
    expect(await vault.setAside()).toEqual({ kind: 'file', state: 'open' })
    expect([filesIn(at.folder), vault.read(ref('a'))]).toEqual([before, credential('a')])
    await vault.close()
  })

  test('memory beside a vault file leaves it alone', async () => {
    const at = place()
    const first = await inFile(at)
    await first.write(ref('a'), credential('a'))
    await first.close()
    const before = digestOf(at.vault)
    const memory = await openVault({ kind: 'memory' })
    await memory.write(ref('a'), credential('a', 9))
    await memory.close()
    expect(digestOf(at.vault)).toBe(before)
  })
})
