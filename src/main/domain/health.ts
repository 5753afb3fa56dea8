/** Rests: why a source, a host or one model on a source is left alone for a while, and until when (routing §6). */
import type { BackendId, SourceId } from '../../shared/ids.ts'
import type { UsageReport } from './quota.ts'

export const restCauses = [
  'cooldown',
  'burst',
  'host-resting',
  'billing',
  'account-refused',
  'key-rejected',
  'unreachable',
] as const
export type RestCause = (typeof restCauses)[number]

/** Times are absolute wall-clock ms so that a restart keeps them. */
export interface Rest {
  readonly because: RestCause
  readonly sinceMs: number
  /** Null: no timer; lifted by evidence or by the user. */
  readonly untilMs: number | null
  /** How many failures in a row led here; sets the next length. */
  readonly failures: number
  /** One sentence for the person. */
  readonly sentence: string
}

/** Breaker of one source: only the fields that are valid in each state. */
export type Circuit =
  | { readonly kind: 'closed'; readonly failuresAtMs: readonly number[] }
  | { readonly kind: 'open'; readonly sinceMs: number; readonly probeAtMs: number; readonly opened: number }
  | { readonly kind: 'half-open'; readonly probeSinceMs: number; readonly opened: number }

export interface Health {
  readonly sources: ReadonlyMap<SourceId, Rest>
  /** Keyed by scheme and authority: an overloaded host isn't the account's fault. */
  readonly hosts: ReadonlyMap<string, Rest>
  /** (account, model) pairs the vendor says aren't entitled; until when. */
  readonly notEntitled: ReadonlyMap<BackendId, number>
  readonly circuits: ReadonlyMap<SourceId, Circuit>
  readonly lastFailureMs: ReadonlyMap<SourceId, number>
}

export const healthy: Health = {
  sources: new Map(),
  hosts: new Map(),
  notEntitled: new Map(),
  circuits: new Map(),
  lastFailureMs: new Map(),
}

/** What a failed or finished attempt does to health. Produced by `failure.ts`, applied here. */
export type HealthEffect =
  | {
      readonly kind: 'source-rests'
      readonly because: RestCause
      readonly untilMs: number | null
      readonly sentence: string
    }
  | { readonly kind: 'host-rests'; readonly sentence: string }
  | { readonly kind: 'source-failed'; readonly sentence: string }
  | { readonly kind: 'not-entitled' }
  /** Something answers where nothing did. */
  | { readonly kind: 'runs-again' }
  | { readonly kind: 'served' }

export const restRules = {
  hostFirstMs: 5_000,
  hostLongestMs: 60_000,
  sourceFirstMs: 5_000,
  sourceLongestMs: 5 * 60_000,
  spread: 0.2,
  failuresToOpen: 3,
  failureWindowMs: 60_000,
  longestProbeMs: 60_000,
  notEntitledMs: 60 * 60_000,
  degradedMs: 5 * 60_000,
} as const

/** 5 s · 2ⁿ up to a cap, spread by ± 20 %; `unit` is a random number in [0, 1). */
export function restLength(firstMs: number, longestMs: number, failures: number, unit: number): number {
  const plain = Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 20))
  return Math.round(plain * (1 + restRules.spread * (2 * unit - 1)))
}

export interface Subject {
  readonly sourceId: SourceId
  readonly backendId: BackendId
  readonly host: string
}

/** Health after one effect; the input is left as it was. */
export function applyEffect(
  health: Health,
  subject: Subject,
  effect: HealthEffect,
  nowMs: number,
  unit: number,
): Health {
  switch (effect.kind) {
    case 'served':
      return served(health, subject)
    case 'runs-again':
      return runsAgain(health, subject)
    case 'not-entitled':
      return {
        ...health,
        notEntitled: withEntry(health.notEntitled, subject.backendId, nowMs + restRules.notEntitledMs),
      }
    case 'host-rests': {
      const failures = (health.hosts.get(subject.host)?.failures ?? 0) + 1
      const untilMs = nowMs + restLength(restRules.hostFirstMs, restRules.hostLongestMs, failures, unit)
      const rest: Rest = { because: 'host-resting', sinceMs: nowMs, untilMs, failures, sentence: effect.sentence }
      return { ...health, hosts: withEntry(health.hosts, subject.host, rest) }
    }
    case 'source-rests': {
      const { because, untilMs, sentence } = effect
      const rest: Rest = { because, sinceMs: nowMs, untilMs, failures: 1, sentence }
      return failedAt({ ...health, sources: withEntry(health.sources, subject.sourceId, rest) }, subject, nowMs)
    }
    case 'source-failed':
      return sourceFailed(health, subject, effect.sentence, nowMs, unit)
  }
}

function served(health: Health, { sourceId, host, backendId }: Subject): Health {
  const untouched =
    !health.sources.has(sourceId) &&
    !health.hosts.has(host) &&
    !health.circuits.has(sourceId) &&
    !health.notEntitled.has(backendId)
  if (untouched) return health
  return {
    ...health,
    sources: without(health.sources, sourceId),
    hosts: without(health.hosts, host),
    circuits: without(health.circuits, sourceId),
    notEntitled: without(health.notEntitled, backendId),
  }
}

