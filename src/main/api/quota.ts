/** Quota windows, as measured. */
import { announcements } from './announcements.ts'
import type { ApiDeps } from './api-deps.ts'
import { calendar, forecasts, waste } from './foresight.ts'
import { members } from './implement.ts'
import { resetCreditsOf, spendResetOf } from './resets.ts'
import { mustGetAccount } from './source-view.ts'
import { windowsOf } from './stand.ts'

const weekMs = 7 * 86_400_000
const mostSamples = 5_000

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
    history: members.quota.history.handler(({ input: { sourceId: id, window, fromMs, toMs } }) => {
      const untilMs = toMs ?? deps.clock.nowMs()
      const range = { sourceId: mustGetAccount(deps, id).id, window, fromMs: fromMs ?? untilMs - weekMs, toMs: untilMs }
      return deps.quotaLog.quotaSamples({ ...range, limit: mostSamples })
    }),
    forecast: members.quota.forecast.handler(({ input }) => forecasts(input?.poolId, deps)),
    calendar: members.quota.calendar.handler(() => calendar(deps)),
    waste: members.quota.waste.handler(({ input }) => waste(input?.sinceMs, deps)),
    resetCredits: members.quota.resetCredits.handler(({ input }) => resetCreditsOf(input.sourceId, deps)),
    spendReset: members.quota.spendReset.handler(({ input }) => spendResetOf(input.sourceId, input.creditId, deps)),
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
