/** Token counts between the vendors: one counts apart, the other inclusively (bridge §2.3). */
import type { Usage } from '../domain/usage.ts'
import { countIn, type JsonObject, numberIn, objectIn } from './value.ts'

export const noUsage: Usage = {
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
}

/** Of two answers that one call took. */
export const sumOf = (one: Usage, other: Usage): Usage => ({
  inputTokens: one.inputTokens + other.inputTokens,
  cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
  cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  reasoningTokens: one.reasoningTokens + other.reasoningTokens,
  ...(one.cacheWriteLongTokens === undefined && other.cacheWriteLongTokens === undefined
    ? {}
    : { cacheWriteLongTokens: (one.cacheWriteLongTokens ?? 0) + (other.cacheWriteLongTokens ?? 0) }),
})

/** Counts that stand apart; everything read is their sum. */
export function usageOfMessages(usage: JsonObject): Usage {
  const cacheReadTokens = countIn(usage.cache_read_input_tokens)
  const cacheWriteTokens = countIn(usage.cache_creation_input_tokens)
  return {
    inputTokens: countIn(usage.input_tokens) + cacheReadTokens + cacheWriteTokens,
    cacheReadTokens,
    cacheWriteTokens,
    outputTokens: countIn(usage.output_tokens),
    reasoningTokens: countIn(objectIn(usage.output_tokens_details)?.thinking_tokens),
  }
}

/** Both OpenAI styles, and the spellings of servers that follow them. */
export function usageOfOpenAi(usage: JsonObject): Usage {
  const input = objectIn(usage.input_tokens_details) ?? objectIn(usage.prompt_tokens_details)
  const output = objectIn(usage.output_tokens_details) ?? objectIn(usage.completion_tokens_details)
  const cached = input?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cached_tokens
  return {
    inputTokens: countIn(usage.input_tokens ?? usage.prompt_tokens),
    cacheReadTokens: countIn(cached),
    cacheWriteTokens: countIn(input?.cache_write_tokens),
    outputTokens: countIn(usage.output_tokens ?? usage.completion_tokens),
    reasoningTokens: countIn(output?.reasoning_tokens),
  }
}

export const messagesUsage = (usage: Usage): JsonObject => ({
  input_tokens: Math.max(0, usage.inputTokens - usage.cacheReadTokens - usage.cacheWriteTokens),
  cache_creation_input_tokens: usage.cacheWriteTokens,
  cache_read_input_tokens: usage.cacheReadTokens,
  output_tokens: usage.outputTokens,
  ...(usage.reasoningTokens === 0 ? {} : { output_tokens_details: { thinking_tokens: usage.reasoningTokens } }),
})

/** Every field, zeros too: a missing `reasoning_tokens` fails the Codex CLI's turn. */
export const responsesUsage = (usage: Usage): JsonObject => ({
  input_tokens: usage.inputTokens,
  input_tokens_details: { cached_tokens: usage.cacheReadTokens, cache_write_tokens: usage.cacheWriteTokens },
  output_tokens: usage.outputTokens,
  output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  total_tokens: usage.inputTokens + usage.outputTokens,
})

export const chatUsage = (usage: Usage): JsonObject => ({
  prompt_tokens: usage.inputTokens,
  completion_tokens: usage.outputTokens,
  total_tokens: usage.inputTokens + usage.outputTokens,
  prompt_tokens_details: { cached_tokens: usage.cacheReadTokens, cache_write_tokens: usage.cacheWriteTokens },
  completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
})

/** Fields that carry a number; a null keeps what was said before (bridge §2.3). */
export const saidOf = (usage: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(usage).filter(([, value]) => numberIn(value) !== null || objectIn(value) !== null))
