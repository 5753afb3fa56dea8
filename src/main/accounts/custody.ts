/** Who holds an account's refresh token, when it was last renewed and when it will be. Pure. */
import type { Credential } from '../domain/credential.ts'
import type { Account } from '../domain/source.ts'
import { renewalRules } from './renewal-note.ts'

/**
 * `both`: a copy was imported, and whichever of the two renews first ends the other's; `none`: there is nothing to
 * renew (a setup-token, or no login at all).
 */
export type Holder = 'pointsman' | 'cli' | 'both' | 'none'

export interface CustodyFacts {
  readonly holder: Holder
  readonly renewedAtMs: number | null
  /** About; null when nobody here renews it. */
  readonly renewsAtMs: number | null
  /** Its login can be given back to the CLI's file that it was taken over from. */
  readonly canHandBack: boolean
}

export function custodyFacts(account: Account, stored: Credential | null): CustodyFacts {
  const nobody = { renewedAtMs: null, renewsAtMs: null, canHandBack: false }
  if (account.custody === 'read-only') return { ...nobody, holder: account.path === null ? 'none' : 'cli' }
  if (stored?.kind !== 'oauth' || stored.refreshToken === null) return { ...nobody, holder: 'none' }
  const { renewedAtMs, expiresAtMs } = stored
  const taken = account.takenAtMs ?? account.createdAtMs
  const isShared = account.origin === 'import' && renewedAtMs <= taken
  return {
    holder: isShared ? 'both' : 'pointsman',
    renewedAtMs: account.origin === 'import' && isShared ? null : renewedAtMs,
    renewsAtMs: expiresAtMs === null ? renewedAtMs + renewalRules.staleMs : expiresAtMs - renewalRules.earlyMs,
    canHandBack: account.handedFrom != null,
  }
}
