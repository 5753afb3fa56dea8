/**
 * A turn that its vendor paused for a tool of its own goes on where it stopped: the same account is asked again, with
 * what it said so far (bridge §2.2). Everything is checked anew, as before any request.
 */
import type { Verdict } from '../domain/failure.ts'
import { failureOf } from '../domain/transport.ts'
import type { Usage } from '../domain/usage.ts'
import type { Exchange } from '../ports.ts'
import type { JsonObject } from '../translate/value.ts'
import type { Call } from './10-ingress.ts'
import type { Plan } from './50-order.ts'
import { begunNow, bodyText, execution, subjectOf } from './execution.ts'
import type { FlowDeps } from './flow-deps.ts'
import type { Arrival } from './incoming.ts'
import { judged, learn } from './judged.ts'
import { noteServed } from './note-served.ts'
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
    const arrival = await incoming.arrival
    io.gone.removeEventListener('abort', incoming.abort)
    const opened = answered(candidate, incoming, begun, { aggregate, translation })
    if (arrival.kind === 'opened' && incoming.status < 300) {
      noteServed(opened, subjectOf(candidate.backend, view), call, plan, deps)
      trail.executions.push({ ...execution(paused, pausedAt, wentOn), usage })
      return opened
    }
    const verdict = await verdictOn(arrival, opened, call, deps)
    incoming.abort()
    if (verdict === null) return null
    learn(opened, verdict, deps)
    trail.executions.push(execution(opened, deps.clock.elapsedMs(), didNot))
    return null
  }

/** Nothing is tried again; null when it was the client that left. */
async function verdictOn(arrival: Arrival, opened: Opened, call: Call, deps: FlowDeps): Promise<Verdict | null> {
  const tried = { refreshed: false, waited: false, hopped: false }
  const judge = (status: number, body: string) => judged(opened, status, body, tried, deps.clock.nowMs())
  switch (arrival.kind) {
    case 'broken':
      return failureOf(arrival.failure, { operation: call.operation, retryAmbiguous: false, alreadyAmbiguous: true })
    case 'failed-early':
      return judge(arrival.failure.status, arrival.failure.body)
    case 'left':
      return null
    default:
      return judge(opened.incoming.status, await bodyText(opened.incoming, deps.inflate))
  }
}
