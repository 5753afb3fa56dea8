/** Seats: what a strategy may know of each candidate, and what the decision keeps of it; pure (routing §4, §8). */
import { allowanceOf, noAllowance } from '../domain/allowance.ts'
import type { SeatRecord } from '../domain/decision.ts'
import { emptySnapshot, modelFamily } from '../domain/quota.ts'
import type { Seat } from '../domain/seat.ts'
import type { Strategy } from '../strategies/strategy.ts'
import type { Candidate } from './40-candidates.ts'
import type { View } from './view.ts'

export function seatOf(candidate: Candidate, strategy: Strategy, view: View): Seat {
  const { backend, resting } = candidate
  const { source } = backend
  const { nowMs, recent } = view
  const subscription = source.type === 'subscription'
  const allowance = subscription
    ? allowanceOf(source, view.quota.get(source.id) ?? emptySnapshot, modelFamily(backend.upstreamModel), nowMs)
    : noAllowance
  return {
    ...allowance,
    key: seatKey(candidate),
    account: subscription,
    weight: Math.max(1, source.weight),
    resting: resting !== null,
    tokens: strategy.byUse ? recent.tokens(source.id, nowMs) : 0,
    free: strategy.byFree && backend.free,
    credits: subscription && source.maySpendBeyondPlan,
    firstContentMs: strategy.byLatency ? recent.firstContentMs(backend.id, nowMs) : null,
    failures: strategy.byFailures ? recent.failures(source.id, nowMs) : 0,
  }
}

/** Clients may name any model on a vendor's address: those share one seat per account. */
export const seatKey = ({ backend }: Pick<Candidate, 'backend'>): string =>
  backend.listed ? backend.id : backend.source.id

/** Large pools record their first seats only. */
const mostRecorded = 50

/** What the decision keeps of each seat: its place and state, its numbers as the strategy saw them, its windows. */
export function seatRecords(
  order: readonly Candidate[],
  seats: ReadonlyMap<Candidate, Seat>,
  { quota }: View,
): readonly SeatRecord[] {
  return order.slice(0, mostRecorded).map((candidate) => {
    const { backend, tier, position, resting, exhausted, usedPercent } = candidate
    const family = modelFamily(backend.upstreamModel)
    const { readings } = quota.get(backend.source.id) ?? emptySnapshot
    return {
      backendId: backend.id,
      label: backend.source.label,
      tier,
      position,
      usable: resting === null && exhausted === null,
      because: resting ?? exhausted ?? 'ready',
      usedPercent,
      numbers: seats.get(candidate) ?? null,
      windows: readings
        .filter((reading) => reading.family === null || reading.family === family)
        .map(({ window, usedPercent: used, resetAtMs, lengthMs }) => ({
          window,
          usedPercent: used,
          resetAtMs,
          lengthMs,
        })),
    }
  })
}
