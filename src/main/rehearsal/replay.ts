/** Where each logged call would have gone under another order, strategy or threshold; pure (routing §8). */
import { allowanceOf, noAllowance } from '../domain/allowance.ts'
import type { Reading } from '../domain/quota.ts'
import type { Seat } from '../domain/seat.ts'
import { bindingRules } from '../domain/session.ts'
import { Rounds } from '../state/rounds.ts'
import type { StrategyOptions } from '../strategies/options.ts'
import { ordered } from '../strategies/ordered.ts'
import { findStrategy } from '../strategies/registry.ts'
import { apply, type Strategy } from '../strategies/strategy.ts'
import { settle } from '../strategies/weighted.ts'
import type { LoggedCall, LoggedSeat } from './logged-call.ts'
import type { RehearsedUse } from './rehearsed-use.ts'
import type { WindowBooks } from './window-books.ts'

export interface Variation {
  /** Null: the strategy that each call had. */
  readonly strategy: string | null
  /** Null: those of each pool. */
  readonly options: StrategyOptions | null
  /** Null: every pool. */
  readonly poolId: string | null
  /** The pool's backends in another order; null: as they stood. */
  readonly tiers: readonly (readonly string[])[] | null
  /** New conversations skip an account with less than this left in its tightest window. */
  readonly newSessionMinRemaining: number
}

interface Contender {
  readonly seat: Seat
  readonly logged: LoggedSeat
  readonly tier: number
  readonly position: number
  readonly spent: boolean
}

export class Replay {
  readonly #variation: Variation
  readonly #books: WindowBooks
  readonly #use: RehearsedUse
  readonly #rounds = new Rounds({ unit: spread() })
  readonly #bound = new Map<string, { readonly sourceId: string; readonly atMs: number }>()
  readonly #places = new Map<string, { readonly tier: number; readonly position: number }>()

  constructor(variation: Variation, books: WindowBooks, use: RehearsedUse) {
    this.#variation = variation
    this.#books = books
    this.#use = use
  }

  /** False for calls that the variation leaves as they were. */
  isFree({ fixed, pool, seats }: LoggedCall): boolean {
    const { poolId } = this.#variation
    return !fixed && seats.length > 0 && (poolId === null || poolId === pool)
  }

  /** The backend that would have served, or null; bindings and rounds go on from here. */
  choose(call: LoggedCall): string | null {
    for (const { backendId, place } of call.seats) if (place !== null) this.#places.set(backendId, place)
    const { picked, binds } = this.#pick(call)
    if (picked !== null) this.#remember(call, binds ? picked.logged.sourceId : null)
    return picked?.logged.backendId ?? null
  }

  /** A call that the variation leaves as it was binds its conversation all the same. */
  served(call: LoggedCall, sourceId: string): void {
    this.#remember(call, sourceId)
  }

