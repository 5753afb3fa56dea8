/** Starts the keychain's helper as a plain child of Node; Electron's shell passes in its own way instead. */
import { spawn } from 'node:child_process'

/** One started helper: takes one question, gives one answer. */
export interface HelperProcess {
  /** The answer's line; rejects when the helper ends without one. */
  ask(question: string): Promise<string>
  /** Ends it at once, also when it hangs. */
  kill(): void
}

export type StartHelper = () => HelperProcess

/** What a keychain needs to be found; nothing else of the environment reaches the helper. */
const passedOn: ReadonlySet<string> = new Set([
  'HOME',
  'USER',
  'LOGNAME',
  'LANG',
  'PATH',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
  'XDG_SESSION_TYPE',
  'XDG_CURRENT_DESKTOP',
  'DBUS_SESSION_BUS_ADDRESS',
  'SystemRoot',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  'TEMP',
])

export interface NodeHelperOptions {
  /** The helper's script, `out/main/keychain-helper.js`. */
  readonly script: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The Node to run it with. */
  readonly node: string
}

export function nodeHelper({ script, environment, node }: NodeHelperOptions): () => HelperProcess & { pid: number } {
  const env = Object.fromEntries(Object.entries(environment).filter(([name]) => passedOn.has(name)))
  return () => {
    const child = spawn(node, [script], { env, stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true })
    return {
      pid: child.pid ?? 0,
      ask: (question) =>
        new Promise((resolve, reject) => {
          let text = ''
          child.stdout.setEncoding('utf8').on('data', (piece: string) => {
            text += piece
            const end = text.indexOf('\n')
            if (end >= 0) resolve(text.slice(0, end))
          })
          child.once('error', reject)
          child.once('close', () => reject(new Error('the keychain helper ended without an answer')))
          // A helper that is gone already is seen by its end.
          child.stdin.on('error', () => {})
          child.stdin.write(`${question}\n`)
        }),
      kill: () => void child.kill('SIGKILL'),
    }
  }
}
