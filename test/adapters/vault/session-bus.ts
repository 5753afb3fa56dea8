/** A session bus of the test's own, with gnome-keyring unlocked, locked, absent or silent on it. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { nodeHelper } from '../../../src/main/adapters/vault/helper-process.ts'

const source = (name: string) => new URL(`../../../src/main/adapters/vault/${name}`, import.meta.url).pathname
export const helperScript = source('keychain-helper.ts')

/** Why the keyring tests can't run here, or null. With CI set they run anyway, and fail. */
export function missingKeyring(): string | null {
  const inCi = (process.env.CI ?? '') !== '' && process.env.CI !== '0'
  if (inCi) return null
  try {
    execFileSync('sh', ['-c', 'command -v dbus-run-session gnome-keyring-daemon secret-tool'], { stdio: 'ignore' })
    return null
  } catch {
    return 'dbus-run-session, gnome-keyring-daemon or secret-tool is not installed'
  }
}

export interface Session {
  readonly environment: Readonly<Record<string, string>>
  readonly startHelper: ReturnType<typeof nodeHelper>
  /** Runs a program on this bus. */
  run(program: string, args: readonly string[]): string
  end(): Promise<void>
}

/** Files of a person: their HOME outlives sessions, as on a real machine. */
export function homeOf(root: string): string {
  const home = join(root, 'home')
  mkdirSync(join(home, 'run'), { recursive: true })
  chmodSync(join(home, 'run'), 0o700)
  return home
}

const start = {
  unlocked: 'printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null',
  locked: 'gnome-keyring-daemon --start --components=secrets >/dev/null',
  absent: ':',
  silent: `"${process.execPath}" "${new URL('silent-keychain.ts', import.meta.url).pathname}" &`,
} as const

export async function session(home: string, keychain: keyof typeof start): Promise<Session> {
  const bare = keychain === 'absent' || keychain === 'silent'
  const config = join(home, 'bus.conf')
  writeFileSync(
    config,
    `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
      "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen><auth>EXTERNAL</auth>
    <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`,
  )
  const base = { HOME: home, XDG_RUNTIME_DIR: join(home, 'run'), PATH: process.env.PATH ?? '' }
  // The session lives for as long as its standard input stays open.
  const script = `${start[keychain]}\necho "BUS $DBUS_SESSION_BUS_ADDRESS"\nexec cat >/dev/null`
  const child = spawn('dbus-run-session', [...(bare ? ['--config-file', config] : []), '--', 'sh', '-c', script], {
    env: base,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const ended = new Promise<void>((resolve) => void child.once('close', () => resolve()))
  const end = async () => {
    child.stdin.end()
    await ended
  }
  onTestFinished(end)
  const environment = { ...base, DBUS_SESSION_BUS_ADDRESS: await busAddress(child, keychain === 'silent') }
  return {
    environment,
    startHelper: nodeHelper({ script: helperScript, environment, node: process.execPath }),
    run: (program, args) =>
      execFileSync(program, args, { env: environment, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    end,
  }
}

/** The bus's address, once whatever shall own the keychain's name owns it. */
async function busAddress(child: ChildProcess, untilOwned: boolean): Promise<string> {
  let address = ''
  let owned = !untilOwned
  if (child.stdout === null) throw new Error('a session writes its address to a pipe')
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('BUS ')) address = line.slice(4)
    if (line === 'OWNED') owned = true
    if (address !== '' && owned) return address
  }
  throw new Error('the session bus did not start')
}
