/** One thing that a translation between two dialects can lose (bridge §4). */
import type { Dialect } from '../domain/source.ts'
import type { Abilities } from './abilities.ts'
import type { Warning } from './losses.ts'

export interface KnownLoss {
  /** Stable, kebab-case; texts of other languages go by it. */
  readonly id: string
  /** What becomes of it; `dropped` is refused where the switch for strictness is on. */
  readonly action: Warning['action'] | 'refused'
  /** One sentence. */
  readonly sentence: string
  /** The codes that a call's warnings and refusals have for it; one that ends in `*` stands for all that begin so. */
  readonly codes: readonly string[]
  /** Clients' dialects in which it can be asked for. */
  readonly from: readonly Dialect[]
  /** Upstreams' dialects that have no place for it. */
  readonly to: readonly Dialect[]
  /** Absent: whatever the model can do. */
  readonly when?: (abilities: Abilities, to: Dialect) => boolean
}
