/** Writes a neutral request as Chat Completions (bridge §1). */
import { effortFor } from './effort.ts'
import { chatMessages } from './encode-chat-messages.ts'
import type { Encoded, EncodeOptions } from './encode-options.ts'
import { cacheKey, sampling } from './encode-responses.ts'
import type { Format, NeutralRequest, Tool } from './neutral-request.ts'
import { isPrefilled } from './repair.ts'
import { mended, strictness } from './schema.ts'
import { isSame, searches, toolSet } from './tool-choice.ts'
import { emulatedSchemas, withGrammar } from './tool-input.ts'
import { present } from './value.ts'

const mostStops = 4

export function encodeChat(request: NeutralRequest, options: EncodeOptions): Encoded {
  const { abilities, losses, hash } = options
  const search = searches(request, abilities.webSearch, losses)
  const { tools, choice } = toolSet(request, search, losses)
  const wanted = effortFor(request.thinking, abilities.efforts, losses)
  const level = tools.length > 0 && !abilities.effortWithTools ? null : wanted
  if (level !== wanted) losses.dropped('effort_dropped', 'reasoning_effort')
  if (isPrefilled(request.items)) losses.changed('moved', 'prefill_not_continued', 'messages')
  const native = abilities.stop && request.stop.length <= mostStops
  if (request.stop.length > 0 && !native) losses.changed('emulated', 'stop_emulated', 'stop_sequences')
  if (abilities.maxTokensField === 'none' && request.maxTokens !== null)
    losses.dropped('max_tokens_dropped', 'max_tokens')
  const extras = abilities.openAiExtras
  if (request.serviceTier !== null && !extras) losses.dropped('service_tier_dropped', 'service_tier')
  if (request.verbosity !== null && !extras) losses.dropped('verbosity_dropped', 'verbosity')
  if (tools.length > 0 && !request.parallel && !extras)
    losses.dropped('parallel_tool_calls_dropped', 'parallel_tool_calls')
  const body = present({
    model: options.model,
    messages: chatMessages(request, options),
    tools: tools.length === 0 ? null : tools.map((tool, at) => toolEntry(tool, at, options)),
    tool_choice: tools.length === 0 ? null : choiceEntry(choice, tools, options),
    parallel_tool_calls: tools.length > 0 && !request.parallel && extras ? false : null,
    web_search_options: search ? searchOptions(request) : null,
    reasoning_effort: level,
    response_format: formatEntry(request.format, options),
    verbosity: extras ? request.verbosity : null,
    max_tokens: abilities.maxTokensField === 'max_tokens' ? request.maxTokens : null,
    max_completion_tokens: abilities.maxTokensField === 'max_completion_tokens' ? request.maxTokens : null,
    logprobs: request.topLogprobs === null ? null : true,
    top_logprobs: request.topLogprobs === 0 ? null : request.topLogprobs,
    stop: native && request.stop.length > 0 ? request.stop : null,
    ...sampling(request, options),
    prompt_cache_key: extras ? cacheKey(request, options) : null,
    safety_identifier: extras && request.userId !== null ? hash(request.userId) : null,
    // Vendors take metadata only together with `store`, which is never asked for.
    service_tier: extras ? request.serviceTier : null,
    stream: options.stream ? true : null,
    stream_options: options.stream ? { include_usage: true } : null,
  })
  if (request.metadata !== null) losses.dropped('metadata_dropped', 'metadata')
  return { body, stops: native ? [] : request.stop }
}

function searchOptions({ webSearch }: NeutralRequest): object {
  const { type: _type, ...approximate } = webSearch?.location ?? {}
  const nowhere = Object.keys(approximate).length === 0
  return nowhere ? {} : { user_location: { type: 'approximate', approximate } }
}

function toolEntry(tool: Tool, at: number, { names, losses, abilities }: EncodeOptions): object {
  const path = `tools[${at}]`
  const isCustom = tool.kind === 'custom' && abilities.customTools
  const name = names.name(tool, isCustom ? 'function' : tool.kind)
  if (isCustom) {
    const { type, ...grammar } = tool.format ?? { type: 'text' }
    const format = tool.format === null ? null : type === 'grammar' ? { type, grammar } : { type }
    return { type: 'custom', custom: present({ name, description: tool.description, format }) }
  }
  if (tool.kind !== 'function') {
    losses.changed('emulated', 'tool_emulated', path)
    const description = tool.kind === 'custom' ? withGrammar(tool.description, tool.format) : tool.description
    return { type: 'function', function: present({ name, description, parameters: emulatedSchemas[tool.kind] }) }
  }
  const parameters = mended(tool.schema)
  const strict = strictness(tool.strict, parameters, losses, path)
  return {
    type: 'function',
    function: present({ name, description: tool.description, parameters, strict: strict ? true : null }),
  }
}

function choiceEntry(
  choice: ReturnType<typeof toolSet>['choice'],
  tools: readonly Tool[],
  options: EncodeOptions,
): unknown {
  // Models that search there do so always.
  if (choice === null || choice.kind === 'search') return null
  if (choice.kind !== 'tool') return choice.kind
  const name = options.names.name(choice, 'function')
  const custom = tools.some((tool) => isSame(tool, choice) && tool.kind === 'custom') && options.abilities.customTools
  return custom ? { type: 'custom', custom: { name } } : { type: 'function', function: { name } }
}

function formatEntry(format: Format | null, { losses }: EncodeOptions): object | null {
  if (format === null) return null
  if (format.kind === 'object') return { type: 'json_object' }
  const { name, description, schema } = format
  const strict = strictness(format.strict, schema, losses, 'output_config.format')
  return { type: 'json_schema', json_schema: present({ name, description, schema, strict }) }
}
