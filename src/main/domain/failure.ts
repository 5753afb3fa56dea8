/**
 * From an upstream's answer to what happens next: providers read a `Signal` out of status, headers and body;
 * `judge` (verdict.ts) turns it into one `Verdict` by the table of routing §6. Both are pure.
 */
import type { HealthEffect } from './health.ts'
import type { Spent } from './quota.ts'

/** A negative answer, or a failure event inside a 200 stream that came before any content. */
export interface Answer {
  /** For an event inside a 200 stream: the status it carries, or 200; what it implies is read from the event. */
  readonly status: number
  /** Flat name-value list as it came. */
  readonly rawHeaders: readonly string[]
  /** Decoded start of the body (at most 64 KiB), possibly empty, possibly HTML; or the event's data. */
  readonly body: string
  /** The model that was asked for upstream. */
  readonly model: string
  readonly nowMs: number
}

/** What the vendor said, in our words. Vendor's own type and code are kept for the log; the message never is. */
export type Signal =
  /** Windows the vendor names as spent, for every model or for one family only. */
  | { readonly kind: 'window-spent'; readonly marks: readonly Spent[] }
  /** A limit without attribution: short throttle. */
  | { readonly kind: 'burst'; readonly retryAfterMs: number | null }
  /** A 429 or 400 about this very request (long context, fast mode): nobody rests. */
  | { readonly kind: 'request-scoped' }
  /** The access token or API key was not accepted. */
  | { readonly kind: 'unauthorised' }
  /** The account itself is closed or the login has no access; a refresh won't cure it. */
  | { readonly kind: 'account-refused'; readonly why: string }
  /** Credits, billing or a spend cap: no timer. */
  | { readonly kind: 'billing'; readonly why: string }
  /** The host or its guard refuses everybody (Cloudflare, overload). */
  | { readonly kind: 'host-refused'; readonly why: string }
  | { readonly kind: 'overloaded' }
  | { readonly kind: 'model-not-entitled' }
  | { readonly kind: 'model-unknown' }
  | { readonly kind: 'server-error' }
  /** Invalid request, safety refusal, region: the same everywhere. */
  | { readonly kind: 'final' }

export interface SignalRead {
  readonly signal: Signal
  /** Vendor's own `type` or `code`, shortened, safe to store; null when none. */
  readonly vendorCode: string | null
}

export interface Verdict {
  /** `next`: another candidate; `same`: this one again after `waitMs`; `refresh`: renew the token, then this one. */
  readonly move: 'next' | 'same' | 'refresh' | 'return'
  readonly waitMs: number
  /** False for refusals that cost nothing: they don't count against the attempts cap (routing §6). */
  readonly counts: boolean
  readonly effect: HealthEffect | null
  readonly marks: readonly Spent[]
  /** Kebab-case, for the execution row. */
  readonly because: string
  /** One sentence for the person, without vendor text. */
  readonly sentence: string
}
