/** Quota windows, as measured. */
import { announcements } from './announcements.ts'
import type { ApiDeps } from './api-deps.ts'
import { members } from './implement.ts'
import { mustGetAccount } from './source-view.ts'
import { windowsOf } from './stand.ts'

export function quota(deps: ApiDeps) {
  return {
    windows: members.quota.windows.handler(({ input }) => {
      const asked = input?.sourceId
      const sources = asked === undefined ? deps.sources.all() : [mustGetAccount(deps, asked)]
      const view = deps.view()
      return sources.flatMap((source) =>
        windowsOf(source, view).map((window) => ({ sourceId: source.id as string, ...window })),
      )
    }),
    changed: members.quota.changed.handler(async function* ({ signal }) {
      // Whoever listens has the quotas before their eyes: Claude's are read only then (routing §7).
      const stop = deps.poller.watch()
      try {
        yield* announcements('quota', deps, signal)
      } finally {
        stop()
      }
    }),
  }
}
