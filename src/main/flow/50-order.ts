/** Order: a usable binding first, else tiers and, inside a tier, the pool's strategy; with reasons; pure (routing §4, §5). */
import type { SourceId } from '../../shared/ids.ts'
import type { ChoiceReason, ExcludedRecord, SeatRecord } from '../domain/decision.ts'
import { utcMinute } from '../domain/verdict.ts'
import type { Turn } from '../state/rounds.ts'
import { ordered } from '../strategies/ordered.ts'
import { type Candidate, excludedRecord, type Possible } from './40-candidates.ts'
import { inListedOrder, preferredOf } from './policy-order.ts'
import { rank, settled, strategyOf } from './rank.ts'
import { seatRecords } from './seats.ts'
import { Refusal, type Staged } from './trail.ts'
import type { View } from './view.ts'

export interface Plan extends Possible {
  readonly order: readonly Candidate[]
  readonly reason: ChoiceReason
  readonly strategy: string
  /** The account that the binding or the policy asked for. */
  readonly wanted: SourceId | null
  /** The account to bind this conversation to, or null when it isn't bound by this call. */
  readonly binds: SourceId | null
  readonly seats: readonly SeatRecord[]
  /** What this request does to its pool's round, committed by the spine once; null when no round was asked. */
  readonly turn: Turn | null
  /** What the person should know of the strategy, in sentences. */
  readonly warnings: readonly string[]
}

export function order(possible: Possible, view: View): Staged<Plan> | Refusal {
  const usable = possible.candidates.filter((candidate) => candidate.exhausted === null)
  const spent = possible.candidates.filter((candidate) => candidate.exhausted !== null)
  if (possible.tied?.strict === true && usable.length === 0) return stateElsewhere(possible, view)
  if (usable.length === 0) return spent.length === 1 ? alone(possible, spent, view) : nothing(possible, view)
  const chosen = strategyOf(possible, view)
  const ranking = rank(usable, possible, chosen, view)
  const preferred = preferredFirst(ranking.candidates, possible)
  const choice = choose(preferred, possible, ranking.untrusted)
  const excluded = [...possible.excluded, ...spent.map(spentRecord)]
  const plan: Plan = {
    ...possible,
    excluded,
    order: choice.order,
    reason: choice.reason,
    strategy: chosen.strategy.id,
    wanted: choice.wanted,
    binds: choice.binds,
    seats: seatRecords(choice.order, ranking.seats, view),
    turn: settled(ranking, choice.order[0], view),
    warnings: [
      ...chosen.warnings,
      ...(ranking.failedOpen ? ['The strategy gave no valid order; yours stood.'] : []),
      ...fallbackWords(choice.order[0], possible, excluded),
    ],
  }
  const first = choice.order[0]?.backend.source.label ?? ''
  return { value: plan, step: { stage: 'order', decision: first, because: choice.reason } }
}

/** The only backend there is, although its window is spent: it is still asked, as if there were no router. */
function alone(possible: Possible, spent: readonly Candidate[], view: View): Staged<Plan> {
  const [only] = spent
  const plan: Plan = {
    ...possible,
    order: spent,
    reason: 'only-candidate',
    strategy: ordered.id,
    wanted: null,
    binds: null,
    seats: seatRecords(spent, new Map(), view),
    turn: null,
    warnings: [],
  }
  const step = { stage: 'order', decision: only?.backend.source.label ?? '', because: 'only-candidate' } as const
  return { value: plan, step }
}

/** Under a `preferred` policy the named accounts stand before their fallback, as long as they can serve now. */
function preferredFirst(ranked: readonly Candidate[], possible: Possible): readonly Candidate[] {
  const { policy } = possible
  if (policy.mode !== 'preferred') return ranked
  const named = ranked.filter(({ resting, backend }) => resting === null && policy.sources.includes(backend.source.id))
  return [...inListedOrder(named, policy.sources), ...ranked.filter((candidate) => !named.includes(candidate))]
}

/** Why a key's preferred account isn't the one that is tried first. */
function fallbackWords(first: Candidate | undefined, possible: Possible, excluded: Plan['excluded']) {
  const { policy, candidates } = possible
  const wanted = preferredOf(possible)
  if (policy.mode !== 'preferred' || first === undefined || wanted === null) return []
  if (policy.sources.includes(first.backend.source.id)) return []
  const resting = candidates.find(({ backend, exhausted }) => backend.source.id === wanted && exhausted === null)
  const out = excluded.find(({ backendId }) => backendId.startsWith(`${wanted}:`))
  const label = resting?.backend.source.label ?? out?.label ?? wanted
  const why = resting?.resting == null ? out?.sentence : resting.sentence
  return [`Fallback: ${label} was wanted. ${why ?? 'This conversation is bound to another account.'}`]
}

interface Choice {
  readonly order: readonly Candidate[]
  readonly reason: ChoiceReason
  readonly wanted: SourceId | null
  readonly binds: SourceId | null
}

