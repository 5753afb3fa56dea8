/** Claude sign-in by the vendor's own program: `claude setup-token` in a private folder, its token taken over once (claude §1.5). */
import { type Problem, problem } from '../../shared/errors.ts'
import type { Clock } from '../ports.ts'
import type { VendorProgram, VendorRun } from '../sign-in-ports.ts'
import { signInFailed } from './code-exchange.ts'
import type { Login } from './login.ts'
import { readSetupToken } from './read-claude.ts'
import { readSetupOutput, versionProblem } from './setup-output.ts'
import type { Attempt } from './sign-in.ts'

export interface ProgramDeps {
  readonly program: VendorProgram
  readonly clock: Clock
}

const programMs = 10 * 60_000
/** Some versions wait for a key after showing the token. */
const lingerMs = 2_000
/** More than it ever writes; beyond that something is wrong with it. */
const longestOutput = 1_000_000

export async function signInByProgram(attempt: Attempt, { program, clock }: ProgramDeps): Promise<Login | Problem> {
  const endsAtMs = attempt.endAfter(programMs)
  const found = await program.find()
  if (found.kind === 'missing') return problem('vendor_program_missing', { program: 'Claude Code (`claude`)' })
  const why = found.kind === 'found' ? versionProblem(found.version) : found.why
  if (found.kind !== 'found' || why !== null) return signInFailed(`\`claude\` can not be used: ${why}`)
  const { version } = found
  attempt.show({ kind: 'program', version, url: null, wantsCode: false, endsAtMs })
  const folder = await program.makeFolder(attempt.view.id)
  try {
    if (attempt.isOver) return await attempt.stopped
    const run = await program.start(found.path, ['setup-token'], folder)
    const token = await Promise.race([watch(attempt, run, version, endsAtMs, clock), attempt.stopped])
    return typeof token === 'string' ? readSetupToken(token, clock.nowMs()) : token
  } finally {
    // Whatever the program kept for itself: the login has one holder from here on.
    await program.removeFolder(folder)
  }
}

function watch(
  attempt: Attempt,
  run: VendorRun,
  version: string,
  endsAtMs: number,
  clock: Clock,
): Promise<string | Problem> {
  return new Promise((resolve) => {
    let written = ''
    let shown = ''
    let isLingering = false
    const settle = (outcome: string | Problem): void => {
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
      const { url, wantsCode, token } = readSetupOutput(written)
      if (token !== null && !isLingering) {
        isLingering = true
        clock.after(lingerMs, () => settle(readSetupOutput(`${written}\n`).token ?? token))
      }
      const seen = `${url} ${wantsCode}`
      if (seen === shown || token !== null) return
      shown = seen
      attempt.show({ kind: 'program', version, url, wantsCode, endsAtMs })
    })
    run.onExit((code) => {
      const { token } = readSetupOutput(`${written}\n`)
      settle(token ?? signInFailed(`\`claude setup-token\` ended without a token (exit code ${code})`))
    })
  })
}
