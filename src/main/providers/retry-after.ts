/** How long the vendor asks us to wait: `retry-after-ms`, `retry-after`, else what its message says. */
import { type Headers, readNumber } from './raw-headers.ts'

const floorMs = 1_000
/** A rest of our own is never longer, whatever the vendor says (F7, field-reports 6). */
const longestMs = 24 * 3_600_000

/**
 * Milliseconds from now, between 1 s and 24 h; null when nothing usable was said. `retry-after` is seconds or an HTTP
 * date (claude §4.5); the message form is "try again in 1.2s", "in 20ms", "in 6m0s" (codex §4.5).
 */
export function readRetryAfter(headers: Headers, message: string, nowMs: number): number | null {
  const stated =
    fromMilliseconds(headers) ?? fromSeconds(headers, nowMs) ?? fromMessage(message) ?? fromBuckets(headers, nowMs)
  if (stated === null || stated < 0) return null
  return Math.min(longestMs, Math.max(floorMs, Math.ceil(stated)))
}

const fromMilliseconds = (headers: Headers): number | null => readNumber(headers('retry-after-ms'))

function fromSeconds(headers: Headers, nowMs: number): number | null {
  const text = headers('retry-after')
  if (text === null) return null
  const seconds = readNumber(text)
  if (seconds !== null) return seconds * 1_000
  return until(text, nowMs)
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

function fromMessage(message: string): number | null {
  const said = /try again in ((?:\d{1,9}(?:\.\d{1,9})?\s?(?:ms|s|m|h)[a-z]*\s?){1,4})/i.exec(message)?.[1]
  if (said === undefined) return null
  let total = 0
  for (const [, amount, unit] of said.matchAll(/(\d+(?:\.\d+)?)\s?(ms|s|m|h)/gi)) {
    total += Number(amount) * (unitMs[unit?.toLowerCase() ?? ''] ?? 0)
  }
  return total
}

/** An API key's own buckets say when the empty one refills (claude §4.3, RFC 3339). */
function fromBuckets(headers: Headers, nowMs: number): number | null {
  let longest: number | null = null
  for (const bucket of ['requests', 'tokens', 'input-tokens', 'output-tokens']) {
    if (headers(`anthropic-ratelimit-${bucket}-remaining`) !== '0') continue
    const wait = until(headers(`anthropic-ratelimit-${bucket}-reset`), nowMs)
    if (wait !== null) longest = Math.max(longest ?? 0, wait)
  }
  return longest
}

function until(text: string | null, nowMs: number): number | null {
  // Without a colon it is no time of day: the parser would make a year of `-5`.
  const atMs = text?.includes(':') ? Date.parse(text) : Number.NaN
  return Number.isFinite(atMs) ? Math.max(0, atMs - nowMs) : null
}
