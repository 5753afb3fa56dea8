/**
 * Attempt: tries the plan's candidates in turn until one opens an answer, or gives up. Before the answer is opened
 * nothing has reached the client, so moving on is unseen; afterwards never another account (routing §6).
 */
import type { Problem } from '../../shared/errors.ts'
import type { BackendId } from '../../shared/ids.ts'
import type { Outcome } from '../domain/call.ts'
import type { Credential } from '../domain/credential.ts'
import type { Subject } from '../domain/health.ts'
import { failureOf } from '../domain/transport.ts'
import type { Exchange, UpstreamFailure } from '../ports.ts'
import { type Blamed, blamedIn } from '../translate/blamed.ts'
import type { Call } from './10-ingress.ts'
import type { Candidate } from './40-candidates.ts'
import type { Plan } from './50-order.ts'
import {
  accountRefusal,
  causedByAccount,
  holdsSecret,
  nothingTried,
  redirectRefusal,
  transportRefusal,
  whyNotSent,
} from './attempt-refusals.ts'
import { type Begun, begunNow, bodyText, execution, subjectOf } from './execution.ts'
import { plan as planOf } from './explain.ts'
import type { FlowDeps } from './flow-deps.ts'
import { type Leave, type Pass, passGate } from './gate-pass.ts'
import type { Arrival } from './incoming.ts'
import { judged, learn } from './judged.ts'
import { noteServed } from './note-served.ts'
import { answered, type Opened, staged, type Unanswered } from './opened.ts'
import { pause } from './pause.ts'
import { countedInstead, prepare } from './prepare.ts'
import { candidateLost, keyLost } from './second-look.ts'
import { sendOut } from './send-out.ts'
import { Refusal, type Staged, type Trail } from './trail.ts'
import type { View } from './view.ts'

export type { Opened, Unanswered } from './opened.ts'

export const attempt = (plan: Plan, call: Call, io: Exchange, trail: Trail, deps: FlowDeps) =>
  new Tries(plan, call, io, trail, deps).run()

/** Why the same account is asked once more. */
const whyAgain = {
  thoughts: ['foreign-history', 'It could not read thoughts of another account; they were left out.'],
  ttl: ['cache-ttl', 'It refused how long cache marks are kept; that was left out.'],
} as const

type Turn = Opened | Unanswered | 'next' | 'again' | 'stop'

class Tries {
  readonly #plan: Plan
  readonly #call: Call
  readonly #io: Exchange
  readonly #trail: Trail
  readonly #deps: FlowDeps
  readonly #queue: Candidate[]
  readonly #most: number
  #counted = 0
  #kept: Opened | null = null
  #problem: Refusal | null = null
  #reset = false
  #hopped = false
  #ambiguous = false
  #refreshed = new Set<BackendId>()
  #waited = new Set<BackendId>()
  /** What their vendor refused this request for: it is sent without. */
  #blamed = new Map<BackendId, readonly Blamed[]>()
  #rejected: Credential | null = null

  constructor(plan: Plan, call: Call, io: Exchange, trail: Trail, deps: FlowDeps) {
    this.#plan = plan
    this.#call = call
    this.#io = io
    this.#trail = trail
    this.#deps = deps
    this.#queue = [...plan.order]
    this.#most = deps.view().settings.attempts
  }

