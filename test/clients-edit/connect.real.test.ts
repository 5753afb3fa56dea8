/** Connecting on real files and a real store: byte-exact restore, also after kills and edits; a key per client, revoked on undo. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openClients } from './clients-kit.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pointsman-clients-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface Case {
  readonly client: 'claude' | 'codex'
  /** Below the test's folder; null: the person's own settings. */
  readonly shop: string | null
  readonly way: 'own' | 'base-url'
  readonly label: string
}

const cases: readonly Case[] = [
  { client: 'claude', shop: null, way: 'own', label: 'Claude Code' },
  { client: 'claude', shop: 'a shop', way: 'own', label: 'Claude Code in a shop' },
  { client: 'codex', shop: null, way: 'own', label: 'Codex CLI' },
  { client: 'codex', shop: null, way: 'base-url', label: 'Codex CLI' },
]

const files = { claude: '.claude/settings.json', codex: '.codex/config.toml' } as const
const texts = {
  claude: '{\n  // mine\n  "model": "opus",\n  "env": { "FOO": "1", },\n}\n',
  codex: '# mine\r\nmodel = "gpt-5.5"\r\n\r\n[tui]\r\nnotifications = true\r\n',
} as const

const placeOf = ({ client, shop }: Pick<Case, 'client' | 'shop'>) => ({
  client,
  folder: shop === null ? null : join(folder, shop),
})

function fileOf({ client, shop }: Pick<Case, 'client' | 'shop'>): string {
  if (shop === null) return join(folder, 'home', files[client])
  mkdirSync(join(folder, shop), { recursive: true })
  return join(folder, shop, '.claude', 'settings.local.json')
}

