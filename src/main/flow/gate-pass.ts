/** The last look before a request is sent: through the gate, around it, or waiting before it (routing §5, "Gate"). */
import { isShut } from '../domain/gate.ts'
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

/**
 * Takes a place behind the gate, synchronously once it is open, so that parallel requests can't slip in together.
 * `elsewhere`: it is shut and another candidate is ready. `spent`: while it waited, the account ran out. Where none is, requests that fail over wait for the first
 * answer instead of falling on the account all at once or failing; everybody else is let through, as if there were
 * no router.
 */
export async function passGate(
  candidate: Candidate,
  othersReady: boolean,
  plan: Plan,
  trail: Trail,
  io: Exchange,
  deps: FlowDeps,
): Promise<Leave | 'elsewhere' | 'spent' | 'left'> {
  const { source } = candidate.backend
  const { operation } = plan.ask
  if (operation !== 'generate' && operation !== 'compact') return () => {}
  if (comesByFailure(candidate, plan, trail)) deps.gates.failOver(source.id)
  const family = modelFamily(candidate.backend.upstreamModel)
  for (;;) {
    const view = deps.view()
    const gate = gateOf(source, view.quota.get(source.id) ?? emptySnapshot, family, plan, view)
    const isOpen = gate === null || !isShut(gate, deps.gates.pending(source.id), view.nowMs)
    if (gate === null || isOpen || (!othersReady && gate.because !== 'failed-over')) return deps.gates.enter(source.id)
    trail.note({ stage: 'attempt', decision: source.label, because: othersReady ? 'gate' : 'gate-wait' })
    if (othersReady) return 'elsewhere'
    await deps.gates.change(source.id, gate, io.gone)
    if (io.gone.aborted) return 'left'
    if (isSpentNow(candidate, plan, deps.view())) return 'spent'
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
