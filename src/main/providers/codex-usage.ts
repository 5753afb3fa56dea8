/** Reads the ChatGPT backend's usage endpoint: windows by their stated length, never by their slot (codex §4.1). */
import { type Reading, type Spent, type UsageReport, windowName } from '../domain/quota.ts'
import { familyOf, mostPercent } from './codex-windows.ts'
import { believable } from './raw-headers.ts'
import {
  amountOf,
  type JsonObject,
  numberOf,
  objectOf,
  objectsOf,
  secondsAtMs,
  tightestOfEach,
  wordOf,
} from './usage-json.ts'

const longestSeconds = 366 * 86_400

/** Null when it is no usage answer. */
export function codexUsage(body: unknown, nowMs: number): UsageReport | null {
  const root = objectOf(body)
  if (root === null || !('rate_limit' in root || 'plan_type' in root)) return null
  const pools = [
    { limit: objectOf(root.rate_limit), family: null },
    { limit: objectOf(root.code_review_rate_limit), family: 'code-review' },
    ...objectsOf(root.additional_rate_limits).map((entry) => ({
      limit: objectOf(entry.rate_limit),
      family: familyOfPool(entry),
    })),
  ]
  const readings: Reading[] = []
  const spent: Spent[] = []
  for (const { limit, family } of pools) {
    if (limit === null) continue
    const own = windowsOf(limit, family, nowMs)
    readings.push(...own)
    if (isBlocked(limit) && !own.some((reading) => reading.usedPercent >= 100)) {
      const window = family === null ? 'unnamed' : `unnamed:${family}`
      spent.push({ window, family, untilMs: null, sinceMs: nowMs })
    }
  }
  return { readings: tightestOfEach(readings), spent, facts: factsOf(root, nowMs) }
}

/** The limit id as headers name it, so that both sources speak of the same window. */
function familyOfPool(entry: JsonObject): string {
  const id = wordOf(entry.metered_feature) ?? wordOf(entry.limit_name) ?? 'other'
  return familyOf(id.toLowerCase().replaceAll('_', '-'), wordOf(entry.limit_name)) ?? 'other'
}

/** The vendor's own word; a window below 100 doesn't contradict it. */
const isBlocked = (limit: JsonObject): boolean => limit.allowed === false || limit.limit_reached === true

function windowsOf(limit: JsonObject, family: string | null, nowMs: number): readonly Reading[] {
  return ['primary_window', 'secondary_window', 'tertiary_window'].flatMap((slot) => {
    const window = objectOf(limit[slot])
    const seconds = numberOf(window?.limit_window_seconds, longestSeconds)
    const usedPercent = numberOf(window?.used_percent, mostPercent)
    if (window === null || seconds === null || seconds === 0 || usedPercent === null) return []
    const lengthMs = seconds * 1_000
    const name = family === null ? windowName(lengthMs) : `${windowName(lengthMs)}:${family}`
    const resetAtMs = resetOf(window, nowMs)
    return [{ window: name, usedPercent, lengthMs, resetAtMs, family, source: 'poll', readAtMs: nowMs } as const]
  })
}

function resetOf(window: JsonObject, nowMs: number): number | null {
  const absolute = secondsAtMs(window.reset_at, nowMs)
  if (absolute !== null) return absolute
  const after = numberOf(window.reset_after_seconds, longestSeconds)
  return after === null || after === 0 ? null : believable(nowMs + after * 1_000, nowMs)
}

function factsOf(root: JsonObject, nowMs: number): UsageReport['facts'] {
  const credits = objectOf(root.credits)
  const resets = numberOf(objectOf(root.rate_limit_reset_credits)?.available_count, 1_000)
  return {
    plan: wordOf(root.plan_type),
    credits:
      credits === null
        ? null
        : {
            hasCredits: credits.has_credits === true,
            unlimited: credits.unlimited === true,
            balance: credits.unlimited === true ? null : amountOf(credits.balance),
          },
    blockedBecause: wordOf(objectOf(root.rate_limit_reached_type)?.type),
    resetCredits: resets === null ? null : Math.floor(resets),
    readAtMs: nowMs,
  }
}
