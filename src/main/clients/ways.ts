/** The ways a client is pointed here, as changes to the text of its file: made, found again, and taken back. Pure. */
import type { Problem } from '../../shared/errors.ts'
import type { ClientName } from '../client-ports.ts'
import {
  type ClaudeBefore,
  claudeBefore,
  connectClaude,
  disconnectClaude,
  isClaudeConnected,
} from './claude-settings.ts'
import { baseUrlBefore, connectBaseUrl, disconnectBaseUrl, hasBaseUrl, isBaseUrlConnected } from './codex-base-url.ts'
import { connectCodex, disconnectCodex, isCodexConnected, providerBefore } from './codex-config.ts'
import type { Change } from './edit.ts'

/** `base-url`: the Codex CLI keeps its own provider and its ChatGPT sign-in; everything else goes by `own`. */
export type Way = 'own' | 'base-url'

/** What stood in the places of our own keys; all that is needed once the file was edited since. */
export interface Before {
  readonly claude: ClaudeBefore | null
  readonly codexProvider: string | null
  /** Absent in journals of older versions. */
  readonly codexBaseUrl?: string | null
}

interface Facts {
  readonly address: string
  readonly key: string
}

export function connected(client: ClientName, way: Way, text: string, facts: Facts): Change | Problem {
  if (client === 'claude') return connectClaude(text, facts)
  return way === 'base-url' ? connectBaseUrl(text, facts) : connectCodex(text, facts)
}

export function beforeOf(client: ClientName, text: string): Before {
  const isClaude = client === 'claude'
  return {
    claude: isClaude ? claudeBefore(text) : null,
    codexProvider: isClaude ? null : providerBefore(text),
    codexBaseUrl: isClaude ? null : baseUrlBefore(text),
  }
}

/** Whatever of ours is in the file goes, by either way. */
export function takenOut(client: ClientName, text: string, before: Before | null): string | Problem {
  if (client === 'claude') {
    const made = disconnectClaude(text, before?.claude ?? { ANTHROPIC_BASE_URL: null, ANTHROPIC_AUTH_TOKEN: null })
    return 'code' in made ? made : made.after
  }
  const address = hasBaseUrl(text) ? disconnectBaseUrl(text, before?.codexBaseUrl ?? null) : null
  if (address !== null && 'code' in address) return address
  const provider = disconnectCodex(address?.after ?? text, before?.codexProvider ?? null)
  return 'code' in provider ? provider : provider.after
}

/** By which way the file points at this address; null when it doesn't. */
export function wayIn(client: ClientName, text: string, address: string): Way | null {
  if (client === 'claude') return isClaudeConnected(text, address) ? 'own' : null
  if (isCodexConnected(text)) return 'own'
  return isBaseUrlConnected(text, address) ? 'base-url' : null
}
