/** Quota windows of a subscription account, as measured; nothing is assumed (routing §7). */

export type WindowName = 'five-hour' | 'weekly' | 'monthly' | (string & {})
export type ReadingSource = 'header' | 'poll' | 'estimate'

/** One measured window. Percent is 0–100 used, as the vendors say it. */
export interface Reading {
  readonly window: WindowName
  readonly usedPercent: number
  /** Stated length, or null when the vendor gave none. */
  readonly lengthMs: number | null
  /** When it renews, or null when it has not started. */
  readonly resetAtMs: number | null
  /** Only this model family counts against it (`fable`), or null for every model. */
  readonly family: string | null
  readonly source: ReadingSource
  readonly readAtMs: number
}

/** A window the vendor refused us on: spent until its reset, whatever percent was read (routing §6). */
export interface Spent {
  readonly window: WindowName
  readonly family: string | null
  /** Null when no reset was named: only evidence lifts it. */
  readonly untilMs: number | null
  readonly sinceMs: number
}

/** What a usage read tells besides windows; kept with them and dropped with them. */
export interface AccountFacts {
  /** The vendor's own word. */
  readonly plan: string | null
  readonly credits: Credits | null
  /** Why the vendor says it blocks (`workspace_owner_credits_depleted`), or null. */
  readonly blockedBecause: string | null
  /** Banked resets that may be spent by hand (codex §4.2); null when the vendor doesn't say. */
  readonly resetCredits: number | null
  readonly readAtMs: number
}

export interface Credits {
  readonly hasCredits: boolean
  readonly unlimited: boolean
  /** As the vendor writes it, or null. */
  readonly balance: string | null
}

/** One whole answer of a vendor's usage endpoint. */
export interface UsageReport {
  readonly readings: readonly Reading[]
  /** Limits that the vendor says block although no window of theirs is full. */
  readonly spent: readonly Spent[]
  readonly facts: AccountFacts
}

export interface Snapshot {
  readonly readings: readonly Reading[]
  readonly spent: readonly Spent[]
  readonly facts?: AccountFacts | undefined
}

export const emptySnapshot: Snapshot = { readings: [], spent: [] }

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Names a window by its stated length, never by its slot (codex §4.1). */
export function windowName(lengthMs: number): WindowName {
  if (Math.abs(lengthMs - 5 * hourMs) <= 60_000) return 'five-hour'
  if (Math.abs(lengthMs - 7 * dayMs) <= hourMs) return 'weekly'
  if (lengthMs >= 28 * dayMs && lengthMs <= 31 * dayMs) return 'monthly'
  return `${Math.round(lengthMs / hourMs)}h`
}

/** What is left, 0–100; the one place where used becomes left. */
export const leftPercent = (usedPercent: number): number => Math.max(0, 100 - Math.min(100, usedPercent))

export const staleAfterMs = { codex: 15 * 60_000, claude: 60 * 60_000 } as const

export type WindowState = 'known' | 'stale' | 'reset-pending' | 'spent'

/** State of one reading now: past its reset it waits for evidence, never assumed to be fresh. */
export function windowState(
  reading: Reading,
  spent: readonly Spent[],
  provider: 'claude' | 'codex',
  nowMs: number,
): WindowState {
  if (spent.some((mark) => mark.window === reading.window && isSpent(mark, nowMs))) return 'spent'
  if (reading.resetAtMs !== null && reading.resetAtMs <= nowMs) return 'reset-pending'
  return nowMs - reading.readAtMs > staleAfterMs[provider] ? 'stale' : 'known'
}

/** A mark counts until its reset; without one, until evidence removes it. */
export const isSpent = (mark: Spent, nowMs: number): boolean => mark.untilMs === null || mark.untilMs > nowMs

/**
 * Takes new readings over the old ones, window by window, and lifts marks on evidence: a later reading of the same
 * window with room, or with a reset later than the mark's (the window has renewed).
 */
