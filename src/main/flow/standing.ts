/** Where one backend stands for one ask: excluded, resting, exhausted or usable; pure (routing §6, "Usable or not"). */

import type { RoutePolicy } from '../domain/access-key.ts'
import { hasPrice, isBillable, ownBudget } from '../domain/charges.ts'
import type { Exclusion, Resting } from '../domain/decision.ts'
import { isProbing, isResting } from '../domain/health.ts'
import type { Place } from '../domain/pool.ts'
import { blockingMark, emptySnapshot, leftPercent, modelFamily, type Snapshot } from '../domain/quota.ts'
import type { Source } from '../domain/source.ts'
import type { Bound } from './30-session.ts'
import { heldBack } from './held-back.ts'
import { spokenDialect, translatedWords } from './spoken-dialect.ts'
import type { Ask, View } from './view.ts'

export type Standing =
  | {
      readonly kind: 'excluded'
      readonly because: Exclusion
      readonly sentence: string
      readonly untilMs: number | null
    }
  | {
      readonly kind: 'possible'
      readonly resting: Resting | null
      readonly exhausted: `exhausted:${string}` | null
      readonly untilMs: number | null
      readonly sentence: string
      readonly usedPercent: number | null
    }

const excluded = (because: Exclusion, sentence: string, untilMs: number | null = null): Standing => ({
  kind: 'excluded',
  because,
  sentence,
  untilMs,
})

export function standing(place: Place, bound: Bound, view: View): Standing {
  const { ask, policy } = bound
  const { backend } = place
  const { source } = backend
  if (!place.enabled || !source.active) return excluded('disabled', 'Switched off.')
  if (!allowed(source, policy)) return excluded('policy', `Not among the accounts of the key ${ask.key.label}.`)
  if (source.type === 'subscription' && source.signedOut !== null) {
    return excluded('signed-out', `Signed out: ${source.signedOut.because}`)
  }
  if (source.credentialRef !== null && !view.vaultOpen) return excluded('locked', 'The vault is locked.')
  if (bound.tied?.strict === true && bound.tied.sourceId !== source.id) {
    return excluded('state-elsewhere', 'What the request builds on lies with another account.')
  }
  const served = servesAsk(source, ask)
  if (served !== null) return served
  const entitledAgainMs = view.health.notEntitled.get(backend.id)
  if (entitledAgainMs !== undefined && entitledAgainMs > view.nowMs) {
    return excluded('model-not-entitled', 'Its plan does not include this model.', entitledAgainMs)
  }
  const unpaid = moneyStanding(place, bound, view)
  if (unpaid !== null) return unpaid
  const snapshot = view.quota.get(source.id) ?? emptySnapshot
  const family = modelFamily(backend.upstreamModel)
  const usedPercent = tightest(snapshot, family, view.nowMs)
  const spent = exhaustion(source, snapshot, family, view.nowMs)
  if (spent !== null) return { kind: 'possible', resting: null, ...spent, usedPercent }
  const rest = restOf(source, view)
  if (rest !== null) return { kind: 'possible', exhausted: null, ...rest, usedPercent }
  const held = heldBack(source, snapshot, family, usedPercent, bound, view)
  if (held !== null) return { kind: 'possible', exhausted: null, ...held, usedPercent }
  const spoken = spokenDialect(source, ask) ?? ask.dialect
  const room = usedPercent === null ? 'Ready.' : `${Math.round(leftPercent(usedPercent))} % left.`
  const sentence = spoken === ask.dialect ? room : `${room} ${translatedWords(ask.dialect, spoken)}`
  return { kind: 'possible', resting: null, exhausted: null, untilMs: null, sentence, usedPercent }
}

export function allowed(source: Source, policy: RoutePolicy): boolean {
  switch (policy.mode) {
    case 'default':
      return true
    case 'strict':
    case 'pool':
      return policy.sources.includes(source.id)
    case 'preferred':
      if (policy.sources.includes(source.id) || policy.fallback === 'default') return true
      return policy.fallback !== 'none' && policy.fallback.sources.includes(source.id)
  }
}

