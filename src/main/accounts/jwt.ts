/** Reads the claims of a JWT without verifying it: it came from its issuer, and nothing is decided by it but labels. */
import { asObject, asText, type JsonObject } from '../dialects/json.ts'

const decoder = new TextDecoder('utf-8')
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

function decodeBase64Url(text: string): Uint8Array | null {
  const plain = text.replace(/=+$/, '').replace(/\+/g, '-').replace(/\//g, '_')
  const bytes = new Uint8Array(Math.floor((plain.length * 3) / 4))
  let held = 0
  let heldBits = 0
  let at = 0
  for (const letter of plain) {
    const value = alphabet.indexOf(letter)
    if (value < 0) return null
    held = ((held << 6) | value) & 0xffff
    heldBits += 6
    if (heldBits < 8) continue
    heldBits -= 8
    bytes[at] = (held >> heldBits) & 0xff
    at += 1
  }
  return bytes
}

/** The claims object, or null when the text isn't a JWT. */
export function claimsOf(token: string): JsonObject | null {
  const payload = token.split('.', 3)[1]
  const bytes = payload === undefined ? null : decodeBase64Url(payload)
  if (bytes === null) return null
  try {
    return asObject(JSON.parse(decoder.decode(bytes)))
  } catch {
    return null
  }
}

const seconds = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value * 1000) : null

/** When the token ends, by its own word; null when it doesn't say. */
export const expiryOf = (token: string): number | null => seconds(claimsOf(token)?.exp)

/** How long the token lives from its issue: unlike `exp` it doesn't depend on our clock being right (F60). */
export function lifetimeOf(token: string): number | null {
  const claims = claimsOf(token)
  const expiresAtMs = seconds(claims?.exp)
  const issuedAtMs = seconds(claims?.iat)
  return expiresAtMs === null || issuedAtMs === null || expiresAtMs <= issuedAtMs ? null : expiresAtMs - issuedAtMs
}

/** What a ChatGPT token says of its holder (codex §1.6). */
export interface ChatGptClaims {
  readonly userId: string | null
  readonly accountId: string | null
  readonly email: string | null
  readonly plan: string | null
  readonly fedramp: boolean
}

/** Reads several tokens of one sign-in; the first that knows a claim gives it. */
export function chatGptClaims(...tokens: readonly string[]): ChatGptClaims {
  const all = tokens.map(claimsOf).filter((claims) => claims !== null)
  const first = (read: (claims: JsonObject, auth: JsonObject) => unknown): string | null => {
    for (const claims of all) {
      const value = asText(read(claims, asObject(claims['https://api.openai.com/auth']) ?? {}))
      if (value !== null && value !== '') return value
    }
    return null
  }
  return {
    userId: first((_, auth) => auth.chatgpt_user_id ?? auth.user_id),
    accountId: first((_, auth) => auth.chatgpt_account_id),
    email: first((claims) => claims.email ?? asObject(claims['https://api.openai.com/profile'])?.email),
    plan: first((_, auth) => auth.chatgpt_plan_type),
    fedramp: all.some((claims) => asObject(claims['https://api.openai.com/auth'])?.chatgpt_account_is_fedramp === true),
  }
}
