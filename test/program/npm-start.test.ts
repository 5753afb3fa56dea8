/** `npm start`: whatever Node runs the script, the program runs on the project's own, and ends with it. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildIfStale, projectNode, root } from '../../scripts/build-if-stale.mjs'

const folder = mkdtempSync(join(tmpdir(), 'pointsman-npm-'))
beforeAll(() => buildIfStale({ window: false }))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const hostNode = existsSync('/usr/bin/node') ? '/usr/bin/node' : process.execPath

test.each([
  ['this Node', process.execPath],
  ['the Node of the machine', hostNode],
])('run by %s it starts headless on request, and SIGTERM reaches the program', async (_name, node) => {
  const dataDir = join(folder, node === process.execPath ? 'own' : 'host')
  const args = ['--headless', '--practice', '--traffic', '--json', '--no-ui', '--port', '0', '--data-dir', dataDir]
  const script = spawn(node, [join(root, 'scripts', 'start.mjs'), ...args], {
    env: { PATH: process.env.PATH ?? '', HOME: folder },
  })
  const ended = new Promise<number | null>((resolve) => script.once('close', resolve))
  let output = ''
  await new Promise<void>((resolve, reject) => {
    script.stdout.on('data', (piece: Buffer) => {
      output += piece.toString()
      if (output.includes('\n')) resolve()
    })
    ended.then((code) => reject(new Error(`it ended with ${code}: ${output}`)))
  })
  expect(JSON.parse(output)).toMatchObject({ event: 'ready', dataDir, ui: null })
  const { pid } = JSON.parse(readFileSync(join(dataDir, 'instance.json'), 'utf8'))
  if (process.platform === 'linux') expect(realpathSync(`/proc/${pid}/exe`)).toBe(realpathSync(projectNode))
  script.kill('SIGTERM')
  expect(await ended).toBe(0)
  expect(existsSync(join(dataDir, 'instance.json'))).toBe(false)
})