function put(of: Pick<Case, 'client' | 'shop'>, text: string): string {
  const path = fileOf(of)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

const claude = { client: 'claude', shop: null } as const
const codex = { client: 'codex', shop: null } as const

describe.each(cases)('$label by $way', (one) => {
  const { client, way, label } = one
  test('is connected with a key of its own and restored byte for byte, which revokes the key', async () => {
    const path = put(one, texts[client])
    chmodSync(path, 0o640)
    const { clients, keys, close } = openClients(folder)
    expect((await clients.status(placeOf(one))).state).toBe('not-connected')
    const connected = await clients.connect(placeOf(one), way)
    expect(connected).toMatchObject({ state: 'connected', way, keyLabel: label })
    const secret = /pk_[\w-]{43}/.exec(readFileSync(path, 'utf8'))?.[0] ?? ''
    expect(keys.present(secret)?.state).toBe('active')
    expect(statSync(path).mode & 0o777).toBe(0o640)
    await clients.restore(placeOf(one))
    expect(readFileSync(path, 'utf8')).toBe(texts[client])
    expect(keys.present(secret)?.state).toBe('revoked')
    expect((await clients.status(placeOf(one))).state).toBe('not-connected')
    close()
  })

  test('a file that did not exist is made, and gone again after the restore', async () => {
    const path = fileOf(one)
    const { clients, close } = openClients(folder)
    await clients.connect(placeOf(one), way)
    expect(existsSync(path)).toBe(true)
    await clients.restore(placeOf(one))
    expect(existsSync(path)).toBe(false)
    close()
  })

  test('a file edited since keeps its edits; only our keys go', async () => {
    const path = put(one, texts[client])
    const { clients, close } = openClients(folder)
    await clients.connect(placeOf(one), way)
    const mine = client === 'claude' ? '// added later\n' : '# added later\n'
    writeFileSync(path, readFileSync(path, 'utf8') + mine)
    expect((await clients.status(placeOf(one))).state).toBe('changed')
    await clients.restore(placeOf(one))
    const left = readFileSync(path, 'utf8')
    expect(left).toContain(mine)
    expect(left).not.toContain('pk_')
    expect(left).not.toContain('127.0.0.1:7646')
    close()
  })

  test('a link is followed: the file behind it changes, the link stays', async () => {
    const real = join(folder, 'dotfiles')
    writeFileSync(real, texts[client])
    mkdirSync(dirname(fileOf(one)), { recursive: true })
    symlinkSync(real, fileOf(one))
    const { clients, close } = openClients(folder)
    await clients.connect(placeOf(one), way)
    expect(readFileSync(real, 'utf8')).toContain('pk_')
    await clients.restore(placeOf(one))
    expect(readFileSync(real, 'utf8')).toBe(texts[client])
    close()
  })

  test('a file that points here already is never kept as what to go back to', async () => {
    const path = put(one, texts[client])
    const first = openClients(folder)
    await first.clients.connect(placeOf(one), way)
    first.close()
    rmSync(join(folder, 'pointsman.db'))
    const second = openClients(folder)
    expect((await second.clients.status(placeOf(one))).state).toBe('elsewhere')
    await second.clients.connect(placeOf(one), way)
    await second.clients.restore(placeOf(one))
    expect(readFileSync(path, 'utf8')).not.toContain('pk_')
    second.close()
  })

  const child = (step: string, act: 'connect' | 'restore') =>
    spawnSync(process.execPath, [
      join(import.meta.dirname, 'connect-child.ts'),
      ...[folder, client, step, act, way, placeOf(one).folder ?? ''],
    ])

  test.each(['written', 'synced', 'renamed', 'folder-synced'])(
    'F34 killed at the step %s it is connected or not, and restorable either way',
    async (step) => {
      const path = put(one, texts[client])
      expect(child(step, 'connect').signal).toBe('SIGKILL')
      const after = readFileSync(path, 'utf8')
      expect(after === texts[client] || after.includes('pk_')).toBe(true)
      const { clients, keys, close } = openClients(folder)
      await clients.settle()
      const { state } = await clients.status(placeOf(one))
      expect(state).toBe(after === texts[client] ? 'not-connected' : 'connected')
      if (state === 'connected') await clients.restore(placeOf(one))
      expect(readFileSync(path, 'utf8')).toBe(texts[client])
      expect(keys.all().filter((key) => key.state === 'active')).toEqual([])
      close()
    },
  )

  test.each(['written', 'synced', 'renamed', 'folder-synced'])(
    'F34 killed at the step %s of the undo it can be undone again, to the same bytes',
    async (step) => {
      const path = put(one, texts[client])
      const first = openClients(folder)
      await first.clients.connect(placeOf(one), way)
      first.close()
      expect(child(step, 'restore').signal).toBe('SIGKILL')
      const { clients, keys, close } = openClients(folder)
      await clients.settle()
      await clients.restore(placeOf(one))
      expect(readFileSync(path, 'utf8')).toBe(texts[client])
      expect((await clients.status(placeOf(one))).state).toBe('not-connected')
      expect(keys.all().filter((key) => key.state === 'active')).toEqual([])
      close()
    },
  )
})

test('a file that can not be changed safely is left alone, and no key is made', async () => {
  const path = put(claude, '{ "env": ')
  const { clients, keys, close } = openClients(folder)
  await expect(clients.connect(placeOf(claude), 'own')).rejects.toMatchObject({
    problem: { code: 'client_config_unsafe' },
  })
  expect(readFileSync(path, 'utf8')).toBe('{ "env": ')
  expect(keys.all()).toEqual([])
  close()
})

test('the preview shows the exact lines with the key masked and writes nothing', async () => {
  const path = put(codex, texts.codex)
  const { clients, keys, close } = openClients(folder)
  const { lines, isNew } = await clients.preview(placeOf(codex), 'own')
  expect(isNew).toBe(false)
  expect(lines.map(({ kind, text }) => `${kind} ${text}`)).toContain('added model_provider = "pointsman"')
  expect(lines.map(({ text }) => text).join('\n')).toContain('experimental_bearer_token = "pk_…"')
  expect(readFileSync(path, 'utf8')).toBe(texts.codex)
  expect(keys.all()).toEqual([])
  close()
})

test('from one way to the other: the preview has the lines of both, the first key is revoked, the undo is exact', async () => {
  const path = put(codex, texts.codex)
  const { clients, keys, close } = openClients(folder)
  await clients.connect(placeOf(codex), 'own')
  const { lines } = await clients.preview(placeOf(codex), 'base-url')
  expect(lines.map(({ kind, text }) => `${kind} ${text}`)).toEqual(
    expect.arrayContaining([
      'removed model_provider = "pointsman"',
      'added openai_base_url = "http://127.0.0.1:7646/k/pk_…/codex/v1"',
    ]),
  )
  expect(await clients.connect(placeOf(codex), 'base-url')).toMatchObject({ state: 'connected', way: 'base-url' })
  expect(readFileSync(path, 'utf8')).not.toContain('model_provider')
  expect(keys.all().map(({ state }) => state)).toEqual(['revoked', 'active'])
  await clients.restore(placeOf(codex))
  expect(readFileSync(path, 'utf8')).toBe(texts.codex)
  close()
})

test('folders are listed once they are connected, each with a key of its own; one that is gone is let go', async () => {
  const { clients, keys, close } = openClients(folder)
  const shops = ['one', 'two/one'].map((shop) => ({ client: 'claude', shop }) as const)
  for (const shop of shops) {
    fileOf(shop)
    await clients.connect(placeOf(shop), 'own')
  }
  await clients.connect(placeOf(claude), 'own')
  expect((await clients.all()).map(({ client, folder: of, state, keyLabel }) => [client, of, state, keyLabel])).toEqual(
    [
      ['claude', null, 'connected', 'Claude Code'],
      ['codex', null, 'not-connected', null],
      ['claude', join(folder, 'one'), 'connected', 'Claude Code in one'],
      ['claude', join(folder, 'two/one'), 'connected', 'Claude Code in one 2'],
    ],
  )
  rmSync(join(folder, 'one'), { recursive: true })
  await clients.restore(placeOf({ client: 'claude', shop: 'one' }))
  expect(existsSync(join(folder, 'one'))).toBe(false)
  expect(keys.all().filter(({ state }) => state === 'active')).toHaveLength(2)
  await expect(clients.connect(placeOf({ client: 'claude', shop: 'never' }), 'own')).rejects.toMatchObject({
    problem: { code: 'invalid_input' },
  })
  close()
})

test('the lines for the SDKs have a key of their own, which is in them alone; the preview makes none', () => {
  const { clients, keys, close } = openClients(folder)
  expect(clients.sdkPreview('fish')).toContain("set -gx OPENAI_API_KEY 'pk_…'")
  expect(keys.all()).toEqual([])
  const { keyLabel, lines } = clients.sdk('posix')
  const secret = /pk_[\w-]{43}/.exec(lines.join('\n'))?.[0] ?? ''
  expect([keyLabel, keys.present(secret)?.state, clients.sdk('posix').keyLabel]).toEqual(['SDK', 'active', 'SDK 2'])
  const told = execFileSync('sh', [
    '-c',
    `${lines.join('\n')}\necho "$OPENAI_BASE_URL $ANTHROPIC_BASE_URL $ANTHROPIC_API_KEY"`,
  ])
  expect(told.toString()).toBe(`http://127.0.0.1:7646/v1 http://127.0.0.1:7646 ${secret}\n`)
  close()
})
