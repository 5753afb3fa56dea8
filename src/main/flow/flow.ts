/**
 * The spine: one client request as eight stages in order, one error exit, one record. Read `docs/architecture.md` for
 * the life cycle as a drawing.
 */
import type { CallId } from '../../shared/ids.ts'
import type { AccessKey } from '../domain/access-key.ts'
import type { Budget } from '../domain/budget.ts'
import type { Outcome } from '../domain/call.ts'
import type { Charges } from '../domain/charges.ts'
import type { ShadowRecord } from '../domain/decision.ts'
import type { Exchange } from '../ports.ts'
import { type AdmittedHead, admitHead, type Call, readCall } from './10-ingress.ts'
import { type Admitted, admit } from './20-admission.ts'
import { bind } from './30-session.ts'
import { candidates } from './40-candidates.ts'
import { order, type Plan } from './50-order.ts'
import type { Opened, Unanswered } from './60-attempt.ts'
import { deliver, deliverOwn } from './70-relay.ts'
import { record } from './80-record.ts'
import { debugRoutes } from './debug-routes.ts'
import type { Delivered } from './delivered.ts'
import type { Ending } from './ending.ts'
import type { FlowDeps } from './flow-deps.ts'
import { goOnBy } from './go-on.ts'
import { listModels } from './list-models.ts'
import type { OwnAnswer } from './opened.ts'
import { refusalAnswer } from './refusal-answer.ts'
import { callerOf } from './refused-caller.ts'
import { seatKey } from './seats.ts'
import { wouldHave } from './shadow.ts'
import { recoverable } from './socket/recoverable.ts'
import { Refusal, Trail } from './trail.ts'
import { attemptThrough, isHeld, whenRenewed } from './wait-for-reset.ts'

export async function flow(io: Exchange, deps: FlowDeps): Promise<void> {
  const trail = new Trail(() => deps.clock.elapsedMs())
  const journey = new Journey(io, trail, deps)
  try {
    const first = deps.view()
    const head = trail.keep(admitHead(io.head, first, deps.present)) //                    10, before one body byte
    if (head.kind !== 'admitted') return answerLocally(head, io, deps)
    const call = trail.keep(await readCall(head, io, first, journey.named(head), deps)) //      10
    journey.runs(call)
    const arrived = deps.view()
    const asked = trail.keep(admit(call, arrived)) //                                      20
    const waiting = journey.takeSlots(asked)
    const waited = waiting instanceof Promise && (await waiting)
    const view = waiting instanceof Promise ? deps.view() : arrived //                        one picture
    const admitted = waited ? trail.keep(admit(call, view)) : asked
    journey.charge(admitted)
    const bound = trail.keep(bind(admitted, view)) //                                      30
    const possible = trail.keep(candidates(bound, view)) //                                40
    if (call.operation === 'list' && listModels(possible, call, io, view)) return
    const planned = order(possible, view) //                                               50
    const plan = trail.keep(isHeld(planned, view) ? await whenRenewed(planned, call, io, trail, deps) : planned)
    journey.reserve(plan, wouldHave(call, view, deps.shadow))
    const tried = await attemptThrough(plan, call, io, trail, deps, (next) => journey.replan(next))
    const opened = trail.keep(recoverable(tried, plan, deps.turn)) //                      60
    if (opened.kind !== 'opened') return journey.unanswered(opened)
    journey.serves(opened)
    const delivering = deliver(opened, call, io, deps, goOnBy(plan, call, io, trail, deps)) // 70
    const delivered = delivering instanceof Promise ? await delivering : delivering
    trail.note({ stage: 'relay', decision: delivered.outcome, because: `${delivered.bytesOut} bytes` })
    journey.finish(delivered, delivered.release) //                                        80
  } catch (cause) {
    journey.refuse(cause) //                                                                  the one error exit
  }
}

