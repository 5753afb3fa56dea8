/** Writes a neutral request as Responses (bridge §1). */

import { logprobsIncluded } from './decode-responses.ts'
import { marked } from './decode-responses-items.ts'
import { effortFor } from './effort.ts'
import type { Encoded, EncodeOptions } from './encode-options.ts'
import { callIdFor } from './names.ts'
import type { Format, Item, NeutralRequest, Part, Tool } from './neutral-request.ts'
import { isPrefilled, isSystem, nothingLeft } from './repair.ts'
import { mended, strictness } from './schema.ts'
import { isSame, searches, toolSet } from './tool-choice.ts'
import { emulatedSchemas, inputText, withGrammar, wrappedInput } from './tool-input.ts'
import { objectIn, parsed, present, textIn } from './value.ts'

const leastOutputTokens = 16

export function encodeResponses(request: NeutralRequest, options: EncodeOptions): Encoded {
  const { abilities, losses, hash } = options
  const { cliFieldsOnly } = abilities
  const system = request.system.filter((text) => text !== '').join('\n\n')
  const search = searches(request, abilities.webSearch, losses)
  const { tools, choice } = toolSet(request, search, losses)
  const level = effortFor(request.thinking, abilities.efforts, losses)
  if (request.serviceTier !== null && !abilities.openAiExtras) losses.dropped('service_tier_dropped', 'service_tier')
  if (request.metadata !== null && cliFieldsOnly) losses.dropped('metadata_dropped', 'metadata')
  const logprobs = cliFieldsOnly ? null : request.topLogprobs
  if (request.topLogprobs !== logprobs) losses.dropped('logprobs_dropped', 'logprobs')
  if (request.stop.length > 0) losses.changed('emulated', 'stop_emulated', 'stop')
  if (isPrefilled(request.items)) losses.changed('moved', 'prefill_not_continued', 'messages')
  const declared = [...tools.map((tool, at) => toolEntry(tool, at, options)), ...(search ? [searchEntry(request)] : [])]
  // A model that doesn't reason refuses to be asked for its thoughts.
  const reasons = abilities.efforts.length > 0
  const shown = reasons && request.thinking.shown && request.thinking.mode !== 'off'
  const reasoning = present({ effort: level, summary: shown ? 'auto' : null })
  const text = present({ format: formatEntry(request.format, options), verbosity: request.verbosity })
  const included = [
    ...(reasons ? ['reasoning.encrypted_content'] : []),
    ...(logprobs === null ? [] : [logprobsIncluded]),
    // The Codex CLI never asks for them, and its backend takes nothing else (codex §2.3).
    ...(search && !cliFieldsOnly ? ['web_search_call.action.sources'] : []),
  ]
  const front = request.items.findIndex((item) => !isSystem(item))
  const freeform = new Set(abilities.customTools ? freeformCalls(request.items) : [])
  const input = request.items.flatMap((item, at) =>
    item.kind === 'result'
      ? [resultEntry(item, freeform.has(item.callId), options)]
      : itemEntry(item, at < front, options),
  )
  if (tools.length > 0 && !request.parallel && !abilities.openAiExtras)
    losses.dropped('parallel_tool_calls_dropped', 'parallel_tool_calls')
  const body = present({
    model: options.model,
    instructions: system !== '' || cliFieldsOnly ? system : null,
    input: input.length === 0 ? nothingLeft(losses) : input,
    tools: declared.length === 0 ? null : declared,
    tool_choice: declared.length === 0 ? null : choiceEntry(choice, options, tools),
    parallel_tool_calls: declared.length === 0 || !abilities.openAiExtras ? null : request.parallel ? null : false,
    reasoning: Object.keys(reasoning).length === 0 ? null : reasoning,
    text: Object.keys(text).length === 0 ? null : text,
    max_output_tokens: outputLimit(request, options),
    ...sampling(request, options),
    store: false,
    include: included.length === 0 ? null : included,
    top_logprobs: logprobs === 0 ? null : logprobs,
    prompt_cache_key: abilities.openAiExtras ? cacheKey(request, options) : null,
    safety_identifier:
      abilities.openAiExtras && !cliFieldsOnly && request.userId !== null ? hash(request.userId) : null,
    metadata: cliFieldsOnly ? null : request.metadata,
    service_tier: abilities.openAiExtras ? request.serviceTier : null,
    stream: options.stream ? true : null,
  })
  return { body, stops: request.stop }
}

