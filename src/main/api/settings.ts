/** Settings: read and changed, each change durable before it counts. */
import type { ApiDeps } from './api-deps.ts'
import { checkStrategy } from './check-strategy.ts'
import { members } from './implement.ts'

export function settings(deps: ApiDeps) {
  return {
    get: members.settings.get.handler(() => deps.settings()),
    set: members.settings.set.handler(({ input }) => {
      if (input.defaultStrategy !== undefined) checkStrategy(input.defaultStrategy)
      const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
      deps.changeSettings({ ...deps.settings(), ...given })
      return deps.settings()
    }),
  }
}