  async run(): Promise<Staged<Opened | Unanswered> | Refusal> {
    for (;;) {
      const candidate = this.#queue.shift()
      if (candidate === undefined || this.#counted >= this.#most) break
      let turn = await this.#turn(candidate)
      while (turn === 'again') turn = await this.#turn(candidate)
      if (turn === 'stop') break
      if (turn !== 'next') {
        this.#keep(null)
        return staged(turn, this.#trail)
      }
    }
    if (this.#kept !== null) return staged(this.#kept, this.#trail)
    if (this.#reset) return staged({ kind: 'reset' }, this.#trail)
    return this.#problem ?? nothingTried(this.#plan)
  }

  #turn(candidate: Candidate): Turn | Promise<Turn> {
    const io = this.#io
    const deps = this.#deps
    if (io.gone.aborted) return { kind: 'left' }
    const view = deps.view()
    const refusal = keyLost(this.#call.key, view)
    if (refusal !== null) return this.#giveUp(refusal)
    const lost = candidateLost(candidate, this.#plan, view)
    if (lost !== null) return this.#passOver(candidate, lost)
    const othersReady = this.#queue.some((other) => other.resting === null)
    const pass = passGate(candidate, othersReady, this.#plan, this.#trail, io, deps)
    const through = (passed: Pass): Turn | Promise<Turn> => {
      const leave = this.#passed(candidate, passed)
      return typeof leave === 'function' ? this.#try(candidate, view, leave) : leave
    }
    return pass instanceof Promise ? pass.then(through) : through(pass)
  }

  /** Beyond a shut gate another candidate comes first; this one is looked at again after it. */
  #passed(candidate: Candidate, pass: Pass): Leave | Turn {
    if (pass === 'left') return { kind: 'left' }
    if (pass === 'spent') {
      const now = planOf(this.#call, this.#deps.view())
      if (now instanceof Refusal) this.#problem ??= now
      return 'next'
    }
    if (pass !== 'elsewhere') return pass
    this.#queue.push({ ...candidate, resting: 'gate' })
    return 'next'
  }

  async #try(candidate: Candidate, view: View, leaveGate: Leave): Promise<Turn> {
    const io = this.#io
    const deps = this.#deps
    try {
      const giving = deps.credentials.credentialFor(candidate.backend.source, this.#rejected)
      this.#rejected = null
      const credential = giving instanceof Promise ? await giving : giving
      if (credential !== null && 'code' in credential) return this.#without(candidate, credential)
      const blamed = this.#blamed.get(candidate.backend.id) ?? []
      const making = prepare(this.#call, candidate, this.#plan, credential, blamed, deps)
      const sent = making instanceof Promise ? await making : making
      if (sent instanceof Refusal) {
        this.#problem ??= sent
        return this.#passOver(candidate, whyNotSent(sent))
      }
      if ('kind' in sent) return sent
      // The last moment: its turn and its token may have been waited for.
      if (io.gone.aborted) return { kind: 'left' }
      const lost = candidateLost(candidate, this.#plan, deps.view())
      if (lost !== null) return this.#passOver(candidate, lost)
      const begun = begunNow(deps.clock)
      deps.conditions.probe(candidate.backend.source.id)
      const incoming = sendOut(sent, view.settings.holdMs, io, deps)
      const arrival = await incoming.arrival
      io.gone.removeEventListener('abort', incoming.abort)
      if (arrival.kind === 'opened' && incoming.status < 300) leaveGate(true)
      const turn = this.#arrived(answered(candidate, incoming, begun, sent), arrival, credential)
      return turn instanceof Promise ? await turn : turn
    } finally {
      // Only once what a failure means is known to those who wait.
      leaveGate(false)
    }
  }

  #arrived(opened: Opened, arrival: Arrival, credential: Credential | null): Turn | Promise<Turn> {
    const { candidate, incoming } = opened
    switch (arrival.kind) {
      case 'left':
        this.#file(opened, 'client-left', 'client-left', 'The client left.')
        return { kind: 'left' }
      case 'opened':
        noteServed(opened, this.#subject(candidate), this.#call, this.#plan, this.#deps)
        return opened
      case 'broken':
        return this.#broken(opened, arrival.failure)
      case 'refused':
        return bodyText(incoming, this.#deps.inflate).then((body) =>
          this.#refused(opened, incoming.status, body, credential),
        )
      case 'failed-early':
        return this.#refused(opened, arrival.failure.status, arrival.failure.body, credential)
    }
  }

  #passOver(candidate: Candidate, because: string): 'next' {
    this.#trail.note({ stage: 'attempt', decision: candidate.backend.source.label, because })
    return 'next'
  }

  #giveUp(refusal: Refusal): 'stop' {
    this.#keep(null)
    this.#reset = false
    this.#problem = refusal
    return 'stop'
  }

  /** Nothing to send with: the account is told of as one that was tried. */
  #without(candidate: Candidate, found: Problem): 'next' {
    this.#problem = new Refusal(found, undefined, { excluded: this.#plan.excluded })
    const begun = { candidate, incoming: null, ...begunNow(this.#deps.clock) }
    this.#file(begun, 'refused', found.code.replaceAll('_', '-'), found.sentence)
    return 'next'
  }

  /** A connection that failed before anything was opened. */
  #broken(opened: Opened, failure: UpstreamFailure): Turn {
    const verdict = failureOf(failure, {
      operation: this.#call.operation,
      retryAmbiguous: this.#deps.view().settings.retryAmbiguous,
      alreadyAmbiguous: this.#ambiguous,
    })
    if (verdict.ambiguous) this.#ambiguous = true
    this.#counted += 1
    learn(opened, verdict, this.#deps)
    const outcome: Outcome = verdict.ambiguous ? 'unknown-outcome' : 'failed'
    this.#file(opened, outcome, verdict.because, verdict.sentence)
    // What is written in another dialect can't be passed on as a bare reset: its client gets a status.
    const code = verdict.code ?? (opened.translation === null ? null : 'upstream_lost_before_answer')
    this.#reset = code === null
    const host = this.#subject(opened.candidate).host
    if (code !== null) this.#problem = transportRefusal(code, failure, host, this.#call, this.#plan.excluded)
    return verdict.move === 'next' ? 'next' : 'stop'
  }

  /** A negative answer of the vendor, whole or as an event inside a 200 stream. */
  async #refused(opened: Opened, status: number, body: string, credential: Credential | null): Promise<Turn> {
    const { candidate, incoming } = opened
    const { source, id } = candidate.backend
    const blamed = blamedIn(status, body)
    if (blamed !== null && this.#blamed.get(id)?.includes(blamed) !== true) return this.#again(opened, blamed)
    const nowMs = this.#deps.clock.nowMs()
    const tried = { refreshed: this.#refreshed.has(id), waited: this.#waited.has(id), hopped: this.#hopped }
    const verdict = judged(opened, status, body, tried, nowMs)
    const counted = await countedInstead(this.#call, candidate, this.#plan, status, verdict.because, this.#deps)
    if (counted !== null) {
      incoming.abort()
      return counted
    }
    learn(opened, verdict, this.#deps)
    if (verdict.counts) this.#counted += 1
    const ours = causedByAccount.has(verdict.because)
    if (verdict.because === 'burst' && verdict.move === 'next') this.#hopped = true
    if (credential !== null && holdsSecret(body, credential)) return this.#withheld(opened)
    if (verdict.move === 'return') return { ...opened, refusal: verdict }
    this.#file(opened, 'failed', verdict.because, verdict.sentence)
    const redirected = status >= 300 && status < 400
    if (ours) this.#problem = accountRefusal(verdict.because, source.label, this.#plan.excluded)
    if (redirected) this.#problem = redirectRefusal(this.#subject(candidate).host, this.#plan.excluded)
    if (ours || redirected) incoming.abort()
    else this.#keep({ ...opened, filed: true })
    if (verdict.move === 'refresh') {
      this.#refreshed.add(candidate.backend.id)
      this.#rejected = credential
      return 'again'
    }
    if (verdict.move === 'same') {
      this.#waited.add(candidate.backend.id)
      return (await pause(this.#deps.clock, this.#io.gone, verdict.waitMs)) ? 'again' : { kind: 'left' }
    }
    return 'next'
  }

  /** Once more without what it can't take, such as thoughts that another account made; it is not this one's fault. */
  #again(opened: Opened, blamed: Blamed): Turn {
    opened.incoming.abort()
    const { id } = opened.candidate.backend
    this.#blamed.set(id, [...(this.#blamed.get(id) ?? []), blamed])
    if (blamed === 'ttl') this.#deps.notKeepingTtl.note(id)
    const [because, sentence] = whyAgain[blamed]
    this.#file(opened, 'failed', because, sentence)
    return 'again'
  }

  /** The last vendor answer is passed on if nobody answers better; it goes on arriving meanwhile. */
  #keep(opened: Opened | null): void {
    this.#kept?.incoming.abort()
    this.#kept = opened
  }

  /** An answer that repeats our credential never reaches the client (T7.4). */
  #withheld(opened: Opened): Turn {
    opened.incoming.abort()
    this.#file(opened, 'failed', 'credential-echoed', 'Its answer repeated the credential and was kept back.')
    this.#problem = accountRefusal('credential-echoed', opened.candidate.backend.source.label, this.#plan.excluded)
    return 'next'
  }

  #subject({ backend }: Candidate): Subject {
    return subjectOf(backend, this.#deps.view())
  }

  #file(begun: Begun, outcome: Outcome, because: string, sentence: string): void {
    const nowElapsed = this.#deps.clock.elapsedMs()
    this.#trail.executions.push(execution(begun, nowElapsed, { outcome, because, sentence }))
  }
}
