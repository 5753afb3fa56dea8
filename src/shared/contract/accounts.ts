/** Subscription accounts: importing logins, switching, signing out. */
import { z } from 'zod'
import {
  absolutePath,
  announcement,
  byId,
  done,
  id,
  input,
  label,
  list,
  member,
  modelName,
  nothing,
  proxy,
  timeMs,
  weight,
} from './base.ts'
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
  /** Who renews it; `both`: an imported copy, which ends one day for one of the two. */
  holder: z.enum(['pointsman', 'cli', 'both', 'none']),
  renewedAtMs: z.number().nullable(),
  /** About. */
  renewsAtMs: z.number().nullable(),
  /** The vendor CLI's own file that its login is read or was taken over from; `keyring:` and a folder for its keychain item. */
  path: z.string().nullable(),
  canHandBack: z.boolean(),
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

/** One of `credential`, `path`, `keyringOf` and `setupToken`. */
const importInput = input({
  provider: z.enum(['claude', 'codex']),
  label,
  /** The vendor's own file as JSON: a copy, of which Pointsman becomes the holder. */
  credential: z.unknown().optional(),
  /** The vendor's own file, absolute: read anew for every use, never refreshed. */
  path: absolutePath.optional(),
  /** Codex: the folder (`CODEX_HOME`) whose login the CLI keeps in the OS keychain; read once, never refreshed. */
  keyringOf: absolutePath.optional(),
  /** From `claude setup-token`. */
  setupToken: z.string().min(1).max(4_096).optional(),
  /** The account to sign in again; left out, it is found by its identity. */
  replaces: id.optional(),
  /** The person has seen `terms`; without it the import is made all the same, and its warning tells of them. */
  acceptTerms: z.boolean().optional(),
  atLimit: z.enum(['move', 'wait', 'ask']).optional(),
})

const imported = account.extend({ isNew: z.boolean(), warning: z.string().nullable() })

const provider = z.enum(['claude', 'codex'])
const atLimit = z.enum(['move', 'wait', 'ask'])

const signInStep = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('starting') }),
  /** `port` null: the browser can't come back by itself; the address it ends on is pasted (`finishSignIn`). */
  z.object({
    kind: z.literal('browser'),
    url: z.string(),
    port: z.number().nullable(),
    because: z.string().nullable(),
    endsAtMs: timeMs,
  }),
  z.object({ kind: z.literal('device'), url: z.string(), userCode: z.string(), endsAtMs: timeMs }),
  /** The vendor's own program runs. */
  z.object({
    kind: z.literal('program'),
    version: z.string(),
    url: z.string().nullable(),
    wantsCode: z.boolean(),
    endsAtMs: timeMs,
  }),
  z.object({ kind: z.literal('finishing') }),
  z.object({
    kind: z.literal('done'),
    accountId: z.string(),
    label: z.string(),
    isNew: z.boolean(),
    warning: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('failed'),
    because: z.enum(['cancelled', 'denied', 'timeout', 'failed']),
    sentence: z.string(),
    next: z.string(),
  }),
])

const signInMethod = z.enum(['browser', 'device', 'paste', 'program', 'program-login'])

const signIn = z.object({ id: z.string(), provider, method: signInMethod, startedAtMs: timeMs, step: signInStep })

const startSignIn = input({
  provider,
  /** Codex: `browser`, `device` or `paste`. Claude: the person's own `claude`, `program` (setup-token) or `program-login`. */
  method: signInMethod,
  label: label.optional(),
  /** The account to sign in again. */
  replaces: id.optional(),
  /** Needed where `terms` says so. */
  acceptTerms: z.boolean().optional(),
  /** Goes with `acceptTerms`. */
  atLimit: atLimit.optional(),
})

const terms = z.object({
  /** `first`: before the first account of a vendor; `several`: before the second. */
  needed: z.enum(['none', 'first', 'several']),
  sentences: list(z.string()),
  atLimit,
})

const adoption = z.object({
  path: z.string(),
  /** `new`: it would be adopted. */
  outcome: z.enum(['new', 'adopted', 'known', 'unknown']),
  id: z.string().nullable(),
  why: z.string().nullable(),
})

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
  /** What the person must have read before another account of this vendor. */
  terms: member.input(input({ provider })).output(terms),
  /** A new one ends an earlier one of the same vendor. */
  startSignIn: member.input(startSignIn).output(signIn),
  signIn: member.input(byId).output(signIn),
  /** Those under way and the last finished ones, oldest first. */
  signIns: member.input(nothing).output(list(signIn)),
  /** With the address that the browser ended on, or the code that the vendor's page shows. */
  finishSignIn: member
    .input(
      input({
        id,
        callbackUrl: z.string().min(1).max(8_192).optional(),
        code: z.string().min(1).max(4_096).optional(),
      }),
    )
    .output(signIn),
  cancelSignIn: member.input(byId).output(signIn),
  /** What the older program clovapi left on this machine; its files stay as they are, and twice is the same as once. */
  adopt: member.input(nothing).output(list(adoption)),
  /** What `adopt` would find, and nothing is taken over. */
  adoptPreview: member.input(nothing).output(list(adoption)),
  rename: member.input(input({ id, label })).output(account),
  setActive: member.input(input({ id, active: z.boolean() })).output(account),
  setOptions: member.input(options).output(account),
  /** A login that its CLI held becomes ours; the CLI's file stays as it is, and must be signed in anew. */
  handOver: member.input(byId).output(imported),
  /** Undoes that: our tokens go back into the CLI's file, which is read from then on. */
  handBack: member.input(byId).output(account),
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
