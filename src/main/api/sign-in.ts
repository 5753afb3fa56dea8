/** Signing in step by step, and the terms that come before it. */
import { PointsmanError } from '../../shared/errors.ts'
import { sourceId } from '../../shared/ids.ts'
import type { Vendor } from '../accounts/oauth-endpoints.ts'
import { neededTerms, type TermsNeeded, termsText } from '../accounts/terms.ts'
import type { Settings } from '../domain/settings.ts'
import type { ApiDeps } from './api-deps.ts'
import { members, mustBe } from './implement.ts'
import { mustGetAccount } from './source-view.ts'

type AtLimit = Settings['atLimit']

/** Long enough for a five-hour window; only where the person has set nothing else. */
const waitMs = 6 * 3_600_000

export function signInMembers(deps: ApiDeps) {
  const { signIns } = deps
  return {
    terms: members.accounts.terms.handler(({ input: { provider } }) => {
      const needed = termsNeeded(provider, false, deps)
      return { needed, sentences: termsText(provider, needed), atLimit: deps.settings().atLimit }
    }),
    startSignIn: members.accounts.startSignIn.handler(({ input }) => {
      const { acceptTerms, atLimit, replaces, ...rest } = input
      if (replaces !== undefined) mustGetAccount(deps, replaces)
      const isAgain = replaces !== undefined
      if (acceptTerms === true) acceptTermsOf(input.provider, isAgain, atLimit, deps)
      if (termsNeeded(input.provider, isAgain, deps) !== 'none') {
        throw new PointsmanError('terms_not_accepted', { what: `${input.provider} accounts` })
      }
      return mustBe(signIns.start({ ...rest, replaces: isAgain ? sourceId(replaces) : undefined }))
    }),
    signIn: members.accounts.signIn.handler(({ input }) => mustBe(signIns.get(input.id))),
    signIns: members.accounts.signIns.handler(() => signIns.all()),
    finishSignIn: members.accounts.finishSignIn.handler(({ input: { id, callbackUrl, code } }) => {
      const pasted = callbackUrl ?? code
      if (pasted === undefined) throw new PointsmanError('invalid_input', { why: 'give callbackUrl or code' })
      return mustBe(signIns.finish(id, pasted))
    }),
    cancelSignIn: members.accounts.cancelSignIn.handler(({ input }) => mustBe(signIns.cancel(input.id))),
  }
}

const settingOf = { claude: 'termsClaude', codex: 'termsCodex' } as const satisfies Record<Vendor, keyof Settings>

export function termsNeeded(provider: Vendor, isAgain: boolean, { sources, settings }: ApiDeps): TermsNeeded {
  const count = sources.all().filter((source) => source.provider === provider).length
  return neededTerms(count, settings()[settingOf[provider]], isAgain)
}

export function acceptTermsOf(provider: Vendor, isAgain: boolean, atLimit: AtLimit | undefined, deps: ApiDeps): void {
  const needed = termsNeeded(provider, isAgain, deps)
  const before = deps.settings()
  const chosen = atLimit ?? before.atLimit
  const waitForResetMs = chosen === 'wait' && before.waitForResetMs === 0 ? waitMs : before.waitForResetMs
  if (needed === 'none' && chosen === before.atLimit) return
  const accepted = needed === 'none' ? {} : { [settingOf[provider]]: needed }
  deps.changeSettings({ ...before, ...accepted, atLimit: chosen, waitForResetMs })
}

/** For scripts, which can't be shown a screen. */
export const termsWarning = (needed: TermsNeeded): string | null =>
  needed === 'several'
    ? 'Using several subscriptions of one vendor to go beyond a plan’s limits may breach its agreement and can cost the accounts.'
    : null
