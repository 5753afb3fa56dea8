/** Renews accounts whose refresh token is ours: one request in flight per account, journalled, never repeated blindly. */
import { type Problem, problem } from '../../shared/errors.ts'
import type { CredentialRef, SourceId } from '../../shared/ids.ts'
import type { Credential, OAuthCredential } from '../domain/credential.ts'
import type { Account } from '../domain/source.ts'
import type { Chance, Clock, Digest, Log, Web } from '../ports.ts'
import type { HostOverrides } from '../providers/provider.ts'
import type { Claimed, Holders } from '../sign-in-ports.ts'
import { claimedElsewhere, heldWords, releaseClaim } from './claim.ts'
import { isProblem } from './login.ts'
import * as notes from './renewal-note.ts'
import { cutOff, deadGrant, deadWords } from './renewal-words.ts'
import { signOut } from './sign-out.ts'
import type { SourceBook } from './source-book.ts'
import { lifetimeMs, type RenewalAnswer, readRenewal, renewalRequest, renewed } from './token-request.ts'
import type { TokenVault } from './token-vault.ts'

export interface RenewalDeps {
  readonly web: Web
  readonly clock: Clock
  readonly chance: Chance
  readonly digest: Digest
  readonly log: Log
  readonly hosts: HostOverrides
  readonly sources: SourceBook
  readonly holders: Holders
}

/** `early`: the access token still works. `expired`: its time is over. `refused`: the vendor answered 401. */
export type Need = 'early' | 'expired' | 'refused'

export type Renewal =
  | { readonly kind: 'renewed'; readonly credential: Credential }
  /** What is stored stays; the problem is for a caller whose access token no longer works. */
  | { readonly kind: 'kept'; readonly problem: Problem }

/** What the vault holds in the place of the grant that was sent. */
type Standing = { readonly kind: 'ours' | 'gone' } | { readonly kind: 'other'; readonly credential: Credential }

/** One attempt: whose, where its secret lies, and what is sent. */
interface Grant {
  readonly account: Account
  readonly ref: CredentialRef
  readonly sent: OAuthCredential
  readonly refreshToken: string
  readonly need: Need
}

export class Renewals {
  readonly #deps: RenewalDeps
  readonly #tokens: TokenVault
  readonly #flights = new Map<SourceId, Promise<Renewal>>()
  readonly #saving = new Set<SourceId>()
  readonly #notes = new Map<SourceId, notes.Note>()

  constructor(tokens: TokenVault, deps: RenewalDeps) {
    this.#tokens = tokens
    this.#deps = deps
  }

  /** Null while the access token may be used and needs nothing. */
  needOf(id: SourceId, credential: OAuthCredential): Need | null {
    const { clock } = this.#deps
    const note = this.#noteOf(id, credential)
    if (notes.isExpired(credential, note, clock.nowMs(), clock.elapsedMs())) return 'expired'
    const isDue = notes.isDue(credential, note, clock.nowMs(), clock.elapsedMs())
    return isDue && credential.refreshToken !== null ? 'early' : null
  }

  /** The renewal whose new token is being written just now: it isn't used before it is safe on disk (F64). */
  beingSaved(id: SourceId): Promise<Renewal> | null {
    return this.#saving.has(id) ? (this.#flights.get(id) ?? null) : null
  }

  isRenewing(id: SourceId): boolean {
    return this.#flights.has(id)
  }

