/** What one source keeps secret; refresh and access token change together. Never logged, never returned. */
export interface OAuthCredential {
  readonly kind: 'oauth'
  readonly accessToken: string
  readonly refreshToken: string | null
  /** Null when the vendor did not say. */
  readonly expiresAtMs: number | null
  /** The ChatGPT workspace, sent as `chatgpt-account-id` (codex §2.2). */
  readonly accountId: string | null
  readonly fedramp: boolean
  readonly renewedAtMs: number
  /**
   * A refresh was sent and its outcome is unknown (F63): hash of the token sent, and when. The token is not sent
   * again until the access token has truly expired.
   */
  readonly refreshStarted: { readonly tokenHash: string; readonly atMs: number } | null
}

export interface ApiKeyCredential {
  readonly kind: 'api-key'
  readonly key: string
}

export type Credential = OAuthCredential | ApiKeyCredential
