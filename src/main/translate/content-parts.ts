/** What a message, a result or a list of turns holds, as objects: what is none of the known shapes is refused, never skipped. */
import type { Losses } from './losses.ts'
import { type JsonObject, objectIn } from './value.ts'

/** Plain text is one part of the type `text` or `input_text`, nothing is none. */
export function contentParts(
  content: unknown,
  type: 'text' | 'input_text',
  path: string,
  losses: Losses,
): readonly JsonObject[] {
  if (typeof content === 'string') return [{ type, text: content }]
  return objectsIn(content, path, losses)
}

export function objectsIn(list: unknown, path: string, losses: Losses): readonly JsonObject[] {
  if (list == null) return []
  if (!Array.isArray(list)) return losses.refuse('content_unknown', path)
  return list.map((value: unknown, at) => objectIn(value) ?? losses.refuse('content_unknown', `${path}[${at}]`))
}
