/** What tray and notifications need to know, read through the same members as the window's. */
import type { InferContractRouterOutputs } from '@orpc/contract'
import type { RouterClient } from '@orpc/server'
import type { Contract } from '../../../shared/contract/index.ts'
import type { Router } from '../../api/router.ts'

export type Outputs = InferContractRouterOutputs<Contract>
export type Account = Outputs['accounts']['list'][number]
export type QuotaWindow = Account['windows'][number]
export type Provider = Account['provider']
export type Settings = Outputs['settings']['get']
export type Members = RouterClient<Router>

/** Who would serve the next new conversation of a provider. */
export interface Next {
  readonly provider: Provider
  readonly sourceId: string
  readonly label: string
  /** The router's reason, kebab-case. */
  readonly because: string
  /** False when it is only the best of those that rest. */
  readonly isReady: boolean
}

export interface Outlook {
  readonly app: Outputs['app']['snapshot']
  readonly accounts: readonly Account[]
  /** API profiles and local providers. */
  readonly profiles: Outputs['profiles']['list']
  /** One per provider that has an account, in the order of `providers`; without one where nothing can serve. */
  readonly next: readonly Next[]
  readonly strategies: readonly string[]
  readonly settings: Settings
  readonly nowMs: number
}

export const providers = [
  { provider: 'claude', name: 'Claude', dialect: 'messages' },
  { provider: 'codex', name: 'Codex', dialect: 'responses' },
] as const

export async function readOutlook(members: Members, nowMs: number): Promise<Outlook> {
  const [app, accounts, profiles, strategies, settings] = await Promise.all([
    members.app.snapshot(),
    members.accounts.list(),
    members.profiles.list(),
    members.models.strategies(),
    members.settings.get(),
  ])
  const sources = [...accounts, ...profiles]
  const next: Next[] = []
  for (const { provider, dialect } of providers) {
    if (!accounts.some((account) => account.provider === provider && account.active)) continue
    const { order } = await members.models.explain({ providerId: provider, model: null, dialect })
    const [first] = order
    const source = sources.find(({ id }) => first?.backendId.startsWith(`${id}:`))
    if (first === undefined || source === undefined) continue
    const { id, label, state } = source
    next.push({ provider, sourceId: id, label, because: first.because, isReady: state === 'ready' })
  }
  return { app, accounts, profiles, next, strategies: strategies.map(({ id }) => id), settings, nowMs }
}
