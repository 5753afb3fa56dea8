/** What will happen: when each account runs out, who follows, when windows renew, what is lost. */
import { PointsmanError } from '../../shared/errors.ts'
import type { SourceId } from '../../shared/ids.ts'
import { emptySnapshot, markSpent, modelFamily } from '../domain/quota.ts'
import { type Account, dialectsOf } from '../domain/source.ts'
import { plan } from '../flow/explain.ts'
import { askOf } from '../flow/explain-ask.ts'
import { Refusal } from '../flow/trail.ts'
import type { View } from '../flow/view.ts'
import { forecast } from '../quota/forecast.ts'
import { byWeek, lossOf } from '../quota/waste.ts'
import type { ApiDeps } from './api-deps.ts'
import { anyKey, windowsOf } from './stand.ts'

const weekMs = 7 * 86_400_000

const accountsOf = ({ sources }: ApiDeps): readonly Account[] =>
  sources.all().filter((source) => source.type === 'subscription')

/** Each active account with its windows at the pace of the last hour, the soonest to run out first. */
export function forecasts(poolId: string | undefined, deps: ApiDeps) {
  const view = deps.view()
  const chosen = poolId === undefined ? null : deps.sources.picture.pools.find(poolId)
  if (poolId !== undefined && chosen === null) throw new PointsmanError('not_found', { what: `pool ${poolId}` })
  const members = new Set(chosen?.pool.places.map(({ backend }) => backend.source.id))
  const accounts = accountsOf(deps).filter(({ id, active }) => active && (chosen === null || members.has(id)))
  return accounts
    .map((account) => {
      const model = chosen?.pool.model ?? account.defaultModel ?? account.models[0]?.id ?? null
      const family = model === null ? null : modelFamily(model)
      const windows = (view.quota.get(account.id) ?? emptySnapshot).readings
        .filter((reading) => reading.family === null || chosen === null || reading.family === family)
        .map((reading) => forecast(reading, deps.history.recent(account.id, reading.window), view.nowMs))
      const ends = windows.flatMap(({ runsOutAtMs, family: scope }) =>
        runsOutAtMs !== null && (scope === null || scope === family) ? [runsOutAtMs] : [],
      )
      const runsOutAtMs = ends.length === 0 ? null : Math.min(...ends)
      const follower = model === null ? null : followerOf(account, model, view, deps)
      return { sourceId: account.id as string, label: account.label, model, windows, runsOutAtMs, follower }
    })
    .sort((a, b) => (a.runsOutAtMs ?? Number.POSITIVE_INFINITY) - (b.runsOutAtMs ?? Number.POSITIVE_INFINITY))
}

/** Who would serve a new conversation if this account were spent: the same stages, on a picture in which it is. */
function followerOf(account: Account, model: string, view: View, { digest }: ApiDeps) {
  const snapshot = view.quota.get(account.id) ?? emptySnapshot
  const mark = { window: 'forecast', family: null, untilMs: view.nowMs + weekMs, sinceMs: view.nowMs }
  const quota = new Map(view.quota).set(account.id, markSpent(snapshot, [mark]))
  const dialect = dialectsOf(account)[0] ?? 'responses'
  const planned = plan(askOf({ providerId: account.provider, model, dialect }, anyKey, digest), { ...view, quota })
  if (planned instanceof Refusal) return null
  const source = planned.order[0]?.backend.source
  return source === undefined || source.id === account.id
    ? null
    : { sourceId: source.id as string, label: source.label }
}

/** Every window that has a reset, the soonest first. */
export function calendar(deps: ApiDeps) {
  const view = deps.view()
  return accountsOf(deps)
    .flatMap((account) => {
      const { readings } = view.quota.get(account.id) ?? emptySnapshot
      return windowsOf(account, view).flatMap((window) => {
        if (window.resetAtMs === null) return []
        const lengthMs = readings.find((reading) => reading.window === window.window)?.lengthMs ?? null
        const startsAtMs = lengthMs === null ? null : window.resetAtMs - lengthMs
        return [
          { sourceId: account.id as string, label: account.label, ...window, resetAtMs: window.resetAtMs, startsAtMs },
        ]
      })
    })
    .sort((a, b) => a.resetAtMs - b.resetAtMs)
}

/** What was left at each reset since then, one by one and by week. */
export function waste(sinceMs: number | undefined, deps: ApiDeps) {
  const fromMs = sinceMs ?? deps.clock.nowMs() - 13 * weekMs
  const accounts = new Map<SourceId, Account>(accountsOf(deps).map((account) => [account.id, account]))
  const losses = deps.quotaLog
    .quotaLost(fromMs)
    .flatMap((lost) => {
      const account = accounts.get(lost.sourceId)
      return account === undefined ? [] : [lossOf(lost, account.monthlyPrice ?? null)]
    })
    .reverse()
  return { resets: losses, weeks: byWeek(losses) }
}
