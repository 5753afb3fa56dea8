/** What every kind of vault keeps: one suite, run on each. */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { openVault, type VaultOptions } from '../../../src/main/adapters/vault/open-vault.ts'
import { Secret } from '../../../src/main/adapters/vault/secret.ts'
import { credential, filesShowing, place, ref } from './kit.ts'

type Place = ReturnType<typeof place>

interface Kind {
  readonly name: string
  readonly lasting: boolean
  options(at: Place): VaultOptions
}

const kinds: readonly Kind[] = [
  { name: 'memory', lasting: false, options: () => ({ kind: 'memory' }) },
  { name: 'file', lasting: true, options: (at) => ({ ...at, kind: 'file', keyFile: at.keyPath }) },
]

function ready(): Place {
  const at = place()
  mkdirSync(at.folder, { recursive: true })
  mkdirSync(dirname(at.keyPath), { recursive: true })
  return at
}

describe.each(kinds)('a $name vault', ({ name, lasting, options }) => {
  test('gives back what was written, and null for what was not', async () => {
    const vault = await openVault(options(ready()))
    expect(vault.state()).toEqual({ kind: name, state: 'open' })
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
    const vault = await openVault(options(ready()))
    const written = vault.write(ref('work'), credential('work', 2))
    expect(vault.read(ref('work'))).toEqual(credential('work', 2))
    await written
    await vault.close()
  })

  test('loses no record when many are written at once', async () => {
    const at = ready()
    const vault = await openVault(options(at))
    const names = Array.from({ length: 40 }, (_, n) => `account-${n % 20}`)
    await Promise.all(names.map((id, n) => vault.write(ref(id), credential(id, n))))
    const expected = Array.from({ length: 20 }, (_, n) => credential(`account-${n}`, n + 20))
    expect(expected.map((_, n) => vault.read(ref(`account-${n}`)))).toEqual(expected)
    await vault.close()
    const again = await openVault(options(at))
    expect(expected.map((_, n) => again.read(ref(`account-${n}`)))).toEqual(
      lasting ? expected : expected.map(() => null),
    )
    await again.close()
  })

  test('never puts a token on disk in plain', async () => {
    const at = ready()
    const vault = await openVault(options(at))
    for (const round of [1, 2, 3]) await vault.write(ref('work'), credential('work', round))
    await vault.close()
    expect(filesShowing(at.root, 'canary-')).toEqual([])
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
