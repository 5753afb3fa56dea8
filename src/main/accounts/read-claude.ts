/** Reads Claude Code's own `.credentials.json` and a pasted setup-token (claude §1.5, §1.6). */
import type { Problem } from '../../shared/errors.ts'
import { asObject, asText, type JsonObject } from '../dialects/json.ts'
import type { OAuthCredential } from '../domain/credential.ts'
import { type Login, tokenText, unreadable } from './login.ts'

/** `expiresAt` is in ms; the vendor's SDK writes seconds in its own files, which no ms value of this century looks like. */
function millisecondsOf(value: unknown): number | null {
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) return null
  return Math.round(value < 1e11 ? value * 1000 : value)
}

/** `max` with `default_claude_max_20x` is `max 20x`. */
export function claudePlan(kind: string | null, rateLimitTier: string | null): string | null {
  if (kind === null || kind === '') return null
  const times = /_(\d+x)$/.exec(rateLimitTier ?? '')?.[1]
  const plan = kind.replace(/^claude_/, '')
  return times === undefined ? plan : `${plan} ${times}`
}

function oauth(
  accessToken: string,
  refreshToken: string | null,
  expiresAtMs: number | null,
  nowMs: number,
): OAuthCredential {
  return {
    kind: 'oauth',
    accessToken,
    refreshToken,
    expiresAtMs,
    accountId: null,
    fedramp: false,
    renewedAtMs: nowMs,
    refreshStarted: null,
  }
}

/** The file names no person: identity and e-mail come from the profile endpoint (claude §4.2). */
export function readClaudeFile(file: JsonObject, nowMs: number): Login | Problem {
  const stored = asObject(file.claudeAiOauth)
  if (stored === null) {
    const why =
      asObject(file.mcpOAuth) === null
        ? 'it has no claudeAiOauth part'
        : 'it holds only sign-ins of MCP servers, no Claude login; sign in with `claude` first'
    return unreadable(why)
  }
  const accessToken = tokenText(stored.accessToken)
  if (accessToken === null) return unreadable('it has no access token')
  return {
    credential: oauth(accessToken, tokenText(stored.refreshToken), millisecondsOf(stored.expiresAt), nowMs),
    identity: null,
    email: null,
    workspace: null,
    plan: claudePlan(asText(stored.subscriptionType), asText(stored.rateLimitTier)),
    custody: 'pointsman',
  }
}

/** White space goes: a terminal wraps the printed token. */
export function readSetupToken(pasted: string, nowMs: number): Login | Problem {
  const token = pasted.replace(/\s+/g, '')
  if (token.startsWith('sk-ant-api')) return unreadable('this is an API key; add it as an API profile instead')
  if (token.startsWith('sk-ant-ort'))
    return unreadable('this is a refresh token; paste what `claude setup-token` prints')
  if (!/^sk-ant-oat01-[\w-]{1,1000}$/.test(token)) {
    return unreadable('a setup-token begins with sk-ant-oat01-; paste what `claude setup-token` prints')
  }
  return {
    credential: oauth(token, null, null, nowMs),
    identity: null,
    email: null,
    workspace: null,
    plan: null,
    custody: 'setup-token',
  }
}
