/** Codex limit headers: measured windows by their stated length, and which of them are full (codex §4.4). */
import { modelFamily, type Reading, type Spent, windowName } from '../domain/quota.ts'
import { believable, type Headers, headerLookup, readNumber } from './raw-headers.ts'

/** Limit ids whose model family is known; others keep their id, which counts against no model. */
const familyOfLimit: Readonly<Record<string, string>> = { codex_bengalfox: 'spark' }
const generalLimit = 'codex'
/** Names seen as active limit while the account's general one applied (codex §4.4, §10). */
const alsoGeneral: ReadonlySet<string> = new Set(['', 'premium'])

const longestMinutes = 366 * 24 * 60
/** Ten times full is garbage. */
export const mostPercent = 1_000

/** Windows with share, length and reset; the slot says nothing, a length of zero means none (codex §4.1). */
export function codexReadings(rawHeaders: readonly string[], nowMs: number): readonly Reading[] {
  const readings = new Map<string, Reading>()
  let headers: Headers | null = null
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const lower = rawHeaders[at]?.toLowerCase() ?? ''
    const slot = lower.startsWith('x-') ? slotOf(lower) : null
    if (slot === null) continue
    headers ??= headerLookup(rawHeaders)
    const reading = readSlot(headers, slot, rawHeaders[at + 1] ?? '', nowMs)
    if (reading === null) continue
    // Two slots of one length: the tighter one counts.
    const other = readings.get(reading.window)
    if (other === undefined || other.usedPercent < reading.usedPercent) readings.set(reading.window, reading)
  }
  return [...readings.values()]
}

interface Slot {
  readonly limit: string
  /** `x-codex-primary`. */
  readonly stem: string
}

function slotOf(name: string): Slot | null {
  for (const place of ['-primary', '-secondary']) {
    const suffix = `${place}-used-percent`
    if (name.endsWith(suffix)) {
      const limit = name.slice(2, -suffix.length)
      return limit === '' ? null : { limit, stem: name.slice(0, -'-used-percent'.length) }
    }
  }
  return null
}

function readSlot(headers: Headers, { limit, stem }: Slot, percentText: string, nowMs: number): Reading | null {
  const usedPercent = readNumber(percentText)
  const minutes = readNumber(headers(`${stem}-window-minutes`))
  if (usedPercent === null || usedPercent > mostPercent) return null
  if (minutes === null || minutes <= 0 || minutes > longestMinutes) return null
  const resetAtMs = resetOf(headers, stem, nowMs)
  if (resetAtMs === null) return null
  const lengthMs = minutes * 60_000
  const family = familyOf(limit, headers(`x-${limit}-limit-name`))
  const window = family === null ? windowName(lengthMs) : `${windowName(lengthMs)}:${family}`
  return { window, usedPercent, lengthMs, resetAtMs, family, source: 'header', readAtMs: nowMs }
}

function resetOf(headers: Headers, stem: string, nowMs: number): number | null {
  const at = readNumber(headers(`${stem}-reset-at`))
  const absolute = believable(at === null ? null : at * 1_000, nowMs)
  if (absolute !== null) return absolute
  const after = readNumber(headers(`${stem}-reset-after-seconds`))
  return after === null || after === 0 ? null : believable(nowMs + after * 1_000, nowMs)
}

/** Null for the general limit, the model family where it is known, else the limit's own id. */
export function familyOf(limit: string, limitName: string | null): string | null {
  const id = limit.replaceAll('-', '_')
  if (id === generalLimit) return null
  return familyOfLimit[id] ?? modelFamily(limitName?.toLowerCase() ?? '') ?? id
}

/**
 * What `usage_limit_reached` spends: the full windows of the limit that applied; else the one whose reset is the stated
 * one; else `unnamed`. Without a believable reset only evidence lifts the mark (codex §4.5, routing §6).
 */
export function codexSpent(
  rawHeaders: readonly string[],
  statedUntilMs: number | null,
  nowMs: number,
): readonly Spent[] {
  const headers = headerLookup(rawHeaders)
  const stated = (headers('x-codex-active-limit') ?? '').trim().toLowerCase().replaceAll('_', '-')
  const active = alsoGeneral.has(stated) ? generalLimit : stated
  const family = familyOf(active, headers(`x-${active}-limit-name`))
  const windows = codexReadings(rawHeaders, nowMs).filter(
    (reading) => reading.family === family && isAhead(reading, nowMs),
  )
  const full = windows.filter((reading) => reading.usedPercent >= 100)
  const meant = full.length > 0 ? full : windows.filter((reading) => isNear(reading.resetAtMs, statedUntilMs))
  if (meant.length > 0)
    return meant.map(({ window, resetAtMs }) => ({ window, family, untilMs: resetAtMs, sinceMs: nowMs }))
  return [{ window: family === null ? 'unnamed' : `unnamed:${family}`, family, untilMs: statedUntilMs, sinceMs: nowMs }]
}

/** The full windows of the limit that applied, for a 429 of unknown type; empty when none is full. */
export function codexFull(rawHeaders: readonly string[], nowMs: number): readonly Spent[] {
  return codexSpent(rawHeaders, null, nowMs).filter((mark) => mark.untilMs !== null)
}

const isAhead = (reading: Reading, nowMs: number): boolean => reading.resetAtMs !== null && reading.resetAtMs > nowMs

const isNear = (a: number | null, b: number | null): boolean => a !== null && b !== null && Math.abs(a - b) <= 120_000
