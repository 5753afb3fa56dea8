#!/usr/bin/env node
/** The headless entry: checks the Node it runs in before anything can open a store, then hands over where files lie. */

import { problem } from '../shared/errors.ts'
import { leave, printProblem } from './shell/headless/print.ts'

const neededNode = 24
const wantsJson = process.argv.includes('--json')

if (Number(process.versions.node.split('.')[0]) < neededNode) {
  printProblem(problem('node_too_old', { found: process.versions.node, needed: neededNode }), wantsJson)
  leave(1)
} else {
  // Dynamic: an older Node dies while it loads the store's native part (stack-notes §8).
  const { run } = await import('./shell/headless/run.ts')
  await run({
    callsReader: new URL('./calls-reader.js', import.meta.url),
    translationWorker: new URL('./translation-worker.js', import.meta.url),
    keychainHelper: new URL('./keychain-helper.js', import.meta.url),
    packageFile: new URL('../../package.json', import.meta.url),
    windowFiles: new URL('../renderer/', import.meta.url),
  })
}