  /** Null: served elsewhere for once, or on no trustworthy ground; the conversation stays where it was, and warm. */
  #remember({ session, atMs }: LoggedCall, sourceId: string | null): void {
    if (session === null) return
    const to = sourceId ?? this.#bound.get(session)?.sourceId
    if (to !== undefined) this.#bound.set(session, { sourceId: to, atMs })
  }

  #pick(call: LoggedCall): { readonly picked: Contender | null; readonly binds: boolean } {
    const { strategy, options } = this.#strategyFor(call)
    const contenders = this.#contenders(call, strategy)
    const usable = contenders.filter(({ spent }) => !spent)
    const bound = call.session === null ? undefined : this.#bound.get(call.session)
    const isWarm = bound !== undefined && call.atMs - bound.atMs <= bindingRules.warmMs
    const own = isWarm ? bound.sourceId : null
    const kept = usable.find(({ logged, seat }) => logged.sourceId === own && !seat.resting && !hasFailed(call, logged))
    const ranked = this.#rank(call, usable, own === null, strategy, options)
    const picked = kept ?? ranked.order.find(({ logged }) => !hasFailed(call, logged)) ?? null
    ranked.commit(picked)
    const isAway = kept === undefined && contenders.some(({ logged }) => logged.sourceId === own)
    return { picked, binds: !isAway && !(own === null && ranked.untrusted) }
  }

  #strategyFor({ strategy, pool }: LoggedCall): { readonly strategy: Strategy; readonly options: StrategyOptions } {
    const id = this.#variation.strategy ?? strategy ?? ordered.id
    return { strategy: findStrategy(id) ?? ordered, options: this.#variation.options ?? this.#use.options(pool) }
  }

  /** Ready ones by tier and strategy, those with little left at the end of their tier, resting ones last. */
  #rank(call: LoggedCall, usable: readonly Contender[], isNew: boolean, strategy: Strategy, options: StrategyOptions) {
    const ready: Contender[] = []
    const resting: Contender[] = []
    let commit: (picked: Contender | null) => void = () => {}
    let untrusted = false
    const tiers = [...new Set(usable.map(({ tier }) => tier))].sort((a, b) => a - b)
    for (const tier of tiers) {
      const members = usable.filter((one) => one.tier === tier).sort((a, b) => a.position - b.position)
      const scope = `${call.pool}#${tier}`
      const seats = members.map(({ seat }) => seat)
      const state = this.#rounds.get(scope)
      const applied = apply(strategy, scope, seats, call.atMs, state, options)
      const sorted = applied.order.map((index) => members[index]).filter((one) => one !== undefined)
      const fine = sorted.filter(({ seat }) => !seat.resting && !(isNew && this.#isLow(seat)))
      const low = sorted.filter(({ seat }) => !seat.resting && isNew && this.#isLow(seat))
      const first = ready.length === 0 && fine.length + low.length > 0 && seats.length > 1
      ready.push(...fine, ...low)
      resting.push(...sorted.filter(({ seat }) => seat.resting))
      if (!first) continue
      untrusted = applied.untrusted
      commit = (picked) => {
        const own = members.find((one) => one === picked)?.seat.key ?? null
        const next = settle(state, applied.next, sorted[0]?.seat.key ?? '', own)
        this.#rounds.commit({ scope, next, seat: own, seats: new Set(seats.map(({ key }) => key)) })
      }
    }
    return { order: [...ready, ...resting], commit, untrusted }
  }

  #isLow({ known, used }: Seat): boolean {
    return known && 100 - used < this.#variation.newSessionMinRemaining
  }

  #contenders(call: LoggedCall, strategy: Strategy): readonly Contender[] {
    return call.seats.map((logged, index) => {
      const place = this.#placeOf(logged.backendId, index)
      const names = logged.place === null ? null : logged.windows.map(({ window }) => window)
      const reckoned = this.#books.would(logged.sourceId, names)
      const windows = reckoned.length > 0 ? reckoned : logged.windows
      const seat = this.#seat(call, logged, windows, strategy)
      const full = windows.some(({ usedPercent }) => usedPercent >= 100)
      const spent = !seat.credits && full
      return { seat, logged, ...place, spent }
    })
  }

  #placeOf(backendId: string, index: number): { readonly tier: number; readonly position: number } {
    const { tiers } = this.#variation
    const known = this.#places.get(backendId) ?? { tier: 0, position: 1_000 + index }
    if (tiers === null) return known
    for (const [tier, members] of tiers.entries()) {
      const position = members.indexOf(backendId)
      if (position >= 0) return { tier, position }
    }
    // As in an arrangement: what it doesn't name follows in its last tier.
    return { tier: tiers.length - 1, position: 10_000 + known.tier * 1_000 + known.position }
  }

  #seat(call: LoggedCall, logged: LoggedSeat, windows: LoggedSeat['windows'], strategy: Strategy): Seat {
    const { numbers, backendId, sourceId } = logged
    const account = numbers?.account ?? windows.length > 0
    const known = numbers?.known ?? windows.length > 0
    const provider = numbers?.maxAgeMs === 3_600_000 ? 'claude' : 'codex'
    const readings: readonly Reading[] = windows.map((window) => ({
      ...window,
      family: null,
      source: 'estimate',
      readAtMs: known ? call.atMs : 0,
    }))
    const allowance = account ? allowanceOf({ provider }, { readings, spent: [] }, null, call.atMs) : noAllowance
    return {
      ...allowance,
      key: backendId,
      account,
      weight: this.#use.weight(sourceId) ?? numbers?.weight ?? 1,
      resting: logged.state === 'resting',
      tokens: strategy.byUse ? this.#use.tokens(sourceId, call.atMs) : 0,
      free: strategy.byFree && this.#use.isFree(backendId),
      credits: numbers?.credits ?? false,
      firstContentMs: strategy.byLatency ? this.#use.firstContentMs(backendId, call.atMs) : null,
      failures: strategy.byFailures ? this.#use.failures(sourceId, call.atMs) : 0,
    }
  }
}

const hasFailed = ({ failed }: LoggedCall, { backendId }: LoggedSeat): boolean => failed.has(backendId)

/** Evenly spread numbers instead of chance, so that a rehearsal comes out the same each time. */
function spread(): () => number {
  let drawn = 0
  return () => {
    drawn += 1
    return (drawn * 0.6180339887498949) % 1
  }
}