function servesAsk(source: Source, ask: Ask): Standing | null {
  const spoken = spokenDialect(source, ask)
  if (spoken === null) {
    const why =
      ask.operation === 'compact'
        ? 'It can not compact this conversation.'
        : 'It speaks another dialect than this client.'
    return excluded('dialect-unbridgeable', why)
  }
  if (source.type === 'subscription') {
    if (source.serves === 'claude-code-only' && ask.claudeCodeMarks.length < 3) {
      return excluded('genuine-client-only', 'It serves genuine Claude Code only.')
    }
    if (source.serves === 'codex-only' && !ask.codexClient) {
      return excluded('genuine-client-only', 'It serves the Codex CLI only.')
    }
  }
  return null
}

/** Where a budget counts, nothing goes out that can't be put into money, or for which none is left; null: no bar. */
function moneyStanding({ backend }: Place, { ask, charges }: Bound, view: View): Standing | null {
  const own = ownBudget(backend)
  if (!isBillable(ask.operation) || view.budgets === undefined) return null
  if (own !== null) {
    const budget = view.budgets.all.get(own)
    if (budget === undefined || !budget.enabled) {
      return excluded('exhausted:budget', 'Its budget is switched off or gone.')
    }
    if (view.budgets.left(budget, view.nowMs) <= 0) {
      return excluded('exhausted:budget', 'Its budget is used up.', view.budgets.endsMs(budget, view.nowMs))
    }
  }
  const counts = own !== null || charges.keyBudget !== null
  if (!counts || hasPrice(backend, view.nowMs, view.settings.prices)) return null
  return excluded('no-price', `No price is known for ${backend.upstreamModel}.`)
}

interface Spending {
  readonly exhausted: `exhausted:${string}`
  readonly untilMs: number | null
  readonly sentence: string
}

/** A window that the vendor refused us on, or that was read as full and has not reset; null when there is room. */
function exhaustion(source: Source, snapshot: Snapshot, family: string | null, nowMs: number): Spending | null {
  if (source.type !== 'subscription') return null
  const mark = blockingMark(snapshot, family, nowMs)
  if (mark !== null) return spending(mark.window, mark.untilMs)
  if (source.maySpendBeyondPlan) return null
  const full = snapshot.readings.find(
    (reading) =>
      reading.usedPercent >= 100 &&
      (reading.family === null || reading.family === family) &&
      reading.resetAtMs !== null &&
      reading.resetAtMs > nowMs,
  )
  return full === undefined ? null : spending(full.window, full.resetAtMs)
}

const spending = (window: string, untilMs: number | null): Spending => ({
  exhausted: `exhausted:${window}`,
  untilMs,
  sentence: `${windowWords(window)} spent.`,
})

const words: Readonly<Record<string, string>> = {
  'five-hour': '5-hour window',
  weekly: 'Weekly window',
  monthly: 'Monthly window',
  unnamed: 'Usage limit',
}

/** A window's name as a person reads it. */
export function windowWords(window: string): string {
  const known = words[window]
  if (known !== undefined) return known
  const [base, family] = window.split(':')
  const named = family === undefined ? undefined : `${words[base ?? ''] ?? base} (${family})`
  return named ?? `Window ${window}`
}

interface RestingState {
  readonly resting: Resting
  readonly untilMs: number | null
  readonly sentence: string
}

function restOf(source: Source, view: View): RestingState | null {
  const { health, nowMs } = view
  const rest = health.sources.get(source.id)
  const circuit = health.circuits.get(source.id)
  const host = health.hosts.get(view.picture.origins.get(source.id) ?? '')
  if (isResting(rest, nowMs)) {
    const resting = rest.because === 'unreachable' ? 'not-running' : rest.because
    return { resting, untilMs: rest.untilMs, sentence: rest.sentence }
  }
  if (isProbing(circuit, nowMs)) {
    return { resting: 'circuit-open', untilMs: null, sentence: 'One trial request is under way.' }
  }
  if (isResting(host, nowMs)) return { resting: 'host-resting', untilMs: host.untilMs, sentence: host.sentence }
  return null
}

/** Share used of the fullest window that counts the model and has not passed its reset. */
function tightest(snapshot: Snapshot, family: string | null, nowMs: number): number | null {
  let most: number | null = null
  for (const reading of snapshot.readings) {
    if (reading.family !== null && reading.family !== family) continue
    if (reading.resetAtMs !== null && reading.resetAtMs <= nowMs) continue
    if (most === null || reading.usedPercent > most) most = reading.usedPercent
  }
  return most
}
