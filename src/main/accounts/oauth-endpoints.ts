/** Every address and public client id of the vendors' sign-in, in one place, since they drift (claude §1.1, codex §1.1). */
import type { Account } from '../domain/source.ts'
import type { HostOverrides } from '../providers/provider.ts'

export type Vendor = Account['provider']

export const claudeOAuth = {
  /** `console.anthropic.com` has been dead since June 2026 (claude §1.1). */
  tokenUrl: 'https://platform.claude.com/v1/oauth/token',
  profileUrl: 'https://api.anthropic.com/api/oauth/profile',
  modelsUrl: 'https://api.anthropic.com/v1/models',
  usageUrl: 'https://api.anthropic.com/api/oauth/usage',
  clientId: '9d1c250a-e61b-44d9-88ed-5944d1962f5e',
  beta: 'oauth-2025-04-20',
  apiVersion: '2023-06-01',
} as const

export const codexOAuth = {
  authorizeUrl: 'https://auth.openai.com/oauth/authorize',
  tokenUrl: 'https://auth.openai.com/oauth/token',
  revokeUrl: 'https://auth.openai.com/oauth/revoke',
  deviceCodeUrl: 'https://auth.openai.com/api/accounts/deviceauth/usercode',
  deviceTokenUrl: 'https://auth.openai.com/api/accounts/deviceauth/token',
  devicePageUrl: 'https://auth.openai.com/codex/device',
  deviceRedirectUrl: 'https://auth.openai.com/deviceauth/callback',
  modelsUrl: 'https://chatgpt.com/backend-api/codex/models',
  usageUrl: 'https://chatgpt.com/backend-api/wham/usage',
  resetCreditsUrl: 'https://chatgpt.com/backend-api/wham/rate-limit-reset-credits',
  spendResetUrl: 'https://chatgpt.com/backend-api/wham/rate-limit-reset-credits/consume',
  clientId: 'app_EMoamEEZ73f0CkXaXp7hrann',
  scope: 'openid profile email offline_access',
  /** The only two that the vendor allows to be called back on. */
  callbackPorts: [1455, 1457],
  callbackPath: '/auth/callback',
} as const

/** Replaces scheme and authority when an override is set; path and query stay (architecture, "Hosts are fixed"). */
export function withHost(url: string, override: string | null): string {
  return override === null ? url : override.replace(/\/+$/, '') + url.replace(/^https:\/\/[^/]+/, '')
}

export function tokenUrl(vendor: Vendor, hosts: HostOverrides): string {
  return vendor === 'claude'
    ? withHost(claudeOAuth.tokenUrl, hosts.claudeAuth)
    : withHost(codexOAuth.tokenUrl, hosts.codexAuth)
}
