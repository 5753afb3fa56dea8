/**
 * The suite with the real clients: installs them on first use, builds if stale, then runs inside a network namespace
 * that has loopback only. Where none can be made it says so and runs nothing. Arguments go on to vitest.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildIfStale, projectNode, root } from './build-if-stale.mjs'

const folder = join(root, 'test', 'clients')
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const boundMs = 12 * 60_000

const read = (path) => JSON.parse(readFileSync(path, 'utf8'))

/** Processes too are of the namespace: whatever a client leaves behind ends with it. */
const ownProcesses = ['--pid', '--fork', '--kill-child']

/** The options of `unshare` that give a namespace here, or null. */
function namespaceOptions() {
  if (process.platform !== 'linux') return null
  const works = (options) => spawnSync('unshare', [...options, 'ip', 'link', 'set', 'lo', 'up']).status === 0
  return (
    [
      ['-rn', ...ownProcesses],
      ['-n', ...ownProcesses],
    ].find(works) ?? null
  )
}

function isInstalled() {
  return Object.entries(read(join(folder, 'package.json')).dependencies).every(([name, version]) => {
    const found = join(folder, 'node_modules', name, 'package.json')
    return existsSync(found) && read(found).version === version
  })
}

function install() {
  if (isInstalled()) return
  console.log('Installing the clients …')
  const { status } = spawnSync('npm', ['ci'], { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) throw new Error('npm ci in test/clients failed')
}

/** Runs the suite; what vitest counted, or one failure when it could not say. */
async function run(options) {
  const scratch = mkdtempSync(join(tmpdir(), 'pointsman-clients-'))
  const report = join(scratch, 'report.json')
  const config = join(folder, 'vitest.config.ts')
  const args = [
    vitest,
    'run',
    '--config',
    config,
    '--reporter',
    'default',
    '--reporter',
    'json',
    '--outputFile',
    report,
  ]
  const inside = ['sh', '-c', 'ip link set lo up && exec "$@"', 'sh', projectNode, ...args, ...process.argv.slice(2)]
  const child = spawn('unshare', [...options, ...inside], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const end = () => endGroup(child.pid)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end)
  const bound = setTimeout(() => {
    console.error(`The suite took longer than ${boundMs / 60_000} minutes.`)
    end()
  }, boundMs)
  try {
    const code = await new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', resolve)
    })
    const { numPassedTests: passed = 0, numFailedTests: failed = 0 } = existsSync(report) ? read(report) : {}
    const silent = code !== 0 || passed === 0 ? 1 : 0
    return { passed, failed: failed > 0 ? failed : silent }
  } finally {
    clearTimeout(bound)
    rmSync(scratch, { recursive: true, force: true })
  }
}

function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

let counted = { passed: 0, failed: 0 }
const options = namespaceOptions()
if (options === null) {
  console.log(
    'Skipped: no network namespace can be made here (needs Linux, unshare and ip), and these clients are never',
  )
  console.log('run where they could reach the network.')
} else {
  try {
    if (!existsSync(projectNode))
      throw new Error('the project’s own Node is missing; run npm ci, without --ignore-scripts')
    install()
    buildIfStale({ say: (text) => console.log(text), window: false })
    counted = await run(options)
  } catch (cause) {
    console.error(`The suite could not be run: ${cause.message}`)
    counted = { passed: 0, failed: 1 }
  }
}
console.log(`\n${counted.passed} passed, ${counted.failed} failed`)
process.exitCode = counted.failed === 0 ? 0 : 1
