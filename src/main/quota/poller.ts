/**
 * Reads the usage of subscription accounts when the schedule says so: one timer, one read at a time, never in the way
 * of a call. What was read last stays until something newer is known; a read that fails is never an auth error.
 */
import { type Problem, problem } from '../../shared/errors.ts'
import type { SourceId } from '../../shared/ids.ts'
import type { Credential } from '../domain/credential.ts'
import { isResting } from '../domain/health.ts'
import type { Account, Source } from '../domain/source.ts'
import { utcMinute } from '../domain/verdict.ts'
import type { Chance, Clock, Log, Web } from '../ports.ts'
import type { HostOverrides } from '../providers/index.ts'
import type { Conditions } from '../state/conditions.ts'
import { readUsage, type UsageRead } from './read-usage.ts'
import {
  afterFailure,
  afterSuccess,
  manualWaitMs,
  neverPolled,
  nextPoll,
  type PollHistory,
  type PollPlan,
  pollRules,
} from './schedule.ts'

export interface PollerDeps {
  readonly clock: Clock
  readonly chance: Chance
  readonly log: Log
  readonly web: Web
  readonly hosts: HostOverrides
  readonly conditions: Conditions
  readonly sources: {
    all(): readonly Source[]
    get(id: SourceId): Source | undefined
    save(source: Source): void
  }
  tokenFor(source: Source): Promise<Credential | Problem | null>
  vaultOpen(): boolean
}

/** New marks and newly opened windows are noticed within this. */
const longestSleepMs = 15_000
const longestJitterMs = 3_000

export class Poller {
  readonly #deps: PollerDeps
  readonly #histories = new Map<SourceId, PollHistory>()
  #watchers = 0
  #cancel: () => void = () => {}
  #busy = false
  #closed = true
  #idle: () => void = () => {}

  constructor(deps: PollerDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#closed = false
    this.#arm(0)
  }

  /** Resolves once a read that is under way has ended; it is bounded by its own timeout. */
  async close(): Promise<void> {
    this.#closed = true
    this.#cancel()
    if (this.#busy) await new Promise<void>((resolve) => (this.#idle = resolve))
  }

  /** Somebody looks at the quotas; the returned function ends that. */
  watch(): () => void {
    this.#watchers += 1
    this.#arm(0)
    let ended = false
    return () => {
      if (!ended) this.#watchers -= 1
      ended = true
    }
  }

  /** After sleep or a jump of the clock: what is due is read, each account at most once, not all at one instant. */
  jumped(): void {
    this.#arm(this.#deps.chance.unit() * longestJitterMs)
  }

  /** A refresh by hand; null when it was read. */
  async refresh(id: SourceId): Promise<Problem | null> {
    const account = this.#deps.sources.get(id)
    if (account?.type !== 'subscription') return problem('not_found', { what: `account ${id}` })
    const { label } = account
    const unreadable = (why: string): Problem => problem('usage_unreadable', { label, why })
    const refused = whyNotPolled(account)
    if (refused !== null) return unreadable(refused)
    const nowMs = this.#deps.clock.nowMs()
    const history = this.#history(id)
    const waitMs = manualWaitMs(history, nowMs)
    if (waitMs > pollRules.manualGapMs) return unreadable(`its vendor asks to wait until ${utcMinute(nowMs + waitMs)}`)
    if (waitMs > 0) return problem('too_soon', { seconds: pollRules.manualGapMs / 1_000 })
    this.#histories.set(id, { ...history, lastManualMs: nowMs })
    const read = await this.#read(account)
    return read.kind === 'failed' ? unreadable(read.why) : null
  }

  /** Reads at once, whatever the schedule says: after the person has changed something that only a read can show. */
  async readNow(id: SourceId): Promise<void> {
    const account = this.#deps.sources.get(id)
    if (account?.type === 'subscription' && whyNotPolled(account) === null) await this.#read(account)
  }

  /** What comes next for an account, for the window; null when nothing is planned. */
  planFor(account: Account): PollPlan | null {
    if (!account.active || account.signedOut !== null || whyNotPolled(account) !== null) return null
    const { conditions, clock } = this.#deps
    const nowMs = clock.nowMs()
    const rest = conditions.health.sources.get(account.id)
    const subject = {
      provider: account.provider,
      snapshot: conditions.snapshot(account.id),
      longRest:
        isResting(rest, nowMs) && (rest.untilMs === null || rest.untilMs - nowMs >= pollRules.longRestMs - 60_000),
      watched: this.#watchers > 0,
    }
    return nextPoll(subject, this.#history(account.id), nowMs)
  }

  #history(id: SourceId): PollHistory {
    return this.#histories.get(id) ?? neverPolled
  }

  #arm(delayMs: number): void {
    if (this.#closed || this.#busy) return
    this.#cancel()
    this.#cancel = this.#deps.clock.after(delayMs, () => void this.#tick())
  }

  async #tick(): Promise<void> {
    if (this.#closed || this.#busy) return
    this.#busy = true
    try {
      const due = this.#next(this.#deps.clock.nowMs())
      if (due !== null) await this.#read(due)
    } catch (cause) {
      this.#deps.log.fault('usage-poll-failed', cause)
    } finally {
      this.#busy = false
      this.#idle()
    }
    const nextMs = this.#soonestMs() ?? Number.POSITIVE_INFINITY
    const waitMs = nextMs - this.#deps.clock.nowMs()
    this.#arm(Math.min(longestSleepMs, Math.max(waitMs, 50)))
  }

  /** The account that has waited longest for its read. */
  #next(nowMs: number): Account | null {
    let chosen: { readonly account: Account; readonly atMs: number } | null = null
    for (const { account, atMs } of this.#plans()) {
      if (atMs <= nowMs && (chosen === null || atMs < chosen.atMs)) chosen = { account, atMs }
    }
    return chosen?.account ?? null
  }

