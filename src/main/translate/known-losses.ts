/** What a translation between two dialects loses, as one list: the window, the command line and the docs show it (bridge §4). */
import type { Dialect } from '../domain/source.ts'
import type { Abilities } from './abilities.ts'
import type { Warning } from './losses.ts'
import { callerLosses } from './losses-of-callers.ts'
import { modelLosses } from './losses-of-models.ts'

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

/** In the order that people care: what is refused and left out before what only changes its form. */
const ranks: Readonly<Record<KnownLoss['action'], number>> = {
  refused: 0,
  dropped: 1,
  emulated: 2,
  moved: 3,
  clamped: 4,
}

export const allLosses: readonly KnownLoss[] = [...callerLosses, ...modelLosses].sort(
  (a, b) => ranks[a.action] - ranks[b.action],
)

/** Those that a request in `from` can meet at a model that is asked in `to`. */
export const knownLosses = (from: Dialect, to: Dialect, abilities: Abilities): readonly KnownLoss[] =>
  from === to
    ? []
    : allLosses.filter(
        (loss) => loss.from.includes(from) && loss.to.includes(to) && loss.when?.(abilities, to) !== false,
      )
