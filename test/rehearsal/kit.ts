/** Logs to rehearse: simulated months as they would be kept, and a reader over them in pages. */
import type { CallDetail } from '../../src/main/domain/call-log.ts'
import type { CallReader } from '../../src/main/ports.ts'
import { type Rehearsal, type RehearsalAsk, rehearse } from '../../src/main/rehearsal/rehearse.ts'
import type { Present } from '../../src/main/rehearsal/rehearsed-use.ts'
import { type Month, simulate } from '../simulation/month.ts'

/** Ids count up from here. */
export const firstId = 1_000

export interface Logged {
  readonly month: Month
  readonly log: readonly CallDetail[]
}

export function logOf(strategy: string, load: number, days: number): Logged {
  const log: CallDetail[] = []
  const month = simulate(strategy, load, days, (detail) => {
    log.push({ ...detail, call: { ...detail.call, id: String(firstId + log.length) as never } })
  })
  return { month, log }
}

/** Newest first, in pages, as the store gives them. */
export const readerOf = (log: readonly CallDetail[]): Pick<CallReader, 'older'> => ({
  older: async (before, limit) => {
    const end = before === null ? log.length : Math.min(log.length, Number(before) - firstId)
    return log.slice(Math.max(0, end - limit), end).reverse()
  },
})

export const present = { weight: () => null, isFree: () => false, cost: () => null, options: () => ({}) }

export const rehearsed = (
  log: readonly CallDetail[],
  change: Partial<RehearsalAsk> = {},
  now: Partial<Present> = {},
): Promise<Rehearsal> =>
  rehearse(
    {
      fromMs: 0,
      offsetMs: 0,
      strategy: null,
      options: null,
      poolId: null,
      tiers: null,
      newSessionMinRemaining: 5,
      ...change,
    },
    readerOf(log),
    { ...present, ...now },
  )
