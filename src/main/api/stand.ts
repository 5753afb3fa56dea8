/** Where a source, or one backend, stands now for a client that fits it: the words of the lists. */

import { keyId } from '../../shared/ids.ts'
import type { AccessKey } from '../domain/access-key.ts'
import { type Backend, unlistedBackend } from '../domain/backend.ts'
import { uncharged } from '../domain/charges.ts'
import type { Place } from '../domain/pool.ts'
import { emptySnapshot, isSpent, windowState } from '../domain/quota.ts'
import { addressesOf, type Dialect, dialectsOf, type Source } from '../domain/source.ts'
import { allClaudeCodeMarks } from '../flow/explain-ask.ts'
import { standing } from '../flow/standing.ts'
import type { Ask, View } from '../flow/view.ts'

/** A key that allows everything: for questions that are not about a key. */
export const anyKey: AccessKey = {
  id: keyId('any'),
  label: 'any',
  preview: '',
  state: 'active',
  expiresAtMs: null,
  policy: { mode: 'default' },
  providers: null,
  models: null,
  operations: null,
  serviceTiers: null,
  concurrency: null,
  budgetId: null,
  createdAtMs: 0,
  updatedAtMs: 0,
}

/** What the source's own client would ask. */
function fittingAsk(source: Source, dialect: Dialect): Ask {
  return {
    providerId: addressesOf(source)[0] ?? source.id,
    dialect,
    operation: 'generate',
    model: null,
    serviceTier: null,
    key: anyKey,
    session: null,
    parents: [],
    interactive: true,
    claudeCodeMarks: allClaudeCodeMarks,
    codexClient: true,
  }
}

export interface Stand {
  readonly usable: boolean
  /** `ready`, or the kebab-case reason why not. */
  readonly because: string
  readonly sentence: string
  readonly untilMs: number | null
  readonly usedPercent: number | null
}

export function standOf(place: Place, view: View): Stand {
  const { source } = place.backend
  const ask = fittingAsk(source, dialectsOf(source)[0] ?? 'responses')
  const charges = uncharged(view.nowMs)
  const bound = { ask, policy: { mode: 'default' }, charges, own: null, inherited: null } as const
  const found = standing(place, bound, view)
  if (found.kind === 'excluded') {
    const { because, sentence, untilMs } = found
    return { usable: false, because, sentence, untilMs, usedPercent: null }
  }
  const { resting, exhausted, sentence, untilMs, usedPercent } = found
  const because = resting ?? exhausted
  return { usable: because === null, because: because ?? 'ready', sentence, untilMs, usedPercent }
}

export type SourceState = 'ready' | 'resting' | 'signed-out' | 'locked' | 'inactive'

/** The source as a whole: only what stops every model of it counts. */
export function sourceStateOf(source: Source, view: View) {
  // No model, so no price is asked for.
  const backend: Backend = { ...unlistedBackend(source, ''), free: true }
  const stand = standOf({ backend, tier: 0, position: 0, enabled: true }, view)
  return { state: stateWord(stand), because: stand.sentence, untilMs: stand.untilMs }
}

/** These keep new conversations away, or some of them for a moment; the account itself is well. */
const choosy: ReadonlySet<string> = new Set(['low-headroom', 'reserve', 'gate'])

function stateWord({ usable, because }: Stand): SourceState {
  if (usable || choosy.has(because)) return 'ready'
  if (because === 'disabled') return 'inactive'
  return because === 'signed-out' || because === 'locked' ? because : 'resting'
}

/** Measured windows, and those that only a refusal tells of. */
export function windowsOf(source: Source, view: View) {
  if (source.type !== 'subscription') return []
  const { nowMs } = view
  const { readings, spent } = view.quota.get(source.id) ?? emptySnapshot
  const measured = readings.map((reading) => ({
    window: reading.window,
    usedPercent: reading.usedPercent,
    resetAtMs: reading.resetAtMs,
    family: reading.family,
    source: reading.source,
    ageMs: Math.max(0, nowMs - reading.readAtMs),
    state: windowState(reading, spent, source.provider, nowMs),
  }))
  const refused = spent
    .filter((mark) => isSpent(mark, nowMs) && !readings.some(({ window }) => window === mark.window))
    .map((mark) => ({
      window: mark.window,
      usedPercent: null,
      resetAtMs: mark.untilMs,
      family: mark.family,
      source: 'refusal' as const,
      ageMs: Math.max(0, nowMs - mark.sinceMs),
      state: 'spent' as const,
    }))
  return [...measured, ...refused]
}
