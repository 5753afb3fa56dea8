/**
 * Claude sign-in by the vendor's own program in a private folder: `claude setup-token`, whose token is taken over once
 * (claude §1.5), or `claude auth login`, whose login file is (claude §1.6).
 */
import { type Problem, problem } from '../../shared/errors.ts'
import type { Clock } from '../ports.ts'
import type { VendorProgram, VendorRun } from '../sign-in-ports.ts'
import { signInFailed } from './code-exchange.ts'
import type { Login } from './login.ts'
import { readSetupToken } from './read-claude.ts'
import { readCredential } from './read-credential.ts'
import { readSetupOutput, versionProblem } from './setup-output.ts'
import type { Attempt } from './sign-in.ts'

export interface ProgramDeps {
  readonly program: VendorProgram
  readonly clock: Clock
}

type Way = 'setup-token' | 'login'

const argumentsOf: Readonly<Record<Way, readonly string[]>> = {
  'setup-token': ['setup-token'],
  login: ['auth', 'login', '--claudeai'],
}

const programMs = 10 * 60_000
/** Some versions wait for a key after showing the token. */
const lingerMs = 2_000
/** It hangs up at once; longer than this nobody waits for it. */
const endMs = 5_000
/** More than it ever writes; beyond that something is wrong with it. */
const longestOutput = 1_000_000

export async function signInByProgram(
  attempt: Attempt,
  way: Way,
  { program, clock }: ProgramDeps,
): Promise<Login | Problem> {
  const endsAtMs = attempt.endAfter(programMs)
  const found = await program.find()
  if (found.kind === 'missing') return problem('vendor_program_missing', { program: 'Claude Code (`claude`)' })
  const why = found.kind === 'found' ? versionProblem(found.version) : found.why
  if (found.kind !== 'found' || why !== null) return signInFailed(`\`claude\` can not be used: ${why}`)
  const { version } = found
  attempt.show({ kind: 'program', version, url: null, wantsCode: false, endsAtMs })
  const folder = await program.makeFolder(attempt.view.id)
  let gone: Promise<void> | null = null
  try {
    if (attempt.isOver) return await attempt.stopped
    const run = await program.start(found.path, argumentsOf[way], folder)
    gone = new Promise((resolve) => run.onExit(() => resolve()))
    const ended = await Promise.race([watch(attempt, run, version, endsAtMs, clock), attempt.stopped])
    if ('sentence' in ended) return ended
    if (way === 'login') return readLogin(await program.readLogin(folder), ended, clock.nowMs())
    if (ended.token !== null) return readSetupToken(ended.token, clock.nowMs())
    return signInFailed(`\`claude setup-token\` ended without a token (exit code ${ended.code})`)
  } finally {
    // One that is still ending would make its files anew.
    if (gone !== null) await within(endMs, gone, clock)
    // Whatever the program kept for itself: the login has one holder from here on.
    await program.removeFolder(folder)
  }
}

async function within(ms: number, done: Promise<void>, clock: Clock): Promise<void> {
  await new Promise<void>((resolve) => {
    const cancel = clock.after(ms, resolve)
    void done.then(() => {
      cancel()
      resolve()
    })
  })
}

function readLogin(text: string | null, { code }: Ended, nowMs: number): Login | Problem {
  if (code !== 0) return signInFailed(`\`claude auth login\` ended without a login (exit code ${code})`)
  if (text === null)
    return signInFailed('`claude` keeps its login elsewhere than in a file on this system; sign in with a setup-token')
  return readCredential('claude', text, nowMs)
}

interface Ended {
  /** Null when the program was not waited for. */
  readonly code: number | null
  readonly token: string | null
}

function watch(
  attempt: Attempt,
  run: VendorRun,
  version: string,
  endsAtMs: number,
  clock: Clock,
): Promise<Ended | Problem> {
  return new Promise((resolve) => {
    let written = ''
    let shown = ''
    let isLingering = false
    const settle = (outcome: Ended | Problem): void => {
      run.end()
      resolve(outcome)
    }
    attempt.onEnd(() => run.end())
    attempt.paste = (text) => {
      const code = text.trim()
      // It is typed into a terminal: no control characters, no white space.
      if (!/^[\w#.~%=&+/:?-]{4,2000}$/.test(code))
        return problem('invalid_input', { why: 'paste the code that the page shows' })
      run.write(`${code}\r`)
      return null
    }
    run.onText((text) => {
      written += text
      if (written.length > longestOutput) {
        settle(signInFailed('`claude` wrote more than it ever should'))
        return
      }
      const { url, wantsCode, token, failure } = readSetupOutput(written)
      // It may wait for a key now; another sign-in begins anew.
      if (failure !== null) settle(signInFailed(`\`claude\` says: ${failure}`))
      if (token !== null && !isLingering) {
        isLingering = true
        clock.after(lingerMs, () => settle({ code: null, token: readSetupOutput(`${written}\n`).token ?? token }))
      }
      const seen = `${url} ${wantsCode}`
      if (seen === shown || token !== null) return
      shown = seen
      attempt.show({ kind: 'program', version, url, wantsCode, endsAtMs })
    })
    run.onExit((code) => {
      const { token, failure } = readSetupOutput(`${written}\n`)
      settle(failure === null ? { code, token } : signInFailed(`\`claude\` says: ${failure}`))
    })
  })
}
