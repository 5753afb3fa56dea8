/** The whole contract over one running core; each transport builds its handler from this. */
import type { Router as RouterOf } from '@orpc/server'
import type { Contract } from '../../shared/contract/index.ts'
import { accounts } from './accounts.ts'
import type { ApiDeps } from './api-deps.ts'
import { app } from './app.ts'
import { bindings } from './bindings.ts'
import { budgets } from './budgets.ts'
import { calls } from './calls.ts'
import { clients } from './clients.ts'
import { members, toContractError } from './implement.ts'
import { keys } from './keys.ts'
import { models } from './models.ts'
import { practice } from './practice.ts'
import { profiles } from './profiles.ts'
import { quota } from './quota.ts'
import { rehearsal } from './rehearsal.ts'
import { settings } from './settings.ts'
import { vault } from './vault.ts'

export type Router = RouterOf<Contract, Record<never, never>>

export function routerOf(deps: ApiDeps): Router {
  return members.router({
    app: app(deps),
    accounts: accounts(deps),
    profiles: profiles(deps),
    models: models(deps),
    bindings: bindings(deps),
    calls: calls(deps),
    clients: clients(deps),
    keys: keys(deps),
    budgets: budgets(deps),
    quota: quota(deps),
    rehearsal: rehearsal(deps),
    settings: settings(deps),
    practice: practice(deps),
    vault: vault(deps),
  })
}

interface Call {
  readonly signal?: { readonly aborted: boolean } | undefined
  next(): Promise<unknown>
}

/** Options for one transport's handler: a fresh object each time, since handlers change theirs (stack-notes §2). */
export function handlerOptions({ log }: ApiDeps) {
  const toTyped = async (call: Call): Promise<unknown> => {
    try {
      return await call.next()
    } catch (cause) {
      throw toContractError(cause, log, call.signal?.aborted === true)
    }
  }
  return { clientInterceptors: [toTyped] }
}
