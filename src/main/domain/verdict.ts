/** What a failed attempt leads to: the table of routing §6 as one pure function. */
import type { Signal, Verdict } from './failure.ts'
import type { HealthEffect } from './health.ts'
import type { Spent } from './quota.ts'
import type { Custody, SourceType } from './source.ts'

export interface JudgeContext {
  readonly sourceType: SourceType
  /** Null for keys and local providers. */
  readonly custody: Custody | null
  /** This call has renewed this account's token already. */
  readonly alreadyRefreshed: boolean
  /** This call has waited for this source's throttle already. */
  readonly alreadyWaited: boolean
  /** This call has left another source because of a throttle: at most one such hop (field-reports 8). */
  readonly alreadyHopped: boolean
  readonly status: number
  readonly nowMs: number
}

export const judgeRules = {
  /** Up to here a throttle is waited for where the conversation's cache is warm. */
  longestWaitMs: 5_000,
  burstRestMs: 30_000,
  /** Refusals of an account can flap while its login is good (codex §4.6): asked again after this. */
  refusedRestMs: 60 * 60_000,
} as const

const verdict = (move: Verdict['move'], because: string, sentence: string, rest: Partial<Verdict> = {}): Verdict => ({
  move,
  waitMs: 0,
  counts: true,
  effect: null,
  marks: [],
  because,
  sentence,
  ...rest,
})

export function judge(signal: Signal, context: JudgeContext): Verdict {
  switch (signal.kind) {
    case 'window-spent':
      return verdict('next', 'exhausted', spentSentence(signal.marks), { counts: false, marks: signal.marks })
    case 'burst':
      return judgeBurst(signal.retryAfterMs, context)
    case 'request-scoped':
      return verdict('return', 'request-scoped', 'The vendor refused this request itself, so no account was rested.')
    case 'unauthorised':
      return judgeUnauthorised(context)
    case 'account-refused': {
      const sentence = `The account was refused by its vendor: ${signal.why}.`
      const effect = rests('account-refused', context.nowMs + judgeRules.refusedRestMs, sentence)
      return verdict('next', 'account-refused', sentence, { counts: false, effect })
    }
    case 'billing': {
      const sentence = `The account can not pay for more: ${signal.why}.`
      return verdict('next', 'billing', sentence, { counts: false, effect: rests('billing', null, sentence) })
    }
    case 'host-refused': {
      const sentence = `The host refused the request: ${signal.why}.`
      return verdict('next', 'host-refused', sentence, { effect: { kind: 'host-rests', sentence } })
    }
    case 'overloaded': {
      const sentence = 'The vendor is overloaded.'
      return verdict('next', 'overloaded', sentence, { effect: { kind: 'host-rests', sentence } })
    }
    case 'model-not-entitled':
      return verdict('next', 'model-not-entitled', 'The vendor does not offer this model to this account.', {
        counts: false,
        effect: { kind: 'not-entitled' },
      })
    case 'model-unknown':
      return verdict('next', 'model-unknown', 'The vendor does not know this model.', { counts: false })
    case 'server-error': {
      const sentence =
        context.status >= 400
          ? `The vendor failed with status ${context.status}.`
          : 'The vendor reported an error of its own instead of an answer.'
      return verdict('next', 'server-error', sentence, { effect: { kind: 'source-failed', sentence } })
    }
    case 'final':
      return verdict('return', 'final', 'The vendor refused the request for a reason that is the same everywhere.')
  }
}

/** `retry-after` up to 5 s is waited for once on the same source, else one hop and a short rest; quota stays as it is. */
function judgeBurst(retryAfterMs: number | null, context: JudgeContext): Verdict {
  const { nowMs, alreadyWaited, alreadyHopped } = context
  if (retryAfterMs !== null && retryAfterMs <= judgeRules.longestWaitMs && !alreadyWaited) {
    const sentence = `The vendor asked to wait ${inSeconds(retryAfterMs)}.`
    return verdict('same', 'burst', sentence, { waitMs: retryAfterMs, counts: false })
  }
  const restMs = retryAfterMs ?? judgeRules.burstRestMs
  const sentence = `The vendor asked for a pause of ${inSeconds(restMs)}; no window is used up.`
  const effect = rests('burst', nowMs + restMs, sentence)
  return verdict(alreadyHopped ? 'return' : 'next', 'burst', sentence, { counts: false, effect })
}

/** One forced renewal and one replay; then the login is over. Whoever can't renew looks into its own store first. */
function judgeUnauthorised({ sourceType, custody, alreadyRefreshed }: JudgeContext): Verdict {
  if (sourceType !== 'subscription') {
    const sentence = 'The API key was rejected by its vendor.'
    return verdict('next', 'key-rejected', sentence, { counts: false, effect: rests('key-rejected', null, sentence) })
  }
  if (alreadyRefreshed) {
    return verdict('next', 'signed-out', 'The vendor no longer accepts this login; sign in again.', { counts: false })
  }
  const renewal = custody === 'pointsman' ? 'it is renewed' : 'its own store is read again'
  return verdict('refresh', 'unauthorised', `The vendor did not accept the login; ${renewal}.`, { counts: false })
}

const rests = (
  because: Extract<HealthEffect, { kind: 'source-rests' }>['because'],
  untilMs: number | null,
  sentence: string,
): HealthEffect => ({ kind: 'source-rests', because, untilMs, sentence })

const windowWords: Readonly<Record<string, string>> = {
  'five-hour': '5-hour limit',
  weekly: 'weekly limit',
  monthly: 'monthly limit',
  unnamed: 'limit',
}

/** Names the window that ends last: the one that truly blocks. */
function spentSentence(marks: readonly Spent[]): string {
  const last = [...marks].sort((a, b) => (b.untilMs ?? Infinity) - (a.untilMs ?? Infinity))[0]
  if (last === undefined) return 'A limit is used up.'
  const name = last.window.split(':')[0] ?? ''
  const words = windowWords[name] ?? `${name} limit`
  const scope = last.family === null ? '' : ` for ${last.family} models`
  const until = last.untilMs === null ? '' : ` until ${utcMinute(last.untilMs)}`
  return `The ${words}${scope} is used up${until}.`
}

/** `2026-12-03 07:00 UTC`: true wherever and whenever it is read again. */
export const utcMinute = (atMs: number): string => `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`

const inSeconds = (ms: number): string => `${Math.ceil(ms / 1_000)} s`
