/** A call's input between the forms it has: JSON text, an object, raw text, and a vendor's own tool types (bridge §1.4, §1.6). */
import type { Losses } from './losses.ts'
import type { ToolKind } from './neutral-request.ts'
import { type JsonObject, objectIn, parsed, textIn } from './value.ts'

/** A call's input as its client wrote it; some write the object itself where its text was meant. */
export const writtenInput = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)

/** Always an object: blank is none, a bare value is wrapped, what can't be read is kept under a name of its own. */
export function inputObject(text: string, losses: Losses | null, path: string): JsonObject {
  if (text.trim() === '') return {}
  const value = parsed(text)
  const object = objectIn(value)
  if (object !== null) return object
  if (value !== undefined) return { value }
  losses?.changed('emulated', 'tool_arguments_unreadable', path)
  return { raw_arguments: text }
}

/** Whether it ends where a function's input does. */
export const isWholeInput = (text: string): boolean => parsed(text) !== undefined

/** JSON text of an object, kept byte for byte where it is one already. */
export function inputText(text: string, losses: Losses | null, path: string): string {
  if (text.trim() === '') return '{}'
  return objectIn(parsed(text)) === null ? JSON.stringify(inputObject(text, losses, path)) : text
}

const shellCommand = { type: 'array', items: { type: 'string' } } as const
const number = { type: 'number' } as const
const string = { type: 'string' } as const

/** The input schemas under which tools that aren't functions are declared as functions. */
export const emulatedSchemas: Readonly<Record<Exclude<ToolKind, 'function'>, JsonObject>> = {
  custom: {
    type: 'object',
    properties: { input: { type: 'string' } },
    required: ['input'],
    additionalProperties: false,
  },
  local_shell: {
    type: 'object',
    properties: { command: shellCommand, workdir: string, timeout_ms: number },
    required: ['command'],
  },
  shell: {
    type: 'object',
    properties: { commands: shellCommand, timeout_ms: number, max_output_length: number },
    required: ['commands'],
  },
  apply_patch: {
    type: 'object',
    properties: {
      operation: {
        type: 'object',
        properties: {
          type: { type: 'string', enum: ['create_file', 'update_file', 'delete_file'] },
          path: string,
          diff: string,
        },
        required: ['type', 'path'],
      },
    },
    required: ['operation'],
  },
}

/** The raw text of a custom tool's call as a function's arguments, and back. */
export const wrappedInput = (raw: string): string => JSON.stringify({ input: raw })

/** Tolerates what models write instead of `input`; only for tools that were declared free-form. */
export function unwrappedInput(text: string): string {
  const value = parsed(text)
  if (typeof value === 'string') return value
  const object = objectIn(value)
  if (object === null) return text
  const raw = textIn(object.input) ?? textIn(object.patch) ?? textIn(object.code)
  return raw ?? text
}

/** Descriptions say the grammar, since a function can't hold the model to it. */
export function withGrammar(description: string | null, format: JsonObject | null): string | null {
  const told = description ?? ''
  if (format === null || format.type === 'text') return description
  const definition = textIn(format.definition) ?? JSON.stringify(format)
  return `${told}\n\nThe field "input" holds raw text in this ${textIn(format.syntax) ?? ''} grammar:\n${definition}`.trim()
}
