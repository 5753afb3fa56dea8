/** Tool schemas between vendors: mended where one would refuse them, never changed in place (bridge §1.6). */
import type { Losses } from './losses.ts'
import { type JsonObject, listIn, objectIn } from './value.ts'

/** An object schema with `properties`, as every vendor wants it. */
export function mended(schema: JsonObject | null): JsonObject {
  if (schema === null || Object.keys(schema).length === 0) return { type: 'object', properties: {} }
  if (schema.type === 'object' && objectIn(schema.properties) === null) return { ...schema, properties: {} }
  return schema
}

/** Messages needs `type: "object"` at the root: a root union of objects is merged, anything else is wrapped as one. */
export function rootObject(schema: JsonObject, losses: Losses, path: string): JsonObject {
  if (schema.type === 'object') return schema
  const branches = [...listIn(schema.anyOf), ...listIn(schema.oneOf), ...listIn(schema.allOf)]
    .map(objectIn)
    .filter((branch) => branch !== null)
  if (schema.type === undefined && branches.length === 0) return { type: 'object', properties: {}, ...schema }
  const { anyOf: _any, oneOf: _one, allOf: _all, ...rest } = schema
  const properties = Object.assign({}, schema.properties, ...branches.map((branch) => branch.properties ?? {}))
  losses.changed('emulated', 'schema_root_merged', path)
  return { ...rest, type: 'object', properties }
}

/** Whether OpenAI's strict mode takes it: every property required, nothing additional, at every object. */
export function isStrictReady(schema: unknown): boolean {
  const node = objectIn(schema)
  if (node === null) return true
  const properties = objectIn(node.properties)
  if (node.type === 'object' || properties !== null) {
    if (node.additionalProperties !== false) return false
    const required = new Set(listIn(node.required))
    if (!Object.keys(properties ?? {}).every((name) => required.has(name))) return false
  }
  const inner = [
    ...Object.values(properties ?? {}),
    ...Object.values(objectIn(node.$defs) ?? {}),
    ...Object.values(objectIn(node.definitions) ?? {}),
    ...listIn(node.anyOf),
    ...listIn(node.oneOf),
    ...listIn(node.allOf),
  ]
  return inner.every(isStrictReady) && isStrictReady(node.items)
}

/** `strict: true` only where it holds; a warning where it was asked for and doesn't. */
export function strictness(asked: boolean, schema: JsonObject, losses: Losses, path: string): boolean {
  if (!asked) return false
  if (isStrictReady(schema)) return true
  losses.dropped('strict_schema_not_qualifying', path)
  return false
}
