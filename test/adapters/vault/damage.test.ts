/** What an altered vault file gives: errors on exactly what was altered, never a wrong credential, nothing deleted. */
import { randomInt } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { closeBox, openBox } from '../../../src/main/adapters/vault/box.ts'
import { Contents } from '../../../src/main/adapters/vault/contents.ts'
import { parseVault } from '../../../src/main/adapters/vault/format.ts'
import { openVault } from '../../../src/main/adapters/vault/open-vault.ts'
import { Secret } from '../../../src/main/adapters/vault/secret.ts'
import type { CredentialRef } from '../../../src/shared/ids.ts'
import { credential, deep, type Place, place, ref, refusalOf } from './kit.ts'

const names = ['a', 'b', 'c', 'd', 'e', 'f']

const open = (at: Place) => openVault({ ...at, kind: 'file', keyFile: at.keyPath })

async function sixAccounts() {
  const at = place()
  const vault = await open(at)
  for (const name of names) await vault.write(ref(name), credential(name))
  await vault.close()
  return at
}

const linesOf = (at: Place): string[] => readFileSync(at.vault, 'latin1').split('\n')
const writeLines = (at: Place, lines: readonly string[]) => writeFileSync(at.vault, lines.join('\n'), 'latin1')
const lineOf = (lines: readonly string[], name: string) => lines.findIndex((line) => line.includes(`"${ref(name)}"`))

/** What each account reads as: its credential, `vault_damaged`, or nothing. */
const outcomes = (read: (ref: CredentialRef) => unknown) =>
  Object.fromEntries(
    names.map((name) => {
      let value: unknown
      const code = refusalOf(() => {
        value = read(ref(name))
      })
      return [name, code === 'nothing was refused' ? (value === null ? 'absent' : value) : code]
    }),
  )
const intact = Object.fromEntries(names.map((name) => [name, credential(name)]))

test('T5.3 two swapped ciphertexts are errors on exactly those two', async () => {
  const at = await sixAccounts()
  const lines = linesOf(at)
  const [b, e] = [lineOf(lines, 'b'), lineOf(lines, 'e')]
  const boxOf = (line: string) => (JSON.parse(line) as { box: string }).box
  const [boxB, boxE] = [boxOf(lines[b]), boxOf(lines[e])]
  lines[b] = lines[b].replace(boxB, boxE)
  lines[e] = lines[e].replace(boxE, boxB)
  writeLines(at, lines)
  const vault = await open(at)
  expect(outcomes(vault.read.bind(vault))).toEqual({ ...intact, b: 'vault_damaged', e: 'vault_damaged' })
  expect(at.log.events).toEqual(['vault.record-damaged'])
  await vault.close()
})

test('every one of 10,000 bit flips is an authentication error or a refusal, never a wrong credential', () => {
  const key = Secret.random(32)
  const made = new Contents(key, {
    keyId: '0123456789abcdef',
    store: 'file',
    createdAtMs: 1,
    generation: 0,
    retired: [],
  })
  for (const name of names) made.put(ref(name), new Secret(Buffer.from(`token-${name}`)))
  const bytes = made.encode()
  const headerEnd = bytes.indexOf('\n')
  const sealEnd = bytes.indexOf('\n', headerEnd + 1)
  const recordIn = (position: number) => bytes.subarray(sealEnd + 1, position).filter((byte) => byte === 0x0a).length
  const seen = { record: 0, seal: 0, header: 0 }
  for (let round = 0; round < 10_000; round += 1) {
    const flipped = Buffer.from(bytes)
    // The last byte only ends the last line; without it the line is the same.
    const position = randomInt(bytes.length - 1)
    flipped[position] ^= 1 << randomInt(8)
    const parsed = parseVault(flipped)
    const opened = parsed.kind === 'vault' ? Contents.open(key, parsed.text) : null
    const found = names.map((name) => {
      const each = opened?.contents.find(ref(name))
      return each?.kind === 'found' ? each.secret.bytes().toString() : each?.kind
    })
    const whole = names.map((name) => `token-${name}`)
    if (position > sealEnd) {
      const hit = recordIn(position)
      // A line break that is gone takes the line after it along; one that is new splits its own line only.
      const expected = whole.map((token, n) =>
        n === hit || (bytes[position] === 0x0a && n === hit + 1) ? 'damaged' : token,
      )
      expect({ position, found }).toEqual({ position, found: expected })
      seen.record += 1
    } else if (position > headerEnd) {
      const expected = bytes[position] === 0x0a ? [undefined, ...whole.slice(1)] : whole
      expect({ position, found: found.map((each, n) => (expected[n] === undefined ? undefined : each)) }).toEqual({
        position,
        found: expected,
      })
      expect(opened?.remarks).toContain('seal-broken')
      seen.seal += 1
    } else {
      // Header altered: unreadable, another key id (no record opens), or a broken seal that is seen.
      expect(opened === null || opened.remarks.includes('seal-broken')).toBe(true)
      seen.header += 1
    }
  }
  expect(seen.record + seen.seal + seen.header).toBe(10_000)
  expect(Math.min(seen.record, seen.seal, seen.header)).toBeGreaterThan(100)
})

