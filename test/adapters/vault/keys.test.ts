/** Where the key is kept: late, lying and lost stores, passphrases, key files, and going from one kind to another. */
import { cpSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nodeHelper } from '../../../src/main/adapters/vault/helper-process.ts'
import { openVault } from '../../../src/main/adapters/vault/open-vault.ts'
import { passphraseFrom } from '../../../src/main/adapters/vault/passphrase-input.ts'
import { credential, digestOf, filesIn, filesShowing, place, ref, refusalOf } from './kit.ts'
import { simulatedKeychain } from './simulated-keychain.ts'

type Place = ReturnType<typeof place>

const inFile = (at: Place) => openVault({ ...at, kind: 'file', keyFile: at.keyPath })
const inKeychain = (at: Place, { startHelper } = simulatedKeychain()) =>
  openVault({ ...at, kind: 'keychain', startHelper })
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

describe('a keychain that is', () => {
  test('F53 late: the start goes on without it, and its answer is still taken', async () => {
    const at = place()
    const simulated = simulatedKeychain()
    const first = await inKeychain(at, simulated)
    await first.write(ref('a'), credential('a'))
    await first.close()

    simulated.holding = true
    const states: string[] = []
    const opening = openVault({
      ...at,
      kind: 'keychain',
      startHelper: simulated.startHelper,
      onChange: ({ state }) => states.push(state),
    })
    await expect.poll(() => simulated.asked()).toBe(3)
    at.clock.turnOne()
    const vault = await opening
    expect(vault.state()).toEqual({ kind: 'keychain', state: 'hung', why: 'it was asked a moment ago' })
    simulated.release()
    expect(await vault.unlock()).toEqual({ kind: 'keychain', state: 'open' })
    expect(vault.read(ref('a'))).toEqual(credential('a'))
    expect(states).toEqual(['open'])
    expect(at.clock.waiting()).toBe(0)
    await vault.close()
  })

  test('F53 silent to the end: its helper is killed, and asking again later opens the vault', async () => {
    const at = place()
    const simulated = simulatedKeychain()
    simulated.holding = true
    const opening = inKeychain(at, simulated)
    await expect.poll(() => simulated.asked()).toBe(1)
    at.clock.turn()
    const vault = await opening
    expect(await vault.unlock()).toEqual({ kind: 'keychain', state: 'hung', why: 'it gave no answer within 10 s' })
    expect(simulated.killed()).toBe(1)
    simulated.holding = false
    expect(await vault.unlock()).toEqual({ kind: 'keychain', state: 'open' })
    await vault.close()
  })

  test('closed before the answer comes: the vault stays closed', async () => {
    const at = place()
    const simulated = simulatedKeychain()
    simulated.holding = true
    const opening = inKeychain(at, simulated)
    await expect.poll(() => simulated.asked()).toBe(1)
    at.clock.turnOne()
    const vault = await opening
    const late = vault.unlock()
    await vault.close()
    simulated.holding = false
    simulated.release()
    await late
    expect(vault.state()).toEqual({ kind: 'keychain', state: 'unavailable', why: 'the vault was closed' })
  })

  test.each([
    { case: 'gives back another value', given: () => 'B'.repeat(43) },
    { case: 'gives back something that is no key', given: () => 'short' },
    { case: 'forgets', given: () => null },
  ])('F55 untrue ($case): no vault is made with a key that it does not give back', async ({ given }) => {
    const at = place()
    const vault = await inKeychain(at, simulatedKeychain({ given }))
    const why = 'the keychain did not give back the key just stored'
    expect(vault.state()).toEqual({ kind: 'keychain', state: 'unavailable', why })
    await vault.close()
    expect(filesIn(at.folder)).toEqual([])
  })

  test('F55 untrue during a rotation: the old key stays in use and every record readable', async () => {
    const at = place()
    let lies = false
    const simulated = simulatedKeychain({ given: (value) => (lies ? 'B'.repeat(43) : value) })
    const vault = await inKeychain(at, simulated)
    await vault.write(ref('a'), credential('a'))
    lies = true
    await expect(vault.rotateKey()).rejects.toMatchObject({ problem: { code: 'vault_unavailable' } })
    lies = false
    expect(vault.read(ref('a'))).toEqual(credential('a'))
    await vault.close()
    const again = await inKeychain(at, simulated)
    expect(again.read(ref('a'))).toEqual(credential('a'))
    expect(simulated.items.size).toBe(1)
    await again.close()
  })

  test('without its library (F51): unavailable, no crash', async () => {
    const at = place()
    const source = new URL('../../../', import.meta.url).pathname
    const script = join(at.root, 'keychain-helper.ts')
    for (const name of ['keychain-helper.ts', 'keychain-question.ts']) {
      cpSync(join(source, 'src/main/adapters/vault', name), join(at.root, name))
    }
    const keytar = join(at.root, 'node_modules', 'keytar')
    cpSync(join(source, 'node_modules', 'keytar'), keytar, { recursive: true, dereference: true })
    // A name of the same length that no machine has.
    for (const path of filesIn(keytar).filter((name) => name.endsWith('.node'))) {
      writeFileSync(
        path,
        Buffer.from(readFileSync(path, 'latin1').replaceAll('libsecret-1.so.0', 'libsecret-X.so.0'), 'latin1'),
      )
    }
    const vault = await openVault({
      ...at,
      kind: 'keychain',
      startHelper: nodeHelper({ script, environment: process.env, node: process.execPath }),
    })
    expect(vault.state()).toMatchObject({
      kind: 'keychain',
      state: 'unavailable',
      why: expect.stringMatching(/^no keychain was found: its library could not be loaded/),
    })
    await vault.close()
  })
})

test('T2.5 the helper gets its question by stdin: no secret in its arguments or environment', async () => {
  const at = place()
  const script = join(at.root, 'spy.mjs')
  const seen = `JSON.stringify({ kind: 'value', value: [...process.argv.slice(2), ...Object.keys(process.env).sort()].join(' ') })`
  writeFileSync(script, `process.stdin.once('data', () => { console.log(${seen}); process.exit(0) })`)
  const environment = { HOME: '/nowhere', POINTSMAN_PASSPHRASE: 'canary', NODE_OPTIONS: '--no-deprecation', LANG: 'C' }
  const helper = nodeHelper({ script, environment, node: process.execPath })()
  expect(JSON.parse(await helper.ask('{"act":"find"}'))).toEqual({ kind: 'value', value: 'HOME LANG' })
  helper.kill()
})

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
