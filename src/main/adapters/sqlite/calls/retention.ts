/** Forgets the oldest calls by age and by size, in steps so short that no stream notices. */
import type { Database } from 'better-sqlite3'
import type { Clock } from '../../../ports.ts'

export interface Limits {
  readonly retentionDays: number
  readonly retentionBytes: number
  /** False while the clock can't be believed: only size counts then. */
  readonly forgetsByAge: boolean
}

/** A step ends at the first commit after this long; the longest stall allowed is 2 ms. */
const stepMs = 1
const callsAtOnce = 4
const pagesAtOnce = 4
const dayMs = 86_400_000

export interface Purged {
  readonly removed: boolean
  readonly isDone: boolean
}

export function retention(database: Database) {
  const oldest = database.prepare<[number], { readonly id: number; readonly started_ms: number }>(
    'SELECT id, started_ms FROM call ORDER BY id LIMIT ?',
  )
  const removeCalls = database.prepare('DELETE FROM call WHERE id <= ?')
  const removeDetails = database.prepare('DELETE FROM detail WHERE call_id <= ?')
  const removeStandIns = database.prepare('DELETE FROM stand_in WHERE call_id <= ?')
  // The last cycle of each budget stays: its sum has to be found.
  const removeLines = database.prepare(
    'DELETE FROM ledger WHERE id IN (SELECT old.id FROM ledger old WHERE old.at_ms < ? AND old.cycle_ms <' +
      ' (SELECT max(new.cycle_ms) FROM ledger new WHERE new.budget_id = old.budget_id) ORDER BY old.id LIMIT ?)',
  )
  const removeUpTo = database.transaction((id: number) => {
    removeCalls.run(id)
    removeDetails.run(id)
    removeStandIns.run(id)
  })
  const count = (name: string): number => database.pragma(name, { simple: true }) as number
  const usedBytes = (): number => (count('page_count') - count('freelist_count')) * count('page_size')

  /** The last of the few oldest calls that may go now, or null. */
  const lastDue = (limits: Limits, keptFromMs: number): number | null => {
    const few = oldest.all(callsAtOnce)
    if (usedBytes() > limits.retentionBytes) return few.at(-1)?.id ?? null
    const kept = few.findIndex((call) => call.started_ms >= keptFromMs)
    return few[(kept === -1 ? few.length : kept) - 1]?.id ?? null
  }

  /** Removes a little and says whether that was all; freed pages go back to the disk last. */
  return function purgeStep(limits: Limits, clock: Clock): Purged {
    const beganMs = clock.elapsedMs()
    const keptFromMs = limits.forgetsByAge ? clock.nowMs() - limits.retentionDays * dayMs : Number.MIN_SAFE_INTEGER
    let removed = removeLines.run(keptFromMs, callsAtOnce).changes > 0
    do {
      const due = lastDue(limits, keptFromMs)
      if (due !== null) removeUpTo.immediate(due)
      else if (count('freelist_count') > 0) database.pragma(`incremental_vacuum(${pagesAtOnce})`)
      else return { removed, isDone: true }
      removed = true
    } while (clock.elapsedMs() - beganMs < stepMs)
    return { removed, isDone: false }
  }
}
