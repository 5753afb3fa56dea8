/** A vault whose process is killed at any step is old or new, never mixed, and leaves nothing lying about. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { openVault } from '../../../src/main/adapters/vault/open-vault.ts'
import { deep, filesIn, type Place, place, ref } from './kit.ts'
import type { Order, Step } from './vault-child.ts'

const times = deep ? 100 : 3
const child = new URL('vault-child.ts', import.meta.url).pathname

function run(at: Place, order: Omit<Order, 'folder' | 'keyFile'>) {
  const whole: Order = { folder: at.folder, keyFile: at.keyPath, ...order }
  const { stdout, signal, stderr } = spawnSync(process.execPath, [child, JSON.stringify(whole)], { encoding: 'utf8' })
  return { lines: stdout.split('\n').filter((line) => line !== ''), signal, stderr }
}

const open = (at: Place) => openVault({ ...at, kind: 'file', keyFile: at.keyPath })

async function roundsSeen(at: Place) {
  const vault = await open(at)
  expect(vault.state()).toEqual({ kind: 'file', state: 'open' })
  const seen = ['a', 'b'].map((name) => {
    const found = vault.read(ref(name))
    return found?.kind === 'api-key' ? Number(found.key.split('-')[2]) : null
  })
  await vault.close()
  return seen
}

const names = (at: Place) => filesIn(at.folder).map((path) => basename(path))
const keysKept = (at: Place) =>
  readFileSync(at.keyPath, 'utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [line.slice(0, 16)]))
const keyOfVault = (at: Place) =>
  (JSON.parse(readFileSync(at.vault, 'latin1').split('\n')[0]) as { keyId: string }).keyId

const steps: readonly { step: Step; after: 'old' | 'new' }[] = [
  { step: 'opened', after: 'old' },
  { step: 'written', after: 'old' },
  { step: 'synced', after: 'old' },
  { step: 'verified', after: 'old' },
  { step: 'kept', after: 'old' },
  { step: 'renamed', after: 'new' },
  { step: 'folder-synced', after: 'new' },
]

test.each(steps)(
  'F34 killed after "$step" of a write: the $after content whole, leftovers cleaned',
  async ({ step, after }) => {
    for (let time = 0; time < times; time += 1) {
      const at = place()
      const saves = 2 + (time % 3)
      // The first save makes the file, so the save that is killed is round `saves`.
      const { lines, signal } = run(at, { rounds: 10, rotate: false, killAt: { step, nth: saves + 1 } })
      expect(signal).toBe('SIGKILL')
      expect(lines.at(-1)).toBe(`saved ${saves - 1}`)
      const round = after === 'new' ? saves : saves - 1
      expect(await roundsSeen(at)).toEqual([round, round])
      expect(names(at)).toEqual(['vault', 'vault.prev', 'vault.reserve'])
    }
  },
)

test.each(steps)(
  'F34 killed after "$step" of the very first save: opens, empty, with one usable key',
  async ({ step }) => {
    const at = place()
    expect(run(at, { rounds: 1, rotate: false, killAt: { step, nth: 1 } }).signal).toBe('SIGKILL')
    expect(await roundsSeen(at)).toEqual([null, null])
    expect(names(at)).toEqual(['vault', 'vault.reserve'])
    expect(keysKept(at)).toContain(keyOfVault(at))
    expect(run(at, { rounds: 1, rotate: false }).lines).toEqual(['state open', 'saved 1'])
    expect(await roundsSeen(at)).toEqual([1, 1])
  },
)

const rotation: readonly { step: Step; nth: number }[] = [
  { step: 'renamed', nth: 1 },
  { step: 'noted', nth: 1 },
  { step: 'stored', nth: 1 },
  { step: 'written', nth: 2 },
  { step: 'synced', nth: 2 },
  { step: 'renamed', nth: 2 },
  { step: 'moved', nth: 1 },
]

test.each(rotation)(
  'a rotation killed after "$step" ($nth) loses nothing and leaves one key',
  async ({ step, nth }) => {
    for (let time = 0; time < (deep ? 50 : 2); time += 1) {
      const at = place()
      expect(run(at, { rounds: 3, rotate: false }).signal).toBeNull()
      expect(run(at, { rounds: 0, rotate: true, killAt: { step, nth } }).signal).toBe('SIGKILL')
      expect(await roundsSeen(at)).toEqual([3, 3])
      expect(await roundsSeen(at)).toEqual([3, 3])
      expect(keysKept(at)).toEqual([keyOfVault(at)])
    }
  },
)

test('a rotation that is not stopped leaves the new key only, after the next clean start', async () => {
  const at = place()
  expect(run(at, { rounds: 3, rotate: false }).lines.at(-1)).toBe('saved 3')
  const before = keyOfVault(at)
  expect(run(at, { rounds: 0, rotate: true }).lines).toEqual(['state open', 'rotated'])
  expect(keysKept(at)).toEqual([before, keyOfVault(at)])
  expect(await roundsSeen(at)).toEqual([3, 3])
  expect(keysKept(at)).toEqual([keyOfVault(at)])
  expect(keyOfVault(at)).not.toBe(before)
})

test('writes during a rotation are lost by neither key', async () => {
  const at = place()
  const vault = await open(at)
  const written = Array.from({ length: 20 }, (_, n) => n).map((n) => ref(`account-${n}`))
  const first = written.slice(0, 10).map((each) => vault.write(each, { kind: 'api-key', key: each }))
  const rotated = vault.rotateKey()
  await Promise.all(first)
  await Promise.all(written.slice(10).map((each) => vault.write(each, { kind: 'api-key', key: each })))
  await rotated
  await vault.close()
  const again = await open(at)
  expect(written.map((each) => again.read(each))).toEqual(written.map((key) => ({ kind: 'api-key', key })))
  await again.close()
})
