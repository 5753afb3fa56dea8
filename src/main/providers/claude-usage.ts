/** Reads Claude's usage endpoint: `limits[]` first, the named buckets where that is missing (claude §4.1). */
import { modelFamily, type Reading, type UsageReport, windowName } from '../domain/quota.ts'
import { isoAtMs, type JsonObject, numberOf, objectOf, objectsOf, tightestOfEach, wordOf } from './usage-json.ts'

const fiveHoursMs = 5 * 3_600_000
const weekMs = 7 * 86_400_000
/** Shares are 0–100 here, fractions only in headers; ten times full is garbage. */
const mostPercent = 1_000

type Shape = Pick<Reading, 'window' | 'lengthMs' | 'family'>

/** Null when it is no usage answer; one without any window is an answer. */
export function claudeUsage(body: unknown, nowMs: number): UsageReport | null {
  const root = objectOf(body)
  if (root === null || !isUsage(root)) return null
  const listed = objectsOf(root.limits).flatMap((limit) => reading(shapeOfLimit(limit), limit.percent, limit, nowMs))
  const readings = listed.length > 0 ? listed : named(root, nowMs)
  const extra = objectOf(root.extra_usage)
  const credits = extra === null ? null : { hasCredits: extra.is_enabled === true, unlimited: false, balance: null }
  const facts = { plan: null, credits, blockedBecause: null, resetCredits: null, readAtMs: nowMs }
  return { readings: tightestOfEach(readings), spent: [], facts }
}

const isUsage = (root: JsonObject): boolean => 'limits' in root || 'five_hour' in root || 'seven_day' in root

function shapeOfLimit(limit: JsonObject): Shape | null {
  const scope = objectOf(limit.scope)
  const model = objectOf(scope?.model)
  const name = wordOf(model?.display_name) ?? wordOf(model?.id) ?? wordOf(scope?.surface)
  switch (limit.kind) {
    case 'session':
      return name === null ? { window: 'five-hour', lengthMs: fiveHoursMs, family: null } : scoped('five-hour', name)
    case 'weekly_all':
      return { window: 'weekly', lengthMs: weekMs, family: null }
    case 'weekly_scoped':
      return name === null ? null : scoped('weekly', name)
    default: {
      // Kept visible; it counts against the model it names, or against none (field-reports 12).
      const kind = wordOf(limit.kind)
      if (kind === null) return null
      const family = name === null ? kind : familyOf(name)
      return { window: `${kind}:${family}`, lengthMs: null, family }
    }
  }
}

function scoped(window: string, name: string): Shape {
  const family = familyOf(name)
  return { window: `${window}:${family}`, lengthMs: window === 'weekly' ? weekMs : fiveHoursMs, family }
}

/** A name that isn't a model family we know stays as it is and counts against no model. */
const familyOf = (name: string): string => modelFamily(name.toLowerCase()) ?? name.toLowerCase().replace(/\s+/g, '-')

/** Other top-level buckets come and go under code names: ignored (claude §4.1). */
const namedShapes: readonly (readonly [name: string, shape: Shape])[] = [
  ['five_hour', { window: windowName(fiveHoursMs), lengthMs: fiveHoursMs, family: null }],
  ['seven_day', { window: windowName(weekMs), lengthMs: weekMs, family: null }],
  ...['opus', 'sonnet', 'fable', 'haiku', 'mythos'].map(
    (family) => [`seven_day_${family}`, scoped('weekly', family)] as const,
  ),
]

function named(root: JsonObject, nowMs: number): readonly Reading[] {
  return namedShapes.flatMap(([name, shape]) => {
    const bucket = objectOf(root[name])
    return bucket === null ? [] : reading(shape, bucket.utilization, bucket, nowMs)
  })
}

/** `resets_at` null: not started yet. Anything else that is no time makes the value unknown. */
function reading(shape: Shape | null, percent: unknown, holder: JsonObject, nowMs: number): readonly Reading[] {
  const usedPercent = numberOf(percent, mostPercent)
  const resetAtMs = isoAtMs(holder.resets_at, nowMs)
  if (shape === null || usedPercent === null) return []
  if (resetAtMs === null && holder.resets_at !== null && holder.resets_at !== undefined) return []
  return [{ ...shape, usedPercent, resetAtMs, source: 'poll', readAtMs: nowMs }]
}
