/** A key behind a passphrase: asked once, locked without it, and a way out when it is forgotten. */
import { cpSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openVault } from '../../../src/main/adapters/vault/open-vault.ts'
import { passphraseFrom } from '../../../src/main/adapters/vault/passphrase-input.ts'
import { credential, digestOf, filesShowing, type Place, place, ref, refusalOf } from './kit.ts'

const behind = (at: Place, ...phrases: (string | null)[]) => {
  const left = [...phrases]
  return openVault({
    ...at,
    kind: 'passphrase',
    askPassphrase: async () => {
      const next = left.length > 1 ? left.shift() : left[0]
      return typeof next === 'string' ? Buffer.from(next) : null
    },
  })
}

describe('a passphrase', () => {
  test('that is wrong or missing means locked; the right one opens without a new start', async () => {
    const at = place()
    const first = await behind(at, 'right')
    await first.write(ref('a'), credential('a'))
    await first.close()
    const digests = [digestOf(at.vault), digestOf(`${at.vault}.keys`)]
    const vault = await behind(at, 'wrong', null, 'right')
    const locked = { kind: 'passphrase', state: 'locked' }
    expect(vault.state()).toEqual({ ...locked, why: 'the passphrase is not the right one' })
    expect(refusalOf(() => vault.read(ref('a')))).toBe('vault_locked')
    expect(await vault.unlock()).toEqual({ ...locked, why: 'no passphrase was given' })
    expect([digestOf(at.vault), digestOf(`${at.vault}.keys`)]).toEqual(digests)
    expect(await vault.unlock()).toEqual({ kind: 'passphrase', state: 'open' })
    expect(vault.read(ref('a'))).toEqual(credential('a'))
    await vault.close()
  })

  test('is asked once a run, also for a rotation, and still opens the vault afterwards', async () => {
    const at = place()
    const vault = await behind(at, 'right', null)
    await vault.write(ref('a'), credential('a'))
    await vault.rotateKey()
    await vault.close()
    for (let start = 0; start < 2; start += 1) {
      const again = await behind(at, 'right', null)
      expect(again.read(ref('a'))).toEqual(credential('a'))
      await again.close()
    }
    const { keys } = JSON.parse(readFileSync(`${at.vault}.keys`, 'utf8')) as { keys: object }
    expect(Object.keys(keys)).toHaveLength(1)
  })

  test('that is forgotten leaves a way out that deletes nothing', async () => {
    const at = place()
    const first = await behind(at, 'forgotten')
    await first.write(ref('a'), credential('a'))
    await first.close()
    const before = digestOf(at.vault)
    const vault = await behind(at, 'new')
    expect(vault.state().state).toBe('locked')
    expect(await vault.setAside()).toEqual({ kind: 'passphrase', state: 'open' })
    expect(vault.read(ref('a'))).toBeNull()
    await vault.write(ref('a'), credential('a', 1))
    await vault.close()
    const aside = readdirSync(at.folder)
      .filter((name) => name.includes('set-aside'))
      .sort()
    const mark = `set-aside-${at.clock.nowMs()}`
    expect(aside).toEqual([`vault.keys.${mark}`, `vault.prev.${mark}`, `vault.${mark}`])
    expect(digestOf(join(at.folder, `vault.${mark}`))).toBe(before)
  })

  test.each([
    { case: 'not JSON', change: () => 'nonsense', why: 'it is damaged' },
    { case: 'no salt', change: () => '{"cost":{"n":131072,"r":8,"p":1},"keys":{}}', why: 'it is damaged' },
    {
      case: 'cheaper',
      change: (text: string) => text.replace('131072', '1024'),
      why: 'its scrypt parameters are not ours',
    },
    {
      case: 'too dear',
      change: (text: string) => text.replace('131072', '1073741824'),
      why: 'its scrypt parameters are not ours',
    },
  ])('file that was altered ($case) is refused before scrypt runs', async ({ change, why }) => {
    const at = place()
    const first = await behind(at, 'right')
    await first.close()
    const path = `${at.vault}.keys`
    writeFileSync(path, change(readFileSync(path, 'utf8')))
    const vault = await behind(at, 'right')
    expect(vault.state()).toMatchObject({
      state: 'unavailable',
      why: `the file of wrapped keys can not be used: ${why}`,
    })
    await vault.close()
  })

  test.each([
    { case: 'one line', text: 'right\n', given: 'right' },
    { case: 'no line break', text: 'right', given: 'right' },
    { case: 'a carriage return', text: 'right\r\nmore', given: 'right' },
    { case: 'other letters', text: 'r\u00efght ', given: 'r\u00efght ' },
    { case: 'nothing', text: '', given: '' },
  ])('comes from a descriptor ($case), once', async ({ text, given }) => {
    const at = place()
    const path = join(at.root, 'credential')
    writeFileSync(path, text)
    const ask = passphraseFrom(openSync(path, 'r'))
    expect([Buffer.from((await ask()) ?? 'none').toString(), await ask()]).toEqual([given, null])
  })

  test('from a descriptor that is not open is none', async () => {
    expect(await passphraseFrom(9999)()).toBeNull()
  })

  test('T5.1 a copied folder alone opens nothing', async () => {
    const at = place()
    const first = await behind(at, 'right')
    await first.write(ref('a'), credential('a'))
    await first.close()
    const thief = place()
    cpSync(at.folder, thief.folder, { recursive: true })
    const vault = await behind(thief, 'guess')
    expect(vault.state().state).toBe('locked')
    expect(filesShowing(thief.root, 'canary-')).toEqual([])
    await vault.close()
  })
})
