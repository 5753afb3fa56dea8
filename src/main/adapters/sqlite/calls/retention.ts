/** Forgets the oldest calls by age and by size, in steps so short that no stream notices. */
import type { Database } from 'better-sqlite3'
import type { Clock } from '../../../ports.ts'

export interface Limits {
  readonly retentionDays: number
  readonly retentionBytes: number
}

/** A step ends at the first commit after this long; the longest stall allowed is 2 ms. */
const stepMs = 1
const callsAtOnce = 4
const pagesAtOnce = 4
const dayMs = 86_400_000

export function retention(database: Database) {
  const oldest = database.prepare<[], number>('SELECT started_ms FROM call ORDER BY id LIMIT 1').pluck()
  const oldestIds = database.prepare<[number], number>('SELECT id FROM call ORDER BY id LIMIT ?').pluck()
  const removeCalls = database.prepare('DELETE FROM call WHERE id <= ?')
  const removeDetails = database.prepare('DELETE FROM detail WHERE call_id <= ?')
  const removeOldest = database.transaction(() => {
    const last = oldestIds.all(callsAtOnce).at(-1) ?? 0
    removeCalls.run(last)
    removeDetails.run(last)
  })
  const count = (name: string): number => database.pragma(name, { simple: true }) as number
  const usedBytes = (): number => (count('page_count') - count('freelist_count')) * count('page_size')

  const isDue = (limits: Limits, nowMs: number): boolean => {
    const startedMs = oldest.get()
    if (startedMs === undefined) return false
    return startedMs < nowMs - limits.retentionDays * dayMs || usedBytes() > limits.retentionBytes
  }

  /** Removes a little and says whether there is more to remove; freed pages go back to the disk last. */
  return function purgeStep(limits: Limits, clock: Clock): 'more' | 'done' {
    const beganMs = clock.elapsedMs()
    while (clock.elapsedMs() - beganMs < stepMs) {
      if (isDue(limits, clock.nowMs())) removeOldest.immediate()
      else if (count('freelist_count') > 0) database.pragma(`incremental_vacuum(${pagesAtOnce})`)
      else return 'done'
    }
    return 'more'
  }
}
