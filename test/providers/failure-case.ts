/** The shape of one row of the failure tables, and short ways to write what is expected. */
import type { Signal, Verdict } from '../../src/main/domain/failure.ts'
import type { HealthEffect, RestCause } from '../../src/main/domain/health.ts'
import type { Spent } from '../../src/main/domain/quota.ts'
import type { ProviderKind } from '../../src/main/domain/source.ts'

export const nowMs = Date.UTC(2026, 10, 29, 12)
export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

/** Epoch seconds, as the vendors write resets. */
export const epoch = (fromNowMs: number): number => Math.round((nowMs + fromNowMs) / 1_000)

export interface FailureCase {
  readonly name: string
  readonly kind: ProviderKind
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** JSON when it isn't a string. */
  readonly body: unknown
  readonly signal: Signal
  readonly vendorCode: string | null
  readonly verdict: Verdict
}

const verdict = (move: Verdict['move'], because: string, sentence: string, rest: Partial<Verdict> = {}): Verdict => ({
  move,
  waitMs: 0,
  counts: false,
  effect: null,
  marks: [],
  because,
  sentence,
  ...rest,
})

const rests = (because: RestCause, untilMs: number | null, sentence: string): HealthEffect => ({
  kind: 'source-rests',
  because,
  untilMs,
  sentence,
})

type Expected = Pick<FailureCase, 'signal' | 'verdict'>

export const spent = (sentence: string, ...marks: readonly Spent[]): Expected => ({
  signal: { kind: 'window-spent', marks },
  verdict: verdict('next', 'exhausted', sentence, { marks }),
})

export const mark = (window: string, fromNowMs: number | null, family: string | null = null): Spent => ({
  window,
  family,
  untilMs: fromNowMs === null ? null : nowMs + fromNowMs,
  sinceMs: nowMs,
})

export const burst = (retryAfterMs: number | null): Expected => {
  const signal = { kind: 'burst', retryAfterMs } as const
  if (retryAfterMs !== null && retryAfterMs <= 5_000) {
    const sentence = `The vendor asked to wait ${retryAfterMs / 1_000} s.`
    return { signal, verdict: verdict('same', 'burst', sentence.replace('1.2', '2'), { waitMs: retryAfterMs }) }
  }
  const restMs = retryAfterMs ?? 30_000
  const sentence = `The vendor asked for a pause of ${restMs / 1_000} s; no window is used up.`
  return { signal, verdict: verdict('next', 'burst', sentence, { effect: rests('burst', nowMs + restMs, sentence) }) }
}

export const requestScoped: Expected = {
  signal: { kind: 'request-scoped' },
  verdict: verdict('return', 'request-scoped', 'The vendor refused this request itself, so no account was rested.', {
    counts: true,
  }),
}

export const renew: Expected = {
  signal: { kind: 'unauthorised' },
  verdict: verdict('refresh', 'unauthorised', 'The vendor did not accept the login; it is renewed.'),
}

const keySentence = 'The API key was rejected by its vendor.'
export const keyRejected: Expected = {
  signal: { kind: 'unauthorised' },
  verdict: verdict('next', 'key-rejected', keySentence, { effect: rests('key-rejected', null, keySentence) }),
}

export const refused = (why: string): Expected => {
  const sentence = `The account was refused by its vendor: ${why}.`
  const effect = rests('account-refused', nowMs + hourMs, sentence)
  return { signal: { kind: 'account-refused', why }, verdict: verdict('next', 'account-refused', sentence, { effect }) }
}

export const billing = (why: string): Expected => {
  const sentence = `The account can not pay for more: ${why}.`
  const effect = rests('billing', null, sentence)
  return { signal: { kind: 'billing', why }, verdict: verdict('next', 'billing', sentence, { effect }) }
}

const hostRests = (signal: Signal, because: string, sentence: string): Expected => ({
  signal,
  verdict: verdict('next', because, sentence, { counts: true, effect: { kind: 'host-rests', sentence } }),
})

const pageWhy = 'a web page came instead of an answer (network, VPN or a guard in front of it)'
export const page = hostRests(
  { kind: 'host-refused', why: pageWhy },
  'host-refused',
  `The host refused the request: ${pageWhy}.`,
)
export const overloaded = hostRests({ kind: 'overloaded' }, 'overloaded', 'The vendor is overloaded.')
const redirectWhy = 'it answered with a redirect, which is never followed'
export const redirected = hostRests(
  { kind: 'host-refused', why: redirectWhy },
  'host-refused',
  `The host refused the request: ${redirectWhy}.`,
)

export const notEntitled: Expected = {
  signal: { kind: 'model-not-entitled' },
  verdict: verdict('next', 'model-not-entitled', 'The vendor does not offer this model to this account.', {
    effect: { kind: 'not-entitled' },
  }),
}

export const modelUnknown: Expected = {
  signal: { kind: 'model-unknown' },
  verdict: verdict('next', 'model-unknown', 'The vendor does not know this model.'),
}

export const serverError = (status: number): Expected => {
  const sentence =
    status === 200
      ? 'The vendor reported an error of its own instead of an answer.'
      : `The vendor failed with status ${status}.`
  const effect = { kind: 'source-failed', sentence } as const
  return {
    signal: { kind: 'server-error' },
    verdict: verdict('next', 'server-error', sentence, { counts: true, effect }),
  }
}

export const final: Expected = {
  signal: { kind: 'final' },
  verdict: verdict('return', 'final', 'The vendor refused the request for a reason that is the same everywhere.', {
    counts: true,
  }),
}
