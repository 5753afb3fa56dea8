/** Which account a login belongs to, and the account's record with that login in it. Pure. */
import { type Problem, problem } from '../../shared/errors.ts'
import { credentialRef, type SourceId, slug } from '../../shared/ids.ts'
import type { Credential } from '../domain/credential.ts'
import type { Account, Identity, Source, SourceModel } from '../domain/source.ts'
import { builtInModels } from './built-in-models.ts'
import type { Login } from './login.ts'
import { keepsCopy } from './login-place.ts'
import { mergeModels } from './models.ts'
import type { Vendor } from './oauth-endpoints.ts'

/** A login on its way to an account. */
export interface Arrival {
  readonly provider: Vendor
  readonly label: string
  readonly login: Login
  /** The vendor CLI's own file or keychain item, for a read-only import. */
  readonly path: string | null
  readonly origin: 'sign-in' | 'import'
  /** The account that its owner wants to sign in again. */
  readonly replaces: SourceId | null
  /** The vendor's own list, empty when it couldn't be read. */
  readonly models: readonly SourceModel[]
}

const isSame = (one: Identity | null, other: Identity | null): boolean =>
  one !== null && other !== null && one.userId === other.userId && one.workspaceId === other.workspaceId

/** Reads a stored credential, null when there is none to be read. */
export type ReadStored = (account: Account) => Credential | null

/**
 * The account that is signed in again, null for a new one. Two workspaces of one person are two accounts. A login
 * whose holder isn't known is the account that already has this very token, or reads this very file.
 */
export function matching(
  arrival: Arrival,
  sources: readonly Source[],
  readStored: ReadStored,
): Account | null | Problem {
  const { provider, login, replaces, path } = arrival
  const accounts = sources.filter(
    (source): source is Account => source.type === 'subscription' && source.provider === provider,
  )
  const owner = accounts.find(({ identity }) => isSame(identity, login.identity)) ?? null
  if (replaces !== null) return replaced(replaces, accounts, owner, login)
  if (owner !== null) return owner
  const isTheSame = (account: Account): boolean => {
    if (account.identity !== null && login.identity !== null) return false
    if (path !== null && account.path === path) return true
    const stored = readStored(account)
    if (stored?.kind !== 'oauth') return false
    const { accessToken, refreshToken } = login.credential
    return stored.accessToken === accessToken || (refreshToken !== null && stored.refreshToken === refreshToken)
  }
  return accounts.find(isTheSame) ?? null
}

function replaced(id: SourceId, accounts: readonly Account[], owner: Account | null, login: Login): Account | Problem {
  const account = accounts.find((one) => one.id === id)
  if (account === undefined) return problem('not_found', { what: `account ${id}` })
  const isAnother = owner === null ? login.identity !== null && account.identity !== null : owner.id !== account.id
  if (isAnother) return problem('invalid_input', { why: `this login belongs to another account than ${account.label}` })
  return account
}

/** What a repeated sign-in leaves alone: id, label, options, and what the new login doesn't say. */
export function accountWith(
  arrival: Arrival,
  existing: Account | null,
  taken: ReadonlySet<string>,
  nowMs: number,
): Account {
  const { provider, label, login, path, models, origin } = arrival
  const id = existing?.id ?? slug(label, taken)
  const fresh = existing ?? {
    type: 'subscription',
    provider,
    id,
    label,
    active: true,
    models: builtInModels[provider].models,
    defaultModel: null,
    weight: 1,
    proxy: null,
    createdAtMs: nowMs,
    identity: null,
    email: null,
    workspace: null,
    plan: null,
    // A Claude subscription serves Claude Code and nothing else (routing §6).
    serves: provider === 'claude' ? 'claude-code-only' : 'any-client',
    reservePercent: 0,
    maySpendBeyondPlan: false,
  }
  return {
    ...fresh,
    models: models.length === 0 ? fresh.models : mergeModels(fresh.models, models),
    identity: login.identity ?? fresh.identity,
    email: login.email ?? fresh.email,
    workspace: login.workspace ?? fresh.workspace,
    plan: login.plan ?? fresh.plan,
    custody: login.custody,
    origin,
    takenAtMs: nowMs,
    handedFrom: null,
    path,
    credentialRef: login.custody === 'read-only' && !keepsCopy(path) ? null : credentialRef(id),
    signedOut: null,
    updatedAtMs: nowMs,
  }
}
