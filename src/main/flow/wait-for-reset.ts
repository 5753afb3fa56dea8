/**
 * Optional waiting: while every account is spent, a call is held until the earliest reset, as long as the person allows
 * and the client stays (routing §6, "When nothing can serve"). Nothing is sent meanwhile: a same-dialect relay inserts
 * no byte. It looks again in short steps, since limits are also lifted by evidence.
 */
import type { Exchange } from '../ports.ts'
import type { Call } from './10-ingress.ts'
import type { Plan } from './50-order.ts'
import { attempt, type Opened, type Unanswered } from './60-attempt.ts'
import { plan } from './explain.ts'
import type { FlowDeps } from './flow-deps.ts'
import { pause } from './pause.ts'
import { Refusal, type Staged, type Trail } from './trail.ts'
import type { Ask, View } from './view.ts'

const lookAgainMs = 2_000

/** Whether a call may be held at all: where not, nothing may come between its choice and the binding of it. */
export const isHeld = (planned: Staged<Plan> | Refusal, { settings, nowMs }: View): boolean =>
  settings.waitForResetMs > 0 && spentUntilMs(planned, nowMs) !== null

/** The plan or refusal as it is once something has room, or the limit is reached, or the client has left. */
export async function whenRenewed(
  found: Staged<Plan> | Refusal,
  ask: Ask,
  io: Exchange,
  trail: Trail,
  deps: FlowDeps,
): Promise<Staged<Plan> | Refusal> {
  let planned = found
  for (let noted = false; ; noted = true) {
    const { nowMs, settings } = deps.view()
    const untilMs = spentUntilMs(planned, nowMs)
    const leftMs = settings.waitForResetMs - trail.elapsedMs()
    if (untilMs === null || untilMs - nowMs > leftMs) return planned
    if (!noted) trail.note({ stage: 'order', decision: 'held', because: 'waits-for-reset' })
    const stepMs = Math.min(lookAgainMs, Math.max(untilMs - nowMs, 20))
    if (!(await pause(deps.clock, io.gone, stepMs))) return planned
    const again = plan(ask, deps.view())
    planned = again instanceof Refusal ? again : staged(again)
  }
}

/** Stage 60; where every account turns out to be spent, the call is held and planned anew. `replan` hears of it. */
export async function attemptThrough(
  first: Plan,
  call: Call,
  io: Exchange,
  trail: Trail,
  deps: FlowDeps,
  replan: (plan: Plan) => void,
): Promise<Staged<Opened | Unanswered> | Refusal> {
  let chosen = first
  for (;;) {
    const tried = await attempt(chosen, call, io, trail, deps)
    const { settings, nowMs } = deps.view()
    if (settings.waitForResetMs === 0 || !isSpentAnswer(tried, trail)) return tried
    const now = plan(call, deps.view())
    const found = now instanceof Refusal ? now : staged(now)
    if (spentUntilMs(found, nowMs) === null) return tried
    const ready = await whenRenewed(found, call, io, trail, deps)
    const isReady = !(ready instanceof Refusal) && spentUntilMs(ready, deps.view().nowMs) === null
    if (!isReady && !io.gone.aborted) return tried
    if (!(tried instanceof Refusal) && tried.value.kind === 'opened') tried.value.incoming.abort()
    if (ready instanceof Refusal || io.gone.aborted) {
      return { value: { kind: 'left' }, step: { stage: 'attempt', decision: 'left', because: 'waits-for-reset' } }
    }
    chosen = trail.keep(ready)
    replan(chosen)
  }
}

/** The vendor's last word was that a window is spent; it is kept and not yet passed on. */
const isSpentAnswer = (tried: Staged<Opened | Unanswered> | Refusal, trail: Trail): boolean =>
  !(tried instanceof Refusal) &&
  tried.value.kind === 'opened' &&
  tried.value.filed &&
  trail.executions.at(-1)?.because === 'exhausted'

/** When the earliest of the spent accounts renews; null when that isn't what stands in the way. */
function spentUntilMs(planned: Staged<Plan> | Refusal, nowMs: number): number | null {
  if (planned instanceof Refusal) {
    const { problem, retryAfterMs } = planned
    return problem.code === 'all_exhausted' && retryAfterMs !== null ? nowMs + retryAfterMs : null
  }
  const [only, ...others] = planned.value.order
  return others.length === 0 && only !== undefined && only.exhausted !== null ? only.untilMs : null
}

const staged = (value: Plan): Staged<Plan> => {
  const decision = value.order[0]?.backend.source.label ?? ''
  return { value, step: { stage: 'order', decision, because: value.reason } }
}