  /** Resolves once nothing is in flight; a vault must not be closed before. */
  async settled(): Promise<void> {
    await Promise.all(this.#flights.values())
  }

  /** Whoever comes while a renewal is in flight gets its outcome (F61). Never rejects. */
  renew(account: Account, ref: CredentialRef, stored: OAuthCredential, need: Need): Promise<Renewal> {
    const running = this.#flights.get(account.id)
    if (running !== undefined) return running
    try {
      const begun = this.#begin(account, ref, stored, need)
      // Nothing was sent, so nobody else has to wait for it.
      if (!(begun instanceof Promise)) return Promise.resolve(begun)
      const flight = begun
        .catch((cause: unknown) => this.#broken(cause))
        .finally(() => this.#flights.delete(account.id))
      this.#flights.set(account.id, flight)
      return flight
    } catch (cause) {
      return Promise.resolve(this.#broken(cause))
    }
  }

  #broken(cause: unknown): Renewal {
    const logId = this.#deps.log.fault('renewal-broke', cause)
    return { kind: 'kept', problem: problem('internal', { logId }) }
  }

  /** Notes of accounts that are gone are dropped. */
  forgetGone(): void {
    for (const id of this.#notes.keys()) if (this.#deps.sources.get(id) === undefined) this.#notes.delete(id)
  }

  #begin(account: Account, ref: CredentialRef, stored: OAuthCredential, need: Need): Renewal | Promise<Renewal> {
    const { refreshToken } = stored
    if (refreshToken === null) return this.#signOut(account, 'its token is used up and no refresh token is stored')
    const grant: Grant = { account, ref, sent: stored, refreshToken, need }
    return this.#held(grant) ?? this.#ask(grant)
  }

  /** Why nothing is sent now; null when it may be. */
  #held(grant: Grant): Renewal | null {
    const { account, sent, need } = grant
    const elapsedMs = this.#deps.clock.elapsedMs()
    const note = this.#noteOf(account.id, sent)
    const { cure } = note
    if (
      need === 'refused' &&
      cure?.accessToken === sent.accessToken &&
      elapsedMs - cure.atMs < notes.renewalRules.deadMs
    ) {
      return this.#signOut(account, 'its vendor refuses even a token that was just renewed')
    }
    if (note.notBeforeMs > elapsedMs) return this.#kept(account, note.why)
    const waits = need === 'early' && this.#isInDoubt(grant)
    return waits ? this.#kept(account, 'the outcome of the last renewal is unknown') : null
  }

  /** This very token was sent before, and whether it was spent isn't known (F63). */
  #isInDoubt({ sent, refreshToken }: Grant): boolean {
    return sent.refreshStarted?.tokenHash === this.#deps.digest.sha256(refreshToken)
  }

  async #ask(grant: Grant): Promise<Renewal> {
    const { clock, digest, web, hosts } = this.#deps
    const { account, ref, sent, refreshToken, need } = grant
    const started = { tokenHash: digest.sha256(refreshToken), atMs: clock.nowMs() }
    const isJournalled = await this.#tokens.write(ref, { ...sent, refreshStarted: started })
    const now = this.#now(grant)
    if (now.kind !== 'ours') return this.#superseded(grant, now)
    if (!isJournalled && need === 'early') {
      // A new token that can't be stored is lost with the process: while the old one works, wait for the disk.
      await this.#settle(grant)
      return this.#backOff(grant, 'the vault could not be saved', null)
    }
    const other = await claimedElsewhere(refreshToken, this.#deps)
    if (other !== null) return this.#heldElsewhere(grant, other)
    const result = await web.fetch(renewalRequest(account.provider, refreshToken, account.proxy, hosts))
    return this.#apply(grant, readRenewal(result, clock.nowMs()))
  }

  /** Sent again it would end the other's login too: nothing goes out. */
  async #heldElsewhere(grant: Grant, other: Claimed): Promise<Renewal> {
    const why = heldWords(other)
    await this.#tokens.write(grant.ref, grant.sent)
    if (grant.need === 'early') return this.#backOff(grant, why, notes.renewalRules.deadMs)
    return this.#signOut(grant.account, why)
  }

