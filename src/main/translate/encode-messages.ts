/** Writes a neutral request as Messages (bridge §1). */
import { type MessagesThinking, messagesThinking } from './effort.ts'
import { messagesTurns } from './encode-messages-turns.ts'
import type { Encoded, EncodeOptions } from './encode-options.ts'
import type { NeutralRequest, Tool } from './neutral-request.ts'
import { mended, rootObject } from './schema.ts'
import { searches, type ToolSet, toolSet } from './tool-choice.ts'
import { emulatedSchemas, withGrammar } from './tool-input.ts'
import { present } from './value.ts'

const cacheMark = { type: 'ephemeral' } as const

export function encodeMessages(request: NeutralRequest, options: EncodeOptions): Encoded {
  const { abilities, losses, names, hash } = options
  if (request.topLogprobs !== null) losses.refuse('logprobs_not_portable', 'logprobs')
  if (request.metadata !== null) losses.dropped('metadata_dropped', 'metadata')
  if (request.verbosity !== null) losses.dropped('verbosity_dropped', 'verbosity')
  const search = searches(request, abilities.webSearch, losses)
  const { tools, choice } = toolSet(request, search, losses)
  const forced = choice !== null && choice.kind !== 'auto' && choice.kind !== 'none'
  const { thinking, effort, maxTokens } = messagesThinking(request, abilities, forced, losses)
  const format = formatOf(request, options)
  const system = [...request.system, ...(format?.instruction ?? [])].filter((text) => text !== '')
  const declared = [...tools.map((tool, at) => toolBlock(tool, at, options)), ...(search ? [searchBlock(request)] : [])]
  const outputConfig = present({ effort, format: format?.config })
  const systemBlocks = system.map((text) => ({ type: 'text', text }))
  const body = present({
    model: options.model,
    max_tokens: maxTokens,
    system: systemBlocks.length === 0 ? null : abilities.cacheMarks ? lastMarked(systemBlocks) : systemBlocks,
    messages: messagesTurns(request, options),
    tools: declared.length === 0 ? null : abilities.cacheMarks ? lastMarked(declared) : declared,
    tool_choice: choiceBlock(choice, request.parallel, declared.length > 0, names),
    thinking,
    output_config: Object.keys(outputConfig).length === 0 ? null : outputConfig,
    stop_sequences: request.stop.length === 0 ? null : request.stop,
    ...sampling(request, thinking, options),
    metadata: request.userId === null ? null : { user_id: hash(request.userId) },
    service_tier: tier(request, options),
    stream: options.stream ? true : null,
  })
  return { body, stops: [] }
}

function lastMarked(blocks: readonly object[]): readonly object[] {
  return blocks.map((block, at) => (at === blocks.length - 1 ? { ...block, cache_control: cacheMark } : block))
}

function toolBlock(tool: Tool, at: number, { names, losses }: EncodeOptions): object {
  const name = names.name(tool, tool.kind)
  if (tool.kind === 'function') {
    const schema = rootObject(mended(tool.schema), losses, `tools[${at}]`)
    return present({ name, description: tool.description, input_schema: schema, strict: tool.strict ? true : null })
  }
  losses.changed('emulated', 'tool_emulated', `tools[${at}]`)
  const description = tool.kind === 'custom' ? withGrammar(tool.description, tool.format) : tool.description
  return present({ name, description, input_schema: emulatedSchemas[tool.kind] })
}

const searchBlock = ({ webSearch }: NeutralRequest): object =>
  present({
    type: 'web_search_20250305',
    name: 'web_search',
    allowed_domains: webSearch?.allowedDomains,
    user_location: webSearch?.location,
  })

function choiceBlock(
  choice: ToolSet['choice'],
  parallel: boolean,
  hasTools: boolean,
  names: EncodeOptions['names'],
): object | null {
  if (!hasTools) return null
  // `none` can't carry the flag and needs it least.
  if (choice?.kind === 'none') return { type: 'none' }
  const one = parallel ? {} : { disable_parallel_tool_use: true }
  switch (choice?.kind) {
    case 'required':
      return { type: 'any', ...one }
    case 'tool':
      return { type: 'tool', name: names.name(choice, 'function'), ...one }
    case 'search':
      return { type: 'tool', name: 'web_search', ...one }
    case 'auto':
      return { type: 'auto', ...one }
    default:
      return parallel ? null : { type: 'auto', ...one }
  }
}

function sampling(
  { temperature, topP }: NeutralRequest,
  thinking: MessagesThinking['thinking'],
  { abilities, losses }: EncodeOptions,
): Record<string, unknown> {
  if (temperature === null && topP === null) return {}
  // While it thinks, the vendor takes the usual temperature only (its pages on extended thinking).
  const isThinking = thinking !== null && thinking.type !== 'disabled'
  if (!abilities.sampling || isThinking) {
    // What the model does anyway needs no word.
    if (temperature !== 1 || topP !== null) losses.dropped('sampling_dropped', 'temperature')
    return {}
  }
  if (temperature !== null && temperature > 1) losses.changed('clamped', 'temperature_clamped', 'temperature')
  const both = temperature !== null && topP !== null && !abilities.temperatureWithTopP
  if (both) losses.dropped('top_p_dropped', 'top_p')
  return { temperature: temperature === null ? null : Math.min(1, temperature), top_p: both ? null : topP }
}

function tier({ serviceTier }: NeutralRequest, { losses }: EncodeOptions): string | null {
  if (serviceTier === null) return null
  if (serviceTier === 'default') return 'standard_only'
  losses.dropped('service_tier_dropped', 'service_tier')
  return null
}

interface FormatBlock {
  readonly config: object | null
  readonly instruction: readonly string[]
}

/** Structured output, as an instruction where the model has none. */
function formatOf({ format }: NeutralRequest, { abilities, losses }: EncodeOptions): FormatBlock | null {
  if (format === null) return null
  if (format.kind === 'schema' && abilities.structuredOutput) {
    return { config: { type: 'json_schema', schema: format.schema }, instruction: [] }
  }
  losses.changed('emulated', 'format_as_instruction', 'text.format')
  const schema = format.kind === 'schema' ? ` that fits this schema: ${JSON.stringify(format.schema)}` : ''
  return { config: null, instruction: [`Answer with one JSON object${schema} and nothing else.`] }
}
