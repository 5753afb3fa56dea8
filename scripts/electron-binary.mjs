/** Where Electron's program is, or why there is none; fetches it when it is missing, within a bound. Runs on any Node. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectNode, root } from './build-if-stale.mjs'

const folder = join(root, 'node_modules', 'electron')

/** `path.txt` is written last, when a fetch is complete. */
export function installedElectron() {
  const note = join(folder, 'path.txt')
  const name = existsSync(note) ? readFileSync(note, 'utf8').trim() : null
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH
  if (override === undefined && name === null) return null
  const path = override === undefined ? join(folder, 'dist', name) : join(override, name ?? 'electron')
  return existsSync(path) ? path : null
}

/** `{path}`, or `{why}` as the end of a sentence. */
export async function electronBinary({ say, withinMs }) {
  if (!existsSync(folder)) return { why: 'the package electron is not installed' }
  if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) {
    return { why: 'this session has no display' }
  }
  const known = installedElectron()
  if (known !== null) return { path: known }
  say('Fetching Electron for the desktop app …')
  const why = await fetchIt(withinMs)
  const fetched = installedElectron()
  return fetched === null ? { why } : { path: fetched }
}

/** Resolves with what went wrong, should it turn out to be missing. */
function fetchIt(withinMs) {
  return new Promise((resolve) => {
    const child = spawn(projectNode, [join(folder, 'install.js')], { stdio: ['ignore', 'ignore', 'pipe'] })
    let text = ''
    child.stderr.on('data', (piece) => {
      text = (text + piece).slice(0, 2_000)
    })
    const bound = setTimeout(() => {
      child.kill('SIGKILL')
      resolve(`it could not be fetched within ${withinMs / 1_000} s; \`npx install-electron\` takes its time`)
    }, withinMs)
    child.on('error', (cause) => {
      clearTimeout(bound)
      resolve(`it could not be fetched (${cause.message})`)
    })
    child.on('close', () => {
      clearTimeout(bound)
      resolve(`it could not be fetched (${text.split('\n')[0].trim() || 'no reason given'})`)
    })
  })
}
