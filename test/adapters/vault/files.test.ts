/** The vault's files: who may read them, and what may lie in their place. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { openVault } from '../../../src/main/adapters/vault/open-vault.ts'
import { credential, filesIn, missing, modeOf, type Place, place, ref } from './kit.ts'

const child = (name: string) => new URL(name, import.meta.url).pathname
const open = (at: Place) => openVault({ ...at, kind: 'file', keyFile: at.keyPath })

test('T2.2 under umask 000 and in an open folder, no file or folder has a right for others', () => {
  const at = place()
  chmodSync(at.folder, 0o755)
  const order = { folder: at.folder, keyFile: at.keyPath, rounds: 2, rotate: true, umask: 0 }
  execFileSync(process.execPath, [child('vault-child.ts'), JSON.stringify(order)])
  const modes = Object.fromEntries(filesIn(at.folder).map((path) => [basename(path), modeOf(path)]))
  expect(modes).toEqual({ vault: '600', 'vault.prev': '600', 'vault.reserve': '600' })
  expect([modeOf(at.folder), modeOf(at.keyPath)]).toEqual(['700', '600'])
})

test('T2.2 rights that were given later are taken back at the start, and that is said', async () => {
  const at = place()
  const first = await open(at)
  await first.write(ref('a'), credential('a'))
  await first.close()
  for (const path of [...filesIn(at.folder), at.keyPath]) chmodSync(path, 0o666)
  const again = await open(at)
  expect([...filesIn(at.folder), at.keyPath].map(modeOf)).toEqual(['600', '600', '600', '600'])
  expect(at.log.events).toEqual(['vault.rights-repaired'])
  await again.close()
})

const otherUser = ['--reuid=65534', '--regid=65534', '--clear-groups']
test.skipIf(missing('the second user', 'setpriv', [...otherUser, 'true']) !== null)(
  'T2.2 another user of the machine can read none of the files',
  async () => {
    const at = place()
    const vault = await open(at)
    await vault.write(ref('a'), credential('a'))
    await vault.close()
    chmodSync(at.root, 0o755)
    const codes = [...filesIn(at.folder), at.keyPath].map(
      (path) => spawnSync('setpriv', [...otherUser, 'cat', path]).status,
    )
    expect(codes).toEqual([1, 1, 1, 1])
  },
)

test('T2.4 a link at the next temporary name: the write is refused, kept in memory, and the target is untouched', async () => {
  const at = place()
  const target = join(at.root, 'target')
  writeFileSync(target, 'mine')
  const vault = await open(at)
  symlinkSync(target, `${at.vault}.tmp`)
  const why = 'something lies in the place of its temporary file'
  await expect(vault.write(ref('a'), credential('a', 1))).rejects.toMatchObject({
    problem: { code: 'vault_write_failed', sentence: `The vault could not be saved: ${why}.` },
  })
  expect(vault.state()).toEqual({ kind: 'file', state: 'open', unsaved: why })
  expect(vault.read(ref('a'))).toEqual(credential('a', 1))
  expect([readFileSync(target, 'utf8'), readlinkSync(`${at.vault}.tmp`)]).toEqual(['mine', target])
  rmSync(`${at.vault}.tmp`)
  at.clock.turn()
  await expect.poll(() => vault.state()).toEqual({ kind: 'file', state: 'open' })
  await vault.close()
  const again = await open(at)
  expect(again.read(ref('a'))).toEqual(credential('a', 1))
  await again.close()
})

test('T2.4 a link at the vault’s own name: refused at the start and by later writes, the target untouched', async () => {
  const at = place()
  const vault = await open(at)
  await vault.write(ref('a'), credential('a'))
  const target = join(at.root, 'target')
  renameSync(at.vault, target)
  symlinkSync(target, at.vault)
  const before = readFileSync(target)
  await expect(vault.write(ref('a'), credential('a', 1))).rejects.toMatchObject({
    problem: { code: 'vault_write_failed' },
  })
  await vault.close()
  const again = await open(at)
  const why = 'the vault file can not be read: something that is not a plain file lies in its place'
  expect(again.state()).toEqual({ kind: 'file', state: 'unavailable', why })
  await expect(again.write(ref('a'), credential('a', 1))).rejects.toMatchObject({
    problem: { code: 'vault_unavailable' },
  })
  await again.close()
  expect(readFileSync(target)).toEqual(before)
  expect(lstatSync(at.vault).isSymbolicLink()).toBe(true)
})

test('T2.4 a link planted while a save runs is not replaced', async () => {
  const at = place()
  const target = join(at.root, 'target')
  let armed = false
  const onStep = (step: string) => {
    if (!armed || step !== 'kept') return
    armed = false
    renameSync(at.vault, target)
    symlinkSync(target, at.vault)
  }
  const vault = await openVault({ ...at, kind: 'file', keyFile: at.keyPath, onStep })
  armed = true
  await expect(vault.write(ref('a'), credential('a'))).rejects.toMatchObject({
    problem: { code: 'vault_write_failed' },
  })
  expect(readlinkSync(at.vault)).toBe(target)
  await vault.close()
})

test('a folder or pipe in the vault’s place is refused without waiting for it', async () => {
  for (const plant of [mkdirSync, (path: string) => execFileSync('mkfifo', [path])]) {
    const at = place()
    plant(at.vault)
    const vault = await open(at)
    expect(vault.state().state).toBe('unavailable')
    await vault.close()
  }
})
