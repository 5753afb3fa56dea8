/** A keychain that is late, lying, lost or without its library, and how little its helper is told. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nodeHelper } from '../../../src/main/adapters/vault/helper-process.ts'
import { openVault } from '../../../src/main/adapters/vault/open-vault.ts'
import { credential, filesIn, type Place, place, ref } from './kit.ts'
import { helperScript } from './session-bus.ts'
import { simulatedKeychain } from './simulated-keychain.ts'

const inKeychain = (at: Place, { startHelper } = simulatedKeychain()) =>
  openVault({ ...at, kind: 'keychain', startHelper })

const project = new URL('../../../', import.meta.url).pathname

/** The helper in a folder of its own, where the test decides what `keytar` is. */
function helperIn(at: Place): string {
  for (const name of ['keychain-helper.ts', 'keychain-question.ts']) {
    cpSync(join(project, 'src/main/adapters/vault', name), join(at.root, name))
  }
  return join(at.root, 'keychain-helper.ts')
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

  test.each([
    { case: 'empty', keytar: {}, answer: { kind: 'absent' } },
    {
      case: 'locked until the probe’s prompt is answered',
      keytar: { getPassword: 'async (service, account) => (open ? (items.get(account) ?? "the key") : null)' },
      answer: { kind: 'value', value: 'the key' },
    },
    {
      case: 'locked',
      keytar: { setPassword: 'async () => { throw new Error("im gesperrten Schlüsselbund") }' },
      answer: { kind: 'failed', call: 'probe', text: 'im gesperrten Schlüsselbund' },
    },
    {
      case: 'gone',
      keytar: { getPassword: 'async () => { throw new Error("no bus") }' },
      answer: { kind: 'failed', call: 'get', text: 'no bus' },
    },
    {
      case: 'forgetful',
      keytar: { getPassword: 'async () => null' },
      answer: { kind: 'failed', call: 'probe', text: 'an item just stored was not given back' },
    },
  ])('$case: the helper says which call told it', async ({ keytar, answer }) => {
    const at = place()
    const script = helperIn(at)
    const parts = {
      getPassword: 'async (service, account) => items.get(account) ?? null',
      setPassword: 'async (service, account, value) => { open = true; items.set(account, value) }',
      deletePassword: 'async (service, account) => items.delete(account)',
      ...keytar,
    }
    const lines = Object.entries(parts).map(([name, act]) => `exports.${name} = ${act}`)
    const stub = join(at.root, 'node_modules', 'keytar')
    mkdirSync(stub, { recursive: true })
    writeFileSync(join(stub, 'index.js'), ['let open = false', 'const items = new Map()', ...lines].join('\n'))
    const helper = nodeHelper({ script, environment: {}, node: process.execPath })()
    expect(JSON.parse(await helper.ask('{"act":"find","account":"vault-key:0"}'))).toEqual(answer)
    helper.kill()
  })

  test('without its library (F51): unavailable, no crash', async () => {
    const at = place()
    const script = helperIn(at)
    const keytar = join(at.root, 'node_modules', 'keytar')
    cpSync(join(project, 'node_modules', 'keytar'), keytar, { recursive: true, dereference: true })
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

test('the helper also takes its question as a message, as Electron’s utility processes give it', async () => {
  const at = place()
  const script = join(at.root, 'utility.mjs')
  const port = `{ once: (event, take) => setTimeout(take, 0, { data: '{"act":"find","account":"x"}' }),
    postMessage: (text) => { console.log(JSON.stringify({ posted: JSON.parse(text).call })); process.exit(0) } }`
  writeFileSync(script, `process.parentPort = ${port}\nawait import(${JSON.stringify(helperScript)})`)
  const helper = nodeHelper({ script, environment: {}, node: process.execPath })()
  expect(JSON.parse(await helper.ask('not read'))).toEqual({ posted: 'get' })
  helper.kill()
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
