/** What a translation between two dialects loses, as one list: the window, the command line and the docs show it (bridge §4). */
import type { Dialect } from '../domain/source.ts'
import type { Abilities } from './abilities.ts'
import type { KnownLoss } from './known-loss.ts'
import { answerLosses } from './losses-of-answers.ts'
import { callerLosses } from './losses-of-callers.ts'
import { detailLosses } from './losses-of-details.ts'
import { modelLosses } from './losses-of-models.ts'

/** In the order that people care: what is refused and left out before what only changes its form. */
const ranks: Readonly<Record<KnownLoss['action'], number>> = {
  refused: 0,
  dropped: 1,
  emulated: 2,
  moved: 3,
  clamped: 4,
}

export const allLosses: readonly KnownLoss[] = [...callerLosses, ...detailLosses, ...answerLosses, ...modelLosses].sort(
  (a, b) => ranks[a.action] - ranks[b.action],
)

/** Those that a request in `from` can meet at a model that is asked in `to`. */
export const knownLosses = (from: Dialect, to: Dialect, abilities: Abilities): readonly KnownLoss[] =>
  from === to
    ? []
    : allLosses.filter(
        (loss) => loss.from.includes(from) && loss.to.includes(to) && loss.when?.(abilities, to) !== false,
      )
