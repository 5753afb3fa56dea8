/** Tokens of the simulated sign-ins: issue, check, rotate once, notice reuse, revoke (claude §1.4, codex §1.4). */
import { createHash } from 'node:crypto'
import type { PracticeAccount } from './world.ts'

export interface Issued {
  readonly accessToken: string
  /** Null for a long-lived token (claude §1.5). */
  readonly refreshToken: string | null
  readonly idToken: string | null
  readonly scopes: readonly string[]
  readonly expiresAtMs: number
}

export interface TokenCounts {
  readonly tokenRequests: number
  readonly refreshes: number
  /** Refresh tokens that were presented after they had been spent. */
  readonly reuses: number
  /** Refresh tokens revoked by the client. */
  readonly revocations: number
}

type Standing = 'live' | 'spent' | 'revoked' | 'suspended'

interface Token {
  readonly account: PracticeAccount
  readonly scopes: readonly string[]
  readonly expiresAtMs: number
  standing: Standing
}

export type Checked =
  | { readonly kind: 'ok'; readonly account: PracticeAccount; readonly scopes: readonly string[] }
  | { readonly kind: 'expired' | 'revoked'; readonly account: PracticeAccount }
  | { readonly kind: 'unknown'; readonly account: null }

export type Refreshed =
  | { readonly kind: 'issued'; readonly account: PracticeAccount; readonly issued: Issued }
  | { readonly kind: 'spent' | 'revoked'; readonly account: PracticeAccount }
  | { readonly kind: 'unknown'; readonly account: null }

interface Code {
  readonly account: PracticeAccount
  readonly challenge: string
  /** Null for a device code, whose exchange names the issuer's own `…/deviceauth/callback` (codex §1.7). */
  readonly redirectUri: string | null
}

const fullClaudeScopes = ['user:profile', 'user:inference', 'user:sessions:claude_code'] as const
const codexScopes = ['openid', 'profile', 'email', 'offline_access'] as const
const noCounts: TokenCounts = { tokenRequests: 0, refreshes: 0, reuses: 0, revocations: 0 }

export class Grants {
  readonly #access = new Map<string, Token>()
  readonly #refresh = new Map<string, Token>()
  readonly #codes = new Map<string, Code>()
  readonly #counts = new Map<string, TokenCounts>()
  readonly #lifeMs: { readonly claude: number; readonly codex: number }
  #issued = 0

  constructor(lifeMs: { readonly claude: number; readonly codex: number }) {
    this.#lifeMs = lifeMs
  }

