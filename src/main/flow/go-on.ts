/**
 * A turn that its vendor paused for a tool of its own goes on where it stopped: the same account is asked again, with
 * what it said so far (bridge §2.2). Everything is checked anew, as before any request.
 */
import type { Usage } from '../domain/usage.ts'
import type { Exchange } from '../ports.ts'
import type { JsonObject } from '../translate/value.ts'
import type { Call } from './10-ingress.ts'
import type { Plan } from './50-order.ts'
import { begunNow, execution } from './execution.ts'
import type { FlowDeps } from './flow-deps.ts'
import { answered, type Opened, type SentTranslation } from './opened.ts'
import { candidateLost, keyLost } from './second-look.ts'
import { sendOut } from './send-out.ts'
import type { Trail } from './trail.ts'

export interface PausedTurn {
  readonly opened: Opened
  readonly translation: SentTranslation
  /** Its answers so far, as blocks. */
  readonly said: readonly JsonObject[]
  /** Of the request that paused, alone. */
  readonly usage: Usage | null
}

/** The answer that goes on, or null: then the turn ends here. */
export type GoOn = (paused: PausedTurn) => Promise<Opened | null>

const wentOn = {
  outcome: 'done',
  because: 'paused',
  sentence: 'It paused its turn, and was asked to go on.',
} as const
const didNot = {
  outcome: 'failed',
  because: 'not-gone-on',
  sentence: 'It did not go on with its paused turn.',
} as const

export const goOnBy =
  (plan: Plan, call: Call, io: Exchange, trail: Trail, deps: FlowDeps): GoOn =>
  async ({ opened: paused, translation, said, usage }) => {
    const { candidate, aggregate } = paused
    const { dialect, request } = translation
    const pausedAt = deps.clock.elapsedMs()
    if (request.body === null) return null
    const { body } = await deps.translator.work('goOn', request.body, said)
    const view = deps.view()
    const isLost = keyLost(call.key, view) !== null || candidateLost(candidate, plan, view) !== null
    if (body === null || isLost || io.gone.aborted) return null
    const begun = begunNow(deps.clock)
    const next = { ...request, body: { pieces: [body], length: body.length } }
    const incoming = sendOut({ request: next, aggregate, dialect, translation }, view.settings.holdMs, io, deps)
    const { kind } = await incoming.arrival
    io.gone.removeEventListener('abort', incoming.abort)
    const opened = answered(candidate, incoming, begun, { aggregate, translation })
    if (kind === 'opened' && incoming.status < 300) {
      trail.executions.push({ ...execution(paused, pausedAt, wentOn), usage })
      return opened
    }
    incoming.abort()
    if (kind !== 'left') trail.executions.push(execution(opened, deps.clock.elapsedMs(), didNot))
    return null
  }
