/** Runs one real client to its end: private folders only, a bound on its time, ended by its own process group. */
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface CliRun {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const bin = fileURLToPath(new URL('node_modules/.bin/', import.meta.url))

export interface CliOptions {
  /** Its home, its working folder and everything it writes lie in here. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  readonly boundMs?: number
}

export function runCli(name: 'claude' | 'codex', args: readonly string[], options: CliOptions): Promise<CliRun> {
  const { folder, environment, boundMs = 60_000 } = options
  const cwd = join(folder, 'work')
  const scratch = join(folder, 'tmp')
  for (const made of [cwd, scratch]) mkdirSync(made, { recursive: true })
  const child = spawn(join(bin, name), args, {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
      HOME: folder,
      TMPDIR: scratch,
      LANG: 'C.UTF-8',
      NO_COLOR: '1',
      ...environment,
    },
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      endGroup(child.pid)
      reject(new Error(`${name} did not end within ${boundMs} ms; it said: ${(stdout + stderr).slice(-2_000)}`))
    }, boundMs)
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(timer)
      endGroup(child.pid)
      resolve({ code, stdout, stderr })
    })
  })
}

/** What the client left running belongs to its group. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // All of it has ended already.
  }
}
