/** Banked resets of a Codex account: shown with a warning, spent only when the person says so. */
import { PointsmanError } from '../../shared/errors.ts'
import type { Credential } from '../domain/credential.ts'
import type { Account } from '../domain/source.ts'
import { listResets, type ResetDeps, type SpentReset, spendReset } from '../quota/reset-credits.ts'
import type { ApiDeps } from './api-deps.ts'
import { mustBe } from './implement.ts'
import { mustGetAccount } from './source-view.ts'

const warning =
  'Spending a banked reset can not be undone. It renews the windows once, now, whatever is left in them; the vendor may show that a little later.'

export async function resetCreditsOf(id: string, deps: ApiDeps) {
  const account = codexAccount(id, deps)
  const found = mustBe(await listResets(account, await loginOf(account, deps), resetDeps(deps)))
  return { ...found, warning }
}

export async function spendResetOf(id: string, creditId: string | undefined, deps: ApiDeps) {
  const account = codexAccount(id, deps)
  const login = await loginOf(account, deps)
  const chosen = creditId ?? (await firstAvailable(account, login, deps))
  const spent = mustBe(await spendReset(account, login, chosen, resetDeps(deps)))
  // A redeemed reset ends every rest at once; what there is now is read, not assumed (field-reports 7).
  if (spent.code === 'reset' || spent.code === 'already_redeemed') {
    deps.conditions.forgetWindows(account.id)
    deps.conditions.lift(account.id)
    await deps.poller.readNow(account.id)
  }
  return { ...spent, sentence: sentenceOf(spent, account.label) }
}

async function firstAvailable(account: Account, login: Credential, deps: ApiDeps): Promise<string> {
  const { credits } = mustBe(await listResets(account, login, resetDeps(deps)))
  const found = credits.find((credit) => credit.status === 'available')
  if (found === undefined) throw new PointsmanError('not_found', { what: `a reset that ${account.label} could spend` })
  return found.id
}

function sentenceOf({ code }: SpentReset, label: string): string {
  switch (code) {
    case 'reset':
      return `${label} has spent one banked reset; its windows are read anew.`
    case 'already_redeemed':
      return `That reset of ${label} had been spent before; nothing more was spent.`
    case 'nothing_to_reset':
      return `${label} has nothing to reset; nothing was spent.`
    case 'no_credit':
      return `${label} has no banked reset.`
    default:
      return `The vendor answered ${code}.`
  }
}

function codexAccount(id: string, deps: ApiDeps): Account {
  const account = mustGetAccount(deps, id)
  if (account.provider !== 'codex')
    throw new PointsmanError('invalid_input', { why: 'only Codex accounts bank resets' })
  return account
}

async function loginOf(account: Account, deps: ApiDeps): Promise<Credential> {
  const credential = mustBe(await deps.refresher.tokenFor(account))
  if (credential === null) throw new PointsmanError('needs_sign_in', { label: account.label, why: 'it has no login' })
  return credential
}

const resetDeps = ({ web, hosts, digest, clock }: ApiDeps): ResetDeps => ({
  web,
  hosts,
  digest,
  nowMs: () => clock.nowMs(),
})
