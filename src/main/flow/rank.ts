/** Ranking: tiers in order and, inside a tier, the pool's strategy; resting ones last; pure (routing §4). */
import { gateRules } from '../domain/gate.ts'
import type { Seat } from '../domain/seat.ts'
import type { Turn } from '../state/rounds.ts'
import type { StrategyOptions } from '../strategies/options.ts'
import { ordered } from '../strategies/ordered.ts'
import { findStrategy } from '../strategies/registry.ts'
import type { RoundState } from '../strategies/round-state.ts'
import { apply, fitFirst, type Strategy } from '../strategies/strategy.ts'
import { settle } from '../strategies/weighted.ts'
import type { Candidate, Possible } from './40-candidates.ts'
import { inListedOrder, listedBy } from './policy-order.ts'
import { seatKey, seatOf } from './seats.ts'
import type { View } from './view.ts'

export interface Chosen {
  readonly strategy: Strategy
  readonly options: StrategyOptions
  readonly warnings: readonly string[]
}

/** A stored strategy that isn't registered means listed order, and says so (routing §4). */
export function strategyOf({ policy, match }: Possible, view: View): Chosen {
  if (view.listedOnly === true) return { strategy: ordered, options: {}, warnings: [] }
  const own = strategyOfPolicy(policy) ?? match?.pool.strategy
  const id = own ?? view.settings.defaultStrategy
  const strategy = findStrategy(id)
  const options = strategyOfPolicy(policy) === null ? (match?.pool.options ?? {}) : {}
  if (strategy !== undefined) return { strategy, options, warnings: [] }
  return { strategy: ordered, options: {}, warnings: [`There is no strategy ${id}; your order stood.`] }
}

/** A pool's own, or a fallback's; the latter counts among the named accounts too, which stand first anyway. */
function strategyOfPolicy(policy: Possible['policy']): string | null {
  if (policy.mode === 'pool') return policy.strategy
  return policy.mode === 'preferred' && typeof policy.fallback === 'object' ? policy.fallback.strategy : null
}

interface TierAsked {
  readonly scope: string
  readonly next: RoundState
  /** What the strategy put first. */
  readonly picked: string
  readonly seats: ReadonlySet<string>
}

export interface Ranking {
  readonly candidates: readonly Candidate[]
  readonly seats: ReadonlyMap<Candidate, Seat>
  /** The tier that serves first, where its strategy was asked. */
  readonly asked: TierAsked | null
  readonly untrusted: boolean
  readonly failedOpen: boolean
}

/** Usable ones by tier and strategy, then the resting ones; those on overloaded hosts last of all. */
export function rank(all: readonly Candidate[], possible: Possible, chosen: Chosen, view: View): Ranking {
  const usable = ownerFirst(all, possible, chosen).map((candidate) => learnerGate(candidate, possible, chosen, view))
  const ready: Candidate[] = []
  const resting: Candidate[] = []
  const onRestingHosts: Candidate[] = []
  const seats = new Map<Candidate, Seat>()
  let asked: TierAsked | null = null
  let untrusted = false
  let failedOpen = false
  for (const [tier, members] of tiersOf(usable, possible)) {
    const serves = ready.length === 0
    const low: Candidate[] = []
    const found = orderTier(members, scopeOf(possible, tier), possible, chosen, view)
    for (const candidate of found.order) {
      if (candidate.resting === null) ready.push(candidate)
      else if (candidate.resting === 'low-headroom') low.push(candidate)
      else if (candidate.resting === 'host-resting') onRestingHosts.push(candidate)
      else resting.push(candidate)
    }
    // Better than a lower tier: a short conversation may still fit.
    ready.push(...low)
    members.forEach((candidate, index) => {
      const seat = found.seats[index]
      if (seat !== undefined) seats.set(candidate, seat)
    })
    failedOpen ||= found.failedOpen
    if (!serves || ready.length === 0) continue
    untrusted = found.untrusted
    asked = found.asked
  }
  return { candidates: [...ready, ...resting, ...onRestingHosts], seats, asked, untrusted, failedOpen }
}