/** The table of routing §5: what a binding, or a parent's, does to the ranking. */
function choose(ranked: readonly Candidate[], possible: Possible, untrusted: boolean): Choice {
  const { own, inherited, tied, ask } = possible
  const first = ranked[0]
  const firstSource = first?.backend.source.id ?? null
  const wantedByPolicy = preferredOf(possible)
  if (first?.backend.source.id === ask.providerId) {
    return { order: ranked, reason: 'pinned', wanted: firstSource, binds: null }
  }
  const bindsFirst = ask.session === null ? null : firstSource
  const unbound: ChoiceReason = possible.moved
    ? 'rebind:moved-by-user'
    : ranked.length === 1
      ? 'only-candidate'
      : 'rank'
  const target = tied?.sourceId ?? own ?? inherited
  if (target === null && untrusted) {
    return { order: ranked, reason: 'none-trustworthy', wanted: wantedByPolicy, binds: null }
  }
  if (target === null) return { order: ranked, reason: unbound, wanted: wantedByPolicy, binds: bindsFirst }
  const bound = possible.candidates.find((candidate) => candidate.backend.source.id === target)
  const inRanking = ranked.find((candidate) => candidate.backend.source.id === target && candidate.resting === null)
  if (inRanking !== undefined) {
    const reordered = [inRanking, ...ranked.filter((candidate) => candidate !== inRanking)]
    const reason: ChoiceReason = possible.moved
      ? 'rebind:moved-by-user'
      : target === inherited && own === null
        ? 'inherit'
        : 'affinity'
    // State of one turn that was made elsewhere doesn't move the conversation.
    const binds = ask.session === null || (own !== null && own !== target) ? null : target
    return { order: reordered, reason, wanted: target, binds }
  }
  if (own === null) return { order: ranked, reason: unbound, wanted: wantedByPolicy, binds: bindsFirst }
  // A rule for one model of a conversation (its small one) says nothing about the account of the others.
  if (bound === undefined && isRuledElsewhere(own, possible)) {
    return { order: ranked, reason: unbound, wanted: wantedByPolicy, binds: null }
  }
  // Temporarily unusable: elsewhere for this request, the binding is kept.
  if (bound !== undefined) return { order: ranked, reason: 'failover', wanted: own, binds: null }
  return { order: ranked, reason: `rebind:${lossOf(own, possible)}`, wanted: own, binds: bindsFirst }
}

/** A route rule gave the places, and none of them is on the bound account. */
function isRuledElsewhere(own: SourceId, { match }: Possible): boolean {
  if (match === null || !match.by.startsWith('route:')) return false
  return match.pool.places.every(({ backend }) => backend.source.id !== own)
}

/** Why a bound account can't come back for this ask. */
function lossOf(own: SourceId, possible: Possible): string {
  const record = possible.excluded.find((excluded) => excluded.backendId.startsWith(`${own}:`))
  return record?.because ?? 'removed'
}

/** The vendor's own recoverable error follows: nobody else has what the request builds on (routing §5). */
function stateElsewhere(possible: Possible, view: View): Refusal {
  const id = possible.tied?.sourceId ?? null
  const label = id === null ? 'another account' : (view.picture.sources.get(id)?.label ?? 'an account that is gone')
  const excluded = [...possible.excluded, ...possible.candidates.map(spentRecord)]
  return new Refusal('state_elsewhere', { label }, { excluded })
}

const spentRecord = (candidate: Candidate): ExcludedRecord =>
  excludedRecord(candidate.backend, candidate.exhausted ?? 'disabled', candidate.sentence, candidate.untilMs)

/** Nothing can serve: one clear error that names labels, why not each, and the earliest change (routing §6). */
function nothing(possible: Possible, view: View): Refusal {
  const { ask, policy } = possible
  const excluded = [...possible.excluded, ...possible.candidates.map(spentRecord)]
  const visible = excluded.filter((record) => record.because !== 'policy')
  const why = visible.map((record) => `${record.label}: ${record.sentence.replace(/\.$/, '')}`).join('; ')
  const model = ask.model ?? 'this request'
  const untilMs = earliest(visible)
  const retryAfterMs = untilMs === null ? null : Math.max(1_000, untilMs - view.nowMs)
  const detail = { retryAfterMs, excluded }
  if (visible.length > 0 && visible.every((record) => record.because === 'no-price')) {
    return new Refusal('billing_price_unavailable', { model }, detail)
  }
  if (policy.mode === 'strict') {
    return new Refusal(
      'upstream_binding_unavailable',
      { why: why === '' ? 'it does not serve this model' : why },
      detail,
    )
  }
  const allSpent = visible.length > 0 && visible.every((record) => record.because.startsWith('exhausted:'))
  if (allSpent) {
    const when = untilMs === null ? 'its limit is lifted' : utcMinute(untilMs)
    return new Refusal('all_exhausted', { model, why, when }, detail)
  }
  return new Refusal('none_available', { model, why: why === '' ? 'the key allows none' : why }, detail)
}

function earliest(records: readonly ExcludedRecord[]): number | null {
  const times = records.map((record) => record.untilMs).filter((untilMs) => untilMs !== null)
  return times.length === 0 ? null : Math.min(...times)
}
