/** Careful reading of a usage endpoint's JSON: anything may be missing or of another type, and then it is unknown. */
import type { Reading } from '../domain/quota.ts'
import { believable } from './raw-headers.ts'

export type JsonObject = Readonly<Record<string, unknown>>

export const objectOf = (value: unknown): JsonObject | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null

/** At most 100 objects of a list; nothing for anything else. */
export const objectsOf = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value)
    ? value
        .slice(0, 100)
        .map(objectOf)
        .filter((item) => item !== null)
    : []

/** A short printable text, or null. */
export const wordOf = (value: unknown): string | null =>
  typeof value === 'string' && /^[\p{L}\p{N}][^\p{Cc}]{0,79}$/u.test(value) ? value : null

/** Numbers and numbers written as text: vendors use both (codex §4.1). */
export function amountOf(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' && /^-?\d{1,15}(\.\d{1,10})?$/.test(value) ? value : null
}

/** Finite, not negative, not over `most`; null otherwise. */
export const numberOf = (value: unknown, most: number): number | null =>
  typeof value === 'number' && value >= 0 && value <= most ? value : null

/** Epoch seconds. */
export function secondsAtMs(value: unknown, nowMs: number): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? believable(value * 1_000, nowMs) : null
}

/** ISO 8601 with an offset, often with microseconds (claude §4.1). */
export function isoAtMs(value: unknown, nowMs: number): number | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT[\d:.]{5,20}(Z|[+-]\d\d:?\d\d)$/.test(value)) return null
  const atMs = Date.parse(value)
  return Number.isNaN(atMs) ? null : believable(atMs, nowMs)
}

/** Where an answer names one window twice, the tighter one counts. */
export function tightestOfEach(readings: readonly Reading[]): readonly Reading[] {
  const byWindow = new Map<string, Reading>()
  for (const one of readings) {
    const other = byWindow.get(one.window)
    if (other === undefined || other.usedPercent < one.usedPercent) byWindow.set(one.window, one)
  }
  return [...byWindow.values()]
}