export function applyReadings(snapshot: Snapshot, fresh: readonly Reading[]): Snapshot {
  if (fresh.length === 0) return snapshot
  const kept = snapshot.readings.filter((old) => !fresh.some((reading) => reading.window === old.window))
  const newer = fresh.map((reading) => {
    const old = snapshot.readings.find((candidate) => candidate.window === reading.window)
    return old !== undefined && old.readAtMs > reading.readAtMs ? old : reading
  })
  const spent = snapshot.spent.filter((mark) => !isLifted(mark, fresh))
  return { ...snapshot, readings: [...kept, ...newer], spent }
}

/**
 * A usage read is the whole picture: windows it doesn't name are dropped once they were read before it by a poll or
 * have passed their reset (a plan that lost its five-hour window keeps no ghost of it).
 */
export function applyReport(snapshot: Snapshot, report: UsageReport): Snapshot {
  const atMs = report.facts.readAtMs
  if (report.readings.length === 0) return { ...markSpent(snapshot, report.spent), facts: report.facts }
  const named = new Set(report.readings.map((reading) => reading.window))
  const remaining = snapshot.readings.filter(
    (old) =>
      named.has(old.window) ||
      old.readAtMs >= atMs ||
      (old.source !== 'poll' && (old.resetAtMs === null || old.resetAtMs > atMs)),
  )
  const read = applyReadings({ ...snapshot, readings: remaining }, report.readings)
  return { ...markSpent(read, report.spent), facts: report.facts }
}

/** A served call proves that a limit whose time is over is over. */
export function liftEnded(snapshot: Snapshot, family: string | null, nowMs: number): Snapshot {
  const isOver = (mark: Spent): boolean => !isSpent(mark, nowMs) && (mark.family === null || mark.family === family)
  if (!snapshot.spent.some(isOver)) return snapshot
  return { ...snapshot, spent: snapshot.spent.filter((mark) => !isOver(mark)) }
}

/** An exhausted window that counts `family` has passed its reset and nothing has been read since (routing §6). */
export function isResetPending(snapshot: Snapshot, family: string | null, nowMs: number): boolean {
  const counts = (scope: string | null): boolean => scope === null || scope === family
  return (
    snapshot.spent.some((mark) => counts(mark.family) && !isSpent(mark, nowMs)) ||
    snapshot.readings.some(
      ({ family: scope, usedPercent, resetAtMs }) =>
        counts(scope) && usedPercent >= 100 && resetAtMs !== null && resetAtMs <= nowMs,
    )
  )
}

/** A reading of the very answer that spent the window is no evidence against it. */
function isLifted(mark: Spent, fresh: readonly Reading[]): boolean {
  const evidence = fresh.filter((reading) => reading.readAtMs > mark.sinceMs && covers(reading, mark))
  return evidence.length > 0 && evidence.every((reading) => reading.usedPercent < 100)
}

/** An unnamed mark (`unnamed`, `unnamed:FAMILY`) may be about any window of that family. */
const covers = (reading: Reading, mark: Spent): boolean =>
  mark.window.startsWith('unnamed') ? reading.family === mark.family : reading.window === mark.window

/** Marks windows as spent; a later mark of the same window replaces the earlier one. */
export function markSpent(snapshot: Snapshot, marks: readonly Spent[]): Snapshot {
  if (marks.length === 0) return snapshot
  const kept = snapshot.spent.filter((old) => !marks.some((mark) => mark.window === old.window))
  return { ...snapshot, spent: [...kept, ...marks] }
}

/** The spent mark that stops `family`, if any; the one that ends last decides the rest. */
export function blockingMark(snapshot: Snapshot, family: string | null, nowMs: number): Spent | null {
  let worst: Spent | null = null
  for (const mark of snapshot.spent) {
    if (!isSpent(mark, nowMs)) continue
    if (mark.family !== null && mark.family !== family) continue
    if (worst === null || later(mark.untilMs, worst.untilMs)) worst = mark
  }
  return worst
}

const later = (a: number | null, b: number | null): boolean => b !== null && (a === null || a > b)

/** Model family by substring, never by a full list (claude §6). Null when the model has none we know. */
export function modelFamily(model: string): string | null {
  for (const family of ['fable', 'mythos', 'opus', 'sonnet', 'haiku', 'spark'])
    if (model.includes(family)) return family
  return null
}
