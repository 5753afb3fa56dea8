/** The control plane's one contract: every transport serves it, the window and the command line call it. */
import { accounts } from './accounts.ts'
import { app } from './app.ts'
import { bindings } from './bindings.ts'
import { budgets } from './budgets.ts'
import { calls } from './calls.ts'
import { clients } from './clients.ts'
import { keys } from './keys.ts'
import { models } from './models.ts'
import { practice } from './practice.ts'
import { profiles } from './profiles.ts'
import { quota } from './quota.ts'
import { rehearsal } from './rehearsal.ts'
import { settings } from './settings.ts'
import { vault } from './vault.ts'

export const contract = {
  app,
  accounts,
  profiles,
  models,
  bindings,
  calls,
  clients,
  keys,
  budgets,
  quota,
  rehearsal,
  settings,
  practice,
  vault,
}

export type Contract = typeof contract
