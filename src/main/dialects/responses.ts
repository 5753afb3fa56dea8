/** Reads a Responses stream as it passes (codex §5.1); relies on `data.type`, never on the `event:` line. */
import type { Usage } from '../domain/usage.ts'
import { asCount, asObject, asText, bytesOf, type JsonObject, readObject, textOf } from './json.ts'
import { SseLines, startsWith } from './sse.ts'
import type { StreamFailure, StreamReader } from './stream-reader.ts'

const typeFirst = bytesOf('{"type":"')
const outputPrefix = bytesOf('response.output_')
const completed = bytesOf('response.completed"')
const done = bytesOf('response.done"')
const incomplete = bytesOf('response.incomplete"')
const failed = bytesOf('response.failed"')
const error = bytesOf('error"')
/** Handshake and metadata events that come before anything was generated (codex §5.1, "Commit point"). */
const preamble = ['response.created"', 'response.in_progress"', 'response.queued"', 'response.metadata"', 'codex.'].map(
  bytesOf,
)

export class ResponsesStream implements StreamReader {
  content = false
  complete = false
  failure: StreamFailure | null = null
  #usage: Usage | null = null
  #lines = new SseLines((data) => this.#event(data))

  push(chunk: Uint8Array): void {
    this.#lines.push(chunk)
  }

  usage(): Usage | null {
    return this.#usage
  }

  #event(data: Uint8Array): void {
    if (!startsWith(data, typeFirst)) {
      const event = readObject(data)
      const type = asText(event?.type)
      if (event !== null && type !== null) this.#typed(bytesOf(`${type}"`), 0, data, event)
      return
    }
    this.#typed(data, typeFirst.length, data, null)
  }

  #typed(name: Uint8Array, at: number, data: Uint8Array, parsed: JsonObject | null): void {
    if (startsWith(name, outputPrefix, at)) {
      this.content = true
      return
    }
    if (startsWith(name, completed, at) || startsWith(name, incomplete, at) || startsWith(name, done, at)) {
      this.#ended(parsed ?? readObject(data))
    } else if (startsWith(name, failed, at) || startsWith(name, error, at)) {
      this.#failed(parsed ?? readObject(data), data)
    } else if (!preamble.some((prefix) => startsWith(name, prefix, at))) {
      this.content = true
    }
  }

  #ended(event: JsonObject | null): void {
    this.complete = true
    this.content = true
    this.#usage = responsesUsage(asObject(event?.response)?.usage) ?? this.#usage
  }

  #failed(event: JsonObject | null, data: Uint8Array): void {
    const response = asObject(event?.response)
    this.#usage = responsesUsage(response?.usage) ?? this.#usage
    const status = asCount(event?.status) ?? asCount(event?.status_code) ?? 200
    this.failure ??= { status, body: textOf(data, 8_192) }
  }
}

/** `cached ⊂ input`, `reasoning ⊂ output` (codex §5.1). */
export function responsesUsage(value: unknown): Usage | null {
  const usage = asObject(value)
  const input = asCount(usage?.input_tokens)
  const output = asCount(usage?.output_tokens)
  if (usage === null || input === null || output === null) return null
  const details = asObject(usage.input_tokens_details)
  return {
    inputTokens: input,
    cacheReadTokens: asCount(details?.cached_tokens) ?? 0,
    cacheWriteTokens: asCount(details?.cache_write_tokens) ?? 0,
    outputTokens: output,
    reasoningTokens: asCount(asObject(usage.output_tokens_details)?.reasoning_tokens) ?? 0,
  }
}
