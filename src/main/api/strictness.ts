/** Strictness of single pools and route rules: what a translation would leave out is refused there, or left out. */
import { isStrict, ownStrictness, withStrictness } from '../domain/settings.ts'
import type { ApiDeps } from './api-deps.ts'

/** Durable when it returns; nothing is written where nothing changes. */
export function setStrictness(poolId: string, strict: boolean | null, deps: ApiDeps) {
  const settings = deps.settings()
  if (ownStrictness(poolId, settings) !== strict) {
    deps.changeSettings(withStrictness(settings, poolId, strict))
    deps.announcer.changed('models')
  }
  return { strict, isStrict: isStrict(poolId, deps.settings()) }
}
