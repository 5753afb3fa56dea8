/** Tolerant reading of foreign values: anything may be missing or of another type, nothing throws. */
export type JsonObject = Readonly<Record<string, unknown>>

export const objectIn = (value: unknown): JsonObject | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null

export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const textIn = (value: unknown): string | null => (typeof value === 'string' ? value : null)

export const numberIn = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null

/** A finite, non-negative number, or 0. */
export const countIn = (value: unknown): number => Math.max(0, numberIn(value) ?? 0)

/** The entry of that name, whatever a foreign name is: every object has a `constructor`. */
export const entryIn = <T>(table: Readonly<Record<string, T>>, name: string | null): T | undefined =>
  name !== null && Object.hasOwn(table, name) ? table[name] : undefined

/** The value in `text`, or undefined when it isn't JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** The fields that are neither undefined nor null, in the order given: the same input gives the same bytes. */
export function present(fields: JsonObject): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) if (value !== undefined && value !== null) kept[name] = value
  return kept
}
