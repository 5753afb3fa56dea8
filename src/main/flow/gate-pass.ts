/** The last look before a request is sent: through the gate, around it, or waiting before it (routing §5, "Gate"). */
import { type Gate, isShut } from '../domain/gate.ts'
import { emptySnapshot, modelFamily } from '../domain/quota.ts'
import type { Exchange } from '../ports.ts'
import type { Candidate } from './40-candidates.ts'
import type { Plan } from './50-order.ts'
import type { FlowDeps } from './flow-deps.ts'
import { gateOf } from './held-back.ts'
import { standing } from './standing.ts'
import type { Trail } from './trail.ts'
import type { View } from './view.ts'

/** Called once the account has answered or failed. */
export type Leave = (proven: boolean) => void

export type Pass = Leave | 'elsewhere' | 'spent' | 'left'

/**
 * Takes a place behind the gate, synchronously once it is open, so that parallel requests can't slip in together.
 * `elsewhere`: it is shut and another candidate is ready. `spent`: while it waited, the account ran out. Where none is,
 * requests that fail over wait for the first answer instead of falling on the account all at once or failing; everybody
 * else is let through, as if there were no router. A promise only while it waits.
 */
export function passGate(
  candidate: Candidate,
  othersReady: boolean,
  plan: Plan,
  trail: Trail,
  io: Exchange,
  deps: FlowDeps,
): Pass | Promise<Pass> {
  const { source } = candidate.backend
  const { operation } = plan.ask
  if (operation !== 'generate' && operation !== 'compact') return () => {}
  if (comesByFailure(candidate, plan, trail)) deps.gates.failOver(source.id)
  const seen = seenNow(candidate, othersReady, plan, trail, deps)
  return typeof seen === 'object' ? waitedFor(seen, candidate, plan, trail, io, deps) : seen
}

/** The way through, or the gate that must be waited for. */
function seenNow(
  { backend: { source, upstreamModel } }: Candidate,
  othersReady: boolean,
  plan: Plan,
  trail: Trail,
  { gates, view: viewNow }: FlowDeps,
): Leave | 'elsewhere' | Gate {
  const view = viewNow()
  const snapshot = view.quota.get(source.id) ?? emptySnapshot
  const gate = gateOf(source, snapshot, modelFamily(upstreamModel), plan, view)
  const isOpen = gate === null || !isShut(gate, gates.pending(source.id), view.nowMs)
  if (isOpen || (!othersReady && gate.because !== 'failed-over')) return gates.enter(source.id)
  trail.note({ stage: 'attempt', decision: source.label, because: othersReady ? 'gate' : 'gate-wait' })
  return othersReady ? 'elsewhere' : gate
}

async function waitedFor(
  first: Gate,
  candidate: Candidate,
  plan: Plan,
  trail: Trail,
  io: Exchange,
  deps: FlowDeps,
): Promise<Pass> {
  for (let gate = first; ; ) {
    await deps.gates.change(candidate.backend.source.id, gate, io.gone)
    if (io.gone.aborted) return 'left'
    if (isSpentNow(candidate, plan, deps.view())) return 'spent'
    const seen = seenNow(candidate, false, plan, trail, deps)
    if (typeof seen !== 'object') return seen
    gate = seen
  }
}

/** Those that went ahead have found out that it has nothing left either. */
function isSpentNow(candidate: Candidate, plan: Plan, view: View): boolean {
  const now = standing(candidate, plan, view)
  return now.kind === 'excluded' || now.exhausted !== null
}

/** Another account of this call has failed, is spent, or is away from its conversation. */
const comesByFailure = (candidate: Candidate, plan: Plan, trail: Trail): boolean =>
  plan.reason === 'failover' ||
  plan.excluded.some((record) => record.because.startsWith('exhausted:')) ||
  trail.executions.some((execution) => execution.sourceId !== candidate.backend.source.id)
