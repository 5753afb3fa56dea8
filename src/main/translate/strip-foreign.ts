/**
 * Takes out of a history what its vendor could not verify: opaque thoughts that another account made. Wrapped ones are
 * foreign for certain; where there are none, who made the others can't be told, and all go (bridge §1.5).
 */
import type { Dialect } from '../domain/source.ts'
import { isWrapped } from './opaque.ts'
import { isShownSearch } from './shown-search.ts'
import { type JsonObject, listIn, objectIn, parsed, textIn } from './value.ts'

/** The vendors' exact words (claude §5, codex §2.3); anything else is another matter. */
const blames =
  /srvtoolu_pointsman_|web_search_tool_result|encrypted content[^"]{0,200}could not be (?:verified|decrypted)|invalid_encrypted_content|invalid `?signature`? in `?thinking`? block/i

export const blamesHistory = (status: number, body: string): boolean =>
  (status === 400 || status === 200) && blames.test(body.replaceAll('\\"', '"'))

/** The body without them, or null when there is nothing to take out. */
export function withoutForeign(dialect: Dialect, text: string): string | null {
  const body = objectIn(parsed(text))
  if (body === null || dialect === 'chat') return null
  const next = dialect === 'messages' ? strippedMessages(body) : strippedInput(body)
  return next === null ? null : JSON.stringify(next)
}

function strippedInput(body: JsonObject): JsonObject | null {
  const input = listIn(body.input)
  const sealOf = (item: unknown): string | null => {
    const found = objectIn(item)
    return found?.type === 'reasoning' ? textIn(found.encrypted_content) : null
  }
  const isForeign = foreignAmong(input.map(sealOf))
  const kept = input.filter((item) => !isForeign(sealOf(item)))
  return kept.length === input.length ? null : { ...body, input: kept }
}

function strippedMessages(body: JsonObject): JsonObject | null {
  const messages = listIn(body.messages).map((value) => objectIn(value) ?? {})
  const sealOf = (block: unknown): string | null => {
    const found = objectIn(block)
    if (found?.type === 'redacted_thinking') return textIn(found.data)
    return found?.type === 'thinking' ? (textIn(found.signature) ?? '') : null
  }
  const isForeign = foreignAmong(messages.flatMap((message) => listIn(message.content).map(sealOf)))
  let taken = false
  const kept = messages.flatMap((message) => {
    if (!Array.isArray(message.content)) return [message]
    const content = message.content.filter(
      (block) => !isForeign(sealOf(block)) && !isShownSearch(objectIn(block) ?? {}),
    )
    if (content.length === message.content.length) return [message]
    taken = true
    return content.length === 0 ? [] : [{ ...message, content }]
  })
  if (!taken) return null
  // A budget needs the thoughts of the turn that is still calling tools: it is off for this request.
  return {
    ...body,
    messages: kept,
    ...(objectIn(body.thinking)?.type === 'enabled' ? { thinking: { type: 'disabled' } } : {}),
  }
}

function foreignAmong(seals: readonly (string | null)[]): (seal: string | null) => boolean {
  const anyWrapped = seals.some((seal) => seal !== null && isWrapped(seal))
  return (seal) => seal !== null && (!anyWrapped || isWrapped(seal))
}
