/** When an account's usage is read next, and why: a pure function of what is known of it (routing §7, "Polling"). */
import { isSpent, type Snapshot } from '../domain/quota.ts'

export const pollRules = {
  /** Codex, on the clock: :00, :05, :10 … */
  everyMs: 5 * 60_000,
  /** A poll is skipped while answers tell as much, but not for longer than this. */
  longestSkipMs: 15 * 60_000,
  aroundResetMs: 30_000,
  /** Claude, while somebody looks: its own limiter is strict (claude §4.1). */
  watchedAgeMs: 10 * 60_000,
  /** A limit that ends later than this is looked at again meanwhile, by reading, never by inference (routing §6). */
  longRestMs: 24 * 3_600_000,
  verifyEveryMs: 6 * 3_600_000,
  backoffFirstMs: 60_000,
  backoffLongestMs: 15 * 60_000,
  /** Claude's own 429s persist and may say `retry-after: 0` (claude §4.1). */
  limitedFirstMs: 5 * 60_000,
  longestRetryAfterMs: 24 * 3_600_000,
  spread: 0.2,
  manualGapMs: 60_000,
} as const

/** What is remembered of the reads of one account. */
export interface PollHistory {
  /** The last read that succeeded; null: never. */
  readonly lastMs: number | null
  readonly failures: number
  /** Not before this, by back-off or the vendor's wish; null: any time. */
  readonly notBeforeMs: number | null
  /** The vendor itself named that time. */
  readonly vendorAsked: boolean
  readonly lastManualMs: number | null
}

export const neverPolled: PollHistory = {
  lastMs: null,
  failures: 0,
  notBeforeMs: null,
  vendorAsked: false,
  lastManualMs: null,
}

export interface PollSubject {
  readonly provider: 'claude' | 'codex'
  readonly snapshot: Snapshot
  /** The whole account rests for over a day or without an end. */
  readonly longRest: boolean
  /** The window is open. */
  readonly watched: boolean
}

export interface PollPlan {
  readonly atMs: number
  readonly because: 'clock' | 'before-reset' | 'after-reset' | 'watched' | 'long-rest'
}

/** The next read; a time that has passed means now. Null: nothing asks for one. */
export function nextPoll(subject: PollSubject, history: PollHistory, nowMs: number): PollPlan | null {
  // A clock that was set back must not silence an account for years (F60).
  const lastMs = history.lastMs === null || history.lastMs > nowMs ? null : history.lastMs
  const plans = subject.provider === 'codex' ? codexPlans(subject, lastMs, nowMs) : claudePlans(subject, lastMs, nowMs)
  let first: PollPlan | null = null
  for (const plan of plans) if (first === null || plan.atMs < first.atMs) first = plan
  if (first === null) return null
  const longestMs = history.vendorAsked
    ? pollRules.longestRetryAfterMs
    : pollRules.backoffLongestMs * (1 + pollRules.spread)
  const notBeforeMs = Math.min(history.notBeforeMs ?? 0, nowMs + longestMs)
  return { ...first, atMs: Math.max(first.atMs, notBeforeMs) }
}

function codexPlans(subject: PollSubject, lastMs: number | null, nowMs: number): readonly PollPlan[] {
  const { snapshot } = subject
  const clock: PollPlan = { atMs: nextRegular(snapshot, lastMs, nowMs), because: 'clock' }
  return [clock, ...aroundResets(snapshot, lastMs, true)]
}

/** The next mark on the clock after the last read, later while the answers' own headers are as fresh. */
function nextRegular(snapshot: Snapshot, lastMs: number | null, nowMs: number): number {
  if (lastMs === null) return nowMs
  const nextMs = alignedAfter(lastMs)
  const passiveMs = snapshot.spent.length > 0 ? null : oldestReadMs(snapshot)
  if (passiveMs === null || passiveMs <= lastMs) return nextMs
  return Math.min(Math.max(nextMs, alignedAfter(passiveMs)), lastMs + pollRules.longestSkipMs)
}

const alignedAfter = (atMs: number): number => (Math.floor(atMs / pollRules.everyMs) + 1) * pollRules.everyMs

function oldestReadMs({ readings }: Snapshot): number | null {
  let oldest: number | null = null
  for (const { readAtMs } of readings) if (oldest === null || readAtMs < oldest) oldest = readAtMs
  return oldest
}

