/**
 * A simulated month: a working person's traffic over six accounts, decided by the real stages 20 to 50 with real
 * bindings, readings, rests and rounds under a clock that is set by hand. Nothing but the vendors is made up.
 */
import type { CallRecord } from '../../src/main/domain/call.ts'
import type { CallDetail } from '../../src/main/domain/call-log.ts'
import { healthy } from '../../src/main/domain/health.ts'
import { defaultSettings } from '../../src/main/domain/settings.ts'
import type { Plan } from '../../src/main/flow/50-order.ts'
import { plan } from '../../src/main/flow/explain.ts'
import { seatKey } from '../../src/main/flow/seats.ts'
import { isBoundBy } from '../../src/main/flow/second-look.ts'
import { Refusal } from '../../src/main/flow/trail.ts'
import type { View } from '../../src/main/flow/view.ts'
import { Announcer } from '../../src/main/state/announcer.ts'
import { Bindings } from '../../src/main/state/bindings.ts'
import { Conditions } from '../../src/main/state/conditions.ts'
import { RecentUse } from '../../src/main/state/recent-use.ts'
import { Rounds } from '../../src/main/state/rounds.ts'
import { pictureOf } from '../../src/main/state/sources.ts'
import { sourceId } from '../../src/shared/ids.ts'
import { account, anyKey, arrangement, ask, backend, model, session } from '../flow/picture.ts'
import { random } from '../strategies/kit.ts'
import { type SimulatedCall, traffic } from './traffic.ts'
import { dayMs, type Entry, hourMs, SimulatedAccount, type WindowRule } from './vendor.ts'

/** A Monday, midnight UTC. */
export const startMs = Date.UTC(2026, 10, 2)
/** The published seed of traffic and chance. */
export const seed = 20_261_102
export const loads = [60, 90, 100, 120] as const

interface Plot {
  readonly id: string
  /** Tokens a week, in thousands. */
  readonly weekly: number
  /** When its week renews, in hours after the start; null: it begins with its first use. */
  readonly phaseHours: number | null
  readonly firstContentMs: number
}

/** Three accounts whose weeks renew at fixed times, three whose weeks begin with their first use. */
export const plots: readonly Plot[] = [
  { id: 'a', weekly: 8_000, phaseHours: 30, firstContentMs: 700 },
  { id: 'b', weekly: 2_000, phaseHours: null, firstContentMs: 500 },
  { id: 'c', weekly: 4_000, phaseHours: 82, firstContentMs: 900 },
  { id: 'd', weekly: 8_000, phaseHours: null, firstContentMs: 600 },
  { id: 'e', weekly: 2_000, phaseHours: 127, firstContentMs: 400 },
  { id: 'f', weekly: 4_000, phaseHours: null, firstContentMs: 800 },
]

const weekly = plots.reduce((sum, plot) => sum + plot.weekly * 1_000, 0)
/** A week's grant is worth six full five-hour windows, as with the vendors' plans roughly. */
const fiveHoursPerWeek = 6

const rulesOf = ({ weekly, phaseHours }: Plot): readonly WindowRule[] => [
  { name: 'five-hour', lengthMs: 5 * hourMs, granted: Math.round((weekly * 1_000) / fiveHoursPerWeek), phaseMs: null },
  {
    name: 'weekly',
    lengthMs: 7 * dayMs,
    granted: weekly * 1_000,
    phaseMs: phaseHours === null ? null : startMs + phaseHours * hourMs,
  },
]

export interface Month {
  readonly calls: number
  readonly refused: number
  /** A conversation went on with another account than the one that served it last. */
  readonly switches: number
  /** An account had not served the conversation within the last hour: its cache is not there. */
  readonly coldStarts: number
  /** Vendors' limits that were run into, call by call. */
  readonly limitsHit: number
  /** Tokens of all calls, and of those that were served. */
  readonly asked: number
  readonly served: number
  readonly books: ReadonlyMap<string, readonly Entry[]>
}

/** The cache of a conversation is gone after an hour. */
const cacheMs = hourMs
const pollEveryMs = 5 * 60_000
const pollAfterResetMs = 30_000

/** Told of each call as the log would keep it, for rehearsing what was simulated. */
export type Keep = (detail: CallDetail) => void

export function simulate(strategy: string, loadPercent: number, days: number, keep: Keep = () => {}): Month {
  const capacity = (weekly * days) / 7
  const calls = traffic({ seed, startMs, days, tokens: Math.round((capacity * loadPercent) / 100) })
  const world = new World(strategy, keep)
  for (const call of calls) world.take(call)
  return world.month(calls, startMs + days * dayMs)
}

class World {
  readonly #accounts = new Map(plots.map((plot) => [plot.id, new SimulatedAccount(plot.id, rulesOf(plot), startMs)]))
  readonly #picture: View['picture']
  readonly #bindings = new Bindings([], startMs)
  readonly #chance = random(seed + 1)
  readonly #rounds = new Rounds({ unit: this.#chance })
  readonly #recent = new RecentUse()
  readonly #keep: Keep
  readonly #conditions: Conditions
  readonly #warm = new Map<string, { readonly id: string; readonly atMs: number }>()
  #nowMs = startMs
  #refused = 0
  #switches = 0
  #coldStarts = 0
  #limitsHit = 0
  #served = 0

