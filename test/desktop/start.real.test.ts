/** `npm start` with and without a desktop: what is started, and what is said when it is not the desktop app. */
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildIfStale, projectNode, root } from '../../scripts/build-if-stale.mjs'

const folder = mkdtempSync(join(tmpdir(), 'pointsman-npm-desktop-'))
const register = join(root, 'test/desktop/stand-in/register.ts')
beforeAll(() => buildIfStale())
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A folder in place of Electron's own, whose program is this script. */
function electronOf(name: string, script: string): string {
  const place = join(folder, name)
  mkdirSync(place)
  writeFileSync(join(place, 'electron'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(place, 'electron'), 0o755)
  return place
}

interface Started {
  readonly output: string
  readonly dataDir: string
  readonly code: number | null
}

/** Starts, waits until the program says in its folder where it is, and greets if it is the one that greets; ends it. */
async function start(
  name: string,
  environment: Readonly<Record<string, string>>,
  { greets }: { readonly greets: boolean },
): Promise<Started> {
  const dataDir = join(folder, `${name}-data`)
  const args = [join(root, 'scripts/start.mjs'), '--practice', '--port', '0', '--data-dir', dataDir]
  const script = spawn(process.execPath, args, { env: { PATH: process.env.PATH ?? '', HOME: folder, ...environment } })
  let output = ''
  for (const stream of [script.stdout, script.stderr]) {
    stream.on('data', (piece: Buffer) => {
      output += piece.toString()
    })
  }
  let isEnded = false
  const ended = new Promise<number | null>((resolve) => script.once('close', resolve)).finally(() => {
    isEnded = true
  })
  const bound = performance.now() + 60_000
  while (!isEnded && performance.now() < bound && !existsSync(join(dataDir, 'instance.json'))) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  while (greets && !isEnded && performance.now() < bound && !output.includes('Ctrl+C ends it')) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  script.kill('SIGTERM')
  return { output, dataDir, code: await ended }
}

describe.skipIf(process.platform !== 'linux')('npm start (on Linux, where a script can stand for Electron)', () => {
  test('starts the desktop app where Electron and a display are', async () => {
    const place = electronOf('good', `exec "${projectNode}" --import "${register}" "$1/out/main/index.js" "$@"`)
    const { output, dataDir, code } = await start(
      'good',
      { ELECTRON_OVERRIDE_DIST_PATH: place, DISPLAY: ':0' },
      { greets: false },
    )
    expect([code, output]).toEqual([0, ''])
    expect(readFileSync(join(dataDir, 'pointsman.log'), 'utf8')).toContain('"event":"stopping"')
    expect(existsSync(join(dataDir, 'window'))).toBe(true)
  })

  test('goes headless, saying why, where Electron breaks down at once', async () => {
    const place = electronOf('broken', 'kill -SEGV $$')
    const { output, dataDir, code } = await start(
      'broken',
      { ELECTRON_OVERRIDE_DIST_PATH: place, DISPLAY: ':0' },
      { greets: true },
    )
    expect(output).toContain('Starting headless, without the desktop app: Electron can not run here (SIGSEGV).')
    expect([code, existsSync(join(dataDir, 'window'))]).toEqual([0, false])
  })

  test('goes headless, saying why, where there is no display', async () => {
    const place = electronOf('unseen', 'echo started; exit 9')
    const { output, code } = await start('unseen', { ELECTRON_OVERRIDE_DIST_PATH: place }, { greets: true })
    expect(output).toContain('Starting headless, without the desktop app: this session has no display.')
    expect([code, output.includes('started')]).toEqual([0, false])
  })

  test('CI never asks for a desktop', async () => {
    const place = electronOf('unasked', 'echo started; exit 9')
    const { output, code } = await start(
      'unasked',
      { ELECTRON_OVERRIDE_DIST_PATH: place, DISPLAY: ':0', CI: 'true' },
      { greets: true },
    )
    expect([code, output.includes('started'), output.includes('Starting headless')]).toEqual([0, false, false])
    expect(output).toContain('Pointsman is running.')
  })

  test('a desktop app that ends by itself with a code ends npm start with it', async () => {
    const place = electronOf('refusing', 'exit 75')
    const { output, code } = await start(
      'refusing',
      { ELECTRON_OVERRIDE_DIST_PATH: place, DISPLAY: ':0' },
      { greets: false },
    )
    expect([code, output]).toEqual([75, ''])
  })
})
