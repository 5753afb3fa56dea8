/** Asks the other Pointsmans of this machine before a refresh token is sent; a note that can't be made stops nothing. */
import type { Digest, Log } from '../ports.ts'
import type { Claimed, Holders } from '../sign-in-ports.ts'

interface ClaimDeps {
  readonly holders: Holders
  readonly digest: Digest
  readonly log: Log
}

export async function claimedElsewhere(refreshToken: string, deps: ClaimDeps): Promise<Claimed | null> {
  try {
    return await deps.holders.claim(deps.digest.sha256(refreshToken))
  } catch (cause) {
    deps.log.fault('holder-not-noted', cause)
    return null
  }
}

/** The token was not spent after all. */
export async function releaseClaim(refreshToken: string | null, deps: ClaimDeps): Promise<void> {
  if (refreshToken === null) return
  await deps.holders
    .release(deps.digest.sha256(refreshToken))
    .catch((cause: unknown) => void deps.log.fault('holder-not-noted', cause))
}

export const heldWords = ({ by }: Claimed): string =>
  `another Pointsman renewed this login already: the one with the data folder ${by}`