function answerLocally(head: Exclude<HeadKind, AdmittedHead>, io: Exchange, deps: FlowDeps): void {
  if (head.kind === 'alive') deliverOwn(io, 200, ['content-length', '0'], '')
  else void debugRoutes(head, io, deps.view(), deps.digest).catch(() => io.cut())
}

type HeadKind = AdmittedHead | { readonly kind: 'alive' } | Parameters<typeof debugRoutes>[0]

/** What one request holds while it runs, given back exactly once: its slot, its reserved binding, its open row. */
class Journey {
  opened: Opened | null = null
  readonly #io: Exchange
  readonly #trail: Trail
  readonly #deps: FlowDeps
  #head: AdmittedHead | null = null
  #call: Call | null = null
  #plan: Plan | null = null
  #shadow: ShadowRecord | null = null
  #id: CallId | null = null
  #charges: Charges | null = null
  readonly #freeSlots: (() => void)[] = []

  constructor(io: Exchange, trail: Trail, deps: FlowDeps) {
    this.#io = io
    this.#trail = trail
    this.#deps = deps
  }

  /** What the call is named by from now on; its body is not here yet. */
  named(head: AdmittedHead): { readonly id: CallId; readonly startedMs: number } {
    this.#head = head
    const startedMs = this.#deps.clock.nowMs()
    const id = this.#deps.calls.nextId(startedMs)
    this.#id = id
    return { id, startedMs }
  }

  runs(call: Call): void {
    this.#call = call
    const { id, startedMs, providerId, operation, dialect, model: requestedModel } = call
    this.#deps.calls.begin({ id, startedMs, providerId, operation, dialect, requestedModel, keyId: call.key.id })
  }

  /**
   * Check 8: a key and a budget with a concurrency cap wait for their turn, always in this order. A promise only where
   * there is a cap; true: something was waited for.
   */
  takeSlots({ ask: { key }, charges: { keyBudget, budgets } }: Admitted): false | Promise<boolean> {
    const budget = keyBudget === null ? undefined : budgets.get(keyBudget)
    if (key.concurrency === null && (budget?.concurrency ?? null) === null) return false
    return this.#takeSlots(key, budget)
  }

  async #takeSlots(key: AccessKey, budget: Budget | undefined): Promise<boolean> {
    const keyWaited = await this.#takeSlot(key, `The access key ${key.label}`)
    return budget === undefined ? keyWaited : (await this.#takeSlot(budget, `The budget ${budget.label}`)) || keyWaited
  }

