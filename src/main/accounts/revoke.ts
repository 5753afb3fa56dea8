/** Ends a Codex grant at its vendor when nobody has it any more (codex §1.8): only one that was made here, never the CLI's. */
import type { Source } from '../domain/source.ts'
import type { Log, Vault, Web } from '../ports.ts'
import type { HostOverrides } from '../providers/provider.ts'
import type { Login } from './login.ts'
import { codexOAuth, withHost } from './oauth-endpoints.ts'
import { failureText, isAnswer } from './own-request.ts'

const timeoutMs = 10_000

/** The refresh token to revoke; null where there is none of our own. Claude has no revocation (claude §1.4). */
export function ownGrant(source: Source, vault: Vault): string | null {
  if (source.type !== 'subscription' || source.provider !== 'codex' || source.credentialRef === null) return null
  if (source.custody !== 'pointsman' || source.origin !== 'sign-in') return null
  try {
    const stored = vault.read(source.credentialRef)
    return stored?.kind === 'oauth' ? stored.refreshToken : null
  } catch {
    return null
  }
}

interface RevokeDeps {
  readonly web: Web
  readonly log: Log
  readonly hosts: HostOverrides
}

/** Never rejects, never repeats. */
export async function revoke(grant: string, proxy: string | null, { web, log, hosts }: RevokeDeps): Promise<void> {
  const result = await web.fetch({
    url: withHost(codexOAuth.revokeUrl, hosts.codexAuth),
    method: 'POST',
    headers: ['content-type', 'application/json', 'accept', 'application/json'],
    body: JSON.stringify({ token: grant, token_type_hint: 'refresh_token', client_id: codexOAuth.clientId }),
    proxy,
    timeoutMs,
  })
  const isDone = isAnswer(result) && result.status >= 200 && result.status < 300
  log.info('grant-revoked', { done: isDone, why: isDone ? null : failureText(result) })
}

/** A sign-in that was cancelled after its code was sent, or whose account could not be kept, leaves no grant behind. */
export async function revokeUnused(
  provider: 'claude' | 'codex',
  { credential }: Login,
  proxy: string | null,
  deps: RevokeDeps,
): Promise<void> {
  if (provider !== 'codex' || credential.refreshToken === null) return
  await revoke(credential.refreshToken, proxy, deps)
}
