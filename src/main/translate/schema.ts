/** Tool schemas between vendors: mended where one would refuse them, never changed in place (bridge §1.6). */
import type { Losses } from './losses.ts'
import { type JsonObject, listIn, objectIn } from './value.ts'

/** An object schema with `properties`, as every vendor wants it. */
export function mended(schema: JsonObject | null): JsonObject {
  if (schema === null || Object.keys(schema).length === 0) return { type: 'object', properties: {} }
  if (schema.type === 'object' && objectIn(schema.properties) === null) return { ...schema, properties: {} }
  return schema
}

/**
 * Messages needs `type: "object"` at the root and no union there: unions of objects are merged, anything else becomes an
 * object. What one branch alone asks for is asked of none.
 */
export function rootObject(schema: JsonObject, losses: Losses, path: string): JsonObject {
  const objects = (list: unknown): readonly JsonObject[] =>
    listIn(list)
      .map(objectIn)
      .filter((branch) => branch !== null)
  const { anyOf, oneOf, allOf, ...rest } = schema
  const either = [...objects(anyOf), ...objects(oneOf)]
  const together = [rest, ...objects(allOf)]
  if (either.length === 0 && together.length === 1) {
    if (schema.type === 'object') return schema
    if (schema.type === undefined) return { type: 'object', properties: {}, ...schema }
  }
  losses.changed('emulated', 'schema_root_merged', path)
  const requiredIn = (branch: JsonObject): readonly unknown[] => listIn(branch.required)
  const everywhere = requiredIn(either[0] ?? {}).filter((name) =>
    either.every((branch) => requiredIn(branch).includes(name)),
  )
  const required = [...new Set([...together.flatMap(requiredIn), ...everywhere])]
  return {
    ...rest,
    type: 'object',
    properties: mergedProperties([...together, ...either]),
    ...(required.length === 0 ? {} : { required }),
  }
}

/** A property that branches describe differently may be any of them. */
function mergedProperties(branches: readonly JsonObject[]): JsonObject {
  const found = new Map<string, Map<string, unknown>>()
  for (const branch of branches) {
    for (const [name, property] of Object.entries(objectIn(branch.properties) ?? {})) {
      const known = found.get(name) ?? new Map<string, unknown>()
      found.set(name, known.set(JSON.stringify(property), property))
    }
  }
  return Object.fromEntries(
    [...found].map(([name, forms]) => {
      const [only, ...more] = forms.values()
      return [name, more.length === 0 ? only : { anyOf: [only, ...more] }]
    }),
  )
}

/** Whether OpenAI's strict mode takes it: every property required, nothing additional, at every object. */
export function isStrictReady(schema: unknown): boolean {
  const node = objectIn(schema)
  if (node === null) return true
  const properties = objectIn(node.properties)
  if ([node.type].flat().includes('object') || properties !== null) {
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
    ...listIn(node.prefixItems),
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
