// Runs everything that proves a change: format and lint, types, unused code, build, unit, integration, window, desktop shell,
// and last the search for planted secrets.
// Prints one line per step and, last, the sum over the test runners: `N passed, N failed`.
// `npm test -- unit` runs only the steps named.
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const bin = join(root, 'node_modules', '.bin')

const steps = [
  { name: 'lint', command: ['biome', 'check', '--error-on-warnings'] },
  { name: 'types', command: ['tsc', '--build'] },
  { name: 'unused', command: ['knip', '--no-progress'] },
  { name: 'build', command: ['electron-vite', 'build', '--logLevel', 'warn'] },
  { name: 'unit', command: ['vitest', 'run', '--project', 'unit'], counts: true },
  {
    name: 'integration',
    command: ['vitest', 'run', '--project', 'integration', '--exclude', 'test/program/canary*.test.ts'],
    counts: true,
  },
  { name: 'window', command: ['playwright', 'test'], counts: true },
  // The desktop shell on a stand-in for Electron; on a real one: `npm run test:desktop`.
  { name: 'desktop', command: ['playwright', 'test'], environment: { POINTSMAN_SHELL: 'stand-in' }, counts: true },
  // Last: lives of the program with everything in them, and no secret in anything that came out of them.
  { name: 'canary', command: ['vitest', 'run', '--project', 'integration', 'test/program/canary'], counts: true },
]

const wanted = process.argv.slice(2)
const total = { passed: 0, failed: 0 }
const lines = []
let broken = 0

for (const step of steps) {
  if (wanted.length > 0 && !wanted.includes(step.name)) continue
  console.log(`\n── ${step.name}`)
  const began = Date.now()
  const { code, text } = await run(step.command, step.environment)
  const found = step.counts ? countsOf(text) : { passed: 0, failed: 0 }
  // A runner that fails without saying how many still failed.
  if (code !== 0 && found.failed === 0) found.failed = 1
  if (step.counts && code === 0 && found.passed === 0) found.failed = 1
  total.passed += found.passed
  total.failed += found.failed
  if (code !== 0 || found.failed > 0) broken += 1
  const seconds = ((Date.now() - began) / 1_000).toFixed(1)
  lines.push(
    `${step.name.padEnd(12)} ${code === 0 && found.failed === 0 ? 'ok    ' : 'FAILED'} ${seconds.padStart(6)} s`,
  )
}

console.log(`\n${lines.join('\n')}\n\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = broken === 0 ? 0 : 1

function run([name, ...args], environment = {}) {
  return new Promise((resolve) => {
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, FORCE_COLOR: '0', NO_COLOR: '1', ...environment }
    const child = spawn(join(bin, name), args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    for (const [from, to] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ]) {
      from.on('data', (piece) => {
        text += piece
        to.write(piece)
      })
    }
    child.on('error', (cause) => resolve({ code: 1, text: String(cause) }))
    child.on('close', (code) => resolve({ code: code ?? 1, text }))
  })
}

/** Reads vitest's `Tests  1 failed | 2 passed` and Playwright's `2 passed (3s)`. */
function countsOf(text) {
  const summary = /^\s*Tests\s+(.*)$/m.exec(text)?.[1]
  const from = summary ?? text.split('\n').slice(-30).join('\n')
  const number = (word) => Number(new RegExp(`(\\d+) ${word}\\b`).exec(from)?.[1] ?? 0)
  return { passed: number('passed'), failed: number('failed') }
}
