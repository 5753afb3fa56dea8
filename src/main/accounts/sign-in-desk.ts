/** The sign-ins under way: starts, shows, finishes and cancels them, and hands each login to the sources. */
import { type Problem, problem } from '../../shared/errors.ts'
import type { SourceId } from '../../shared/ids.ts'
import type { Log } from '../ports.ts'
import type { VendorProgram } from '../sign-in-ports.ts'
import type { Imported, NewLogin } from './import.ts'
import { isProblem, type Login } from './login.ts'
import type { Vendor } from './oauth-endpoints.ts'
import { readLabel } from './profile.ts'
import { revokeUnused } from './revoke.ts'
import { Attempt, type SignInMethod, type SignInView } from './sign-in.ts'
import { type BrowserDeps, signInByBrowser } from './sign-in-browser.ts'
import { signInByDevice } from './sign-in-device.ts'
import { signInByProgram } from './sign-in-program.ts'
import type { SourceBook } from './source-book.ts'

export interface SignInDeps extends BrowserDeps {
  readonly log: Log
  readonly sources: SourceBook
  readonly program: VendorProgram
  /** `SourceDesk.add`. */
  add(login: NewLogin): Promise<Imported | Problem>
  /** `SourceDesk.remove`, which ends the grant too. */
  remove(id: SourceId): Promise<Problem | null>
  /** An account was signed in again: what was learnt with its old login counts no more. */
  renewed(id: SourceId): void
  /** Some sign-in shows something new. */
  changed(): void
}

export interface SignInInput {
  readonly provider: Vendor
  readonly method: SignInMethod
  /** Left out: the account's own, or its e-mail. */
  readonly label?: string | undefined
  readonly replaces?: SourceId | undefined
}

const methods: Readonly<Record<Vendor, readonly SignInMethod[]>> = {
  codex: ['browser', 'device', 'paste'],
  // Its own program does it; Pointsman never runs this vendor's OAuth.
  claude: ['program', 'program-login'],
}

/** Finished ones stay to be read, but not for ever. */
const keptAtMost = 20

export class SignIns {
  readonly #deps: SignInDeps
  readonly #attempts = new Map<string, Attempt>()
  readonly #running = new Set<Promise<void>>()
  #count = 0
  #isClosed = false

  constructor(deps: SignInDeps) {
    this.#deps = deps
  }

  /** One at a time per vendor: a new one takes the place of the old, whose page is then worth nothing. */
  start(input: SignInInput): SignInView | Problem {
    const { provider, method } = input
    const label = input.label === undefined ? null : readLabel(input.label)
    if (label !== null && isProblem(label)) return label
    const known = input.replaces === undefined ? undefined : this.#deps.sources.get(input.replaces)
    if (input.replaces !== undefined && (known?.type !== 'subscription' || known.provider !== provider))
      return problem('not_found', { what: `account ${input.replaces}` })
    if (!methods[provider].includes(method) || this.#isClosed)
      return problem('invalid_input', { why: `${provider} has no sign-in by ${method}` })
    for (const [, attempt] of this.#attempts) if (attempt.view.provider === provider) attempt.end('cancelled')
    this.#count += 1
    const id = `sign-in-${this.#count}`
    const attempt = new Attempt({ id, provider, method, clock: this.#deps.clock, changed: () => this.#deps.changed() })
    this.#attempts.set(id, attempt)
    for (const old of this.#attempts.keys()) if (this.#attempts.size > keptAtMost) this.#attempts.delete(old)
    const run = this.#run(attempt, input, label?.text ?? known?.label ?? null, known?.proxy ?? null)
    this.#running.add(run)
    void run.finally(() => this.#running.delete(run))
    return attempt.view
  }

  get(id: string): SignInView | Problem {
    return this.#attempts.get(id)?.view ?? gone(id)
  }

  /** Oldest first. */
  all(): readonly SignInView[] {
    return [...this.#attempts.values()].map((attempt) => attempt.view)
  }

  /** Takes what the person pasted: the callback's address, or the code that the vendor's page shows. */
  finish(id: string, pasted: string): SignInView | Problem {
    const attempt = this.#attempts.get(id)
    if (attempt === undefined) return gone(id)
    if (attempt.paste === null) return problem('invalid_input', { why: 'this sign-in waits for nothing to be pasted' })
    return attempt.paste(pasted) ?? attempt.view
  }

  cancel(id: string): SignInView | Problem {
    const attempt = this.#attempts.get(id)
    if (attempt === undefined) return gone(id)
    attempt.end('cancelled')
    return attempt.view
  }

  /** Resolves once ports and programs are given back. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const attempt of this.#attempts.values()) attempt.end('cancelled')
    await Promise.all(this.#running)
  }

  async #run(attempt: Attempt, input: SignInInput, label: string | null, proxy: string | null): Promise<void> {
    const { log } = this.#deps
    try {
      const login = await this.#signIn(attempt, input.method, proxy)
      if (isProblem(login)) attempt.fail(login)
      else if (attempt.isOver || !(await this.#keep(attempt, input, label, login)))
        await revokeUnused(input.provider, login, proxy, this.#deps)
    } catch (cause) {
      attempt.fail(problem('internal', { logId: log.fault('sign-in-broke', cause) }))
    }
    const { step } = attempt.view
    log.info('sign-in-ended', { provider: input.provider, method: input.method, how: step.kind })
  }

  #signIn(attempt: Attempt, method: SignInMethod, proxy: string | null): Promise<Login | Problem> {
    switch (method) {
      case 'browser':
        return signInByBrowser(attempt, false, proxy, this.#deps)
      case 'paste':
        return signInByBrowser(attempt, true, proxy, this.#deps)
      case 'device':
        return signInByDevice(attempt, proxy, this.#deps)
      case 'program':
        return signInByProgram(attempt, 'setup-token', this.#deps)
      case 'program-login':
        return signInByProgram(attempt, 'login', this.#deps)
    }
  }

  /** False when no account has it. */
  async #keep(attempt: Attempt, input: SignInInput, label: string | null, login: Login): Promise<boolean> {
    const { provider, replaces } = input
    const name = label ?? login.email ?? (provider === 'codex' ? 'Codex' : 'Claude')
    const added = await this.#deps.add({ provider, label: name.slice(0, 100), login, replaces, origin: 'sign-in' })
    if (isProblem(added)) {
      attempt.fail(added)
      return false
    }
    const { account, isNew, warning } = added
    // Cancelled while its account was being made: nothing of it stays. An account that was there before stays signed in.
    if (attempt.isOver && isNew) await this.#deps.remove(account.id)
    if (!isNew) this.#deps.renewed(account.id)
    attempt.show({ kind: 'done', accountId: account.id, label: account.label, isNew, warning })
    return true
  }
}

const gone = (id: string): Problem => problem('not_found', { what: `sign-in ${id}` })
