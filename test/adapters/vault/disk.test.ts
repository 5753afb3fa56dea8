/** The vault and its disk: full, failing, and the order in which a save reaches it. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openVault } from '../../../src/main/adapters/vault/open-vault.ts'
import { credential, missing, type Place, place, ref } from './kit.ts'

const child = (name: string) => new URL(name, import.meta.url).pathname
const open = (at: Place) => openVault({ ...at, kind: 'file', keyFile: at.keyPath })

test('F37 a save that succeeds meanwhile calls the retry off', async () => {
  const at = place()
  const vault = await open(at)
  mkdirSync(`${at.vault}.tmp`)
  await expect(vault.write(ref('a'), credential('a'))).rejects.toMatchObject({
    problem: { code: 'vault_write_failed' },
  })
  await expect(vault.write(ref('b'), credential('b'))).rejects.toMatchObject({
    problem: { code: 'vault_write_failed' },
  })
  expect(at.clock.waiting()).toBe(1)
  rmdirSync(`${at.vault}.tmp`)
  await vault.write(ref('c'), credential('c'))
  expect([vault.state(), at.clock.waiting()]).toEqual([{ kind: 'file', state: 'open' }, 0])
  await vault.close()
  const again = await open(at)
  expect(['a', 'b', 'c'].map((name) => again.read(ref(name)))).toEqual(['a', 'b', 'c'].map((name) => credential(name)))
  await again.close()
})

test('with only the previous file left, that one is opened and no new key is made', async () => {
  const at = place()
  const vault = await open(at)
  await vault.write(ref('a'), credential('a'))
  await vault.write(ref('b'), credential('b'))
  await vault.close()
  const keys = readFileSync(at.keyPath)
  rmSync(at.vault)
  const again = await open(at)
  expect([again.read(ref('a')), again.read(ref('b'))]).toEqual([credential('a'), null])
  expect(readFileSync(at.keyPath)).toEqual(keys)
  await again.close()
})

const inSmallDisk = ['--mount', '--map-root-user', 'sh', '-c']
const noMounts = missing('the full disk', 'unshare', [...inSmallDisk, 'mount -t tmpfs -o size=1m tmpfs /mnt'])

test.skipIf(noMounts !== null)(
  'F37 on a full disk the reserve lets a rotated token be saved; without it, it stays in memory and is retried',
  () => {
    const at = place()
    const script = `mount -t tmpfs -o size=512k,mode=700 tmpfs "$1" && exec "$0" "$2" "$1" "$3"`
    const args = [...inSmallDisk, script, process.execPath, at.folder, child('full-disk-child.ts'), at.keyPath]
    const { stdout, stderr } = spawnSync('unshare', args, { encoding: 'utf8' })
    expect({ stderr, result: JSON.parse(stdout || 'null') }).toEqual({
      stderr: '',
      result: {
        before: { reserve: true },
        savedFromReserve: { state: { kind: 'file', state: 'open' }, reserve: false },
        refused: {
          code: 'vault_write_failed',
          state: { kind: 'file', state: 'open', unsaved: 'the disk is full' },
          round: 3,
        },
        stillRefused: { state: { kind: 'file', state: 'open', unsaved: 'the disk is full' }, waiting: 1 },
        afterSpace: { state: { kind: 'file', state: 'open' }, reserve: true, waiting: 0 },
        reopened: 3,
        leftovers: [],
      },
    })
  },
)

const noTracing = missing('the order on disk and failing fsync', 'strace', ['-f', 'true'])

test.skipIf(noTracing !== null)(
  'F38 whichever fsync fails, what was acknowledged is there and nothing is mixed',
  async () => {
    const states: string[] = []
    for (let nth = 1; nth <= 9; nth += 1) {
      const at = place()
      const order = JSON.stringify({ folder: at.folder, keyFile: at.keyPath, rounds: 2, rotate: false })
      const inject = [
        '-f',
        '-o',
        join(at.root, 'trace'),
        '-e',
        'trace=fsync',
        '-e',
        `inject=fsync:error=EIO:when=${nth}`,
      ]
      const args = [...inject, process.execPath, child('vault-child.ts'), order]
      // One thread, since strace counts the calls of each.
      const { stdout } = spawnSync('strace', args, {
        encoding: 'utf8',
        env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
      })
      expect(readFileSync(join(at.root, 'trace'), 'utf8')).toContain('EIO')
      const lines = stdout.split('\n').filter((line) => line !== '')
      const saved = lines.filter((line) => line.startsWith('saved')).length
      const vault = await open(at)
      expect(vault.state()).toEqual({ kind: 'file', state: 'open' })
      const rounds = ['a', 'b'].map((name) => {
        const found = vault.read(ref(name))
        return found?.kind === 'api-key' ? Number(found.key.split('-')[2]) : 0
      })
      await vault.close()
      expect(rounds[0]).toBe(rounds[1])
      expect([saved, saved + 1]).toContain(rounds[0])
      states.push(`${lines[0]}, saved ${saved}`)
    }
    expect(states).toEqual([
      ...Array.from({ length: 4 }, () => 'state unavailable, saved 0'),
      'state open, saved 2',
      ...Array.from({ length: 2 }, () => 'state open, saved 0'),
      ...Array.from({ length: 2 }, () => 'state open, saved 1'),
    ])
  },
)

test.skipIf(noTracing !== null)(
  'F35 a write is acknowledged only after write, fsync, rename and fsync of the folder, in this order',
  () => {
    const at = place()
    const order = JSON.stringify({ folder: at.folder, keyFile: at.keyPath, rounds: 1, rotate: false })
    const calls = 'trace=openat,write,fsync,rename,renameat,renameat2'
    const { stderr } = spawnSync(
      'strace',
      ['-f', '-y', '-e', calls, '-e', 'signal=none', process.execPath, child('vault-child.ts'), order],
      {
        encoding: 'utf8',
        maxBuffer: 1 << 28,
      },
    )
    const temporary = `${at.vault}.tmp`
    const kinds: readonly (readonly [string, (line: string) => boolean])[] = [
      [
        'opened',
        (line) =>
          line.includes('openat(') && line.includes(`"${temporary}"`) && line.includes('O_CREAT|O_EXCL|O_NOFOLLOW'),
      ],
      ['written', (line) => line.includes('write(') && line.includes(`<${temporary}>`)],
      ['synced', (line) => line.includes('fsync(') && line.includes(`<${temporary}>`)],
      ['renamed', (line) => line.includes(`"${temporary}"`) && line.includes('rename')],
      ['folder-synced', (line) => line.includes('fsync(') && line.includes(`<${at.folder}>`)],
      ['acknowledged', (line) => line.includes('"saved 1')],
    ]
    const seen = stderr.split('\n').flatMap((line) => kinds.filter(([, is]) => is(line)).map(([kind]) => kind))
    const save = ['opened', 'written', 'synced', 'renamed', 'folder-synced']
    expect(seen).toEqual([...save, ...save, 'acknowledged'])
  },
)

test('the reserve is at least 64 KiB and never smaller than the vault', async () => {
  const at = place()
  const vault = await open(at)
  const sizes: boolean[] = []
  for (let n = 0; n < 12; n += 1) {
    await vault.write(ref(`account-${n}`), credential(`account-${n}`))
    const { size } = statSync(`${at.vault}.reserve`)
    sizes.push(size >= 65_536 && size > statSync(at.vault).size)
  }
  expect(sizes).toEqual(sizes.map(() => true))
  await vault.close()
})
