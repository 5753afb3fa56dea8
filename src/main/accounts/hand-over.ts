/** Changes the holder of a login between the vendor's CLI and Pointsman, so that it has exactly one (F66). */
import { PointsmanError, type Problem, problem } from '../../shared/errors.ts'
import { credentialRef, type SourceId } from '../../shared/ids.ts'
import { asObject, type JsonObject } from '../dialects/json.ts'
import type { OAuthCredential } from '../domain/credential.ts'
import type { Account } from '../domain/source.ts'
import type { DeskDeps } from './desk-deps.ts'
import { type Imported, importAccount } from './import.ts'
import { isProblem } from './login.ts'
import { borrowed, keepsCopy, readLoginText } from './login-place.ts'
import { readCredential } from './read-credential.ts'

/** A copy of what the CLI's file holds now becomes ours; the file stays as it is. */
export async function handOver(id: SourceId, deps: DeskDeps): Promise<Imported | Problem> {
  const account = accountOf(id, deps)
  if (isProblem(account)) return account
  const { path, provider, label, custody } = account
  if (custody !== 'read-only' || path === null)
    return problem('invalid_input', { why: `${label} does not read its login from a file` })
  const text = await readLoginText(path, deps.files)
  if (typeof text !== 'string') return text
  const taken = await importAccount({ provider, label, credential: text, replaces: id }, deps)
  if (isProblem(taken)) return taken
  const now: Account = { ...taken.account, handedFrom: { path, hash: deps.digest.sha256(text) } }
  deps.sources.save(now)
  return { ...taken, account: now }
}

/**
 * The file gets the tokens as they are now, unless the CLI has a login of its own in it since. The account stops
 * renewing before the file is written: at no moment do two renew.
 */
export async function handBack(id: SourceId, deps: DeskDeps): Promise<Account | Problem> {
  const account = accountOf(id, deps)
  if (isProblem(account)) return account
  const { handedFrom, provider, label } = account
  if (account.custody !== 'pointsman' || handedFrom == null)
    return problem('invalid_input', { why: `${label} was not taken over from a file` })
  if (deps.isRenewing(id)) return problem('conflict', { what: `The login of ${label}` })
  const stored = account.credentialRef === null ? null : deps.vault.read(account.credentialRef)
  const text = await readLoginText(handedFrom.path, deps.files)
  if (typeof text !== 'string') return text
  if (stored?.kind !== 'oauth') return problem('needs_sign_in', { label, why: 'no sign-in is stored for it' })
  const isOurs = deps.digest.sha256(text) === handedFrom.hash
  const next = isOurs ? withTokens(provider, text, stored) : text
  if (next === null || isProblem(asLogin(provider, next, deps)))
    return problem('credential_unreadable', { why: 'the file has another shape than before' })
  if (deps.isRenewing(id)) return problem('conflict', { what: `The login of ${label}` })
  const updatedAtMs = deps.clock.nowMs()
  const isCopied = keepsCopy(handedFrom.path)
  const ref = credentialRef(id)
  const given: Account = {
    ...account,
    ...{ custody: 'read-only', path: handedFrom.path, handedFrom: null, updatedAtMs },
    credentialRef: isCopied ? ref : null,
  }
  deps.sources.save(given)
  try {
    if (isOurs) await deps.loginFiles.replace({ path: handedFrom.path, text }, next, text)
  } catch (cause) {
    deps.sources.save(account)
    if (cause instanceof PointsmanError) return cause.problem
    return problem('credential_unreadable', { why: 'the file could not be written' })
  }
  await (isCopied ? deps.vault.write(ref, borrowed(stored)) : deps.vault.remove(ref)).catch(() => {})
  return given
}

function accountOf(id: SourceId, { sources }: DeskDeps): Account | Problem {
  const found = sources.get(id)
  return found?.type === 'subscription' ? found : problem('not_found', { what: `account ${id}` })
}

const asLogin = (provider: Account['provider'], text: string, { clock }: DeskDeps) =>
  readCredential(provider, text, clock.nowMs())

/** The file with our tokens in the place of its own, every other field as it was; null when it isn't as expected. */
function withTokens(provider: Account['provider'], text: string, stored: OAuthCredential): string | null {
  const file = parse(text)
  const { accessToken, refreshToken, expiresAtMs, renewedAtMs } = stored
  if (provider === 'claude') {
    const login = asObject(file?.claudeAiOauth)
    if (login === null) return null
    const expiry = expiresAtMs === null ? {} : { expiresAt: expiresAtMs }
    return written({ ...file, claudeAiOauth: { ...login, accessToken, refreshToken, ...expiry } })
  }
  const tokens = asObject(file?.tokens)
  if (tokens === null) return null
  const renewed = { ...tokens, access_token: accessToken, refresh_token: refreshToken }
  return written({ ...file, tokens: renewed, last_refresh: new Date(renewedAtMs).toISOString() })
}

const written = (file: JsonObject): string => `${JSON.stringify(file, null, 2)}\n`

function parse(text: string): JsonObject | null {
  try {
    return asObject(JSON.parse(text))
  } catch {
    return null
  }
}
