/** Makes accounts from existing logins, and signs accounts in again with them. */
import { PointsmanError, type Problem, problem } from '../../shared/errors.ts'
import type { SourceId } from '../../shared/ids.ts'
import type { Credential } from '../domain/credential.ts'
import type { Account } from '../domain/source.ts'
import type { Clock, Files, Log, Vault } from '../ports.ts'
import { type Arrival, accountWith, matching } from './enrol.ts'
import { identifyClaude } from './identify.ts'
import { isProblem, type Login } from './login.ts'
import { borrowed, isAbsolutePlace, keepsCopy, readLoginText } from './login-place.ts'
import { type ModelDeps, readModels } from './models.ts'
import type { Vendor } from './oauth-endpoints.ts'
import { readLabel } from './profile.ts'
import { readSetupToken } from './read-claude.ts'
import { readCredential } from './read-credential.ts'
import type { SourceBook } from './source-book.ts'

/** One of `credential`, `path` and `setupToken`; a path makes the import read-only whatever else is given. */
export interface ImportInput {
  readonly provider: Vendor
  readonly label: string
  /** The vendor's own file as JSON: a copy, of which Pointsman becomes the holder. */
  readonly credential?: unknown
  /** The vendor's own file, read anew for every use, or the Codex CLI's keychain item; its CLI stays the holder. */
  readonly path?: string | undefined
  readonly setupToken?: string | undefined
  /** The account to sign in again; left out, it is found by its identity. */
  readonly replaces?: SourceId | undefined
}

export interface Imported {
  readonly account: Account
  readonly isNew: boolean
  /** What its owner must know, or null. */
  readonly warning: string | null
}

export interface ImportDeps extends ModelDeps {
  readonly vault: Vault
  readonly files: Files
  readonly clock: Clock
  readonly log: Log
  readonly sources: SourceBook
}

/** Two imports at once could make one account twice: use `SourceDesk`. */
export async function importAccount(input: ImportInput, deps: ImportDeps): Promise<Imported | Problem> {
  const label = readLabel(input.label)
  if (isProblem(label)) return label
  const login = await readInput(input, deps)
  if (isProblem(login)) return login
  const imported = await addLogin({ ...input, label: label.text, login }, deps)
  return isProblem(imported) ? imported : { ...imported, warning: warningOf(input.provider, login) }
}

export interface NewLogin {
  readonly provider: Vendor
  readonly label: string
  readonly login: Login
  readonly path?: string | undefined
  readonly replaces?: SourceId | undefined
  /** Left out: taken from the vendor's CLI. */
  readonly origin?: 'sign-in' | undefined
}

/** Also for a sign-in of our own: vault first, then the account, so that no account is without its credential. */
export async function addLogin(fresh: NewLogin, deps: ImportDeps): Promise<Imported | Problem> {
  const known = fresh.replaces === undefined ? undefined : deps.sources.get(fresh.replaces)
  const [login, models] = await readFromVendor(fresh, known?.proxy ?? null, deps)
  const { provider, label } = fresh
  const arrival: Arrival = {
    provider,
    label,
    login,
    models,
    path: fresh.path ?? null,
    origin: fresh.origin ?? 'import',
    replaces: fresh.replaces ?? null,
  }
  const existing = matching(arrival, deps.sources.all(), (account) => storedOf(account, deps.vault))
  if (existing !== null && isProblem(existing)) return existing
  const taken = new Set<string>(deps.sources.all().map(({ id }) => id))
  const ref = accountWith(arrival, existing, taken, deps.clock.nowMs()).credentialRef
  try {
    if (ref !== null) await deps.vault.write(ref, login.credential)
    // Looked up again: the owner may have changed it while the disk was writing.
    const now = existing === null ? null : currentOf(existing, deps.sources)
    if (existing !== null && now === null)
      throw new PointsmanError('conflict', { what: `The account ${existing.label}` })
    const account = accountWith(arrival, now, taken, deps.clock.nowMs())
    deps.sources.save(account)
    // Its CLI is the holder now. A full disk drops the record later.
    if (ref === null && existing?.credentialRef) await deps.vault.remove(existing.credentialRef).catch(() => {})
    return { account, isNew: now === null, warning: null }
  } catch (cause) {
    // No record stays without an account.
    if (ref !== null && !deps.sources.all().some((source) => source.credentialRef === ref))
      await deps.vault.remove(ref).catch(() => {})
    if (cause instanceof PointsmanError) return cause.problem
    throw cause
  }
}

const currentOf = (account: Account, sources: SourceBook): Account | null => {
  const now = sources.get(account.id)
  return now?.type === 'subscription' ? now : null
}

async function readInput(input: ImportInput, { files, clock }: ImportDeps): Promise<Login | Problem> {
  const nowMs = clock.nowMs()
  if (input.path !== undefined) {
    if (!isAbsolutePlace(input.path)) return problem('invalid_input', { why: 'the path must be absolute' })
    const text = await readLoginText(input.path, files)
    if (typeof text !== 'string') return text
    const login = readCredential(input.provider, text, nowMs)
    if (isProblem(login)) return login
    const credential = keepsCopy(input.path) ? borrowed(login.credential) : login.credential
    return { ...login, credential, custody: 'read-only' }
  }
  if (input.setupToken !== undefined) {
    if (input.provider === 'claude') return readSetupToken(input.setupToken, nowMs)
    return problem('credential_unreadable', { why: 'a setup-token exists for Claude only' })
  }
  if (input.credential !== undefined) return readCredential(input.provider, input.credential, nowMs)
  return problem('invalid_input', { why: 'give one of credential, path and setupToken' })
}

/** Whose it is and what it has; both reads are bounded, and neither can fail an import. */
async function readFromVendor({ provider, login }: NewLogin, proxy: string | null, deps: ImportDeps) {
  const { credential } = login
  if (credential.expiresAtMs !== null && credential.expiresAtMs <= deps.clock.nowMs()) return [login, []] as const
  const place = { kind: provider, label: provider, baseUrl: null, local: false, proxy }
  const asksHolder = provider === 'claude' && login.custody !== 'setup-token'
  const [holder, models] = await Promise.all([
    asksHolder ? identifyClaude(credential, proxy, deps.hosts, deps) : null,
    readModels(place, credential, deps),
  ])
  const named = holder === null ? login : { ...login, ...holder, plan: holder.plan ?? login.plan }
  return [named, isProblem(models) ? [] : models] as const
}

function storedOf(account: Account, vault: Vault): Credential | null {
  try {
    return account.credentialRef === null ? null : vault.read(account.credentialRef)
  } catch {
    return null
  }
}

/** Importing shares one refresh token between two holders (claude §1.6, codex §1.8). */
function warningOf(provider: Vendor, { custody, credential }: Login): string | null {
  if (custody !== 'pointsman' || credential.refreshToken === null) return null
  const again = provider === 'claude' ? '`claude`' : '`codex login`'
  return (
    'Pointsman now renews this login. The copy that the vendor’s program still holds stops working once either of ' +
    `the two is renewed: sign in there again with ${again}, so that each has a login of its own.`
  )
}
