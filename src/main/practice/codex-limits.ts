/** How the ChatGPT backend tells its limits: headers, the stream's event, the usage endpoint (codex §4.1–4.4). */
import type { Event } from './vendor.ts'
import { isFull, type PracticeWindow } from './windows.ts'
import type { PracticeAccount } from './world.ts'

/** Pools of their own beside the plan's: limit id in headers and name for people. */
const pools: Readonly<Record<string, { readonly id: string; readonly name: string }>> = {
  spark: { id: 'codex_bengalfox', name: 'GPT-5.3-Codex-Spark' },
}

const shared = (windows: readonly PracticeWindow[]): readonly PracticeWindow[] =>
  windows.filter((window) => !window.ownPool).toSorted((a, b) => a.lengthMs - b.lengthMs)

const families = (windows: readonly PracticeWindow[]): readonly string[] => [
  ...new Set(windows.flatMap((window) => (window.ownPool && window.family !== null ? [window.family] : []))),
]

const own = (windows: readonly PracticeWindow[], family: string): readonly PracticeWindow[] =>
  windows.filter((window) => window.ownPool && window.family === family).toSorted((a, b) => a.lengthMs - b.lengthMs)

export function codexHeaders(
  account: PracticeAccount,
  windows: readonly PracticeWindow[],
  family: string | null,
  nowMs: number,
): readonly string[] {
  const pool = family === null ? undefined : pools[family]
  const headers = [
    'x-codex-plan-type',
    account.plan,
    'x-codex-active-limit',
    pool !== undefined && own(windows, family ?? '').length > 0 ? pool.id : 'codex',
    ...pairHeaders('x-codex', shared(windows), nowMs),
    'x-codex-credits-has-credits',
    'False',
    'x-codex-credits-unlimited',
    'False',
    'x-codex-credits-balance',
    '',
  ]
  for (const name of families(windows)) {
    const { id, name: limitName } = pools[name] ?? { id: `codex_${name}`, name }
    const prefix = `x-${id.replaceAll('_', '-')}`
    headers.push(...pairHeaders(prefix, own(windows, name), nowMs), `${prefix}-limit-name`, limitName)
  }
  return headers
}

/** Slots say nothing about the length: a plan with one window has it in `primary`, whatever it is. */
function pairHeaders(prefix: string, windows: readonly PracticeWindow[], nowMs: number): readonly string[] {
  return ['primary', 'secondary'].flatMap((slot, index) => {
    const window = windows[index]
    const name = `${prefix}-${slot}`
    if (window === undefined)
      return slot === 'secondary' ? [`${name}-used-percent`, '0', `${name}-window-minutes`, '0'] : []
    const resetAtMs = window.resetAtMs ?? nowMs + window.lengthMs
    return [
      `${name}-used-percent`,
      String(window.usedPercent),
      `${name}-window-minutes`,
      String(Math.round(window.lengthMs / 60_000)),
      `${name}-reset-at`,
      String(Math.ceil(resetAtMs / 1000)),
      `${name}-reset-after-seconds`,
      String(Math.ceil((resetAtMs - nowMs) / 1000)),
    ]
  })
}

export function limitsEvent(account: PracticeAccount, windows: readonly PracticeWindow[], nowMs: number): Event {
  const [primary, secondary] = shared(windows).map((window) => ({
    used_percent: window.usedPercent,
    window_minutes: Math.round(window.lengthMs / 60_000),
    reset_at: Math.ceil((window.resetAtMs ?? nowMs + window.lengthMs) / 1000),
  }))
  return {
    type: 'codex.rate_limits',
    plan_type: account.plan,
    rate_limits: { allowed: true, limit_reached: false, primary: primary ?? null, secondary: secondary ?? null },
    credits: { has_credits: false, unlimited: false, balance: null },
    metered_limit_name: 'codex',
  }
}

export function whamUsage(account: PracticeAccount, windows: readonly PracticeWindow[], nowMs: number): object {
  const plain = shared(windows)
  const blocked = plain.some(isFull)
  return {
    plan_type: account.plan,
    email: account.email,
    account_id: account.workspaceId,
    rate_limit: limitBody(plain, nowMs),
    code_review_rate_limit: null,
    additional_rate_limits: families(windows).map((family) => ({
      limit_name: pools[family]?.name ?? family,
      metered_feature: pools[family]?.id ?? `codex_${family}`,
      rate_limit: limitBody(own(windows, family), nowMs),
    })),
    credits: { has_credits: false, unlimited: false, balance: '0' },
    spend_control: { reached: false, individual_limit: null },
    rate_limit_reached_type: blocked ? { type: 'rate_limit_reached' } : null,
    rate_limit_reset_credits: { available_count: 1 },
  }
}

function limitBody(windows: readonly PracticeWindow[], nowMs: number): object {
  const [primary, secondary] = windows.map((window) => {
    const resetAtMs = window.resetAtMs ?? nowMs + window.lengthMs
    return {
      used_percent: window.usedPercent,
      limit_window_seconds: Math.round(window.lengthMs / 1000),
      reset_after_seconds: Math.ceil((resetAtMs - nowMs) / 1000),
      reset_at: Math.ceil(resetAtMs / 1000),
    }
  })
  const reached = windows.some(isFull)
  return {
    allowed: !reached,
    limit_reached: reached,
    primary_window: primary ?? null,
    secondary_window: secondary ?? null,
  }
}

/** One banked reset (codex §4.2); it is listed, never spent here. */
export const resetCredits = (nowMs: number): object => ({
  credits: [
    {
      id: 'practice-reset-1',
      reset_type: 'rate_limits',
      status: 'available',
      granted_at: new Date(nowMs - 86_400_000).toISOString(),
      expires_at: new Date(nowMs + 29 * 86_400_000).toISOString(),
      title: 'One reset',
      description: 'Renews the windows once.',
      redeem_started_at: null,
      redeemed_at: null,
    },
  ],
  available_count: 1,
})