  issue(account: PracticeAccount, nowMs: number, scopes?: readonly string[], lifeMs?: number): Issued {
    const granted = scopes ?? (account.provider === 'claude' ? fullClaudeScopes : codexScopes)
    const expiresAtMs = nowMs + (lifeMs ?? this.#lifeMs[account.provider])
    const issued = this.#mint(account, granted, nowMs, expiresAtMs)
    this.#access.set(issued.accessToken, { account, scopes: granted, expiresAtMs, standing: 'live' })
    if (issued.refreshToken !== null) {
      this.#refresh.set(issued.refreshToken, { account, scopes: granted, expiresAtMs: Infinity, standing: 'live' })
    }
    return issued
  }

  check(token: string | null, nowMs: number): Checked {
    const found = token === null ? undefined : this.#access.get(token)
    if (found === undefined) return { kind: 'unknown', account: null }
    const { account, scopes } = found
    if (found.standing !== 'live') return { kind: 'revoked', account }
    return found.expiresAtMs <= nowMs ? { kind: 'expired', account } : { kind: 'ok', account, scopes }
  }

  /** The account a refresh or access token was issued to, whatever its standing. */
  owner(token: string | null): PracticeAccount | null {
    if (token === null) return null
    return (this.#refresh.get(token) ?? this.#access.get(token))?.account ?? null
  }

  refresh(token: string | null, nowMs: number): Refreshed {
    const found = token === null ? undefined : this.#refresh.get(token)
    if (found === undefined) return { kind: 'unknown', account: null }
    const { account } = found
    if (found.standing === 'spent') {
      this.count(account.id, 'reuses')
      return { kind: 'spent', account }
    }
    if (found.standing !== 'live') return { kind: 'revoked', account }
    found.standing = 'spent'
    this.count(account.id, 'refreshes')
    return { kind: 'issued', account, issued: this.issue(account, nowMs, found.scopes) }
  }

  /** Ends one token for good, as the client's own sign-out does. */
  revoke(token: string): void {
    const found = this.#refresh.get(token) ?? this.#access.get(token)
    if (found === undefined) return
    found.standing = 'revoked'
    this.count(found.account.id, 'revocations')
  }

  /** Makes all live tokens of an account fail until `restore`; later sign-ins are untouched. */
  suspend(account: PracticeAccount): void {
    for (const token of this.#tokens(account)) if (token.standing === 'live') token.standing = 'suspended'
  }

  restore(account: PracticeAccount): void {
    for (const token of this.#tokens(account)) if (token.standing === 'suspended') token.standing = 'live'
  }

  /** Makes the access tokens of an account fail as expired before their time; a refresh cures it. */
  expire(account: PracticeAccount): void {
    for (const [text, token] of this.#access) {
      if (token.account === account) this.#access.set(text, { ...token, expiresAtMs: 0 })
    }
  }

  code(account: PracticeAccount, challenge: string, redirectUri: string | null): string {
    this.#issued += 1
    const code = `practice-code-${this.#issued}`
    this.#codes.set(code, { account, challenge, redirectUri })
    return code
  }

  /** A code works once, with its own verifier and redirect address. */
  redeem(code: string | null, verifier: string | null, redirectUri: string | null): PracticeAccount | null {
    const found = code === null ? undefined : this.#codes.get(code)
    if (code === null || found === undefined) return null
    this.#codes.delete(code)
    const challenge = createHash('sha256')
      .update(verifier ?? '')
      .digest('base64url')
    const sameAddress =
      found.redirectUri === null
        ? redirectUri?.endsWith('/deviceauth/callback') === true
        : found.redirectUri === redirectUri
    return found.challenge === challenge && sameAddress ? found.account : null
  }

  count(accountId: string, what: keyof TokenCounts): void {
    const counts = this.counts(accountId)
    this.#counts.set(accountId, { ...counts, [what]: counts[what] + 1 })
  }

  counts(accountId: string): TokenCounts {
    return this.#counts.get(accountId) ?? noCounts
  }

  #tokens(account: PracticeAccount): readonly Token[] {
    return [...this.#access.values(), ...this.#refresh.values()].filter((token) => token.account === account)
  }

  #mint(account: PracticeAccount, scopes: readonly string[], nowMs: number, expiresAtMs: number): Issued {
    this.#issued += 1
    const serial = `${account.id}-${this.#issued}`
    if (account.provider === 'codex') {
      const claims = codexClaims(account, nowMs, expiresAtMs, serial)
      return {
        accessToken: unsignedJwt(claims),
        refreshToken: `rt_practice-${serial}`,
        idToken: unsignedJwt({ ...claims, aud: 'practice-id' }),
        scopes,
        expiresAtMs,
      }
    }
    const refreshable = scopes.includes('user:profile')
    return {
      accessToken: `sk-ant-oat01-practice-${serial}`,
      refreshToken: refreshable ? `sk-ant-ort01-practice-${serial}` : null,
      idToken: null,
      scopes,
      expiresAtMs,
    }
  }
}

/** The claims a client reads out of the vendor's tokens (codex §1.6). */
function codexClaims(account: PracticeAccount, nowMs: number, expiresAtMs: number, serial: string): object {
  return {
    iss: 'https://auth.practice.invalid',
    sub: `practice|${account.userId}`,
    jti: serial,
    iat: Math.floor(nowMs / 1000),
    exp: Math.floor(expiresAtMs / 1000),
    email: account.email,
    'https://api.openai.com/profile': { email: account.email },
    'https://api.openai.com/auth': {
      chatgpt_account_id: account.workspaceId,
      chatgpt_plan_type: account.plan,
      chatgpt_user_id: account.userId,
      user_id: account.userId,
      organizations: [{ id: `org-${account.id}`, is_default: true, role: 'owner', title: account.workspace }],
    },
  }
}

function unsignedJwt(claims: object): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'RS256', typ: 'JWT', kid: 'practice' })}.${part(claims)}.cHJhY3RpY2U`
}
