/** The limits that a Codex WebSocket tells in an event, as the headers that HTTP would have had (codex §4.4). */
import type { JsonObject } from './envelope.ts'
import { readNumber } from './raw-headers.ts'

const asObject = (value: unknown): JsonObject | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null

const slots = ['primary', 'secondary'] as const

/** A flat list; empty for any other event. */
export function limitHeaders(event: JsonObject | null): string[] {
  if (event?.type !== 'codex.rate_limits') return []
  const limits = asObject(event.rate_limits)
  const named = typeof event.metered_limit_name === 'string' ? event.metered_limit_name : 'codex'
  const prefix = `x-${named.toLowerCase().replaceAll('_', '-')}`
  if (!/^x-[a-z0-9-]{1,64}$/.test(prefix)) return []
  return slots.flatMap((slot) => {
    const window = asObject(limits?.[slot])
    const percent = numberText(window?.used_percent)
    const minutes = numberText(window?.window_minutes)
    const reset = numberText(window?.reset_at)
    if (percent === null || minutes === null || reset === null) return []
    const stem = `${prefix}-${slot}`
    return [`${stem}-used-percent`, percent, `${stem}-window-minutes`, minutes, `${stem}-reset-at`, reset]
  })
}

function numberText(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : ''
  return readNumber(text) === null ? null : text
}
