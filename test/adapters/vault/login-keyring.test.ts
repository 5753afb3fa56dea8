/** The Codex CLI's keychain item on a real gnome-keyring, marked as the CLI's library marks it: found, absent, locked, gone. */
import { createHash } from 'node:crypto'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { StartHelper } from '../../../src/main/adapters/vault/helper-process.ts'
import { loginKeyring } from '../../../src/main/adapters/vault/login-keyring.ts'
import { place, realClock } from './kit.ts'
import { homeOf, missingKeyring, session } from './session-bus.ts'
import { simulatedKeychain } from './simulated-keychain.ts'

const missing = missingKeyring()
if (missing !== null) console.log(`keychain tests skipped: ${missing}`)

const open = (startHelper: StartHelper, limitMs = 20_000, platform = 'linux') =>
  loginKeyring({ startHelper, clock: realClock, limitMs, platform })

const accountOf = (codexHome: string): string =>
  `cli|${createHash('sha256').update(codexHome).digest('hex').slice(0, 16)}`

/** A folder of the CLI, and the words with which its library marks the item. */
function codexHome(root: string) {
  const folder = join(root, 'codex')
  mkdirSync(folder)
  const marks = ['service', 'Codex Auth', 'username', accountOf(folder), 'target', 'default']
  return { folder, marks }
}

const why = async (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'nothing',
    (cause) => cause.problem.sentence,
  )

describe.skipIf(missing !== null)('with gnome-keyring', () => {
  test('reads the item of exactly this folder, links followed, and writes it back where it lay', async () => {
    const at = place()
    const { folder, marks } = codexHome(at.root)
    const bus = await session(homeOf(at.root), 'unlocked')
    bus.run('sh', ['-c', `printf %s '{"login":1}' | secret-tool store --label=x "$@"`, 'sh', ...marks])
    const keyring = open(bus.startHelper)
    expect(await keyring.read(folder)).toBe('{"login":1}')
    symlinkSync(folder, join(at.root, 'link'))
    expect(await keyring.read(join(at.root, 'link'))).toBe('{"login":1}')
    expect(await keyring.read(at.root)).toBeNull()

    await keyring.replace(folder, '{"login":2}', '{"login":1}')
    expect(bus.run('secret-tool', ['lookup', ...marks])).toBe('{"login":2}')
    expect(bus.run('secret-tool', ['search', '--all', 'service', 'Codex Auth']).match(/^secret = /gm)).toHaveLength(1)
    await expect(keyring.replace(folder, '{"login":3}', '{"login":1}')).rejects.toMatchObject({
      problem: { code: 'conflict' },
    })
    expect(bus.run('secret-tool', ['lookup', ...marks])).toBe('{"login":2}')
  })

  test('a locked keychain, none at all, and a silent one are told apart from one without the item', async () => {
    const at = place()
    const { folder, marks } = codexHome(at.root)
    const home = homeOf(at.root)
    const before = await session(home, 'unlocked')
    before.run('sh', ['-c', `printf x | secret-tool store --label=x "$@"`, 'sh', ...marks])
    await before.end()
    const locked = await session(home, 'locked')
    expect(await why(open(locked.startHelper).read(folder))).toMatch(/the keychain does not give the item out/)
    await locked.end()
    const bare = await session(home, 'absent')
    expect(await why(open(bare.startHelper).read(folder))).toMatch(/the keychain does not give the item out/)
    await bare.end()
    const silent = await session(home, 'silent')
    expect(await why(open(silent.startHelper, 500).read(folder))).toMatch(/it gave no answer within 0.5 s/)
    await silent.end()
  })
})

test('on Windows the folder is looked for under its long form first', async () => {
  const at = place()
  const { folder } = codexHome(at.root)
  const simulated = simulatedKeychain()
  simulated.items.set(accountOf(`\\\\?\\${folder}`), 'long')
  expect(await open(simulated.startHelper, 1_000, 'win32').read(folder)).toBe('long')
  simulated.items.clear()
  simulated.items.set(accountOf(folder), 'short')
  expect(await open(simulated.startHelper, 1_000, 'win32').read(folder)).toBe('short')
})
