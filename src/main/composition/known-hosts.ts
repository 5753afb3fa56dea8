/**
 * The hosts that anything may be sent to: the two vendors' own, those of the stored sources, and one that a person has
 * just entered to see its models (threats T3.6). Whatever else would be asked for is a fault, or not ours.
 */
import { claudeOAuth, codexOAuth, tokenUrl } from '../accounts/oauth-endpoints.ts'
import type { HostOverrides } from '../providers/provider.ts'
import type { SourcesPicture } from '../state/sources.ts'

export interface KnownHosts {
  /** Scheme and authority, as `URL.origin` writes them. */
  has(origin: string): boolean
  /** A person has entered this base URL. */
  enter(baseUrl: string): void
}

export function knownHosts(hosts: HostOverrides, picture: () => SourcesPicture): KnownHosts {
  const fixed = [
    hosts.claude ?? claudeOAuth.profileUrl,
    hosts.codex ?? codexOAuth.usageUrl,
    tokenUrl('claude', hosts),
    tokenUrl('codex', hosts),
  ].map(asOrigin)
  const entered = new Set<string>()
  let seen: SourcesPicture | null = null
  let known: ReadonlySet<string> = new Set(fixed)
  return {
    has(origin) {
      const now = picture()
      // Asked for every attempt: put together anew only when the sources have changed.
      if (now !== seen) known = new Set([...fixed, ...[...now.origins.values()].map(asOrigin)])
      seen = now
      return known.has(origin) || entered.has(origin)
    },
    enter(baseUrl) {
      entered.add(asOrigin(baseUrl))
    },
  }
}

/** What can't be read is no host. */
const asOrigin = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '')
