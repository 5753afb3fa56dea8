/** Reads a Responses request into the neutral form (bridge §1). */

import { objectsIn } from './content-parts.ts'
import { callersChecked, domainsIn, effortIn, removeServerTools } from './decode-messages.ts'
import { decodeResponsesItems } from './decode-responses-items.ts'
import type { Losses } from './losses.ts'
import type { Choice, Effort, Format, NeutralRequest, Thinking, Tool, ToolName, WebSearch } from './neutral-request.ts'
import { isSystem } from './repair.ts'
import { type JsonObject, listIn, numberIn, objectIn, textIn } from './value.ts'

const known: ReadonlySet<string> = new Set([
  ...['model', 'input', 'instructions', 'stream', 'tools', 'tool_choice', 'parallel_tool_calls', 'max_output_tokens'],
  ...['temperature', 'top_p', 'reasoning', 'text', 'user', 'safety_identifier', 'prompt_cache_key', 'metadata'],
  ...['service_tier', 'store', 'include', 'stream_options', 'client_metadata', 'top_logprobs', 'background'],
  ...['prompt_cache_retention', 'prompt_cache_options'],
])
/** What a Responses request includes to get them. */
export const logprobsIncluded = 'message.output_text.logprobs'

const refused = ['conversation', 'prompt', 'previous_response_id'] as const

export function decodeResponses(body: JsonObject, issuer: string, losses: Losses): NeutralRequest {
  if (body.background === true) losses.refuse('background_not_portable', 'background')
  for (const field of refused) {
    if (body[field] == null) continue
    const lost = field === 'previous_response_id'
    losses.refuse(lost ? 'previous_response_not_found' : 'context_not_portable', field)
  }
  for (const field of Object.keys(body)) {
    const isRefused = refused.some((name) => name === field)
    if (!known.has(field) && !isRefused && body[field] != null) losses.fieldDropped(field, body[field])
  }
  const instructions = instructionsIn(body.instructions, losses)
  const { items, extraTools } = decodeResponsesItems(body.input, issuer, losses)
  // The leading system turns are instructions too (bridge §1.2).
  const lead = items.findIndex((item) => !isSystem(item))
  const leading = lead < 0 ? items.length : lead
  const system = items
    .slice(0, leading)
    .map((item) =>
      item.kind === 'message' ? item.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n\n') : '',
    )
  const { tools, webSearch } = decodeTools([...objectsIn(body.tools, 'tools', losses), ...extraTools], losses)
  const text = objectIn(body.text)
  const reasoning = objectIn(body.reasoning)
  losses.fieldsDropped('text', text, ['format', 'verbosity'])
  losses.fieldsDropped('reasoning', reasoning, ['effort', 'summary', 'generate_summary'])
  return {
    model: textIn(body.model) ?? '',
    stream: body.stream === true,
    wantsUsage: true,
    system: [...(instructions === null || instructions === '' ? [] : [instructions]), ...system],
    items: items.slice(leading),
    tools,
    webSearch,
    choice: decodeOpenAiChoice(body.tool_choice),
    parallel: body.parallel_tool_calls !== false,
    maxTokens: numberIn(body.max_output_tokens),
    stop: [],
    temperature: numberIn(body.temperature),
    topP: numberIn(body.top_p),
    topLogprobs: logprobsAsked(body),
    thinking: decodeEffort(effortIn(reasoning?.effort, 'reasoning.effort', losses), reasoning?.summary != null),
    format: decodeOpenAiFormat(objectIn(text?.format), 'text.format', losses),
    verbosity: textIn(text?.verbosity),
    userId: textIn(body.safety_identifier) ?? textIn(body.user),
    cacheKey: textIn(body.prompt_cache_key),
    metadata: metadataIn(body.metadata),
    serviceTier: tierOf(body.service_tier),
  }
}

export const tierOf = (value: unknown): string | null => (value === 'auto' ? null : textIn(value))

const instructionsIn = (value: unknown, losses: Losses): string | null =>
  value === undefined || value === null ? null : (textIn(value) ?? losses.refuse('content_unknown', 'instructions'))

/** None of them are what a response has that nobody asked for any. */
function logprobsAsked({ top_logprobs: top, include }: JsonObject): number | null {
  const isIncluded = listIn(include).includes(logprobsIncluded)
  return isIncluded ? (numberIn(top) ?? 0) : numberIn(top) || null
}

/** Labels of a stored answer; an empty set says nothing. */
export function metadataIn(value: unknown): JsonObject | null {
  const metadata = objectIn(value)
  return metadata === null || Object.keys(metadata).length === 0 ? null : metadata
}

export function decodeEffort(effort: Effort | null, shown: boolean): Thinking {
  const mode = effort === null ? 'unset' : effort === 'none' ? 'off' : 'adaptive'
  return { mode, budgetTokens: null, effort, shown }
}

