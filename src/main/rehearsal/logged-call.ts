/** What a rehearsal reads of one stored call: who could have served, who did, and what it used; pure. */
import type { CallDetail } from '../domain/call-log.ts'
import type { SeatRecord } from '../domain/decision.ts'
import type { Seat } from '../domain/seat.ts'
import type { Usage } from '../domain/usage.ts'

export type SeatWindow = SeatRecord['windows'][number]

export interface LoggedSeat {
  readonly backendId: string
  readonly sourceId: string
  readonly label: string
  /** Null for one that was excluded as exhausted: its place wasn't kept. */
  readonly place: { readonly tier: number; readonly position: number } | null
  readonly state: 'ready' | 'resting' | 'exhausted'
  readonly numbers: Seat | null
  readonly windows: readonly SeatWindow[]
}

export interface LoggedCall {
  readonly atMs: number
  readonly pool: string | null
  readonly session: string | null
  readonly strategy: string | null
  /** Where it went stands in the address or in what it builds on: no order changes it. */
  readonly fixed: boolean
  readonly inherited: boolean
  readonly seats: readonly LoggedSeat[]
  /** Null: nobody could serve it. */
  readonly served: string | null
  /** Backends that were tried and failed: they fail again. */
  readonly failed: ReadonlySet<string>
  /** Null: unmeasured. */
  readonly usage: Usage | null
  readonly tokens: number | null
  readonly cost: number | null
  readonly model: string | null
}

export const sourceOf = (backendId: string): string => backendId.slice(0, backendId.indexOf(':'))

const nobodyCould: ReadonlySet<string> = new Set(['all_exhausted', 'none_available', 'upstream_binding_unavailable'])

/** Null for a call that says nothing about routing: still open, refused for another reason, left before an answer. */
export function loggedCall({ call, executions, decision }: CallDetail): LoggedCall | null {
  if (call.outcome === null || decision === null) return null
  if (call.operation !== 'generate' && call.operation !== 'compact') return null
  const refused =
    (call.errorCode !== null && nobodyCould.has(call.errorCode)) ||
    (call.outcome === 'failed' && executions.at(-1)?.because === 'exhausted')
  if (!refused && call.backendId === null) return null
  const served = refused ? null : call.backendId
  const usage = served === null ? null : call.usage
  const listed = decision.seats.map(ofSeat)
  const spent = decision.excluded.filter(
    ({ backendId, because }) =>
      because.startsWith('exhausted:') && !listed.some((seat) => seat.backendId === backendId),
  )
  return {
    atMs: call.startedMs,
    pool: decision.pool ?? call.requestedModel,
    session: call.session,
    strategy: decision.strategy,
    fixed: decision.reason === 'pinned' || decision.trail?.some(({ because }) => because === 'builds-on') === true,
    inherited: decision.reason === 'inherit',
    seats: [...listed, ...spent.map(ofExcluded)],
    served,
    failed: new Set(executions.filter(({ outcome }) => outcome === 'failed').map(({ backendId }) => backendId)),
    usage,
    tokens: usage === null ? null : usage.inputTokens + usage.outputTokens,
    cost: call.cost,
    model: call.upstreamModel,
  }
}

/** Gates and low headroom follow from what was in flight and from a setting: they are worked out anew. */
const workedOutAnew: ReadonlySet<string> = new Set(['ready', 'gate', 'low-headroom'])

/** Older versions kept neither numbers nor windows. */
function ofSeat(seat: SeatRecord): LoggedSeat {
  const { backendId, label, tier, position, usable, because } = seat
  const spent = because.startsWith('exhausted:')
  return {
    ...{ backendId, label },
    sourceId: sourceOf(backendId),
    place: { tier, position },
    state: spent ? 'exhausted' : usable || workedOutAnew.has(because) ? 'ready' : 'resting',
    numbers: seat.numbers ?? null,
    windows: seat.windows ?? [],
  }
}

function ofExcluded(record: {
  readonly backendId: string
  readonly label: string
  readonly because: string
  readonly untilMs: number | null
}): LoggedSeat {
  const { backendId, label, because, untilMs } = record
  const window = because.slice('exhausted:'.length)
  const windows = [{ window, usedPercent: 100, resetAtMs: untilMs, lengthMs: null }]
  return { backendId, label, sourceId: sourceOf(backendId), place: null, state: 'exhausted', numbers: null, windows }
}
