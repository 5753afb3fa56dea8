/** What is remembered in memory of one account's renewals: back-off, lifetime, and when not to ask again. Pure. */
import type { OAuthCredential } from '../domain/credential.ts'
import { restLength } from '../domain/health.ts'

export const renewalRules = {
  earlyMs: 5 * 60_000,
  earlySpreadMs: 60_000,
  /** A token without a known end is renewed when this old (codex §1.5). */
  staleMs: 8 * 24 * 60 * 60_000,
  backOffFirstMs: 5_000,
  backOffLongestMs: 5 * 60_000,
  /** After a first unknown outcome; only then, and only when the access token no longer works (F63). */
  unknownFirstMs: 60_000,
  /** No grant is tried more often than this once it looks dead (F65). */
  deadMs: 10 * 60_000,
  /** So many refusals without a known reason in a row count as a dead grant (codex §1.4). */
  unclearLimit: 3,
  unclearMs: 60_000,
} as const

/** Times are of the monotonic clock, so that a clock that jumps neither storms nor starves (F60). */
export interface Note {
  /** The grant these facts are about; a new sign-in starts a new note. */
  readonly refreshToken: string | null
  readonly failures: number
  readonly unclear: number
  readonly unknown: number
  readonly notBeforeMs: number
  /** Why the last attempt brought nothing. */
  readonly why: string
  /** Renewed this long before its end. */
  readonly earlyMs: number
  /** Set for tokens that came while this process ran. */
  readonly endsMs: number | null
  /** The access token that a refused one was renewed to, and when: if it is refused too, renewing doesn't help. */
  readonly cure: { readonly accessToken: string; readonly atMs: number } | null
}

export function freshNote(refreshToken: string | null, unit: number): Note {
  return {
    refreshToken,
    failures: 0,
    unclear: 0,
    unknown: 0,
    notBeforeMs: Number.NEGATIVE_INFINITY,
    why: '',
    earlyMs: renewalRules.earlyMs + Math.round(unit * renewalRules.earlySpreadMs),
    endsMs: null,
    cure: null,
  }
}

/** By the wall clock or by the monotonic one: sleep stops the second, a jump moves the first. */
export function isExpired(credential: OAuthCredential, note: Note, nowMs: number, elapsedMs: number): boolean {
  return (
    (credential.expiresAtMs !== null && nowMs >= credential.expiresAtMs) ||
    (note.endsMs !== null && elapsedMs >= note.endsMs)
  )
}

export function isDue(credential: OAuthCredential, note: Note, nowMs: number, elapsedMs: number): boolean {
  if (credential.expiresAtMs === null) return nowMs - credential.renewedAtMs >= renewalRules.staleMs
  return isExpired(credential, note, nowMs + note.earlyMs, elapsedMs + note.earlyMs)
}

/** After an answer that leaves the grant as it was. */
export function backedOff(note: Note, why: string, waitMs: number | null, elapsedMs: number, unit: number): Note {
  const failures = note.failures + 1
  const ownMs = restLength(renewalRules.backOffFirstMs, renewalRules.backOffLongestMs, failures, unit)
  return { ...note, failures, why, notBeforeMs: elapsedMs + Math.max(ownMs, waitMs ?? 0) }
}

/** After a loss on the way: the grant may be spent. */
export function inDoubt(note: Note, why: string, elapsedMs: number): Note {
  const waitMs = note.unknown === 0 ? renewalRules.unknownFirstMs : renewalRules.deadMs
  return { ...note, unknown: note.unknown + 1, why, notBeforeMs: elapsedMs + waitMs }
}

/** After new tokens: a token that lives only minutes is renewed in the last quarter of its life. */
export function afterRenewal(fresh: Note, lifetimeMs: number | null, cure: string | null, elapsedMs: number): Note {
  return {
    ...fresh,
    earlyMs: lifetimeMs === null ? fresh.earlyMs : Math.min(fresh.earlyMs, Math.round(lifetimeMs / 4)),
    endsMs: lifetimeMs === null ? null : elapsedMs + lifetimeMs,
    cure: cure === null ? null : { accessToken: cure, atMs: elapsedMs },
  }
}
