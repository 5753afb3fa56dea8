/** The person's own `claude`: found on PATH, run in a pseudo-terminal inside a private folder, ended by its own id. */
import { execFile } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import type { VendorFound, VendorProgram, VendorRun } from '../../sign-in-ports.ts'

export interface VendorProgramOptions {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Where the private folders are made. */
  readonly folder: string
  readonly platform: string
}

const versionBoundMs = 15_000
/** Wide, so that addresses and tokens stay on one line. */
const terminal = { name: 'xterm-256color', cols: 1_000, rows: 50 } as const

/** What a program needs to find its home, the browser and the network; no credential of another program among it. */
const passedOn =
  /^(PATH|HOME|USER|LOGNAME|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|BROWSER|DISPLAY|WAYLAND_DISPLAY|DBUS_SESSION_BUS_ADDRESS|XDG_\w+|https?_proxy|no_proxy|all_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|APPDATA|LOCALAPPDATA|USERPROFILE|HOMEDRIVE|HOMEPATH|SystemRoot|ComSpec|PATHEXT|ProgramFiles.*)$/i

export function vendorProgram({ environment, folder, platform }: VendorProgramOptions): VendorProgram {
  const environmentOf = (configFolder: string | null): Record<string, string> => ({
    ...Object.fromEntries(
      Object.entries(environment).filter(
        (pair): pair is [string, string] => passedOn.test(pair[0]) && pair[1] !== undefined,
      ),
    ),
    TERM: terminal.name,
    ...(configFolder === null ? {} : { CLAUDE_CONFIG_DIR: configFolder }),
  })
  return {
    async find(): Promise<VendorFound> {
      const path = onPath(environment.PATH ?? environment.Path ?? '', platform)
      return path === null ? { kind: 'missing' } : versionOf(path, environmentOf(null), platform)
    },
    async start(path, args, configFolder): Promise<VendorRun> {
      const { spawn } = await pty()
      const isScript = /\.(cmd|bat)$/i.test(path)
      const command = isScript ? (environment.ComSpec ?? 'cmd.exe') : path
      const all = isScript ? ['/d', '/s', '/c', path, ...args] : [...args]
      const child = spawn(command, all, { ...terminal, cwd: configFolder, env: environmentOf(configFolder) })
      let isOver = false
      child.onExit(() => {
        isOver = true
      })
      return {
        onText: (listener) => void child.onData(listener),
        onExit: (listener) => void child.onExit(({ exitCode }) => listener(exitCode)),
        write: (text) => {
          if (!isOver) child.write(text)
        },
        end: () => {
          if (!isOver) child.kill()
        },
      }
    },
    readLogin: (made) => readFile(join(made, '.credentials.json'), 'utf8').catch(() => null),
    async makeFolder(name) {
      const made = join(folder, name)
      await rm(made, { recursive: true, force: true })
      await mkdir(made, { recursive: true, mode: 0o700 })
      return made
    },
    async removeFolder(made) {
      // The program may still be writing its last file.
      await rm(made, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
  }
}

type Pty = typeof import('@lydell/node-pty')

/** Only here, so that a machine without its binary misses nothing else. */
async function pty(): Promise<Pty> {
  const loaded = (await import('@lydell/node-pty')) as Pty & { readonly default?: Pty }
  return loaded.default ?? loaded
}

function onPath(path: string, platform: string): string | null {
  const names = platform === 'win32' ? ['claude.exe', 'claude.cmd'] : ['claude']
  for (const folder of path.split(delimiter)) {
    // A relative part would be wherever the program happens to stand.
    if (!isAbsolute(folder)) continue
    for (const name of names) if (isProgram(join(folder, name))) return join(folder, name)
  }
  return null
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function versionOf(path: string, env: Record<string, string>, platform: string): Promise<VendorFound> {
  return new Promise((resolve) => {
    const shell = platform === 'win32' && path.endsWith('.cmd')
    const command = shell ? `"${path}"` : path
    execFile(command, ['--version'], { env, timeout: versionBoundMs, shell, windowsHide: true }, (cause, output) => {
      if (cause === null) resolve({ kind: 'found', path, version: output.trim().slice(0, 100) })
      else resolve({ kind: 'unusable', why: 'it did not tell its version' })
    })
  })
}
