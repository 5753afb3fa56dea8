/** `npm start` and `npm run practice`: builds if stale, then starts the program on the project's own Node. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { buildIfStale, headless, projectNode } from './build-if-stale.mjs'

const given = process.argv.slice(2)
const isHeadless = given.includes('--headless') || (process.env.CI ?? '0') !== '0'
const passed = given.filter((argument) => argument !== '--headless')

if (!existsSync(projectNode)) {
  console.error('The project’s own Node is missing. Run `npm ci`, without --ignore-scripts.')
  process.exit(1)
}
try {
  buildIfStale({ say: (text) => console.error(text) })
} catch (cause) {
  console.error(cause.message)
  process.exit(1)
}
if (!isHeadless)
  console.error('The window comes with the desktop app, which is not part of this version: starting headless.')

const child = spawn(projectNode, [headless, 'serve', ...passed], { stdio: 'inherit' })
// Ctrl+C reaches the child by itself; this one only waits for it.
process.on('SIGINT', () => {})
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('error', (cause) => {
  console.error(`The program could not be started: ${cause.message}`)
  process.exit(1)
})
child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 128)))