function claudePlans(subject: PollSubject, lastMs: number | null, nowMs: number): readonly PollPlan[] {
  const { snapshot, watched } = subject
  const plans: PollPlan[] = [...aroundResets(snapshot, lastMs, false), ...longRests(subject, lastMs, nowMs)]
  if (watched) {
    const dueMs = (oldestReadMs(snapshot) ?? 0) + pollRules.watchedAgeMs
    const gapMs = lastMs === null ? 0 : lastMs + pollRules.watchedAgeMs
    plans.push({ atMs: Math.max(dueMs, gapMs, nowMs), because: 'watched' })
  }
  return plans
}

/** Just before each reset (what will be lost) and just after it (what is there again), each once. */
function aroundResets(snapshot: Snapshot, lastMs: number | null, before: boolean): readonly PollPlan[] {
  const plans: PollPlan[] = []
  for (const resetMs of resetsOf(snapshot)) {
    const beforeMs = resetMs - pollRules.aroundResetMs
    const afterMs = resetMs + pollRules.aroundResetMs
    const isNew = (atMs: number): boolean => lastMs === null || lastMs < atMs
    if (before && isNew(beforeMs)) plans.push({ atMs: beforeMs, because: 'before-reset' })
    if (isNew(afterMs)) plans.push({ atMs: afterMs, because: 'after-reset' })
  }
  return plans
}

function resetsOf({ readings, spent }: Snapshot): ReadonlySet<number> {
  const resets = new Set<number>()
  for (const { resetAtMs } of readings) if (resetAtMs !== null) resets.add(resetAtMs)
  for (const { untilMs } of spent) if (untilMs !== null) resets.add(untilMs)
  return resets
}

function longRests(subject: PollSubject, lastMs: number | null, nowMs: number): readonly PollPlan[] {
  const { snapshot, longRest } = subject
  const isLong = (untilMs: number | null): boolean => untilMs === null || untilMs - nowMs > pollRules.longRestMs
  if (!longRest && !snapshot.spent.some((mark) => isSpent(mark, nowMs) && isLong(mark.untilMs))) return []
  const sinceMs = Math.max(lastMs ?? 0, ...snapshot.spent.map((mark) => Math.min(mark.sinceMs, nowMs)))
  return [{ atMs: sinceMs + pollRules.verifyEveryMs, because: 'long-rest' }]
}

/** How a read that failed is followed: 1 → 15 min ± 20 %, and never before the vendor's own time. `unit` in [0, 1). */
export function afterFailure(
  history: PollHistory,
  limited: boolean,
  retryAfterMs: number | null,
  nowMs: number,
  unit: number,
): PollHistory {
  const failures = history.failures + 1
  const plainMs = pollRules.backoffFirstMs * 2 ** Math.min(failures - 1, 20)
  const floorMs = limited ? Math.max(plainMs, pollRules.limitedFirstMs) : plainMs
  const spread = 1 + pollRules.spread * (2 * unit - 1)
  const ownMs = Math.round(Math.min(floorMs, pollRules.backoffLongestMs) * spread)
  const askedMs = Math.min(retryAfterMs ?? 0, pollRules.longestRetryAfterMs)
  const waitMs = Math.max(ownMs, askedMs)
  return { ...history, failures, notBeforeMs: nowMs + waitMs, vendorAsked: limited }
}

export const afterSuccess = (history: PollHistory, nowMs: number): PollHistory => ({
  ...history,
  lastMs: nowMs,
  failures: 0,
  notBeforeMs: null,
  vendorAsked: false,
})

/** How long a refresh by hand has to wait, 0 when it may go: once a minute, and never against the vendor's own limit. */
export function manualWaitMs({ lastManualMs, notBeforeMs, vendorAsked }: PollHistory, nowMs: number): number {
  const gapMs = lastManualMs === null || lastManualMs > nowMs ? 0 : lastManualMs + pollRules.manualGapMs - nowMs
  const askedMs = vendorAsked && notBeforeMs !== null ? notBeforeMs - nowMs : 0
  return Math.max(0, gapMs, Math.min(askedMs, pollRules.longestRetryAfterMs))
}
