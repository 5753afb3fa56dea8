/** What the vault's tests share: folders, credentials, a clock turned by hand. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { OAuthCredential } from '../../../src/main/domain/credential.ts'
import { PointsmanError } from '../../../src/shared/errors.ts'
import { credentialRef, sourceId } from '../../../src/shared/ids.ts'

export const ref = (name: string) => credentialRef(sourceId(name))

/** A token set of about eight thousand characters that no file may ever show. */
export const credential = (name: string, round = 0): OAuthCredential => ({
  kind: 'oauth',
  accessToken: `canary-access-${name}-${round}-${'a'.repeat(4000)}`,
  refreshToken: `canary-refresh-${name}-${round}-${'r'.repeat(4000)}`,
  expiresAtMs: 1_800_000_000_000 + round,
  accountId: `account-${name}`,
  fedramp: false,
  renewedAtMs: round,
  refreshStarted: null,
})

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pointsman-vault-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Time passes only when the test says so. */
export function handClock() {
  const waiting = new Set<{ readonly delayMs: number; readonly act: () => void }>()
  return {
    nowMs: () => 1_700_000_000_000,
    after: (delayMs: number, act: () => void) => {
      const entry = { delayMs, act }
      waiting.add(entry)
      return () => void waiting.delete(entry)
    },
    /** Runs everything that waits now. */
    turn() {
      const due = [...waiting]
      waiting.clear()
      for (const { act } of due) act()
    },
    /** Runs only what has the shortest delay. */
    turnOne() {
      const [first] = [...waiting].sort((one, other) => one.delayMs - other.delayMs)
      if (first === undefined) return
      waiting.delete(first)
      first.act()
    },
    waiting: () => waiting.size,
  }
}

export function notes() {
  const events: string[] = []
  return { events, info: (event: string) => void events.push(event) }
}

/** The parts a stored vault needs, with a data folder of its own and a key file beside it. */
export function place(root = temporaryFolder()) {
  const clock = handClock()
  const log = notes()
  const folder = join(root, 'data')
  for (const made of [folder, join(root, 'keys')]) mkdirSync(made, { mode: 0o700 })
  return { root, folder, keyPath: join(root, 'keys', 'vault-keys'), clock, log, vault: join(folder, 'vault') }
}

export type Place = ReturnType<typeof place>

/** Every file below a folder. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** Files that hold `text` in plain, in Base64 or in hex. */
export function filesShowing(folder: string, text: string): string[] {
  const forms = [text, Buffer.from(text).toString('hex')]
  for (const shift of [0, 1, 2])
    forms.push(
      Buffer.from(`${'x'.repeat(shift)}${text}`)
        .toString('base64')
        .slice(4, -4),
    )
  return filesIn(folder).filter((path) => {
    const content = readFileSync(path, 'latin1')
    return forms.some((form) => content.includes(form))
  })
}

export const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

export const realClock = {
  nowMs: () => Date.now(),
  after(delayMs: number, act: () => void) {
    const timer = setTimeout(act, delayMs)
    return () => clearTimeout(timer)
  },
}

export const digestOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

/** The code of the problem that `act` throws. */
export function refusalOf(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof PointsmanError) return error.problem.code
    throw error
  }
  return 'nothing was refused'
}

/** The long forms of the tests run with `npm run test:deep`. */
export const deep = process.env.POINTSMAN_DEEP === '1'

/** Why a program can't be run here, or null; the reason is printed. */
export function missing(what: string, program: string, args: readonly string[]): string | null {
  const { status } = spawnSync(program, args, { stdio: 'ignore' })
  if (status === 0) return null
  const reason = `${what} skipped: \`${program} ${args.join(' ')}\` does not work here`
  console.log(reason)
  return reason
}
