/**
 * Puts a Responses stream together into the one answer that a unary caller expects: the final response with its output
 * rebuilt from `output_item.done`, since the ChatGPT backend may leave it empty (codex §5.1).
 */

import { asCount, asObject, bytesOf, type JsonObject, readObject } from './json.ts'
import { SseLines } from './sse.ts'
import type { StreamFailure } from './stream-reader.ts'

/** The answer's JSON, or null when the stream holds no final response. */
export function aggregateResponses(pieces: readonly Uint8Array[]): Uint8Array | null {
  const items: { readonly at: number; readonly item: JsonObject }[] = []
  let final: JsonObject | null = null
  const lines = new SseLines((data) => {
    const event = readObject(data)
    if (event?.type === 'response.output_item.done') {
      const item = asObject(event.item)
      if (item !== null) items.push({ at: asCount(event.output_index) ?? items.length, item })
    } else if (
      event?.type === 'response.completed' ||
      event?.type === 'response.incomplete' ||
      event?.type === 'response.done'
    ) {
      final = asObject(event.response) ?? final
    }
  })
  for (const piece of pieces) lines.push(piece)
  return final === null ? null : bytesOf(JSON.stringify(withOutput(final, items)))
}

/** A failure event as the unary caller's error: the vendor's own `error` object under the status that it states. */
export function failureAnswer({ status, body }: StreamFailure): { readonly status: number; readonly body: Uint8Array } {
  const event = readObject(bytesOf(body))
  const error = asObject(asObject(event?.response)?.error) ?? asObject(event?.error) ?? event
  return { status: status >= 400 ? status : 502, body: bytesOf(JSON.stringify({ error })) }
}

function withOutput(
  final: JsonObject,
  items: readonly { readonly at: number; readonly item: JsonObject }[],
): JsonObject {
  const given = Array.isArray(final.output) ? final.output : []
  if (given.length > 0 || items.length === 0) return final
  return { ...final, output: [...items].sort((a, b) => a.at - b.at).map(({ item }) => item) }
}
