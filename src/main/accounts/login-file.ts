/** Accounts whose login stays with the vendor's CLI: its file is read anew for every use and never written (F66). */
import { type Problem, problem } from '../../shared/errors.ts'
import type { SourceId } from '../../shared/ids.ts'
import type { OAuthCredential } from '../domain/credential.ts'
import type { Account } from '../domain/source.ts'
import type { Clock, Files, Log } from '../ports.ts'
import { isProblem, type Login } from './login.ts'
import { readCredential } from './read-credential.ts'
import { signOut } from './sign-out.ts'
import type { SourceBook } from './source-book.ts'

export interface LoginFileDeps {
  readonly files: Files
  readonly clock: Clock
  readonly log: Log
  readonly sources: SourceBook
}

type Found =
  | { readonly kind: 'login'; readonly login: Login }
  /** The account can't be used until the person acts. */
  | { readonly kind: 'dead'; readonly because: string }
  /** Not now; the file is looked at again at the next use. */
  | { readonly kind: 'unread'; readonly problem: Problem }

export class LoginFiles {
  readonly #deps: LoginFileDeps
  /** Callers that come together share one read. */
  readonly #reads = new Map<string, Promise<string | null>>()
  /** The access token that the vendor last refused, per account. */
  readonly #refused = new Map<SourceId, string>()

  constructor(deps: LoginFileDeps) {
    this.#deps = deps
  }

  /** `refused` is the access token that brought a 401. */
  async tokenFor(account: Account, refused: string | null): Promise<OAuthCredential | Problem> {
    if (refused !== null) this.#refused.set(account.id, refused)
    const found = await this.#look(account)
    switch (found.kind) {
      case 'login':
        return found.login.credential
      case 'unread':
        return found.problem
      case 'dead':
        return signOut(account, found.because, this.#deps)
    }
  }

  /** Signs an account in again once its CLI has renewed or replaced the login. */
  async heal(account: Account): Promise<void> {
    const found = await this.#look(account)
    const now = this.#deps.sources.get(account.id)
    if (found.kind !== 'login' || now?.type !== 'subscription' || now.path !== account.path || now.signedOut === null)
      return
    const plan = found.login.plan ?? now.plan
    this.#deps.sources.save({ ...now, plan, signedOut: null, updatedAtMs: this.#deps.clock.nowMs() })
    this.#deps.log.info('signed-in-again', { account: account.id })
  }

  async #look(account: Account): Promise<Found> {
    const { clock, log } = this.#deps
    const cli = account.provider === 'claude' ? 'claude' : 'codex'
    // Its owner signed it out here.
    if (account.path === null) return { kind: 'dead', because: 'no login file is named for it' }
    let text: string | null
    try {
      text = await this.#read(account.path)
    } catch (cause) {
      log.fault('login-file-unread', cause)
      return {
        kind: 'unread',
        problem: problem('token_unavailable', { label: account.label, why: 'its login file can not be read' }),
      }
    }
    if (text === null)
      return { kind: 'dead', because: `the login file of \`${cli}\` is gone; sign in with \`${cli}\` again` }
    const login = readCredential(account.provider, text, clock.nowMs())
    if (isProblem(login)) return { kind: 'unread', problem: login }
    return this.#judge(account, login, cli)
  }

  #judge(account: Account, login: Login, cli: string): Found {
    const { credential, identity } = login
    const isOther =
      account.identity !== null &&
      identity !== null &&
      (identity.userId !== account.identity.userId || identity.workspaceId !== account.identity.workspaceId)
    if (isOther) return { kind: 'dead', because: `\`${cli}\` is now signed in to another account` }
    const isExpired = credential.expiresAtMs !== null && this.#deps.clock.nowMs() >= credential.expiresAtMs
    if (isExpired) return { kind: 'dead', because: `its login has expired; start \`${cli}\` once, which renews it` }
    if (credential.accessToken === this.#refused.get(account.id)) {
      return { kind: 'dead', because: `its vendor refuses the login; start \`${cli}\` once, or sign in there again` }
    }
    return { kind: 'login', login }
  }

  #read(path: string): Promise<string | null> {
    const running = this.#reads.get(path)
    if (running !== undefined) return running
    const read = this.#deps.files.readText(path).finally(() => this.#reads.delete(path))
    this.#reads.set(path, read)
    return read
  }
}
