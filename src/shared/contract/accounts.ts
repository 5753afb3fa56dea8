/** Subscription accounts: importing logins, switching, signing out. */
import { z } from 'zod'
import { announcement, byId, done, id, input, label, list, member, modelName, nothing, proxy, weight } from './base.ts'
import { quotaWindow } from './quota.ts'
import { sourceFields } from './source.ts'

export const account = z.object({
  ...sourceFields,
  kind: z.literal('subscription'),
  provider: z.enum(['claude', 'codex']),
  email: z.string().nullable(),
  workspace: z.string().nullable(),
  plan: z.string().nullable(),
  serves: z.enum(['claude-code-only', 'codex-only', 'any-client']),
  /** Who holds the refresh token. */
  custody: z.enum(['pointsman', 'read-only', 'setup-token']),
  reservePercent: z.number(),
  maySpendBeyondPlan: z.boolean(),
  /** Nano-USD, as the person says. */
  monthlyPrice: z.number().nullable(),
  /** As its usage told last; null: not told. */
  credits: z.object({ hasCredits: z.boolean(), unlimited: z.boolean(), balance: z.string().nullable() }).nullable(),
  /** Resets that may be spent by hand (`quota.resetCredits`). */
  bankedResets: z.number().nullable(),
  windows: list(quotaWindow),
})

/** One of `credential`, `path` and `setupToken`. */
const importInput = input({
  provider: z.enum(['claude', 'codex']),
  label,
  /** The vendor's own file as JSON: a copy, of which Pointsman becomes the holder. */
  credential: z.unknown().optional(),
  /** The vendor's own file, absolute: read anew for every use, never refreshed. */
  path: z
    .string()
    .max(4_096)
    .regex(/^(\/|[A-Za-z]:[\\/]|\\\\)/, 'must be an absolute path')
    .optional(),
  /** From `claude setup-token`. */
  setupToken: z.string().min(1).max(4_096).optional(),
  /** The account to sign in again; left out, it is found by its identity. */
  replaces: id.optional(),
})

const imported = account.extend({ isNew: z.boolean(), warning: z.string().nullable() })

const options = input({
  id,
  weight: weight.optional(),
  /** Percent of each window kept from new background sessions. */
  reservePercent: z.number().min(0).max(100).optional(),
  maySpendBeyondPlan: z.boolean().optional(),
  /** Codex accounts only: a Claude subscription serves Claude Code and nothing else. */
  serves: z.enum(['codex-only', 'any-client']).optional(),
  /** What the plan costs a month, in nano-USD, for the ledger of what was lost. */
  monthlyPrice: z.number().int().min(0).max(1e15).nullable().optional(),
  defaultModel: modelName.nullable().optional(),
  proxy: proxy.optional(),
})

export const accounts = {
  list: member.input(nothing).output(list(account)),
  import: member.input(importInput).output(imported),
  rename: member.input(input({ id, label })).output(account),
  setActive: member.input(input({ id, active: z.boolean() })).output(account),
  setOptions: member.input(options).output(account),
  /** Forgets the login, keeps the account. */
  signOut: member.input(byId).output(account),
  remove: member.input(byId).output(done),
  /** Reads the list of models, and whose the account is if that isn't known yet. */
  refreshModels: member.input(byId).output(account),
  /** Reads the usage now; once a minute (`too_soon`). */
  refreshQuota: member.input(byId).output(account),
  /** Accounts, profiles and access keys. */
  changed: announcement,
}
