/** Builds `out/` when a source is newer than it; runs on any Node that can run npm. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
export const headless = join(root, 'out', 'main', 'headless.js')

const page = join(root, 'out', 'renderer', 'index.html')

/** The Node that comes with the project, whatever is on the machine. */
export const projectNode = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

const everything = ['src', 'package.json', 'electron.vite.config.ts']
/** What the headless program without its window is made of. */
const withoutWindow = ['src/main', 'src/shared', 'package.json', 'electron.vite.config.ts']
const lock = join(root, 'node_modules', '.pointsman-building')
const patienceMs = 120_000

function newest(path) {
  const found = statSync(path)
  if (!found.isDirectory()) return found.mtimeMs
  return readdirSync(path).reduce((latest, name) => Math.max(latest, newest(join(path, name))), found.mtimeMs)
}

/** A build writes the program first and the window last; one that broke off in between is no build. */
function isStale(parts, window) {
  const results = window ? [headless, page] : [headless]
  if (!results.every(existsSync)) return true
  const built = Math.min(...results.map((path) => statSync(path).mtimeMs))
  return parts.some((part) => newest(join(root, part)) > built)
}

/**
 * One build at a time; who comes second waits and finds it done. `say` hears that it takes a moment. With
 * `window: false` a window that can't be built doesn't count.
 */
export function buildIfStale({ say = () => {}, window = true } = {}) {
  const parts = window ? everything : withoutWindow
  if (!isStale(parts, window)) return
  takeLock()
  try {
    if (!isStale(parts, window)) return
    say('Building …')
    const vite = join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js')
    const built = spawnSync(projectNode, [vite, 'build', '--logLevel', 'warn'], { cwd: root, encoding: 'utf8' })
    const failed = built.status !== 0 && (window || isStale(parts, window))
    if (failed) throw new Error(`The build failed:\n${built.stderr ?? ''}${built.stdout ?? ''}`)
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

function takeLock() {
  const until = Date.now() + patienceMs
  for (;;) {
    try {
      mkdirSync(lock)
      return
    } catch (cause) {
      if (cause.code !== 'EEXIST') throw cause
    }
    // Left behind by a build that was killed.
    if (Date.now() > until) rmSync(lock, { recursive: true, force: true })
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
  }
}