/** The turn of the first tier, charged to whom the plan puts first: a binding may keep another than was picked. */
export function settled({ asked }: Ranking, kept: Candidate | undefined, view: View): Turn | null {
  if (asked === null) return null
  const { scope, next, picked, seats } = asked
  const key = kept === undefined ? null : seatKey(kept)
  const seat = key !== null && seats.has(key) ? key : null
  return { scope, next: settle(view.rounds.get(scope), next, picked, seat), seat, seats }
}

/** The last owner of a conversation that went cold may still read what it wrote: it wins ties (routing §5). */
function ownerFirst(candidates: readonly Candidate[], { remembered }: Possible, { strategy }: Chosen) {
  if (remembered == null || strategy.exact || !winsTies.has(strategy.id)) return candidates
  const isOwner = ({ backend }: Candidate): boolean => backend.source.id === remembered
  return [...candidates.filter(isOwner), ...candidates.filter((candidate) => !isOwner(candidate))]
}

/** Those that leave ties to the listed order; a round must not see its seats change places. */
const winsTies: ReadonlySet<string> = new Set([
  'smart',
  'least-used',
  'pace',
  'free-first',
  'reset-first',
  'quota-pressure',
  'balanced',
  'healthiest',
])

/** Strategies put an account of which nothing is known first: one request at a time until it answers (routing §7). */
function learnerGate(candidate: Candidate, { own, inherited }: Possible, { strategy }: Chosen, view: View): Candidate {
  const { source } = candidate.backend
  if (strategy.exact || candidate.resting !== null || source.id === (own ?? inherited)) return candidate
  if ((view.gates?.pending(source.id) ?? 0) < gateRules.learners || !seatOf(candidate, strategy, view).learns) {
    return candidate
  }
  return { ...candidate, resting: 'gate', sentence: 'One request is finding out what it has left.' }
}

/** A key's own set of accounts has no tiers, and the order of its list (access.md, "Route policy"). */
function tiersOf(
  candidates: readonly Candidate[],
  { policy }: Possible,
): readonly (readonly [number, readonly Candidate[]])[] {
  const listed = listedBy(policy)
  if (listed !== null) return candidates.length === 0 ? [] : [[0, inListedOrder(candidates, listed)]]
  const tiers = new Map<number, Candidate[]>()
  for (const candidate of candidates) {
    const members = tiers.get(candidate.tier)
    if (members === undefined) tiers.set(candidate.tier, [candidate])
    else members.push(candidate)
  }
  return [...tiers].sort(([a], [b]) => a - b)
}

/** A key with an order of its own has rounds of its own; models that nothing lists share one per address. */
function scopeOf({ ask, policy, match }: Possible, tier: number): string {
  const pool = match === null ? `unlisted ${ask.providerId}` : match.pool.id
  return policy.mode === 'default' ? `${pool}#${tier}` : `${pool}#${tier}@${ask.key.id}`
}

interface TierOrder {
  readonly order: readonly Candidate[]
  readonly seats: readonly Seat[]
  readonly asked: TierAsked | null
  readonly untrusted: boolean
  readonly failedOpen: boolean
}

function orderTier(
  members: readonly Candidate[],
  scope: string,
  { ask, suffix }: Possible,
  { strategy, options }: Chosen,
  view: View,
): TierOrder {
  const seats = members.map((candidate) => seatOf(candidate, strategy, view))
  if (seats.length < 2) return { order: members, seats, asked: null, untrusted: false, failedOpen: false }
  const applied = apply(strategy, scope, seats, view.nowMs, view.rounds.get(scope), options)
  const { untrusted, failedOpen, next } = applied
  const fits = strategy.exact ? null : members.map((candidate) => fitOf(candidate, ask.dialect, suffix))
  const order = fits === null ? applied.order : fitFirst(applied.order, seats, fits)
  const picked = seats[applied.order[0] ?? 0]?.key ?? ''
  return {
    order: order.map((index) => members[index]).filter((candidate) => candidate !== undefined),
    seats,
    asked: { scope, next, picked, seats: new Set(seats.map(({ key }) => key)) },
    untrusted,
    failedOpen,
  }
}

/** How well an API key fits the request: it speaks the dialect, and its model is the large-context one asked for. */
function fitOf({ backend }: Candidate, dialect: string, suffix: string): number {
  const speaks = backend.dialects.some((known) => known === dialect)
  const large = !suffix.includes('[1m]') || backend.upstreamModel.includes('[1m]')
  return Number(speaks) * 2 + Number(large)
}
