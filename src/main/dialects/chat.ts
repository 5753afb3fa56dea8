/** Reads a Chat Completions stream as it passes (codex §5.2): chunks, an optional usage chunk, `[DONE]`. */
import type { Usage } from '../domain/usage.ts'
import { asCount, asObject, bytesOf, type JsonObject, readObject, textOf } from './json.ts'
import { SseLines, startsWith } from './sse.ts'
import type { StreamFailure, StreamReader } from './stream-reader.ts'

const doneMark = bytesOf('[DONE]')
const errorFirst = bytesOf('{"error"')

export class ChatStream implements StreamReader {
  content = false
  complete = false
  failure: StreamFailure | null = null
  /** The last two chunks: usage stands in the last one, or in the one before it. */
  #last: Uint8Array | null = null
  #before: Uint8Array | null = null
  #lines = new SseLines((data) => this.#event(data))

  push(chunk: Uint8Array): void {
    this.#lines.push(chunk)
  }

  usage(): Usage | null {
    return usageIn(this.#last) ?? usageIn(this.#before)
  }

  #event(data: Uint8Array): void {
    if (startsWith(data, doneMark)) {
      this.complete = true
      this.content = true
      return
    }
    // Once content flows only a chunk that begins with its error is looked at more closely.
    if (!this.content || startsWith(data, errorFirst)) {
      const event = readObject(data)
      if (event?.error !== undefined && event.error !== null) {
        this.#failed(data)
        return
      }
      this.content ||= hasContent(event)
    }
    this.#before = this.#last
    this.#last = data.slice()
  }

  #failed(data: Uint8Array): void {
    this.failure ??= { status: 200, body: textOf(data, 8_192) }
  }
}

function usageIn(chunk: Uint8Array | null): Usage | null {
  return chunk === null ? null : chatUsage(readObject(chunk)?.usage)
}

/** A delta with anything but a role in it, or a finish reason. */
function hasContent(event: JsonObject | null): boolean {
  const choices = Array.isArray(event?.choices) ? event.choices : []
  return choices.some((choice: unknown) => {
    const { delta, finish_reason: finish } = asObject(choice) ?? {}
    if (typeof finish === 'string') return true
    return Object.entries(asObject(delta) ?? {}).some(
      ([name, value]) =>
        name !== 'role' && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
    )
  })
}

/** Same arithmetic as Responses under other names (codex §5.2); what the cache gave has two more (bridge §2.3). */
export function chatUsage(value: unknown): Usage | null {
  const usage = asObject(value)
  const input = asCount(usage?.prompt_tokens)
  const output = asCount(usage?.completion_tokens)
  if (usage === null || input === null || output === null) return null
  const details = asObject(usage.prompt_tokens_details)
  return {
    inputTokens: input,
    cacheReadTokens: asCount(details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cached_tokens) ?? 0,
    cacheWriteTokens: asCount(details?.cache_write_tokens) ?? 0,
    outputTokens: output,
    reasoningTokens: asCount(asObject(usage.completion_tokens_details)?.reasoning_tokens) ?? 0,
  }
}
