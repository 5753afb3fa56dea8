/** A wall clock that leapt far ahead must not make everything old at once (F60); pure. */

/** What time it once was, and what the monotonic clock showed then. */
export interface KnownTime {
  readonly wallMs: number
  readonly elapsedMs: number
}

/** Longer than most machines sleep and most people are away, and short of what a log usually keeps. */
const leapMs = 30 * 86_400_000

/** Whether the wall clock shows so much more than what was known and has passed since that it can't be believed. */
export const isLeap = (known: KnownTime, now: KnownTime): boolean =>
  now.wallMs - known.wallMs - (now.elapsedMs - known.elapsedMs) > leapMs
