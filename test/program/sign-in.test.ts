/** Signing in to Codex accounts on the built program, against the simulated sign-in server. */
import { describe, expect, it } from 'vitest'
import { practiceProgram, problemOf } from './members-kit.ts'
import type { Program } from './run-program.ts'
import { until } from './start-core.ts'

const program = practiceProgram()

interface View {
  readonly id: string
  readonly step: {
    readonly kind: string
    readonly url?: string
    readonly port?: number | null
    readonly accountId?: string
    readonly isNew?: boolean
    readonly because?: string | null
  }
}

const start = (input: object): Promise<View> =>
  program().rpc<View>('accounts.startSignIn', { provider: 'codex', acceptTerms: true, ...input })

/** Once it stands at a step of this kind. */
const at = (id: string, kind: string): Promise<View> =>
  until(async () => {
    const view = await program().rpc<View>('accounts.signIn', { id })
    return view.step.kind === kind ? view : null
  }, `the sign-in does not come to ${kind}`)

const urlOf = (view: View): string => view.step.url ?? ''
const accountIds = async (of: Program): Promise<readonly string[]> =>
  (await of.rpc<{ id: string }[]>('accounts.list')).map(({ id }) => id)

describe('codex', () => {
  it('asks for the terms first, and keeps what was chosen for a limit', async () => {
    const refused = await problemOf(program().rpc('accounts.startSignIn', { provider: 'codex', method: 'device' }))
    expect(refused.code).toBe('terms_not_accepted')
    expect(await program().rpc('accounts.terms', { provider: 'codex' })).toMatchObject({
      needed: 'several',
      atLimit: 'move',
    })
    const { id } = await start({ method: 'paste', atLimit: 'wait' })
    await program().rpc('accounts.cancelSignIn', { id })
    expect(await program().rpc('accounts.terms', { provider: 'codex' })).toMatchObject({
      needed: 'none',
      atLimit: 'wait',
    })
    expect(await program().rpc('settings.get')).toMatchObject({ atLimit: 'wait', waitForResetMs: 6 * 3_600_000 })
    await program().rpc('settings.set', { atLimit: 'move', waitForResetMs: 0 })
  })

  it('signs in through a browser, end to end, and the account is there', async () => {
    const before = await accountIds(program())
    const begun = await start({ method: 'browser', label: 'From the browser' })
    const waiting = await at(begun.id, 'browser')
    expect([1455, 1457]).toContain(waiting.step.port)
    // As a browser does: the simulated vendor sends it back to the listener.
    const page = await fetch(urlOf(waiting))
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Pointsman has the sign-in.')])
    const done = await at(begun.id, 'done')
    expect(done.step).toMatchObject({ accountId: 'from-the-browser', isNew: true })
    expect(await accountIds(program())).toEqual([...before, 'from-the-browser'])
    await expect(fetch(page.url)).rejects.toThrow()
  })

  it('signs in with the address pasted from the browser', async () => {
    const begun = await start({ method: 'paste', label: 'Pasted' })
    const sent = await fetch(urlOf(await at(begun.id, 'browser')), { redirect: 'manual' })
    const callbackUrl = sent.headers.get('location') ?? ''
    const wrong = callbackUrl.replace(/state=[^&]+/, 'state=wrong')
    expect(await problemOf(program().rpc('accounts.finishSignIn', { id: begun.id, callbackUrl: wrong }))).toMatchObject(
      {
        code: 'invalid_input',
      },
    )
    await program().rpc('accounts.finishSignIn', { id: begun.id, callbackUrl })
    expect((await at(begun.id, 'done')).step).toMatchObject({ accountId: 'pasted' })
  })

  it('signs in with a device code', async () => {
    const begun = await start({ method: 'device', label: 'Device' })
    const waiting = await at(begun.id, 'device')
    expect((await fetch(urlOf(waiting))).status).toBe(200)
    expect((await at(begun.id, 'done')).step).toMatchObject({ accountId: 'device' })
  })

  it('writes no token, code, state or verifier into its log', async () => {
    expect(program().log()).toContain('sign-in-ended')
    expect(program().log()).not.toMatch(/state=|code=|code_verifier|rt_|refresh_token/)
  })
})

it('without `claude` on the machine it says how to install it', async () => {
  const begun = await program().rpc<View>('accounts.startSignIn', {
    provider: 'claude',
    method: 'program',
    acceptTerms: true,
  })
  const failed = await at(begun.id, 'failed')
  expect(failed.step).toMatchObject({ sentence: 'Claude Code (`claude`) was not found on this machine.' })
})

describe('on the command line', () => {
  it('shows each step on stderr and the outcome on stdout', async () => {
    const run = program().cli(['accounts', 'sign-in', 'codex', '--device', '--label', 'Typed', '--accept-terms'])
    const waiting = await until(async () => {
      const all = await program().rpc<View[]>('accounts.signIns')
      return all.find(({ step }) => step.kind === 'device') ?? null
    }, 'no device code is shown')
    await fetch(urlOf(waiting))
    const { code, stdout, stderr } = await run
    expect([code, stdout]).toEqual([0, 'Signed in as typed.\n'])
    expect(stderr).toMatch(/Open http\S+ on any machine and enter PRAC-\d+/)
  })

  it('says what is wrong, and how to go on', async () => {
    const run = program().cli(['accounts', 'sign-in', 'claude', '--device'])
    expect((await run).code).toBe(2)
    const failed = await program().cli(['accounts', 'sign-in', 'claude', '--accept-terms'])
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('was not found on this machine')])
  })
})
