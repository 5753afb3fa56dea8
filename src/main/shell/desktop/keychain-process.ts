/** Starts the keychain's helper as a utility process: with the fuses set, Electron runs no plain Node (threats T3.3). */
import { fileURLToPath } from 'node:url'
import { utilityProcess } from 'electron'
import type { nodeHelper } from '../../compose.ts'

type StartHelper = ReturnType<typeof nodeHelper>
type Helper = Omit<ReturnType<StartHelper>, 'pid'>

export function keychainProcess(script: URL): () => Helper {
  return () => {
    const child = utilityProcess.fork(fileURLToPath(script), [], { stdio: 'ignore', serviceName: 'Pointsman keychain' })
    return {
      ask: (question) =>
        new Promise((resolve, reject) => {
          child.once('message', (answer: unknown) => resolve(String(answer)))
          child.once('exit', () => reject(new Error('the keychain helper ended without an answer')))
          child.postMessage(question)
        }),
      kill() {
        // One that hangs in the keychain hears nothing gentler.
        if (child.pid === undefined) child.kill()
        else process.kill(child.pid, 'SIGKILL')
      },
    }
  }
}
