/** Sources as the lists show them: never a secret, only where it lies. */
import { PointsmanError } from '../../shared/errors.ts'
import { type SourceId, sourceId } from '../../shared/ids.ts'
import { custodyFacts } from '../accounts/custody.ts'
import type { Credential } from '../domain/credential.ts'
import type { Account, LocalProvider, Profile, Source } from '../domain/source.ts'
import type { View } from '../flow/view.ts'
import type { Vault } from '../ports.ts'
import type { ApiDeps } from './api-deps.ts'
import { sourceStateOf, windowsOf } from './stand.ts'

export type Keyed = Profile | LocalProvider

export function accountView(account: Account, view: View, vault: Vault) {
  const { provider, email, workspace, plan, serves, custody, reservePercent, maySpendBeyondPlan } = account
  const facts = view.quota.get(account.id)?.facts
  return {
    ...common(account, view),
    kind: account.type,
    ...{ provider, email, workspace, plan, serves, custody, reservePercent, maySpendBeyondPlan },
    monthlyPrice: account.monthlyPrice ?? null,
    credits: facts?.credits ?? null,
    bankedResets: facts?.resetCredits ?? null,
    ...custodyFacts(account, storedOf(account, vault)),
    path: account.path ?? account.handedFrom?.path ?? null,
    windows: windowsOf(account, view),
  }
}

function storedOf({ credentialRef }: Account, vault: Vault): Credential | null {
  try {
    return credentialRef === null ? null : vault.read(credentialRef)
  } catch {
    return null
  }
}

export function profileView(profile: Keyed, view: View, vault: Vault) {
  const { provider, dialects, baseUrl, joins } = profile
  return {
    ...common(profile, view),
    kind: profile.type,
    ...{ provider, dialects, baseUrl, joins },
    keyPreview: keyPreview(profile, vault),
    budgetId: profile.budgetId ?? null,
  }
}

function common(source: Source, view: View) {
  const { id, label, active, models, defaultModel, weight, credentialRef, createdAtMs, updatedAtMs } = source
  return {
    ...{ id, label, active, models, defaultModel, weight, credentialRef, createdAtMs, updatedAtMs },
    ...sourceStateOf(source, view),
    proxy: withoutLogin(source.proxy),
  }
}

/** A proxy's URL may hold a password. */
export const withoutLogin = (proxy: string | null): string | null => proxy?.replace(/\/\/[^/@]*@/, '//…@') ?? null

/** Four characters of a long key tell it from another (T3.2); of a short one they would tell too much. */
const shortestShown = 20

function keyPreview({ credentialRef }: Keyed, vault: Vault): string | null {
  if (credentialRef === null) return null
  try {
    const credential = vault.read(credentialRef)
    if (credential?.kind !== 'api-key') return null
    return credential.key.length < shortestShown ? '…' : `…${credential.key.slice(-4)}`
  } catch {
    return null
  }
}

export function mustGetAccount({ sources }: ApiDeps, id: string): Account {
  const found = sources.get(sourceId(id))
  if (found?.type !== 'subscription') throw new PointsmanError('not_found', { what: `account ${id}` })
  return found
}

export function mustGetProfile({ sources }: ApiDeps, id: string): Keyed {
  const found = sources.get(sourceId(id))
  if (found === undefined || found.type === 'subscription') {
    throw new PointsmanError('not_found', { what: `profile ${id}` })
  }
  return found
}

/** Rests, windows and bindings of a source that is gone must not meet a later one of the same id. */
export function forgetSource({ conditions, bindings, owners }: ApiDeps, id: SourceId): void {
  conditions.lift(id)
  conditions.forgetWindows(id)
  owners.forgetSource(id)
  bindings.forget((binding) => binding.sourceId === id)
}