  #soonestMs(): number | null {
    const times = this.#plans().map((plan) => plan.atMs)
    return times.length === 0 ? null : Math.min(...times)
  }

  #plans(): readonly { readonly account: Account; readonly atMs: number }[] {
    if (!this.#deps.vaultOpen()) return []
    return this.#deps.sources.all().flatMap((source) => {
      const plan = source.type === 'subscription' ? this.planFor(source) : null
      return source.type !== 'subscription' || plan === null ? [] : [{ account: source, atMs: plan.atMs }]
    })
  }

  async #read(account: Account): Promise<UsageRead> {
    const { clock, chance, log } = this.#deps
    const read = await this.#ask(account)
    const nowMs = clock.nowMs()
    const history = this.#history(account.id)
    if (read.kind === 'failed') {
      log.info('usage-unread', { source: account.id, why: read.why })
      const { limited, retryAfterMs } = read
      this.#histories.set(account.id, afterFailure(history, limited, retryAfterMs, nowMs, chance.unit()))
    } else {
      this.#histories.set(account.id, afterSuccess(history, nowMs))
      this.#take(account.id, read)
    }
    return read
  }

  async #ask(account: Account): Promise<UsageRead> {
    const credential = await this.#deps.tokenFor(account)
    const failed = (why: string): UsageRead => ({ kind: 'failed', why, limited: false, retryAfterMs: null })
    // An empty token would count against the endpoint's limiter (claude §4.1).
    if (credential === null) return failed('it has no login')
    if ('code' in credential) return failed(credential.code.replaceAll('_', ' '))
    const { web, hosts, clock } = this.#deps
    return readUsage(account, credential, { web, hosts, nowMs: () => clock.nowMs() })
  }

  /** The account may have been removed, signed out or changed while the answer was on its way. */
  #take(id: SourceId, { report }: Extract<UsageRead, { kind: 'report' }>): void {
    const { sources, conditions, clock } = this.#deps
    const account = sources.get(id)
    if (account?.type !== 'subscription' || account.signedOut !== null) return
    const { plan } = report.facts
    if (plan !== null && plan !== account.plan) {
      if (account.plan !== null) {
        conditions.forgetWindows(id)
        conditions.lift(id)
      }
      sources.save({ ...account, plan, updatedAtMs: clock.nowMs() })
    }
    conditions.report(id, report)
  }
}

/** Accounts whose usage can't be read at all; a setup token lacks the scope (claude §4.1, 403). */
const whyNotPolled = (account: Account): string | null =>
  account.custody === 'setup-token' && account.provider === 'claude'
    ? 'a setup token may not read it; the answers’ own headers tell it instead'
    : null
