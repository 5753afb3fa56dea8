/** Reads the Codex CLI's own `auth.json` (codex §1.6, §1.8). */
import type { Problem } from '../../shared/errors.ts'
import { asObject, asText, type JsonObject } from '../dialects/json.ts'
import { chatGptClaims, expiryOf } from './jwt.ts'
import { type Login, tokenText, unreadable } from './login.ts'

/** Absent in old files: an API key if one is there, else a ChatGPT sign-in. */
function authMode(file: JsonObject): string {
  return asText(file.auth_mode) ?? (asText(file.OPENAI_API_KEY) === null ? 'chatgpt' : 'apikey')
}

/** Null when the sign-in can be used, else what to do about it. */
function refusal(mode: string): string | null {
  switch (mode.toLowerCase()) {
    case 'chatgpt':
    case 'chatgptauthtokens':
      return null
    case 'apikey':
      return 'it holds an API key, no ChatGPT sign-in; add the key as an API profile, or run `codex login` first'
    case 'agentidentity':
    case 'personalaccesstoken':
      return 'it holds another kind of sign-in than ChatGPT; run `codex login` first'
    default:
      return 'its auth_mode is not known; run `codex login` first'
  }
}

export function readCodexFile(file: JsonObject, nowMs: number): Login | Problem {
  const why = refusal(authMode(file))
  if (why !== null) return unreadable(why)
  const lastRefreshMs = Date.parse(asText(file.last_refresh) ?? '')
  const login = readCodexTokens(asObject(file.tokens) ?? {}, Number.isNaN(lastRefreshMs) ? nowMs : lastRefreshMs)
  return login ?? unreadable('it holds no ChatGPT sign-in; run `codex login` first')
}

/** The same fields as the token endpoint's answer (codex §1.3); null without an access token. */
export function readCodexTokens(tokens: JsonObject, renewedAtMs: number): Login | null {
  const accessToken = tokenText(tokens.access_token)
  if (accessToken === null) return null
  const claims = chatGptClaims(asText(tokens.id_token) ?? '', accessToken)
  // The header must fit the token (codex §2.2); the file's own field is what the CLI sends.
  const accountId = tokenText(tokens.account_id) ?? tokenText(claims.accountId)
  return {
    credential: {
      kind: 'oauth',
      accessToken,
      refreshToken: tokenText(tokens.refresh_token),
      expiresAtMs: expiryOf(accessToken),
      accountId,
      fedramp: claims.fedramp,
      renewedAtMs,
      refreshStarted: null,
    },
    identity: claims.userId === null || accountId === null ? null : { userId: claims.userId, workspaceId: accountId },
    email: claims.email,
    workspace: null,
    plan: claims.plan,
    custody: 'pointsman',
  }
}
