/** The vault of the built program: an older file that is put back is noticed, a lost key has a way out that deletes nothing. */
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Program, startProgram } from './run-program.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pointsman-vault-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }))

const dataDir = (): string => join(root, 'data')

const start = (home: string): Promise<Program> =>
  startProgram({
    dataDir: dataDir(),
    practice: false,
    args: ['--vault', 'file'],
    environment: { HOME: join(root, home) },
  })

interface Vault {
  readonly state: string
  readonly isOlder: boolean
}

const vaultOf = async (program: Program): Promise<Vault> =>
  (await program.rpc<{ readonly vault: Vault }>('app.snapshot')).vault

/** Needs no network: a local provider with a key is a secret like any other. */
const addKey = (program: Program, label: string): Promise<unknown> =>
  program.rpc('profiles.create', {
    ...{ kind: 'local', label, dialects: ['chat'], baseUrl: 'http://127.0.0.1:9', apiKey: `key-${label}` },
    models: [{ id: 'm' }],
  })

async function run<Out>(home: string, act: (program: Program) => Promise<Out>): Promise<Out> {
  const program = await start(home)
  try {
    return await act(program)
  } finally {
    await program.stop()
  }
}

test('T5.3 an older vault file that was put back is said, blocks nothing, and is forgotten once it is saved anew', async () => {
  await run('me', (program) => addKey(program, 'one'))
  const kept = join(root, 'kept')
  copyFileSync(join(dataDir(), 'vault'), kept)
  await run('me', (program) => addKey(program, 'two'))
  expect(await run('me', vaultOf)).toMatchObject({ state: 'open', isOlder: false })

  copyFileSync(kept, join(dataDir(), 'vault'))
  await run('me', async (program) => {
    expect(await vaultOf(program)).toMatchObject({ state: 'open', isOlder: true })
    const { stdout } = await program.cli(['doctor', '--json'])
    expect(JSON.parse(stdout).checks).toContainEqual(
      expect.objectContaining({ name: 'vault', ok: false, next: 'Sign in again to each account that asks for it.' }),
    )
    expect(program.log()).toContain('vault.older-file')
    await addKey(program, 'three')
  })
  expect(await run('me', vaultOf)).toMatchObject({ state: 'open', isOlder: false })
})

test('F54 a lost key: the vault stays closed until a new one is begun; the old file is renamed, never deleted', async () => {
  await run('me', (program) => addKey(program, 'one'))
  await run('elsewhere', async (program) => {
    expect(await vaultOf(program)).toMatchObject({ state: 'key-missing' })
    expect(await program.rpc('vault.setAside')).toMatchObject({ state: 'open', isOlder: false })
    const files = readdirSync(dataDir())
    expect(files.filter((name) => /^vault\.set-aside-\d+$/.test(name))).toHaveLength(1)
    await addKey(program, 'two')
    // Open now: nothing more is set aside.
    expect(await program.rpc('vault.setAside')).toMatchObject({ state: 'open' })
    expect(readdirSync(dataDir()).filter((name) => name.startsWith('vault.set-aside-'))).toHaveLength(1)
  })
  expect(await run('elsewhere', vaultOf)).toMatchObject({ state: 'open', isOlder: false })
})
