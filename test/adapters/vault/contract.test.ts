/** What every kind of vault keeps: one suite, run on each. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { openVault, type VaultOptions } from '../../../src/main/adapters/vault/open-vault.ts'
import { Secret } from '../../../src/main/adapters/vault/secret.ts'
import type { VaultKind } from '../../../src/main/ports.ts'
import { credential, filesShowing, type Place, place, realClock, ref } from './kit.ts'
import { homeOf, missingKeyring, session } from './session-bus.ts'
import { simulatedKeychain } from './simulated-keychain.ts'

interface Kind {
  readonly name: string
  readonly kind: VaultKind
  readonly lasting: boolean
  options(at: Place): VaultOptions | Promise<VaultOptions>
}

const phrase = Buffer.from('canary-passphrase')

const kinds: Kind[] = [
  { name: 'memory', kind: 'memory', lasting: false, options: () => ({ kind: 'memory' }) },
  { name: 'file', kind: 'file', lasting: true, options: (at) => ({ ...at, kind: 'file', keyFile: at.keyPath }) },
  {
    name: 'passphrase',
    kind: 'passphrase',
    lasting: true,
    options: (at) => ({ ...at, kind: 'passphrase', askPassphrase: async () => phrase }),
  },
  {
    name: 'keychain of 2,560 bytes an item',
    kind: 'keychain',
    lasting: true,
    options: (at) => ({ ...at, kind: 'keychain', startHelper: simulatedKeychain({ largestBytes: 2560 }).startHelper }),
  },
]

const missing = missingKeyring()
if (missing === null) kinds.push({ name: 'gnome-keyring', kind: 'keychain', lasting: true, options: unlockedKeychain })
else console.log(`the contract is not run on gnome-keyring: ${missing}`)

async function unlockedKeychain(at: Place): Promise<VaultOptions> {
  const { startHelper } = await session(homeOf(at.root), 'unlocked')
  return { ...at, clock: realClock, kind: 'keychain', startHelper, patienceMs: 8_000 }
}

describe.each(kinds)('a $name vault', ({ kind, lasting, options }) => {
  test('gives back what was written, and null for what was not', async () => {
    const vault = await openVault(await options(place()))
    expect(vault.state()).toEqual({ kind, state: 'open' })
    await vault.write(ref('work'), credential('work'))
    await vault.write(ref('api'), { kind: 'api-key', key: 'canary-key' })
    expect(vault.read(ref('work'))).toEqual(credential('work'))
    expect(vault.read(ref('api'))).toEqual({ kind: 'api-key', key: 'canary-key' })
    expect(vault.read(ref('other'))).toBeNull()
    await vault.remove(ref('work'))
    expect(vault.read(ref('work'))).toBeNull()
    await vault.close()
  })

  test('serves a new token from memory before the disk has it', async () => {
    const vault = await openVault(await options(place()))
    const written = vault.write(ref('work'), credential('work', 2))
    expect(vault.read(ref('work'))).toEqual(credential('work', 2))
    await written
    await vault.close()
  })

  test('loses no record when many are written at once', async () => {
    const at = place()
    const chosen = await options(at)
    const vault = await openVault(chosen)
    const names = Array.from({ length: 40 }, (_, n) => `account-${n % 20}`)
    await Promise.all(names.map((id, n) => vault.write(ref(id), credential(id, n))))
    const expected = Array.from({ length: 20 }, (_, n) => credential(`account-${n}`, n + 20))
    expect(expected.map((_, n) => vault.read(ref(`account-${n}`)))).toEqual(expected)
    await vault.close()
    const again = await openVault(chosen)
    expect(expected.map((_, n) => again.read(ref(`account-${n}`)))).toEqual(
      lasting ? expected : expected.map(() => null),
    )
    await again.close()
  })

  test('never puts a token on disk in plain', async () => {
    const at = place()
    const chosen = await options(at)
    const vault = await openVault(chosen)
    for (const round of [1, 2, 3]) await vault.write(ref('work'), credential('work', round))
    await vault.close()
    expect(filesShowing(at.root, 'canary-')).toEqual([])
    // The scan itself can fail.
    writeFileSync(join(at.root, 'planted'), Buffer.from(JSON.stringify(credential('work'))).toString('base64'))
    expect(filesShowing(at.root, 'canary-')).toEqual([join(at.root, 'planted')])
  })
})

test('a secret prints as [secret] in every form', () => {
  const secret = new Secret(Buffer.from('canary'))
  const holder = { secret }
  expect([`${secret}`, String(secret), JSON.stringify(holder), inspect(holder)]).toEqual([
    '[secret]',
    '[secret]',
    '{"secret":"[secret]"}',
    '{ secret: [secret] }',
  ])
  expect(Object.keys(secret)).toEqual([])
})

test('a keychain of 2,560 bytes an item would not take the tokens themselves', async () => {
  const ask = (value: string) =>
    simulatedKeychain({ largestBytes: 2560 })
      .startHelper()
      .ask(JSON.stringify({ act: 'keep', account: 'direct', value }))
  expect(JSON.parse(await ask(JSON.stringify(credential('work'))))).toMatchObject({ kind: 'failed', call: 'set' })
  expect(JSON.parse(await ask('x'.repeat(1280)))).toEqual({ kind: 'done' })
})