  constructor(strategy: string, keep: Keep) {
    this.#keep = keep
    const sources = plots.map(({ id, weekly }) => account(id, { weight: weekly / 2_000 }))
    this.#picture = pictureOf(
      sources,
      [arrangement([plots.map(({ id }) => id)], strategy)],
      ({ id }) => `https://${id}`,
    )
    const clock = { nowMs: () => this.#nowMs, elapsedMs: () => this.#nowMs, after: () => () => {} }
    const chance = { unit: this.#chance, bytes: (length: number) => new Uint8Array(length) }
    this.#conditions = new Conditions(healthy, new Map(), clock, chance, new Announcer())
  }

  take(call: SimulatedCall): void {
    this.#nowMs = call.atMs
    this.#poll()
    const found = plan(ask({ session: session(call.session) }), this.#view())
    const server = found instanceof Refusal ? null : this.#attempt(found, call)
    this.#keep(detailOf(call, found, server))
    if (server === null) {
      this.#refused += 1
      return
    }
    this.#served += call.tokens
    const last = this.#warm.get(call.session)
    if (last !== undefined && last.id !== server) this.#switches += 1
    if (last === undefined || last.id !== server || call.atMs - last.atMs > cacheMs) this.#coldStarts += 1
    this.#warm.set(call.session, { id: server, atMs: call.atMs })
  }

  month(calls: readonly SimulatedCall[], endMs: number): Month {
    return {
      calls: calls.length,
      refused: this.#refused,
      switches: this.#switches,
      coldStarts: this.#coldStarts,
      limitsHit: this.#limitsHit,
      asked: calls.reduce((sum, { tokens }) => sum + tokens, 0),
      served: this.#served,
      books: new Map([...this.#accounts].map(([id, one]) => [id, one.books(endMs)])),
    }
  }

  /** What the spine does with a plan: reserve, commit, try in turn, confirm or release. */
  #attempt(found: Plan, call: SimulatedCall): string | null {
    const key = session(call.session)
    if (found.turn !== null) this.#rounds.commit(found.turn)
    if (found.binds !== null) this.#bindings.reserve(key, found.binds, this.#nowMs)
    for (const candidate of found.order) {
      const { id } = candidate.backend.source
      const limit = this.#accounts.get(id)!.serve(call.tokens, this.#nowMs)
      this.#read(id, this.#nowMs, 'header')
      if (limit !== null) {
        this.#limitsHit += 1
        const { window, resetAtMs: untilMs } = limit
        this.#conditions.spend(id, [{ window, family: null, untilMs, sinceMs: this.#nowMs }])
        continue
      }
      if (found.turn !== null) this.#rounds.moveTo(found.turn, seatKey(candidate))
      if (isBoundBy(candidate, found)) this.#bindings.confirm(key, id, this.#nowMs)
      this.#recent.note(this.#record(id, call.tokens))
      return id
    }
    this.#bindings.release(key)
    return null
  }

  /** As the poller does: every five minutes by the clock, and half a minute after each reset. */
  #poll(): void {
    for (const [id, one] of this.#accounts) {
      const due = one.lastResetMs(this.#nowMs) + pollAfterResetMs
      const ticks = [Math.floor(this.#nowMs / pollEveryMs) * pollEveryMs, due <= this.#nowMs ? due : 0]
      const dueMs = Math.max(...ticks)
      const readAtMs = this.#conditions.quota.get(sourceId(id))?.readings[0]?.readAtMs ?? 0
      if (readAtMs < dueMs) this.#read(id, dueMs, 'poll')
    }
  }

  #read(id: string, atMs: number, source: 'header' | 'poll'): void {
    this.#conditions.read(sourceId(id), this.#accounts.get(id)!.readings(atMs, source))
  }

  #view(): View {
    return {
      nowMs: this.#nowMs,
      settings: defaultSettings,
      picture: this.#picture,
      health: this.#conditions.health,
      quota: this.#conditions.quota,
      bindings: this.#bindings,
      rounds: this.#rounds,
      recent: this.#recent,
      keys: new Map([[anyKey.id, anyKey]]),
      vaultOpen: true,
    }
  }

  /** What recent use reads of a finished call. */
  #record(id: string, tokens: number): CallRecord {
    const base = plots.find((plot) => plot.id === id)?.firstContentMs ?? 0
    const firstByteMs = Math.round(base * (0.7 + 0.6 * this.#chance()))
    const common = { sourceId: sourceId(id), backendId: backend(id), startedMs: this.#nowMs, totalMs: firstByteMs }
    const usage = { inputTokens: tokens, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 }
    return { ...common, outcome: 'done', firstByteMs, usage, executions: [{ ...common, outcome: 'done' }] } as never
  }
}

/** The call as the log keeps it, as far as a rehearsal reads it. */
function detailOf(call: SimulatedCall, found: Plan | Refusal, server: string | null): CallDetail {
  const refusal = found instanceof Refusal ? found : null
  const planned = found instanceof Refusal ? null : found
  const backendId = server === null ? null : backend(server)
  const usage = {
    inputTokens: call.tokens,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
  }
  const times = { startedMs: call.atMs, totalMs: 1_000, firstByteMs: 500 }
  const stored = {
    ...{ ...times, session: call.session, operation: 'generate', requestedModel: model, upstreamModel: model },
    outcome: server === null ? 'refused' : 'done',
    errorCode: refusal?.problem.code ?? null,
    backendId,
    sourceId: server,
    usage: server === null ? null : usage,
    cost: null,
  }
  const executions =
    server === null ? [] : [{ ...times, backendId, sourceId: server, outcome: 'done', because: 'done' }]
  const decision = {
    pool: planned?.match?.pool.id ?? null,
    strategy: planned?.strategy ?? null,
    reason: planned?.reason ?? null,
    seats: planned?.seats ?? [],
    excluded: planned?.excluded ?? refusal?.excluded ?? [],
  }
  return { call: stored, executions, decision } as never
}
