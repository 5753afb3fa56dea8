/** What a person must have read before the first account of a vendor, and before the second. Pure. */
import type { TermsAccepted } from '../domain/settings.ts'
import type { Vendor } from './oauth-endpoints.ts'

export type TermsNeeded = TermsAccepted

/** `count` accounts of the vendor exist; signing one of them in again needs nothing. */
export function neededTerms(count: number, accepted: TermsAccepted, isAgain: boolean): TermsNeeded {
  if (isAgain || accepted === 'several') return 'none'
  if (count > 0) return 'several'
  return accepted === 'none' ? 'first' : 'none'
}

const names: Readonly<Record<Vendor, string>> = { claude: 'Anthropic', codex: 'OpenAI' }

/** In English, for the command line; the window has its own words. */
export function termsText(vendor: Vendor, needed: TermsNeeded): readonly string[] {
  if (needed === 'none') return []
  const name = names[vendor]
  const first = [
    `Your subscription is an agreement between you and ${name}. It is yours alone: do not share it, and do not serve others with it.`,
    `Pointsman disguises nothing: ${name} can see that requests come through it.`,
  ]
  if (needed === 'first') return first
  return [
    ...first,
    `Using several subscriptions to go beyond the limits of one plan may breach that agreement and can cost you the accounts.`,
    'You choose what happens when an account reaches a limit: move to another account, wait for the reset, or stop and ask you.',
  ]
}
