/** Why a call went where it went: reasons as data, enough to explain and to replay (routing §8). */
import type { BackendId, SourceId } from '../../shared/ids.ts'
import type { Reading } from './quota.ts'
import type { Seat } from './seat.ts'

/** Why a backend is never sent to. */
export type Exclusion =
  | 'disabled'
  | 'signed-out'
  | 'locked'
  | 'policy'
  | 'model-not-entitled'
  | 'genuine-client-only'
  | 'dialect-unbridgeable'
  | 'operation-unsupported'
  | 'no-price'
  | 'state-elsewhere'
  | `exhausted:${string}`

/** Why a backend is tried last. */
export type Resting =
  | 'cooldown'
  | 'host-resting'
  | 'not-running'
  | 'circuit-open'
  | 'burst'
  | 'gate'
  | 'reserve'
  | 'low-headroom'
  | 'billing'
  | 'account-refused'
  | 'key-rejected'

/** Why the first backend of a plan is first. */
export type ChoiceReason =
  | 'pinned'
  | 'affinity'
  | 'inherit'
  | 'failover'
  | 'rank'
  | 'only-candidate'
  | 'none-trustworthy'
  | `rebind:${string}`

/** One backend as the strategy saw it. */
export interface SeatRecord {
  readonly backendId: BackendId
  readonly label: string
  readonly tier: number
  readonly position: number
  readonly usable: boolean
  readonly because: string
  readonly usedPercent: number | null
  /** Its numbers as the strategy saw them; null when it wasn't asked. */
  readonly numbers: Seat | null
  /** Its windows that counted the model. */
  readonly windows: readonly Pick<Reading, 'window' | 'usedPercent' | 'resetAtMs' | 'lengthMs'>[]
}

export interface ExcludedRecord {
  readonly backendId: BackendId
  readonly label: string
  readonly because: string
  readonly sentence: string
  /** When it changes by itself, or null. */
  readonly untilMs: number | null
}

/** One stage's entry in the trail. */
export interface Step {
  readonly stage: 'ingress' | 'admission' | 'session' | 'candidates' | 'order' | 'attempt' | 'relay' | 'record'
  readonly decision: string
  readonly because: string
  /** Since the call began. */
  readonly elapsedMs: number
}

/** What routing would have done while listed order served. */
export interface ShadowRecord {
  readonly backendId: BackendId | null
  readonly label: string | null
  readonly strategy: string | null
  /** A choice's reason, or the code of a refusal. */
  readonly reason: string
  readonly order: readonly BackendId[]
}

export interface Decision {
  readonly pool: string | null
  readonly strategy: string | null
  readonly reason: ChoiceReason | null
  /** One sentence for the person. */
  readonly sentence: string
  /** The account that the policy or binding asked for, and the one that served. */
  readonly wanted: SourceId | null
  readonly actual: SourceId | null
  readonly seats: readonly SeatRecord[]
  readonly excluded: readonly ExcludedRecord[]
  readonly warnings: readonly string[]
  readonly trail: readonly Step[]
  /** Only in shadow mode. */
  readonly shadow?: ShadowRecord | undefined
}

/** The account that was wanted where another one served; null where the wanted one did, none was wanted or none served. */
export const stoodInFor = ({ wanted, actual }: Pick<Decision, 'wanted' | 'actual'>): SourceId | null =>
  actual === null || actual === wanted ? null : wanted
