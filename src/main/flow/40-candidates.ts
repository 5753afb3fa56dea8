/** Candidates: every backend that could serve the ask, and a reason for each that can't; pure (routing §3, §6). */
import type { SourceId } from '../../shared/ids.ts'
import { type Backend, unlistedBackend } from '../domain/backend.ts'
import type { ExcludedRecord, Exclusion, Resting } from '../domain/decision.ts'
import type { Match, Place } from '../domain/pool.ts'
import type { Source } from '../domain/source.ts'
import type { Bound } from './30-session.ts'
import { stayAtLimit } from './at-limit.ts'
import { standing } from './standing.ts'
import { Refusal, type Staged } from './trail.ts'
import type { Ask, View } from './view.ts'

export interface Candidate extends Place {
  /** Null when usable now; otherwise why it is tried last. */
  readonly resting: Resting | null
  /** `exhausted:…` when its window is spent: sent to only when it stands alone. */
  readonly exhausted: `exhausted:${string}` | null
  readonly untilMs: number | null
  /** One sentence on its state, for seats and refusals. */
  readonly sentence: string
  /** Share used of the tightest window that counts the model, null when unknown. */
  readonly usedPercent: number | null
}

export interface Possible extends Bound {
  /** The pool that was matched; null for a list of models, which asks for none. */
  readonly match: Match | null
  readonly candidates: readonly Candidate[]
  readonly excluded: readonly ExcludedRecord[]
  /** What goes upstream behind the model's name. */
  readonly suffix: string
}

export function candidates(bound: Bound, view: View): Staged<Possible> | Refusal {
  const { ask } = bound
  if (!view.picture.addresses.has(ask.providerId)) return modelNotServed(ask, view)
  const found = placesFor(ask, view)
  if (found === null) return modelNotServed(ask, view)
  const { places, match } = found
  const possible: Candidate[] = []
  const excluded: ExcludedRecord[] = []
  for (const place of places) {
    const state = standing(place, bound, view)
    if (state.kind === 'excluded') {
      excluded.push(excludedRecord(place.backend, state.because, state.sentence, state.untilMs))
    } else {
      const { resting, exhausted, untilMs, sentence, usedPercent } = state
      possible.push({ ...place, resting, exhausted, untilMs, sentence, usedPercent })
    }
  }
  const step = {
    stage: 'candidates',
    decision: `${possible.length} of ${places.length}`,
    because: match !== null ? match.by : ask.operation === 'list' ? 'address' : 'unlisted-model',
  } as const
  const staying = stayAtLimit(possible, bound, view)
  return { value: { ...bound, match, candidates: staying, excluded, suffix: match?.suffix ?? '' }, step }
}

export function excludedRecord(
  backend: Backend,
  because: Exclusion,
  sentence: string,
  untilMs: number | null,
): ExcludedRecord {
  return { backendId: backend.id, label: backend.source.label, because, sentence, untilMs }
}

/** Those of a route rule, else of the pool, as far as the address reaches them; null when nothing lists the model and nothing takes it unlisted. */
function placesFor(ask: Ask, view: View): { readonly places: readonly Place[]; readonly match: Match | null } | null {
  const model = ask.model ?? defaultModel(ask, view)
  if (model === null) return ask.operation === 'list' ? { places: listPlaces(ask, view), match: null } : null
  const ruled = view.picture.routes.find(ask.providerId, model, ask.dialect)
  if (ruled !== null) return { places: ruled.pool.places, match: ruled }
  const match = view.picture.pools.find(model)
  const reached = match?.pool.places.filter((place) => reaches(place.backend, ask.providerId)) ?? []
  if (reached.length > 0) return { places: reached, match }
  const unlisted = takersOfUnlisted(ask, view).map((source, position) => ({
    backend: unlistedBackend(source, model),
    tier: 0,
    position,
    enabled: true,
  }))
  return unlisted.length === 0 ? null : { places: unlisted, match: null }
}

const reaches = (backend: Backend, providerId: string): boolean =>
  providerId === 'any' || backend.addresses.has(providerId)

/** Only for a request without a model: the default of the first active source at the address (routing §3). */
function defaultModel(ask: Ask, view: View): string | null {
  if (ask.operation === 'list' || ask.providerId === 'any') return null
  for (const backend of view.picture.backends) {
    if (!backend.source.active || !backend.addresses.has(ask.providerId)) continue
    return backend.source.defaultModel ?? backend.model
  }
  return null
}

/** A vendor's accounts take a model that no source lists, as written, so that it works on its first day. */
function takersOfUnlisted(ask: Ask, view: View): readonly Source[] {
  const all = [...view.picture.sources.values()]
  const pinned = view.picture.sources.get(ask.providerId as SourceId)
  if (pinned !== undefined) return pinned.type === 'subscription' ? [pinned] : []
  if (ask.providerId !== 'claude' && ask.providerId !== 'codex') return []
  return all.filter((source) => source.type === 'subscription' && source.provider === ask.providerId)
}

/** For the vendor's own model list: one place per account at the address. */
function listPlaces(ask: Ask, view: View): readonly Place[] {
  return takersOfUnlisted(ask, view).map((source, position) => ({
    backend: unlistedBackend(source, ''),
    tier: 0,
    position,
    enabled: true,
  }))
}

function modelNotServed(ask: Ask, view: View): Refusal {
  const reached = view.picture.backends.filter((backend) => reaches(backend, ask.providerId))
  const names = [...new Set(reached.map((backend) => backend.model))].slice(0, 12)
  return new Refusal('model_not_served', {
    model: ask.model ?? 'no model',
    served: names.length === 0 ? 'nothing yet; add a source first' : names.join(', '),
  })
}