  async #takeSlot({ id, concurrency }: Pick<AccessKey | Budget, 'id' | 'concurrency'>, who: string): Promise<boolean> {
    if (concurrency === null) return false
    const taken = this.#deps.slots.take(id, concurrency, this.#io.gone)
    const free = await taken
    if (free === null) throw new Refusal('access_concurrency_exceeded', { who, limit: concurrency })
    this.#freeSlots.push(free)
    return typeof taken !== 'function'
  }

  /** Check 9: from here on its cost goes where it goes now. */
  charge({ charges }: Admitted): void {
    this.#charges = charges
  }

  reserve(plan: Plan, shadow: ShadowRecord | null): void {
    this.#plan = plan
    this.#shadow = shadow
    if (plan.turn !== null) this.#deps.rounds.commit(plan.turn)
    this.#bind(plan)
  }

  #bind(plan: Plan): void {
    const session = plan.ask.session
    if (session !== null && plan.binds !== null)
      this.#deps.bindings.reserve(session, plan.binds, this.#deps.clock.nowMs())
  }

  /** The accounts were waited for: the plan made since then counts, in the round that this request has taken. */
  replan(plan: Plan): void {
    this.#releaseBinding()
    this.#plan = plan
    this.#bind(plan)
  }

  /** An account answers: the round counts the request to the one that really took it. */
  serves(opened: Opened): void {
    this.opened = opened
    const turn = this.#plan?.turn ?? null
    if (turn !== null && !opened.filed) this.#deps.rounds.moveTo(turn, seatKey(opened.candidate))
  }

  unanswered(instead: Unanswered): void {
    if (instead.kind === 'own-answer') {
      this.#ownAnswer(instead)
      return
    }
    if (instead.kind === 'reset') this.#io.cut()
    const outcome = instead.kind === 'left' ? 'client-left' : 'unknown-outcome'
    this.finish({ outcome, status: null, usage: null, firstByteAt: null, bytesOut: 0 }, () => {})
  }

  #ownAnswer({ candidate, because, headers, body }: OwnAnswer): void {
    this.#trail.note({ stage: 'attempt', decision: candidate.backend.source.label, because })
    const release = (): void => {
      if (!this.#io.gone.aborted) deliverOwn(this.#io, 200, headers, body)
    }
    const firstByteAt = this.#deps.clock.elapsedMs()
    this.finish({ outcome: 'done', status: 200, usage: null, firstByteAt, bytesOut: body.length }, release)
  }

  /** Our own negative answer, or a fault of ours turned into one. */
  refuse(cause: unknown): void {
    const refusal = cause instanceof Refusal ? cause : this.#fault(cause)
    const reached = { head: this.#head, call: this.#call, callId: this.#id ?? '' }
    const answer = refusalAnswer(refusal, callerOf(refusal, this.#io.head, reached))
    const release = (): void => {
      if (this.#io.gone.aborted) return
      deliverOwn(this.#io, answer.status, answer.headers, answer.body)
    }
    const left = this.#io.gone.aborted
    this.finish(
      {
        outcome: left ? 'client-left' : 'refused',
        status: left ? null : refusal.problem.status,
        usage: null,
        firstByteAt: null,
        bytesOut: answer.body.length,
      },
      release,
      refusal,
    )
  }

  finish(end: FinishedPart, release: () => void, refusal: Refusal | null = null): void {
    this.#releaseBinding()
    // Only after the call is settled: who waits for the slot must see what is left of the budget.
    try {
      this.#record(end, release, refusal)
    } finally {
      for (const free of this.#freeSlots.splice(0)) free()
    }
  }

  #record(end: FinishedPart, release: () => void, refusal: Refusal | null): void {
    const call = this.#call
    if (call === null) {
      release()
      return
    }
    this.#call = null
    const firstByteMs =
      end.firstByteAt === null ? null : this.#trail.elapsedMs() - (this.#deps.clock.elapsedMs() - end.firstByteAt)
    const { status, usage, bytesOut } = end
    const outcome = brokenOff.has(end.outcome) && this.#deps.isBreakingOff() ? 'interrupted' : end.outcome
    const ending: Ending = {
      call,
      plan: this.#plan,
      opened: end.wentOn?.opened ?? this.opened,
      refusal,
      outcome,
      status,
      usage,
      lastUsage: end.wentOn === undefined ? usage : end.wentOn.usage,
      firstByteMs,
      bytesOut,
      shadow: this.#shadow,
      charges: this.#charges,
    }
    record(ending, this.#trail, this.#deps.clock.elapsedMs(), this.#deps.calls, release)
  }

  /** What was reserved and not confirmed by an answer goes back. */
  #releaseBinding(): void {
    const session = this.#plan?.ask.session ?? null
    if (session !== null && this.#plan?.binds != null) this.#deps.bindings.release(session)
  }

  #fault(cause: unknown): Refusal {
    const logId = this.#deps.log.fault('flow-failed', cause)
    if (this.opened !== null) this.#io.cut()
    return new Refusal('internal', { logId })
  }
}

/** Endings that are our own doing while the program ends (F50). */
const brokenOff: ReadonlySet<string> = new Set<Outcome>(['client-left', 'truncated', 'unknown-outcome'])

interface FinishedPart {
  readonly outcome: Ending['outcome']
  readonly status: number | null
  readonly usage: Ending['usage']
  /** Elapsed clock. */
  readonly firstByteAt: number | null
  readonly bytesOut: number
  readonly wentOn?: Delivered['wentOn']
}
