/** How Claude tells its limits: unified headers, key headers, the usage and profile endpoints (claude §4.1–4.3). */
import type { Ask } from './vendor.ts'
import { counting, isFull, type PracticeWindow } from './windows.ts'
import type { PracticeAccount } from './world.ts'

const headerNames: Readonly<Record<string, { readonly header: string; readonly claim: string }>> = {
  'five-hour': { header: '5h', claim: 'five_hour' },
  weekly: { header: '7d', claim: 'seven_day' },
  'weekly:fable': { header: '7d_oi', claim: 'seven_day_overage_included' },
}

const warnAtPercent = 75

function status(window: PracticeWindow): 'allowed' | 'allowed_warning' | 'rejected' {
  if (isFull(window)) return 'rejected'
  return window.usedPercent >= warnAtPercent ? 'allowed_warning' : 'allowed'
}

/** Only windows that have started and count for this model's family; the fullest one governs. */
export function unifiedHeaders(windows: readonly PracticeWindow[], family: string | null): readonly string[] {
  const started = counting(windows, family).filter((window) => window.resetAtMs !== null)
  const governing = started.toSorted((a, b) => b.usedPercent - a.usedPercent || a.lengthMs - b.lengthMs)[0]
  if (governing === undefined) return []
  const prefix = 'anthropic-ratelimit-unified'
  const headers = [
    `${prefix}-status`,
    status(governing),
    `${prefix}-reset`,
    seconds(governing),
    `${prefix}-representative-claim`,
    headerNames[governing.name]?.claim ?? governing.name,
    `${prefix}-fallback-percentage`,
    '0.5',
    `${prefix}-overage-status`,
    'rejected',
    `${prefix}-overage-disabled-reason`,
    'org_level_disabled',
  ]
  for (const window of started) {
    const name = `${prefix}-${headerNames[window.name]?.header ?? window.name}`
    headers.push(`${name}-status`, status(window), `${name}-reset`, seconds(window))
    headers.push(`${name}-utilization`, String(Math.round(window.usedPercent * 100) / 10_000))
    if (window.usedPercent >= warnAtPercent)
      headers.push(`${name}-surpassed-threshold`, isFull(window) ? '1.0' : '0.75')
  }
  return headers
}

/** Limits of an API key: plenty left, resetting within the minute (claude §4.3, last paragraph). */
export function keyHeaders(ask: Ask): readonly string[] {
  const reset = new Date(ask.nowMs + 30_000).toISOString().replace(/\.\d+Z$/, 'Z')
  const limits = { requests: 4_000, tokens: 2_000_000, 'input-tokens': 1_600_000, 'output-tokens': 400_000 }
  return Object.entries(limits).flatMap(([name, limit]) => [
    `anthropic-ratelimit-${name}-limit`,
    String(limit),
    `anthropic-ratelimit-${name}-remaining`,
    String(limit - 1),
    `anthropic-ratelimit-${name}-reset`,
    reset,
  ])
}

export function usageBody(windows: readonly PracticeWindow[]): object {
  const named = (name: string): object | null => {
    const window = windows.find((candidate) => candidate.name === name)
    return window === undefined ? null : { utilization: window.usedPercent, resets_at: iso(window) }
  }
  return {
    five_hour: named('five-hour'),
    seven_day: named('weekly'),
    seven_day_opus: null,
    seven_day_sonnet: null,
    seven_day_oauth_apps: null,
    limits: windows.map((window) => ({
      kind: window.family !== null ? 'weekly_scoped' : window.name === 'five-hour' ? 'session' : 'weekly_all',
      group: window.name === 'five-hour' ? 'session' : 'weekly',
      percent: window.usedPercent,
      severity: window.usedPercent >= warnAtPercent ? 'warning' : 'normal',
      resets_at: iso(window),
      scope:
        window.family === null ? null : { model: { id: null, display_name: capital(window.family) }, surface: null },
      is_active: window.resetAtMs !== null,
    })),
    extra_usage: { is_enabled: false, monthly_limit: null, used_credits: null, utilization: null },
  }
}

export const profileBody = (account: PracticeAccount): object => ({
  account: {
    uuid: account.userId,
    email: account.email,
    full_name: account.label,
    display_name: account.label,
    has_claude_max: account.plan === 'max',
    has_claude_pro: account.plan === 'pro',
  },
  organization: {
    uuid: account.workspaceId,
    name: account.workspace,
    organization_type: `claude_${account.plan}`,
    rate_limit_tier: account.rateLimitTier,
    billing_type: 'stripe_subscription',
    subscription_status: 'active',
    has_extra_usage_enabled: false,
    seat_tier: null,
  },
})

const seconds = (window: PracticeWindow): string => String(Math.ceil((window.resetAtMs ?? 0) / 1000))
const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)

/** With microseconds and an offset, as the vendor writes it; null while the window has not started. */
function iso({ resetAtMs }: PracticeWindow): string | null {
  return resetAtMs === null ? null : new Date(resetAtMs).toISOString().replace('Z', '456+00:00')
}