test('what does not decrypt stays byte for byte through later writes, and opens again once it is mended', async () => {
  const at = await sixAccounts()
  const whole = linesOf(at)
  const lines = [...whole]
  const b = lineOf(lines, 'b')
  lines[b] = `${whole[b].slice(0, 60)}\xff\x00\t${whole[b].slice(63)}`
  writeLines(at, lines)
  const vault = await open(at)
  await vault.write(ref('a'), credential('a', 1))
  await vault.remove(ref('c'))
  await vault.close()
  expect(linesOf(at)).toContain(lines[b])

  const again = await open(at)
  expect(outcomes(again.read.bind(again))).toEqual({
    ...intact,
    a: credential('a', 1),
    b: 'vault_damaged',
    c: 'absent',
  })
  await again.close()
  writeLines(
    at,
    linesOf(at).map((line) => (line === lines[b] ? whole[b] : line)),
  )
  const mended = await open(at)
  expect(outcomes(mended.read.bind(mended))).toEqual({ ...intact, a: credential('a', 1), c: 'absent' })
  await mended.close()
})

test('signing in again sets the damaged record aside and keeps it', async () => {
  const at = await sixAccounts()
  const lines = linesOf(at)
  const b = lineOf(lines, 'b')
  lines[b] = lines[b].replace('"box":"', '"box":"AAAA')
  writeLines(at, lines)
  const vault = await open(at)
  await vault.write(ref('b'), credential('b', 7))
  await vault.close()
  const again = await open(at)
  expect(again.read(ref('b'))).toEqual(credential('b', 7))
  await again.close()
  expect(linesOf(at)).toContain(`# ${lines[b]}`)
})

test('a rotation keeps the old key for what it could not decrypt', async () => {
  const at = await sixAccounts()
  const whole = linesOf(at)
  const b = lineOf(whole, 'b')
  const broken = whole[b].replace('"box":"', '"box":"AAAA')
  writeLines(at, [...whole.slice(0, b), broken, ...whole.slice(b + 1)])
  const keys = readFileSync(at.keyPath, 'utf8')
  const vault = await open(at)
  await vault.rotateKey()
  await vault.close()
  for (let start = 0; start < 2; start += 1) {
    const again = await open(at)
    expect(outcomes(again.read.bind(again))).toEqual({ ...intact, b: 'vault_damaged' })
    await again.close()
  }
  expect(readFileSync(at.keyPath, 'utf8').startsWith(keys)).toBe(true)
  expect(linesOf(at)).toContain(broken)
})

test('T5.3 an older record put back is served and said, a removed one does not rise again', async () => {
  const at = await sixAccounts()
  const old = linesOf(at)
  const vault = await open(at)
  await vault.write(ref('a'), credential('a', 1))
  await vault.remove(ref('b'))
  await vault.close()
  const lines = linesOf(at)
  lines[lineOf(lines, 'a')] = old[lineOf(old, 'a')]
  writeLines(at, [...lines.slice(0, -1), old[lineOf(old, 'b')], ''])
  const again = await open(at)
  expect(outcomes(again.read.bind(again))).toEqual({ ...intact, b: 'absent' })
  expect(at.log.events.sort()).toEqual(['vault.record-older', 'vault.record-unlisted'])
  await again.close()
})

test('T5.3 an older file put back shows in the generation', async () => {
  const at = await sixAccounts()
  const old = readFileSync(at.vault)
  const vault = await open(at)
  await vault.write(ref('a'), credential('a', 1))
  const last = vault.generation()
  await vault.close()
  writeFileSync(at.vault, old)
  const again = await open(at)
  expect(again.generation()).toBeLessThan(last)
  expect(again.read(ref('a'))).toEqual(credential('a'))
  await again.close()
})

describe('a file that is no vault of ours', () => {
  test.each([
    { case: 'empty', text: '', why: 'the vault file is damaged or not a vault' },
    { case: 'something else', text: 'hello\n', why: 'the vault file is damaged or not a vault' },
    {
      case: 'newer',
      text: '{"magic":"pointsman-vault","version":2,"else":1}\n',
      why: 'the vault was made by a newer version',
    },
    {
      case: 'half a header',
      text: '{"magic":"pointsman-vault","version":1}\n',
      why: 'the header of the vault file is damaged',
    },
    {
      case: 'a field too many',
      text: '{"magic":"pointsman-vault","version":1,"keyId":"0","store":"file","createdAtMs":1,"generation":0,"retired":[],"x":1}\n',
      why: 'the header of the vault file is damaged',
    },
  ])('$case: unavailable, untouched, no new key', async ({ text, why }) => {
    const at = await sixAccounts()
    const keys = readFileSync(at.keyPath)
    writeFileSync(at.vault, text)
    const vault = await open(at)
    expect(vault.state()).toEqual({ kind: 'file', state: 'unavailable', why })
    await expect(vault.write(ref('a'), credential('a'))).rejects.toMatchObject({
      problem: { code: 'vault_unavailable' },
    })
    await vault.close()
    expect(readFileSync(at.vault, 'utf8')).toBe(text)
    expect(readFileSync(at.keyPath)).toEqual(keys)
  })
})

test('no nonce is used twice', () => {
  const key = Secret.random(32)
  const rounds = deep ? 1_000_000 : 50_000
  const nonces = new Set<string>()
  for (let n = 0; n < rounds; n += 1) nonces.add(closeBox(key, [n], Buffer.alloc(1)).toString('latin1', 0, 12))
  expect(nonces.size).toBe(rounds)
})

test('a box opens only with its key and what it is about, and never with a shortened tag', () => {
  const key = Secret.random(32)
  const box = closeBox(key, ['a', 1], Buffer.from('plain'))
  expect(openBox(key, ['a', 1], box)?.bytes().toString()).toBe('plain')
  expect([
    openBox(key, ['a', 2], box),
    openBox(key, ['a1'], box),
    openBox(Secret.random(32), ['a', 1], box),
    openBox(key, ['a', 1], box.subarray(0, -1)),
    openBox(key, ['a', 1], box.subarray(0, 20)),
    openBox(key, ['a', 1], Buffer.alloc(0)),
  ]).toEqual([null, null, null, null, null, null])
})
