/** Tolerant reading of foreign JSON: anything may be missing or of another type, nothing throws. */
const decoder = new TextDecoder('utf-8')

export type JsonObject = Readonly<Record<string, unknown>>

/** The object in `bytes`, or null when it isn't one. */
export function readObject(bytes: Uint8Array): JsonObject | null {
  try {
    return asObject(JSON.parse(decoder.decode(bytes)))
  } catch {
    return null
  }
}

export const asObject = (value: unknown): JsonObject | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null

export const asText = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** A finite, non-negative number, or null. */
export const asCount = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null

/** The bytes as text, cut to `limit` characters. */
export const textOf = (bytes: Uint8Array, limit: number): string => decoder.decode(bytes).slice(0, limit)

const encoder = new TextEncoder()
export const bytesOf = (text: string): Uint8Array => encoder.encode(text)

/** A Buffer gives its bytes as text, one character each, at the speed of memory; a bare array takes some times as long. */
type QuickText = Partial<{ latin1Slice(start: number, end: number): string }>

const oneByte = new TextDecoder('latin1')

/** The bytes as text, one character each: it is searched three times as fast as bytes are. */
export function oneByteText(bytes: Uint8Array & QuickText, start: number, end: number): string {
  const to = Math.min(end, bytes.length)
  // The other way calls a few bytes beyond ASCII by other characters, each still by one.
  return bytes.latin1Slice === undefined ? oneByte.decode(bytes.subarray(start, to)) : bytes.latin1Slice(start, to)
}
