/** Which clients a backend serves by translation, and what that loses. */
import type { Backend } from '../domain/backend.ts'
import { type Dialect, dialects, type Source } from '../domain/source.ts'
import { abilitiesOf } from '../flow/abilities-of.ts'
import { spokenDialect } from '../flow/spoken-dialect.ts'
import { knownLosses } from '../translate/known-losses.ts'

export interface Direction {
  readonly from: Dialect
  readonly to: Dialect
}

/** By client's dialect; an account that serves its vendor's own client only is never asked in another. */
export function translatesFrom(source: Source): readonly Direction[] {
  if (source.type === 'subscription' && source.serves !== 'any-client') return []
  return dialects.flatMap((from) => {
    const to = spokenDialect(source, { dialect: from, operation: 'generate' })
    return to === null || to === from ? [] : [{ from, to }]
  })
}

export const lossesAt = (backend: Backend) =>
  translatesFrom(backend.source).map(({ from, to }) => ({
    ...{ from, to },
    losses: knownLosses(from, to, abilitiesOf(backend, to)).map(({ id, action, sentence }) => ({
      id,
      action,
      sentence,
    })),
  }))
