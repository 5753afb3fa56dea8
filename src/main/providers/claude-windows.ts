/** Claude's unified limit headers: measured windows, and which of them a 429 says are spent (claude §4.3, §4.5). */
import { type Reading, type Spent, windowName } from '../domain/quota.ts'
import { believable, type Headers, headerLookup, readNumber, soon } from './raw-headers.ts'

const prefix = 'anthropic-ratelimit-unified-'
const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }
/** `7d_oi`, "overage included", is the weekly bucket of the Fable family. */
const familyOf: Readonly<Record<string, string>> = { oi: 'fable' }

interface Named {
  readonly window: string
  readonly lengthMs: number
  readonly family: string | null
}

/** `5h`, `7d`, `7d_opus`: the length stands in the name. Null for names without one, such as `overage`. */
function named(name: string): Named | null {
  const [, count, unit, scope] = /^(\d{1,4})([mhd])(?:_([a-z0-9_-]{1,40}))?$/.exec(name) ?? []
  if (count === undefined || unit === undefined) return null
  const lengthMs = Number(count) * (unitMs[unit] ?? 0)
  if (lengthMs === 0) return null
  const family = scope === undefined ? null : (familyOf[scope] ?? scope)
  const window = windowName(lengthMs)
  return { window: family === null ? window : `${window}:${family}`, lengthMs, family }
}

/** Over ten times full is no measure but another scale or garbage. */
const mostFraction = 10

/** One reading per complete set: share used, reset, and a length known by its name (routing §7). */
export function claudeReadings(rawHeaders: readonly string[], nowMs: number): readonly Reading[] {
  const readings: Reading[] = []
  let headers: Headers | null = null
  for (const { name, value, window } of windowHeaders(rawHeaders, '-utilization')) {
    headers ??= headerLookup(rawHeaders)
    const fraction = readNumber(value)
    const resetAtMs = believable(secondsToMs(headers(`${prefix}${name}-reset`)), nowMs)
    if (fraction === null || fraction > mostFraction || resetAtMs === null) continue
    if (readings.some((reading) => reading.window === window.window)) continue
    const usedPercent = Math.round(fraction * 1e6) / 1e4
    readings.push({ ...window, usedPercent, resetAtMs, source: 'header', readAtMs: nowMs })
  }
  return readings
}

/**
 * The windows a 429 names as rejected: by their own status first, else by the governing claim; empty when none is named.
 * Where a reset is missing or past, `fallbackUntilMs` (from `retry-after`, which agrees) stands in.
 */
export function claudeSpent(
  rawHeaders: readonly string[],
  fallbackUntilMs: number | null,
  nowMs: number,
): readonly Spent[] {
  const headers = headerLookup(rawHeaders)
  const marks: Spent[] = []
  for (const { name, value, window } of windowHeaders(rawHeaders, '-status')) {
    if (value.trim().toLowerCase() !== 'rejected') continue
    const untilMs = soon(secondsToMs(headers(`${prefix}${name}-reset`)), nowMs) ?? fallbackUntilMs
    marks.push({ window: window.window, family: window.family, untilMs, sinceMs: nowMs })
  }
  if (marks.length > 0) return marks
  if (headers(`${prefix}status`)?.trim().toLowerCase() !== 'rejected') return []
  const untilMs = soon(secondsToMs(headers(`${prefix}reset`)), nowMs) ?? fallbackUntilMs
  const claimed = claims[headers(`${prefix}representative-claim`)?.trim() ?? ''] ?? { window: 'unnamed', family: null }
  // Rejected without a window and without a time is a throttle, not a spent window.
  if (claimed.window === 'unnamed' && headers(`${prefix}reset`) === null) return []
  return [{ ...claimed, untilMs, sinceMs: nowMs }]
}

const claims: Readonly<Record<string, Pick<Spent, 'window' | 'family'>>> = {
  five_hour: { window: 'five-hour', family: null },
  seven_day: { window: 'weekly', family: null },
  seven_day_opus: { window: 'weekly:opus', family: 'opus' },
  seven_day_sonnet: { window: 'weekly:sonnet', family: 'sonnet' },
  seven_day_overage_included: { window: 'weekly:fable', family: 'fable' },
}

function* windowHeaders(rawHeaders: readonly string[], suffix: string) {
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const lower = rawHeaders[at]?.toLowerCase() ?? ''
    if (!lower.startsWith(prefix) || !lower.endsWith(suffix)) continue
    const name = lower.slice(prefix.length, -suffix.length)
    const window = named(name)
    if (window !== null) yield { name, value: rawHeaders[at + 1] ?? '', window }
  }
}

const secondsToMs = (text: string | null): number | null => {
  const seconds = readNumber(text)
  return seconds === null ? null : seconds * 1_000
}
