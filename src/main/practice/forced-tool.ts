/** A simulated model calls the tool that a request forces, with an argument of each type that its schema names. */
import type { ToolCall } from './behaviour.ts'
import { recordOf, stringOf } from './vendor.ts'

/** Null where no call is forced, or no function is declared. */
export function forcedTool(body: Readonly<Record<string, unknown>> | null): ToolCall | null {
  const choice = body?.tool_choice
  const forced = choice === 'required' || ['any', 'tool', 'function'].includes(stringOf(recordOf(choice)?.type) ?? '')
  const tools = Array.isArray(body?.tools) ? body.tools.map(recordOf) : []
  const wanted = stringOf(recordOf(choice)?.name) ?? stringOf(recordOf(recordOf(choice)?.function)?.name)
  const functions = tools.map((tool) => recordOf(tool?.function) ?? tool)
  const tool = forced ? functions.find((one) => wanted === null || one?.name === wanted) : null
  const name = stringOf(tool?.name)
  if (tool == null || name === null) return null
  const schema = recordOf(tool.input_schema) ?? recordOf(tool.parameters)
  const entries = Object.entries(recordOf(schema?.properties) ?? {}).map(([field, type]) => [field, sampleOf(type)])
  return { kind: 'function', name, arguments: JSON.stringify(Object.fromEntries(entries)) }
}

function sampleOf(schema: unknown): unknown {
  switch (recordOf(schema)?.type) {
    case 'number':
    case 'integer':
      return 2
    case 'boolean':
      return true
    case 'array':
      return []
    case 'object':
      return {}
    default:
      return 'practice'
  }
}
