/** Checks that what was read from a row has the shape the program expects; a damaged row must not look whole. */

export type Check = (value: unknown) => boolean

export const isText: Check = (value) => typeof value === 'string'
export const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value)
export const isTrueOrFalse: Check = (value) => typeof value === 'boolean'

export const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)

export const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)

/** A list of exactly these, in this order. */
export const listWith =
  (...checks: readonly Check[]): Check =>
  (value) =>
    Array.isArray(value) && value.length === checks.length && checks.every((check, at) => check(value[at]))

/** An object whose every value passes the check. */
export const mapOf =
  (check: Check): Check =>
  (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(check)

export const oneOf =
  (...allowed: readonly unknown[]): Check =>
  (value) =>
    allowed.includes(value)

/** Every named field passes its check; further fields are let be. */
export const withFields =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    const record = value as Readonly<Record<string, unknown>>
    return Object.entries(fields).every(([name, check]) => check(record[name]))
  }

/** The union member whose `field` says which fields must be there. */
export const byKind =
  (field: string, kinds: Readonly<Record<string, Check>>): Check =>
  (value) => {
    if (typeof value !== 'object' || value === null) return false
    const kind = (value as Readonly<Record<string, unknown>>)[field]
    return typeof kind === 'string' && Object.hasOwn(kinds, kind) && (kinds[kind]?.(value) ?? false)
  }

/** JSON text as a value of the checked shape, or undefined. */
export function parsed<T>(text: string, check: Check): T | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return check(value) ? (value as T) : undefined
  } catch {
    return undefined
  }
}
