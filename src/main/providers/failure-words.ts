/**
 * What the vendors' words mean: codes and types that decide whatever the status, and phrases that decide where only the
 * message tells (claude §4.4–4.5, codex §4.5–4.6, §5.3). The vocabularies don't overlap, so one table serves all.
 */
import type { Signal } from '../domain/failure.ts'

const final: Signal = { kind: 'final' }
const overloaded: Signal = { kind: 'overloaded' }
const billing = (why: string): Signal => ({ kind: 'billing', why })
const refused = (why: string): Signal => ({ kind: 'account-refused', why })

/** By `error.code` or `error.type`, lower case. */
export const wordSignals: ReadonlyMap<string, Signal> = new Map<string, Signal>([
  // Safety and policy: never tried elsewhere.
  ['cyber_policy', final],
  ['invalid_prompt', final],
  ['content_policy_violation', final],
  ['content_filter', final],
  ['unsupported_country_region_territory', final],
  // The client recovers from these by itself and must see them unchanged (codex §2.5, trap 8).
  ['context_length_exceeded', final],
  ['previous_response_not_found', final],
  ['websocket_connection_limit_reached', final],
  ['invalid_encrypted_content', final],
  // The provider, not the account.
  ['overloaded_error', overloaded],
  ['server_is_overloaded', overloaded],
  ['slow_down', overloaded],
  // Money: no timer.
  ['insufficient_quota', billing('its credits or billing limit are used up')],
  ['quota_exceeded', billing('its credits or billing limit are used up')],
  ['billing_hard_limit_reached', billing('its billing limit is reached')],
  ['billing_not_active', billing('its billing is not active')],
  ['billing_error', billing('a payment is due')],
  ['enforced_spend_limit_reached', billing('its monthly spend limit is reached')],
  ['workspace_owner_credits_depleted', billing('the credits of its workspace are used up')],
  ['workspace_member_credits_depleted', billing('its credits in the workspace are used up')],
  ['workspace_owner_usage_limit_reached', billing('the spend limit of its workspace is reached')],
  ['workspace_member_usage_limit_reached', billing('its spend limit in the workspace is reached')],
  // A valid login without access.
  ['usage_not_included', refused('its plan does not include this')],
  ['deactivated_workspace', refused('its workspace is deactivated or unpaid')],
  ['account_deactivated', refused('it is deactivated')],
  ['codex_workspace_access_denied', refused('its workspace does not give it access')],
  ['codex_entitlement_missing', refused('it is not entitled to this')],
])

export const workspaceSpent = (reached: string): Signal =>
  wordSignals.get(reached) ?? billing('a limit of its workspace is reached')

/** Holds when, of each group, at least one phrase occurs. */
interface Phrase {
  /** Statuses it is looked for under; null for all. */
  readonly statuses: readonly number[] | null
  readonly groups: readonly (readonly string[])[]
  readonly signal: Signal
}

const extraUsage = ['extra usage', 'usage credits']
const refusedModel = [
  'not have access to',
  'no access to',
  'not available',
  'not supported when using',
  'not supported on your',
  'not supported for your',
  'not included',
  'not enabled',
  'not allowed',
]
const forThisAccount = [
  'access to',
  ...['your account', 'this account', 'chatgpt account', 'your organization', 'this organization', 'your workspace'],
  ...['your plan', 'your subscription', 'your tier', 'your project', 'this project', 'this api key', 'your api key'],
]

/** In this order; the first that holds decides. */
export const phrases: readonly Phrase[] = [
  {
    statuses: [400, 403, 429],
    groups: [extraUsage, ['long context', '1m context', 'fast mode']],
    signal: { kind: 'request-scoped' },
  },
  { statuses: [400, 403, 429, 503], groups: [['at capacity']], signal: overloaded },
  { statuses: [400, 403], groups: [['credit balance is too low']], signal: billing('its credit balance is too low') },
  {
    statuses: [400, 403],
    groups: [
      ['reached', 'exceeded'],
      ['usage limits', 'spend limit', 'spending limit'],
    ],
    signal: billing('its spend limit is reached'),
  },
  {
    statuses: [400, 401, 403],
    groups: [
      ['account', 'organization', 'workspace'],
      ['has been disabled', 'deactivated', 'has been suspended', 'banned'],
    ],
    signal: refused('it is disabled'),
  },
  { statuses: [403], groups: [['token'], ['revoked', 'expired', 'invalidated']], signal: { kind: 'unauthorised' } },
  {
    statuses: [403],
    groups: [['request not allowed', 'country', 'region', 'territory', 'flagged', 'moderation', 'safety']],
    signal: final,
  },
  // Not the account's fault: this client is too old for the model (codex §2.3).
  { statuses: [400], groups: [['newer version of codex']], signal: { kind: 'request-scoped' } },
  { statuses: [400, 403], groups: [['model'], refusedModel, forThisAccount], signal: { kind: 'model-not-entitled' } },
]

export function phraseSignal(status: number, message: string): Signal | null {
  for (const { statuses, groups, signal } of phrases) {
    if (statuses !== null && !statuses.includes(status)) continue
    if (groups.every((group) => group.some((phrase) => message.includes(phrase)))) return signal
  }
  return null
}

/** Overage billing chosen but disabled or empty: this request's matter, no window (claude §4.5). */
export const saysExtraUsage = (message: string): boolean => message.includes('extra usage')

/** What a failure event inside a 200 stream implies; anything unknown is a passing server error (codex §5.1). */
export const statusOfWord: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  permission_error: 403,
  permission_denied: 403,
  not_found_error: 404,
  model_not_found: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  usage_limit_reached: 429,
  timeout_error: 504,
  overloaded_error: 529,
}
