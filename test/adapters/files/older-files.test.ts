/** Where clovapi's files lie, found by their names. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { olderFiles } from '../../../src/main/adapters/files/older-files.ts'

it('finds logins, profiles and the rest, below HOME or XDG_CONFIG_HOME', async () => {
  const home = mkdtempSync(join(tmpdir(), 'pointsman-older-'))
  try {
    expect(await olderFiles({ environment: {}, home }).list()).toEqual([])
    const folder = join(home, '.config', 'clovapi')
    for (const name of [
      'profiles.json',
      'subscription/codex.json',
      'subscription/claude/a-b.json',
      'x.json',
      'notes.txt',
    ]) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), '{}')
    }
    const expected = [
      { path: join(folder, 'profiles.json'), holds: { kind: 'profiles' } },
      {
        path: join(folder, 'subscription/claude/a-b.json'),
        holds: { kind: 'login', provider: 'claude', name: 'a-b' },
      },
      { path: join(folder, 'subscription/codex.json'), holds: { kind: 'login', provider: 'codex', name: 'default' } },
      { path: join(folder, 'x.json'), holds: { kind: 'unknown' } },
    ]
    expect(await olderFiles({ environment: {}, home }).list()).toEqual(expected)
    const environment = { XDG_CONFIG_HOME: join(home, '.config') }
    expect(await olderFiles({ environment, home: '/nowhere' }).list()).toEqual(expected)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
})
