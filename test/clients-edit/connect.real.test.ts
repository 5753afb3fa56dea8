/** Connecting on real files and a real store: byte-exact restore, also after kills and edits; a key per client, revoked on undo. */
import { spawnSync } from 'node:child_process'
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

const places = { claude: '.claude/settings.json', codex: '.codex/config.toml' } as const
const texts = {
  claude: '{\n  // mine\n  "model": "opus",\n  "env": { "FOO": "1", },\n}\n',
  codex: '# mine\r\nmodel = "gpt-5.5"\r\n\r\n[tui]\r\nnotifications = true\r\n',
} as const

const fileOf = (client: keyof typeof places): string => join(folder, 'home', places[client])

function put(client: keyof typeof places, text: string): string {
  const path = fileOf(client)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

describe.each(['claude', 'codex'] as const)('%s', (client) => {
  test('is connected with a key of its own and restored byte for byte, which revokes the key', async () => {
    const path = put(client, texts[client])
    chmodSync(path, 0o640)
    const { clients, keys, close } = openClients(folder)
    expect((await clients.status(client)).state).toBe('not-connected')
    const connected = await clients.connect(client)
    expect(connected).toMatchObject({ state: 'connected', keyLabel: client === 'claude' ? 'Claude Code' : 'Codex CLI' })
    const secret = /pk_[\w-]{43}/.exec(readFileSync(path, 'utf8'))?.[0] ?? ''
    expect(keys.present(secret)?.state).toBe('active')
    expect(statSync(path).mode & 0o777).toBe(0o640)
    await clients.restore(client)
    expect(readFileSync(path, 'utf8')).toBe(texts[client])
    expect(keys.present(secret)?.state).toBe('revoked')
    expect((await clients.status(client)).state).toBe('not-connected')
    close()
  })

  test('a file that did not exist is made, and gone again after the restore', async () => {
    const { clients, close } = openClients(folder)
    await clients.connect(client)
    expect(existsSync(fileOf(client))).toBe(true)
    await clients.restore(client)
    expect(existsSync(fileOf(client))).toBe(false)
    close()
  })

  test('a file edited since keeps its edits; only our keys go', async () => {
    const path = put(client, texts[client])
    const { clients, close } = openClients(folder)
    await clients.connect(client)
    const mine = client === 'claude' ? '// added later\n' : '# added later\n'
    writeFileSync(path, readFileSync(path, 'utf8') + mine)
    expect((await clients.status(client)).state).toBe('changed')
    await clients.restore(client)
    const left = readFileSync(path, 'utf8')
    expect(left).toContain(mine)
    expect(left).not.toContain('pk_')
    expect(left).not.toContain('127.0.0.1:7646')
    close()
  })

  test('a link is followed: the file behind it changes, the link stays', async () => {
    const real = join(folder, 'dotfiles')
    writeFileSync(real, texts[client])
    mkdirSync(dirname(fileOf(client)), { recursive: true })
    symlinkSync(real, fileOf(client))
    const { clients, close } = openClients(folder)
    await clients.connect(client)
    expect(readFileSync(real, 'utf8')).toContain('pk_')
    await clients.restore(client)
    expect(readFileSync(real, 'utf8')).toBe(texts[client])
    close()
  })

  test('a file that points here already is never kept as what to go back to', async () => {
    const path = put(client, texts[client])
    const first = openClients(folder)
    await first.clients.connect(client)
    first.close()
    rmSync(join(folder, 'pointsman.db'))
    const second = openClients(folder)
    expect((await second.clients.status(client)).state).toBe('elsewhere')
    await second.clients.connect(client)
    await second.clients.restore(client)
    expect(readFileSync(path, 'utf8')).not.toContain('pk_')
    second.close()
  })

  test.each(['written', 'synced', 'renamed', 'folder-synced'])(
    'F34 killed at the step %s it is connected or not, and restorable either way',
    async (step) => {
      const path = put(client, texts[client])
      const killed = spawnSync(process.execPath, [
        join(import.meta.dirname, 'connect-child.ts'),
        folder,
        client,
        step,
        'connect',
      ])
      expect(killed.signal).toBe('SIGKILL')
      const after = readFileSync(path, 'utf8')
      expect(after === texts[client] || after.includes('pk_')).toBe(true)
      const { clients, keys, close } = openClients(folder)
      await clients.settle()
      const { state } = await clients.status(client)
      expect(state).toBe(after === texts[client] ? 'not-connected' : 'connected')
      if (state === 'connected') await clients.restore(client)
      expect(readFileSync(path, 'utf8')).toBe(texts[client])
      expect(keys.all().filter((key) => key.state === 'active')).toEqual([])
      close()
    },
  )
})

test('a file that can not be changed safely is left alone, and no key is made', async () => {
  const path = put('claude', '{ "env": ')
  const { clients, keys, close } = openClients(folder)
  await expect(clients.connect('claude')).rejects.toMatchObject({ problem: { code: 'client_config_unsafe' } })
  expect(readFileSync(path, 'utf8')).toBe('{ "env": ')
  expect(keys.all()).toEqual([])
  close()
})

test('the preview shows the exact lines with the key masked and writes nothing', async () => {
  const path = put('codex', texts.codex)
  const { clients, keys, close } = openClients(folder)
  const { lines, isNew } = await clients.preview('codex')
  expect(isNew).toBe(false)
  expect(lines.map(({ kind, text }) => `${kind} ${text}`)).toContain('added model_provider = "pointsman"')
  expect(lines.map(({ text }) => text).join('\n')).toContain('experimental_bearer_token = "pk_…"')
  expect(readFileSync(path, 'utf8')).toBe(texts.codex)
  expect(keys.all()).toEqual([])
  close()
})
