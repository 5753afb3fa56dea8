/** Reads a Messages stream as it passes (claude §5): message_start … content blocks … message_delta, message_stop. */
import type { Usage } from '../domain/usage.ts'
import { asCount, asObject, asText, bytesOf, type JsonObject, readObject, textOf } from './json.ts'
import { SseLines, startsWith } from './sse.ts'
import type { StreamFailure, StreamReader } from './stream-reader.ts'

const typeFirst = bytesOf('{"type":"')
const kinds = {
  contentDelta: bytesOf('content_block_delta"'),
  contentStart: bytesOf('content_block_start"'),
  messageStart: bytesOf('message_start"'),
  messageDelta: bytesOf('message_delta"'),
  messageStop: bytesOf('message_stop"'),
  error: bytesOf('error"'),
} as const

export class MessagesStream implements StreamReader {
  content = false
  complete = false
  failure: StreamFailure | null = null
  #usage: JsonObject = {}
  #lines = new SseLines((data) => this.#event(data))

  push(chunk: Uint8Array): void {
    this.#lines.push(chunk)
  }

  usage(): Usage | null {
    return messagesUsage(this.#usage)
  }

  #event(data: Uint8Array): void {
    if (startsWith(data, typeFirst)) {
      const at = typeFirst.length
      if (startsWith(data, kinds.contentDelta, at)) this.content = true
      else if (startsWith(data, kinds.contentStart, at)) this.content = true
      else if (startsWith(data, kinds.messageStart, at)) this.#started(readObject(data))
      else if (startsWith(data, kinds.messageDelta, at)) this.#delta(readObject(data))
      else if (startsWith(data, kinds.messageStop, at)) this.complete = true
      else if (startsWith(data, kinds.error, at)) this.#failed(data)
      return
    }
    const event = readObject(data)
    switch (event === null ? null : asText(event.type)) {
      case 'content_block_start':
      case 'content_block_delta':
        this.content = true
        return
      case 'message_start':
        this.#started(event)
        return
      case 'message_delta':
        this.#delta(event)
        return
      case 'message_stop':
        this.complete = true
        return
      case 'error':
        this.#failed(data)
    }
  }

  #started(event: JsonObject | null): void {
    const usage = asObject(asObject(event?.message)?.usage)
    if (usage !== null) this.#usage = usage
  }

  /** Cumulative; a field that is null keeps the value of message_start (claude §5). */
  #delta(event: JsonObject | null): void {
    const usage = asObject(event?.usage)
    if (usage === null) return
    const present = Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null))
    this.#usage = { ...this.#usage, ...present }
  }

  #failed(data: Uint8Array): void {
    this.failure ??= { status: 200, body: textOf(data, 8_192) }
  }
}

/** Total input = input + cache creation + cache read (claude §5). */
export function messagesUsage(value: unknown): Usage | null {
  const usage = asObject(value)
  const input = asCount(usage?.input_tokens)
  const output = asCount(usage?.output_tokens)
  if (usage === null || input === null || output === null) return null
  const cacheReadTokens = asCount(usage.cache_read_input_tokens) ?? 0
  const cacheWriteTokens = asCount(usage.cache_creation_input_tokens) ?? 0
  const reasoning = asCount(asObject(usage.output_tokens_details)?.thinking_tokens)
  const longWrites = asCount(asObject(usage.cache_creation)?.ephemeral_1h_input_tokens) ?? 0
  return {
    inputTokens: input + cacheReadTokens + cacheWriteTokens,
    cacheReadTokens,
    cacheWriteTokens,
    outputTokens: output,
    reasoningTokens: reasoning ?? 0,
    ...(longWrites === 0 ? {} : { cacheWriteLongTokens: longWrites }),
  }
}