export function decodeOpenAiFormat(format: JsonObject | null, path: string, losses: Losses): Format | null {
  if (format?.type === 'json_object') return { kind: 'object' }
  const inner = objectIn(format?.json_schema) ?? format
  const schema = objectIn(inner?.schema)
  if (format?.type !== 'json_schema' || schema === null) {
    if (format !== null && format.type !== 'text') losses.fieldDropped(`${path}.type`)
    return null
  }
  return {
    kind: 'schema',
    name: textIn(inner?.name) ?? 'output',
    description: textIn(inner?.description),
    schema,
    strict: inner?.strict === true,
  }
}

/** Responses and Chat differ only in where the name stands. */
export function decodeOpenAiChoice(value: unknown): Choice | null {
  if (value === 'auto' || value === 'required' || value === 'none') return { kind: value }
  const choice = objectIn(value)
  // No tool is called so, and a choice that nobody understands is not left out.
  if (choice === null) return value == null ? null : { kind: 'tool', name: '', namespace: null }
  if (choice.type === 'allowed_tools') {
    const list = objectIn(choice.allowed_tools) ?? choice
    const tools = listIn(list.tools).map((tool) => chosen(objectIn(tool)))
    return { kind: 'allowed', required: list.mode === 'required', tools }
  }
  return { kind: 'tool', ...chosen(choice) }
}

function chosen(tool: JsonObject | null): ToolName {
  const inner = objectIn(tool?.function) ?? objectIn(tool?.custom) ?? tool
  return { name: textIn(inner?.name) ?? textIn(tool?.type) ?? '', namespace: textIn(inner?.namespace) }
}

function decodeTools(
  list: readonly unknown[],
  losses: Losses,
): { readonly tools: readonly Tool[]; readonly webSearch: WebSearch | null } {
  const tools: Tool[] = []
  const removed: string[] = []
  let webSearch: WebSearch | null = null
  const add = (value: unknown, namespace: string | null, path: string): void => {
    const tool = objectIn(value)
    if (tool === null) return
    const description = textIn(tool.description)
    const name = textIn(tool.name) ?? ''
    const plain = { name, namespace, description, schema: null, strict: false, format: null }
    callersChecked(tool, path, losses)
    if (tool.defer_loading === true) losses.changed('emulated', 'tool_loaded_eagerly', path)
    switch (tool.type) {
      case 'function':
        losses.fieldsDropped(path, tool, ofFunctions)
        tools.push({ ...plain, kind: 'function', schema: objectIn(tool.parameters), strict: tool.strict === true })
        return
      case 'custom':
        tools.push({ ...plain, kind: 'custom', format: objectIn(tool.format) })
        return
      case 'namespace':
        losses.changed('emulated', 'namespace_flattened', path)
        for (const [at, inner] of listIn(tool.tools).entries()) add(inner, name, `${path}.tools[${at}]`)
        return
      case 'local_shell':
      case 'shell':
      case 'apply_patch':
        if (textIn(objectIn(tool.environment)?.type)?.startsWith('container') === true) {
          losses.refuse('hosted_shell_not_portable', path)
        }
        losses.fieldsDropped(`${path}.environment`, objectIn(tool.environment), ['type'])
        tools.push({ ...plain, kind: tool.type, name: tool.type, description: builtInDescriptions[tool.type] })
        return
      case 'web_search':
      case 'web_search_2025_08_26':
      case 'web_search_preview':
      case 'web_search_preview_2025_03_11': {
        const filters = objectIn(tool.filters)
        const allowedDomains = domainsIn(filters?.allowed_domains)
        webSearch = { allowedDomains, location: objectIn(tool.user_location) }
        if (tool.search_context_size != null) losses.dropped('web_search_context_size_dropped', path)
        // Others search the web as it is.
        if (tool.external_web_access === false) losses.dropped('web_search_offline_dropped', path)
        return
      }
      case 'tool_search':
        losses.dropped('tool_search_dropped', path)
        return
      case 'computer_use_preview':
      case 'computer_use':
      case 'computer':
      case 'mcp':
        losses.refuse('server_tool_unsupported', path)
        return
      default:
        removed.push(path)
    }
  }
  for (const [at, tool] of list.entries()) add(tool, null, `tools[${at}]`)
  removeServerTools(removed, tools.length > 0 || webSearch !== null, losses)
  return { tools, webSearch }
}

const ofFunctions = ['type', 'name', 'description', 'parameters', 'strict', 'defer_loading', 'allowed_callers']

const builtInDescriptions = {
  local_shell: 'Runs one command on the local machine: program and arguments as a list.',
  shell: 'Runs shell commands on the local machine, one after another.',
  apply_patch: 'Creates, updates or deletes one file; `diff` is a V4A diff without headers.',
} as const
