/** Asks Claude whose a login is: its credential file names nobody (claude §4.2). */
import { asObject, asText } from '../dialects/json.ts'
import type { OAuthCredential } from '../domain/credential.ts'
import type { Identity } from '../domain/source.ts'
import type { HostOverrides } from '../providers/provider.ts'
import { claudeOAuth, withHost } from './oauth-endpoints.ts'
import { accountHeaders, get, isAnswer, jsonOf, type ReadDeps } from './own-request.ts'
import { claudePlan } from './read-claude.ts'

export interface Holder {
  readonly identity: Identity
  readonly email: string | null
  readonly workspace: string | null
  readonly plan: string | null
}

/** Null when it can't be told: no network, a token that has expired, or one without the scope `user:profile`. */
export async function identifyClaude(
  credential: OAuthCredential,
  proxy: string | null,
  hosts: HostOverrides,
  deps: ReadDeps,
): Promise<Holder | null> {
  const url = withHost(claudeOAuth.profileUrl, hosts.claude)
  const answer = await get(deps, url, accountHeaders('claude', credential), proxy)
  return isAnswer(answer) && answer.status === 200 ? readProfile(jsonOf(answer)) : null
}

function readProfile(profile: unknown): Holder | null {
  const account = asObject(asObject(profile)?.account)
  const organization = asObject(asObject(profile)?.organization)
  const userId = asText(account?.uuid)
  const workspaceId = asText(organization?.uuid)
  if (userId === null || workspaceId === null) return null
  const kind = asText(organization?.organization_type) ?? (account?.has_claude_max === true ? 'max' : null)
  return {
    identity: { userId, workspaceId },
    email: asText(account?.email),
    workspace: asText(organization?.name),
    plan: claudePlan(kind, asText(organization?.rate_limit_tier)),
  }
}
