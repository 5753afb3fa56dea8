/** A strategy that somebody names must exist. */
import { PointsmanError } from '../../shared/errors.ts'
import { findStrategy, strategies } from '../strategies/registry.ts'

/** Null is the default strategy. */
export function checkStrategy(id: string | null): void {
  if (id === null || findStrategy(id) !== undefined) return
  const known = strategies.map((strategy) => strategy.id).join(', ')
  throw new PointsmanError('invalid_input', { why: `there is no strategy ${id}; there is ${known}` })
}