/** The client's own key wins; else the conversation's: `user_id` often holds a session, and never the whole of it is one. */
export function cacheKey({ cacheKey: own, userId }: NeutralRequest, { session, hash }: EncodeOptions): string | null {
  if (own !== null) return own
  if (session !== null) return session.slice(0, 64)
  const id = textIn(objectIn(userId === null ? null : parsed(userId))?.session_id)
  return id === null ? null : hash(id)
}

function outputLimit({ maxTokens }: NeutralRequest, { abilities, losses }: EncodeOptions): number | null {
  if (maxTokens === null) return null
  if (abilities.maxTokensField === 'none' || abilities.cliFieldsOnly) {
    losses.dropped('max_tokens_dropped', 'max_tokens')
    return null
  }
  if (maxTokens < leastOutputTokens) losses.changed('clamped', 'max_tokens_clamped', 'max_tokens')
  return Math.max(leastOutputTokens, maxTokens)
}

export function sampling(
  { temperature, topP }: NeutralRequest,
  { abilities, losses }: EncodeOptions,
): Record<string, unknown> {
  if (temperature === null && topP === null) return {}
  if (abilities.sampling && !abilities.cliFieldsOnly) return { temperature, top_p: topP }
  if (temperature !== 1 || topP !== null) losses.dropped('sampling_dropped', 'temperature')
  return {}
}

function formatEntry(format: Format | null, { losses }: EncodeOptions): object | null {
  if (format === null) return null
  if (format.kind === 'object') return { type: 'json_object' }
  const { name, description, schema } = format
  const strict = strictness(format.strict, schema, losses, 'output_config.format')
  return present({ type: 'json_schema', name, description, schema, strict })
}

function toolEntry(tool: Tool, at: number, { names, losses, abilities }: EncodeOptions): object {
  const isCustom = tool.kind === 'custom' && abilities.customTools
  const name = names.name(tool, isCustom ? 'function' : tool.kind)
  if (isCustom) return present({ type: 'custom', name, description: tool.description, format: tool.format })
  if (tool.kind !== 'function') {
    losses.changed('emulated', 'tool_emulated', `tools[${at}]`)
    const description = tool.kind === 'custom' ? withGrammar(tool.description, tool.format) : tool.description
    return present({ type: 'function', name, description, parameters: emulatedSchemas[tool.kind], strict: false })
  }
  const parameters = mended(tool.schema)
  // Explicit: its own default would rewrite the schema so that optional arguments come back filled.
  const strict = strictness(tool.strict, parameters, losses, `tools[${at}]`)
  return present({ type: 'function', name, description: tool.description, parameters, strict })
}

const searchEntry = ({ webSearch }: NeutralRequest): object =>
  present({
    type: 'web_search',
    filters: webSearch?.allowedDomains == null ? null : { allowed_domains: webSearch.allowedDomains },
    user_location: webSearch?.location,
  })

function choiceEntry(
  choice: ReturnType<typeof toolSet>['choice'],
  options: EncodeOptions,
  tools: readonly Tool[],
): unknown {
  if (choice === null) return null
  if (choice.kind === 'search') {
    return tools.length === 0
      ? 'required'
      : { type: 'allowed_tools', mode: 'required', tools: [{ type: 'web_search' }] }
  }
  if (choice.kind !== 'tool') return choice.kind
  const custom = tools.some((tool) => isSame(tool, choice) && tool.kind === 'custom') && options.abilities.customTools
  return { type: custom ? 'custom' : 'function', name: options.names.name(choice, 'function') }
}

