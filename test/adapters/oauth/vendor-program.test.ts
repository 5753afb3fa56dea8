/** A scripted `claude` in a real pseudo-terminal: what it is given, what comes back, and that nothing outlives it. */
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { vendorProgram } from '../../../src/main/adapters/oauth/vendor-program.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function scripted(script: string | null, environment: Record<string, string> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'pointsman-vendor-'))
  folders.push(home)
  const path = join(home, 'claude')
  if (script !== null) {
    writeFileSync(path, `#!/bin/sh\n${script}\n`)
    chmodSync(path, 0o755)
  }
  const folder = join(home, 'sign-in')
  const all = { PATH: `relative:${home}:/usr/bin:/bin`, HOME: home, ...environment }
  return { program: vendorProgram({ environment: all, folder, platform: process.platform }), path, folder }
}

it('finds it on PATH, never by a relative part, and asks its version', async () => {
  const { program, path } = scripted('echo "2.1.300 (Claude Code)"')
  expect(await program.find()).toEqual({ kind: 'found', path, version: '2.1.300 (Claude Code)' })
  expect(await scripted(null, { PATH: '.:relative' }).program.find()).toEqual({ kind: 'missing' })
  expect(await scripted('exit 3').program.find()).toEqual({ kind: 'unusable', why: 'it did not tell its version' })
})

it('reads the login that it leaves in its folder, null where it leaves none', async () => {
  const { program, path } = scripted('printf %s made > "$CLAUDE_CONFIG_DIR/.credentials.json"')
  const folder = await program.makeFolder('sign-in-1')
  expect(await program.readLogin(folder)).toBeNull()
  const run = await program.start(path, ['auth', 'login'], folder)
  await new Promise((resolve) => run.onExit(resolve))
  expect(await program.readLogin(folder)).toBe('made')
})

it('runs it in a terminal of its own, in a private folder, without other programs’ credentials', async () => {
  const secrets = { ANTHROPIC_API_KEY: 'canary-key', CLAUDE_CODE_OAUTH_TOKEN: 'canary-token', LANG: 'C' }
  const { program, path } = scripted(
    'test -t 0 && echo "a terminal"; echo "in=$CLAUDE_CONFIG_DIR"; env; echo "args=$*"; read code; echo "got=$code"',
    secrets,
  )
  const folder = await program.makeFolder('sign-in-1')
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  const run = await program.start(path, ['setup-token'], folder)
  let written = ''
  run.onText((text) => {
    written += text
    if (written.includes('args=')) run.write('abc#def\r')
  })
  expect(await new Promise((resolve) => run.onExit(resolve))).toBe(0)
  expect(written).toContain('a terminal')
  expect(written).toContain(`in=${folder}`)
  expect(written).toContain('args=setup-token')
  expect(written).toContain('got=abc#def')
  expect(written).not.toContain('canary')
  await program.removeFolder(folder)
  expect(existsSync(folder)).toBe(false)
})

it('ends it when asked, and asking again does nothing', async () => {
  const { program, path } = scripted('echo started; exec sleep 600')
  const folder = await program.makeFolder('sign-in-1')
  const run = await program.start(path, [], folder)
  run.onText(() => run.end())
  await new Promise((resolve) => run.onExit(resolve))
  run.end()
  run.write('late')
})
