/** `npm start` and `npm run practice`: builds if stale, then starts the desktop app, or the headless program, saying why. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { buildIfStale, headless, projectNode, root } from './build-if-stale.mjs'
import { electronBinary } from './electron-binary.mjs'

const given = process.argv.slice(2)
const passed = given.filter((argument) => argument !== '--headless')
/** What only the headless program answers to. */
const headlessOptions = ['--headless', '--json', '--no-ui', '--ui-port', '--show-key', '--passphrase-fd']
const isAsked = given.some((argument) => headlessOptions.includes(argument.split('=')[0]))
const isContinuous = !['', '0'].includes(process.env.CI ?? '')
/** A desktop app that ends by itself so soon has not started. */
const startsWithinMs = 5_000

/** V8 lets its young generation grow to some 100 MB that it doesn’t need here: same speed, 140 MB less after load. */
const youngGeneration = '--max-semi-space-size=8'

const say = (text) => console.error(text)

if (!existsSync(projectNode)) {
  say('The project’s own Node is missing. Run `npm ci`, without --ignore-scripts.')
  process.exit(1)
}
try {
  buildIfStale({ say })
} catch (cause) {
  say(cause.message)
  process.exit(1)
}

const electron = isAsked || isContinuous ? null : await electronBinary({ say, withinMs: 20_000 })
if (electron?.path !== undefined) startDesktop(electron.path)
else startHeadless(electron === null ? null : electron.why)

function startDesktop(path) {
  const beganMs = Date.now()
  start(path, [root, ...passed], (code, signal, isEnded) => {
    const isBroken = signal !== null && !isEnded && Date.now() - beganMs < startsWithinMs
    if (isBroken) startHeadless(`Electron can not run here (${signal})`)
    else leave(code, signal)
  })
}

function startHeadless(why) {
  if (why !== null) say(`Starting headless, without the desktop app: ${why}.`)
  start(projectNode, [youngGeneration, headless, 'serve', ...passed], leave)
}

function start(program, args, onExit) {
  const child = spawn(program, args, { stdio: 'inherit' })
  let isEnded = false
  // Ctrl+C reaches the child by itself; this one only waits for it.
  const listeners = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => {
    const listener = () => {
      isEnded = true
      if (signal !== 'SIGINT') child.kill(signal)
    }
    process.on(signal, listener)
    return () => process.off(signal, listener)
  })
  child.on('error', (cause) => {
    say(`The program could not be started: ${cause.message}`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    for (const stop of listeners) stop()
    onExit(code, signal, isEnded)
  })
}

function leave(code, signal) {
  process.exit(code ?? (signal === null ? 1 : 128))
}