/** Lifts what its not running had led to, and nothing else: a busy or failing server answers too. */
function runsAgain(health: Health, { sourceId, host }: Subject): Health {
  if (health.sources.get(sourceId)?.because !== 'unreachable') return health
  return { ...health, sources: without(health.sources, sourceId), hosts: without(health.hosts, host) }
}

function sourceFailed(health: Health, subject: Subject, sentence: string, nowMs: number, unit: number): Health {
  const failures = (health.sources.get(subject.sourceId)?.failures ?? 0) + 1
  const untilMs = nowMs + restLength(restRules.sourceFirstMs, restRules.sourceLongestMs, failures, unit)
  const rest: Rest = { because: 'cooldown', sinceMs: nowMs, untilMs, failures, sentence }
  const circuit = afterFailure(health.circuits.get(subject.sourceId), untilMs, nowMs)
  const next = {
    ...health,
    sources: withEntry(health.sources, subject.sourceId, rest),
    circuits: withEntry(health.circuits, subject.sourceId, circuit),
  }
  return failedAt(next, subject, nowMs)
}

/** Three failures within 60 s open the circuit; a failed probe opens it again (routing §6). */
function afterFailure(circuit: Circuit | undefined, probeAtMs: number, nowMs: number): Circuit {
  if (circuit !== undefined && circuit.kind !== 'closed') {
    return { kind: 'open', sinceMs: nowMs, probeAtMs, opened: circuit.opened + 1 }
  }
  const recent = (circuit?.failuresAtMs ?? []).filter((atMs) => nowMs - atMs < restRules.failureWindowMs)
  const failuresAtMs = [...recent, nowMs]
  if (failuresAtMs.length < restRules.failuresToOpen) return { kind: 'closed', failuresAtMs }
  return { kind: 'open', sinceMs: nowMs, probeAtMs, opened: 1 }
}

/** The one half-open request: the circuit of a source whose probe is due lets it through and waits. */
export function beginProbe(health: Health, sourceId: SourceId, nowMs: number): Health {
  const circuit = health.circuits.get(sourceId)
  if (circuit === undefined || circuit.kind === 'closed' || isProbing(circuit, nowMs)) return health
  if (circuit.kind === 'open' && circuit.probeAtMs > nowMs) return health
  const probing: Circuit = { kind: 'half-open', probeSinceMs: nowMs, opened: circuit.opened }
  return { ...health, circuits: withEntry(health.circuits, sourceId, probing) }
}

/** A trial request is under way; one that never came back stops counting after a while. */
export const isProbing = (circuit: Circuit | undefined, nowMs: number): boolean =>
  circuit?.kind === 'half-open' && nowMs - circuit.probeSinceMs < restRules.longestProbeMs

/** Lifts every rest of a source on evidence: a new sign-in, a new key, a reading with room, the user's wish. */
export function liftRests(health: Health, sourceId: SourceId): Health {
  return { ...health, sources: without(health.sources, sourceId), circuits: without(health.circuits, sourceId) }
}

/** Rests that a limit explains; a failing host or a broken login is no matter of limits. */
const limitCauses: ReadonlySet<RestCause> = new Set(['burst', 'billing', 'account-refused'])
/** A refusal is believed this long although usage shows room: the endpoint may lag (codex §4.5). */
const believedMs = 60_000

/** Ends a limit's rest when a usage read taken well after it shows room everywhere (field-reports 6, 7). */
export function liftLimitRest(health: Health, sourceId: SourceId, report: UsageReport, nowMs: number): Health {
  const rest = health.sources.get(sourceId)
  if (rest === undefined || !limitCauses.has(rest.because) || nowMs - rest.sinceMs < believedMs) return health
  const counting = report.readings.filter((reading) => reading.family === null)
  const hasRoom = counting.length > 0 && counting.every((reading) => reading.usedPercent < 100)
  return hasRoom && report.spent.every((mark) => mark.family !== null) ? liftRests(health, sourceId) : health
}

/** Forgets what a model refresh or a new plan makes void. */
export function forgetEntitlements(health: Health, sourceId: SourceId): Health {
  const notEntitled = new Map([...health.notEntitled].filter(([id]) => !id.startsWith(`${sourceId}:`)))
  return { ...health, notEntitled }
}

export const isResting = (rest: Rest | undefined, nowMs: number): rest is Rest =>
  rest !== undefined && (rest.untilMs === null || rest.untilMs > nowMs)

export type HealthState = 'unknown' | 'healthy' | 'degraded' | 'unhealthy'

/** The word CLO shows for a backend. `everServed` tells unknown from healthy. */
export function healthState(health: Health, sourceId: SourceId, everServed: boolean, nowMs: number): HealthState {
  const circuit = health.circuits.get(sourceId)
  if (circuit?.kind === 'open' || circuit?.kind === 'half-open') return 'unhealthy'
  const failedMs = health.lastFailureMs.get(sourceId)
  if (failedMs !== undefined && nowMs - failedMs < restRules.degradedMs) return 'degraded'
  return everServed ? 'healthy' : 'unknown'
}

const failedAt = (health: Health, { sourceId }: Subject, nowMs: number): Health => ({
  ...health,
  lastFailureMs: withEntry(health.lastFailureMs, sourceId, nowMs),
})

function withEntry<K, V>(map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> {
  return new Map(map).set(key, value)
}

function without<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  if (!map.has(key)) return map
  const copy = new Map(map)
  copy.delete(key)
  return copy
}