const freeformCalls = (items: readonly Item[]): readonly string[] =>
  items.flatMap((item) => (item.kind === 'call' && item.tool === 'custom' ? [item.callId] : []))

/** `inFront`: nothing but system turns stands before it. */
function itemEntry(item: Exclude<Item, Result>, inFront: boolean, options: EncodeOptions): readonly object[] {
  const { names, losses, hash, abilities } = options
  switch (item.kind) {
    case 'message': {
      const role = item.role === 'system' && !inFront ? 'developer' : item.role
      const content = item.parts.map((part) => partEntry(part, item.role === 'assistant', options))
      return [{ type: 'message', role, content }]
    }
    case 'call': {
      const callId = callIdFor('responses', item.callId, hash)
      if (item.tool === 'custom' && abilities.customTools) {
        return [{ type: 'custom_tool_call', call_id: callId, name: names.name(item, 'function'), input: item.input }]
      }
      const text = item.tool === 'custom' ? wrappedInput(item.input) : inputText(item.input, losses, 'messages')
      return [{ type: 'function_call', call_id: callId, name: names.name(item, item.tool), arguments: text }]
    }
    case 'reasoning': {
      if (item.opaque?.kind === 'encrypted') {
        const summary = item.text === '' ? [] : [{ type: 'summary_text', text: item.text }]
        return [{ type: 'reasoning', summary, encrypted_content: item.opaque.data }]
      }
      losses.dropped('reasoning_dropped', 'messages')
      return []
    }
  }
}

type Result = Extract<Item, { kind: 'result' }>

/** The result of a call is of the call's kind. */
function resultEntry(item: Result, isFreeform: boolean, options: EncodeOptions): object {
  const type = isFreeform ? 'custom_tool_call_output' : 'function_call_output'
  const callId = callIdFor('responses', item.callId, options.hash)
  const isText = item.parts.every((part) => part.kind === 'text')
  const texts = item.parts.map((part) => (part.kind === 'text' ? part.text : ''))
  const isMany = item.parts.length > 1
  if (isText && !isMany && !item.parts.some((part) => endsPrefix(part, options))) {
    return { type, call_id: callId, output: marked(texts.join(''), item.isError) }
  }
  const parts = item.parts.map((part) => partEntry(part, false, options))
  const output = item.isError ? [{ type: 'input_text', text: marked('', true) }, ...parts] : parts
  return { type, call_id: callId, output }
}

/** Where the client's cache mark can be kept; three are written beside the vendor's own, the latest ones. */
export const endsPrefix = (part: Part, { abilities }: EncodeOptions): boolean =>
  part.endsPrefix === true && abilities.cacheBreakpoints

export const breakpoint = { prompt_cache_breakpoint: { mode: 'explicit' } } as const

function partEntry(part: Part, assistant: boolean, options: EncodeOptions): object {
  const entry = plainEntry(part, assistant, options)
  return !assistant && endsPrefix(part, options) ? { ...entry, ...breakpoint } : entry
}

function plainEntry(part: Part, assistant: boolean, { abilities, losses }: EncodeOptions): object {
  switch (part.kind) {
    case 'text':
      return assistant
        ? { type: 'output_text', text: part.text, annotations: [] }
        : { type: 'input_text', text: part.text }
    case 'image': {
      const { image } = part
      if (!abilities.images) return losses.refuse('images_not_accepted', 'messages')
      if (image.at === 'url' && !abilities.imageAddresses)
        return losses.refuse('image_address_not_accepted', 'messages')
      const url = image.at === 'url' ? image.url : `data:${image.mediaType};base64,${image.data}`
      return { type: 'input_image', image_url: url, detail: part.detail ?? 'auto' }
    }
    case 'document': {
      const { document } = part
      if (!abilities.documents) return losses.refuse('documents_not_accepted', 'messages')
      if (document.at === 'url') return { type: 'input_file', file_url: document.url }
      const filename = part.title || 'document.pdf'
      return { type: 'input_file', filename, file_data: `data:${document.mediaType};base64,${document.data}` }
    }
  }
}
