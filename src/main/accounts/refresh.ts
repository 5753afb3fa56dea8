/** Gives the router a credential that works, whoever holds it, and renews those that are ours before they end. */
import { type Problem, problem } from '../../shared/errors.ts'
import type { CredentialRef, SourceId } from '../../shared/ids.ts'
import type { Credential } from '../domain/credential.ts'
import type { Account, Source } from '../domain/source.ts'
import type { Files, Vault } from '../ports.ts'
import { isProblem } from './login.ts'
import { LoginFiles } from './login-file.ts'
import { type RenewalDeps, Renewals } from './renewals.ts'
import { signOut } from './sign-out.ts'
import { TokenVault } from './token-vault.ts'

export interface RefresherDeps extends RenewalDeps {
  readonly vault: Vault
  readonly files: Files
}

export interface TokenOptions {
  /** The access token that just brought a 401: renewed once, unless a newer one is stored already. */
  readonly force?: string | undefined
}

/** What a source is sent: null for one that needs nothing. */
type Given = Credential | Problem | null

const checkEveryMs = 60_000
const longestCloseMs = 4_000

export class Refresher {
  readonly #deps: RefresherDeps
  readonly #tokens: TokenVault
  readonly #renewals: Renewals
  readonly #loginFiles: LoginFiles
  #cancelCheck: (() => void) | null = null
  #closed = false

  constructor(deps: RefresherDeps) {
    this.#deps = deps
    this.#tokens = new TokenVault(deps.vault, deps.log)
    this.#renewals = new Renewals(this.#tokens, deps)
    this.#loginFiles = new LoginFiles(deps)
  }

  /** Checks each minute, also accounts that rest (F67). */
  start(): void {
    if (this.#closed) return
    this.#cancelCheck = this.#deps.clock.after(checkEveryMs, () => {
      void this.renewDue()
      this.start()
    })
  }

  /**
   * Stops checking and waits for what is in flight, so that a rotated token still reaches the vault; not for a
   * request that hangs (F50), whose journal the next start reads.
   */
  async close(): Promise<void> {
    this.#closed = true
    this.#cancelCheck?.()
    await new Promise<void>((done) => {
      const cancel = this.#deps.clock.after(longestCloseMs, done)
      void this.#renewals.settled().then(() => {
        cancel()
        done()
      })
    })
  }

  /** Its answer must still be stored: nobody may change hands meanwhile. */
  isRenewing(id: SourceId): boolean {
    return this.#renewals.isRenewing(id)
  }

  /** What to send for this source; a promise only where something must be waited for. Never throws or rejects. */
  tokenFor(source: Source, options: TokenOptions = {}): Given | Promise<Given> {
    const refused = options.force ?? null
    const now = this.#deps.sources.get(source.id)
    if (now === undefined) return problem('not_found', { what: `source ${source.label}` })
    if (now.type !== 'subscription') return now.credentialRef === null ? null : this.#stored(now, now.credentialRef)
    if (now.signedOut !== null) return problem('needs_sign_in', { label: now.label, why: now.signedOut.because })
    if (now.custody === 'read-only') {
      return now.credentialRef === null
        ? this.#loginFiles.tokenFor(now, refused)
        : this.#copied(now, now.credentialRef, refused)
    }
    return this.#own(now, refused)
  }

  /** One round of the schedule; also called after a sleep or a jump of the clock. */
  async renewDue(): Promise<void> {
    const checks = this.#deps.sources
      .all()
      .filter((source): source is Account => source.type === 'subscription' && source.active)
      .map((account) => this.#check(account).catch((cause: unknown) => this.#deps.log.fault('check-broke', cause)))
    await Promise.all(checks)
    this.#renewals.forgetGone()
  }

  async #check(account: Account): Promise<void> {
    const { custody, credentialRef, signedOut } = account
    if (custody === 'read-only' && signedOut !== null && credentialRef === null) return this.#loginFiles.heal(account)
    if (custody !== 'pointsman' || signedOut !== null || credentialRef === null) return
    const stored = this.#tokens.read(credentialRef)
    if (stored === null || isProblem(stored) || stored.kind !== 'oauth') return
    const need = this.#renewals.needOf(account.id, stored)
    if (need !== null) await this.#renewals.renew(account, credentialRef, stored, need)
  }

  #stored(source: Source, ref: CredentialRef): Credential | Problem {
    return this.#tokens.read(ref) ?? problem('key_rejected', { label: source.label })
  }

  /** Taken from the CLI's keychain item, which nobody but the person has read again (`keepsCopy`). */
  #copied(account: Account, ref: CredentialRef, refused: string | null): Credential | Problem {
    const stored = this.#tokens.read(ref)
    if (stored === null) return signOut(account, 'no sign-in is stored for it', this.#deps)
    if (isProblem(stored) || stored.kind === 'api-key') return stored
    if (refused === stored.accessToken)
      return signOut(account, 'its vendor refuses the copy of its login; read it from the keychain again', this.#deps)
    const { expiresAtMs } = stored
    if (expiresAtMs === null || this.#deps.clock.nowMs() < expiresAtMs) return stored
    const why = 'the copy of its login has expired; start `codex` once, then read it from the keychain again'
    return signOut(account, why, this.#deps)
  }

  #own(account: Account, refused: string | null): Given | Promise<Given> {
    const saving = this.#renewals.beingSaved(account.id)
    return saving === null ? this.#saved(account, refused) : saving.then(() => this.#saved(account, refused))
  }

  #saved(account: Account, refused: string | null): Given | Promise<Given> {
    const ref = account.credentialRef
    const stored = ref === null ? null : this.#tokens.read(ref)
    if (ref === null || stored === null) return signOut(account, 'no sign-in is stored for it', this.#deps)
    if (isProblem(stored) || stored.kind === 'api-key') return stored
    const isRefused = refused === stored.accessToken
    if (account.custody === 'setup-token') {
      // It is static: nothing to renew (claude §1.5).
      return isRefused ? signOut(account, 'its setup-token is no longer accepted; make a new one', this.#deps) : stored
    }
    const need = isRefused ? 'refused' : this.#renewals.needOf(account.id, stored)
    if (need === null) return stored
    const renewal = this.#renewals.renew(account, ref, stored, need)
    // A token that still works is never waited for.
    if (need === 'early') return stored
    return renewal.then((outcome) => (outcome.kind === 'renewed' ? outcome.credential : outcome.problem))
  }
}