  async #apply(grant: Grant, answer: RenewalAnswer): Promise<Renewal> {
    const { account } = grant
    const now = this.#now(grant)
    if (now.kind !== 'ours') return this.#superseded(grant, now)
    switch (answer.kind) {
      case 'tokens':
        return this.#store(grant, answer)
      case 'unknown':
        this.#notes.set(
          account.id,
          notes.inDoubt(this.#noteOf(account.id, grant.sent), answer.why, this.#deps.clock.elapsedMs()),
        )
        this.#deps.log.info('renewal-outcome-unknown', { account: account.id, why: answer.why })
        return this.#kept(account, answer.why)
      case 'not-sent':
        await this.#settle(grant)
        return this.#backOff(grant, answer.why, null)
      case 'later':
        await this.#settle(grant)
        return this.#backOff(grant, answer.why, answer.retryAfterMs)
      // Decided before the disk is waited for: a new sign-in may come meanwhile.
      case 'unclear': {
        const renewal = this.#unclear(grant, answer.why)
        await this.#settle(grant)
        return renewal
      }
      case 'rejected': {
        const renewal = this.#signOut(account, this.#isInDoubt(grant) ? cutOff : (deadWords[answer.code] ?? deadGrant))
        await this.#settle(grant, true)
        return renewal
      }
    }
  }

  async #store(grant: Grant, answer: RenewalAnswer): Promise<Renewal> {
    const { clock, chance, log, sources } = this.#deps
    const { account, ref, sent, need } = grant
    const elapsedMs = clock.elapsedMs()
    const credential = renewed(sent, answer, clock.nowMs())
    const fresh = notes.freshNote(credential.refreshToken, chance.unit())
    const cure = need === 'refused' ? credential.accessToken : null
    this.#notes.set(account.id, notes.afterRenewal(fresh, lifetimeMs(answer, clock.nowMs()), cure, elapsedMs))
    this.#saving.add(account.id)
    const isSaved = await this.#tokens.write(ref, credential).finally(() => this.#saving.delete(account.id))
    if (sources.get(account.id) === undefined) {
      // Deleted while the disk was writing: it must not rise again (F68).
      await this.#tokens.remove(ref)
      return this.#gone(account)
    }
    log.info('token-renewed', { account: account.id, need, saved: isSaved })
    if (credential.accessToken === sent.accessToken && need !== 'early') {
      return this.#backOff({ ...grant, sent: credential }, 'the answer held no access token', null)
    }
    return { kind: 'renewed', credential }
  }

  /** Is the grant that was sent still what is stored? A late answer must not undo a deletion or a new sign-in (F68). */
  #now({ account, ref, sent }: Grant): Standing {
    const source = this.#deps.sources.get(account.id)
    if (source === undefined || source.credentialRef !== ref) return { kind: 'gone' }
    const stored = this.#tokens.read(ref)
    if (stored === null) return { kind: 'gone' }
    // Locked meanwhile: the tokens stay in memory until it opens.
    if (isProblem(stored)) return { kind: 'ours' }
    const isOurs = stored.kind === 'oauth' && stored.refreshToken === sent.refreshToken
    return isOurs ? { kind: 'ours' } : { kind: 'other', credential: stored }
  }

  /** Another writer was faster: what it stored is used, nothing of ours is written (F62). */
  #superseded({ account }: Grant, now: Standing): Renewal {
    this.#deps.log.info('renewal-superseded', { account: account.id, by: now.kind })
    return now.kind === 'other' ? { kind: 'renewed', credential: now.credential } : this.#gone(account)
  }

  /** The outcome is known and changed nothing: the journal is as before, with an older doubt if there was one. */
  async #settle({ ref, sent }: Grant, isSpent = false): Promise<void> {
    await this.#tokens.write(ref, sent)
    if (!isSpent) await releaseClaim(sent.refreshToken, this.#deps)
  }

  #unclear(grant: Grant, why: string): Renewal {
    const { account, sent, need } = grant
    const note = this.#noteOf(account.id, sent)
    const unclear = note.unclear + 1
    this.#notes.set(account.id, { ...note, unclear })
    if (unclear >= notes.renewalRules.unclearLimit && need !== 'early') {
      return this.#signOut(account, `its vendor keeps refusing to renew it; ${why}`)
    }
    return this.#backOff(grant, why, notes.renewalRules.unclearMs * unclear)
  }

  #backOff({ account, sent }: Grant, why: string, waitMs: number | null): Renewal {
    const { clock, chance, log } = this.#deps
    const note = this.#noteOf(account.id, sent)
    this.#notes.set(account.id, notes.backedOff(note, why, waitMs, clock.elapsedMs(), chance.unit()))
    log.info('renewal-postponed', { account: account.id, why })
    return this.#kept(account, why)
  }

  #signOut(account: Account, because: string): Renewal {
    return { kind: 'kept', problem: signOut(account, because, this.#deps) }
  }

  /** The account was removed, or signed out by its owner, while it was renewed. */
  #gone(account: Account): Renewal {
    const { id, label } = account
    const isRemoved = this.#deps.sources.get(id) === undefined
    const why = 'its sign-in was removed'
    return {
      kind: 'kept',
      problem: isRemoved
        ? problem('not_found', { what: `account ${label}` })
        : problem('needs_sign_in', { label, why }),
    }
  }

  #kept(account: Account, why: string): Renewal {
    return { kind: 'kept', problem: problem('token_unavailable', { label: account.label, why }) }
  }

  #noteOf(id: SourceId, credential: OAuthCredential): notes.Note {
    const note = this.#notes.get(id)
    if (note?.refreshToken === credential.refreshToken) return note
    const fresh = notes.freshNote(credential.refreshToken, this.#deps.chance.unit())
    this.#notes.set(id, fresh)
    return fresh
  }
}
