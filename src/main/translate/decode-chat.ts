/** Reads a Chat Completions request into the neutral form (bridge §1). */
import { contentParts, objectsIn } from './content-parts.ts'
import { effortIn } from './decode-messages.ts'
import { textOnly } from './decode-messages-items.ts'
import { decodeEffort, decodeOpenAiChoice, decodeOpenAiFormat, metadataIn, tierOf } from './decode-responses.ts'
import { bytesOfFile, bytesOfUrl, fileParts, unmarked } from './decode-responses-items.ts'
import type { Losses } from './losses.ts'
import type { Item, NeutralRequest, Opaque, Part, Tool, WebSearch } from './neutral-request.ts'
import { isSystem } from './repair.ts'
import { inputText, writtenInput } from './tool-input.ts'
import { type JsonObject, listIn, numberIn, objectIn, present, textIn } from './value.ts'

const known: ReadonlySet<string> = new Set([
  ...['model', 'messages', 'stream', 'stream_options', 'tools', 'tool_choice', 'parallel_tool_calls', 'max_tokens'],
  ...['max_completion_tokens', 'temperature', 'top_p', 'stop', 'reasoning_effort', 'response_format', 'verbosity'],
  ...['user', 'safety_identifier', 'prompt_cache_key', 'metadata', 'service_tier', 'store', 'n', 'logprobs'],
  ...['top_logprobs', 'functions', 'function_call', 'modalities', 'audio', 'web_search_options'],
  ...['prompt_cache_retention', 'prompt_cache_options'],
])

/** Thoughts of an earlier answer that a Chat client has no field for, kept here by the call that they led to. */
export interface KeptThought {
  readonly text: string
  readonly opaque: Opaque
}
export type KeptThoughts = Readonly<Record<string, readonly KeptThought[]>>

/** `inPlace`: the upstream has roles for leading system turns, so they stay turns. */
export function decodeChat(body: JsonObject, kept: KeptThoughts, inPlace: boolean, losses: Losses): NeutralRequest {
  if ((numberIn(body.n) ?? 1) > 1) losses.refuse('n_not_portable', 'n')
  if (listIn(body.modalities).includes('audio') || body.audio != null) losses.refuse('audio_not_portable', 'modalities')
  for (const field of Object.keys(body)) {
    if (!known.has(field) && body[field] != null) losses.fieldDropped(field, body[field])
  }
  const items = objectsIn(body.messages, 'messages', losses).flatMap((message, at) =>
    itemsOf(message, `messages[${at}]`, kept, losses),
  )
  // The leading run of system turns is the system text (bridge §1.2).
  const end = inPlace ? 0 : items.findIndex((item) => !isSystem(item))
  const lead = end < 0 ? items : items.slice(0, end)
  const stop = typeof body.stop === 'string' ? [body.stop] : listIn(body.stop)
  const old = objectsIn(body.functions, 'functions', losses).map((inner) => ({ type: 'function', function: inner }))
  const search = objectIn(body.web_search_options)
  const place = objectIn(search?.user_location)
  // Chat has one level more than the others.
  const location =
    objectIn(place?.approximate) === null ? place : { type: 'approximate', ...objectIn(place?.approximate) }
  const webSearch: WebSearch | null = search === null ? null : { allowedDomains: null, location }
  if (search?.search_context_size != null) losses.dropped('web_search_context_size_dropped', 'web_search_options')
  return {
    model: textIn(body.model) ?? '',
    stream: body.stream === true,
    wantsUsage: objectIn(body.stream_options)?.include_usage === true,
    system: lead.map((item) => (item.kind === 'message' ? joined(item.parts) : '')),
    items: end < 0 ? [] : items.slice(end),
    tools: [...objectsIn(body.tools, 'tools', losses), ...old].flatMap((tool, at) =>
      toolOf(tool, `tools[${at}]`, losses),
    ),
    webSearch,
    choice: decodeOpenAiChoice(body.tool_choice ?? oldChoice(body.function_call)),
    parallel: body.parallel_tool_calls !== false,
    maxTokens: numberIn(body.max_completion_tokens) ?? numberIn(body.max_tokens),
    stop: stop.filter((text) => typeof text === 'string' && text !== '') as string[],
    temperature: numberIn(body.temperature),
    topP: numberIn(body.top_p),
    topLogprobs: body.logprobs === true ? (numberIn(body.top_logprobs) ?? 0) : null,
    thinking: decodeEffort(effortIn(body.reasoning_effort, 'reasoning_effort', losses), true),
    format: decodeOpenAiFormat(objectIn(body.response_format), 'response_format', losses),
    verbosity: textIn(body.verbosity),
    userId: textIn(body.safety_identifier) ?? textIn(body.user),
    cacheKey: textIn(body.prompt_cache_key),
    metadata: metadataIn(body.metadata),
    serviceTier: tierOf(body.service_tier),
  }
}

const oldChoice = (value: unknown): unknown => {
  const name = textIn(objectIn(value)?.name)
  return name === null ? value : { type: 'function', function: { name } }
}

const joined = (parts: readonly Part[]): string =>
  parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n\n')

function toolOf(tool: JsonObject, path: string, losses: Losses): readonly Tool[] {
  const custom = objectIn(tool.custom)
  if (custom !== null) {
    const format = objectIn(custom.format)
    const flat = format === null ? null : present({ type: format.type, ...objectIn(format.grammar) })
    return [
      {
        kind: 'custom',
        name: textIn(custom.name) ?? '',
        namespace: null,
        description: textIn(custom.description),
        schema: null,
        strict: false,
        format: flat,
      },
    ]
  }
  const inner = objectIn(tool.function)
  if (inner === null) return losses.refuse('tool_unknown', path)
  losses.fieldsDropped(path, inner, ['name', 'description', 'parameters', 'strict'])
  return [
    {
      kind: 'function',
      name: textIn(inner.name) ?? '',
      namespace: null,
      description: textIn(inner.description),
      schema: objectIn(inner.parameters),
      strict: inner.strict === true,
      format: null,
    },
  ]
}

function itemsOf(message: JsonObject, path: string, kept: KeptThoughts, losses: Losses): readonly Item[] {
  const content = contentParts(message.content, 'text', `${path}.content`, losses)
  const parts = content.flatMap((part, at) => partOf(part, `${path}.content[${at}]`, losses))
  // An old function's result is known by it, a turn merely signed with it.
  if (message.name != null && message.role !== 'function' && message.role !== 'tool')
    losses.dropped('name_dropped', `${path}.name`)
  switch (message.role) {
    case 'tool':
    case 'function':
      return [
        unmarked({
          kind: 'result',
          callId: textIn(message.tool_call_id) ?? textIn(message.name) ?? '',
          parts,
          isError: false,
        }),
      ]
    case 'system':
    case 'developer':
      return [{ kind: 'message', role: message.role, parts: textOnly(parts, path, losses) }]
    case 'assistant':
      if (listIn(message.annotations).length > 0) losses.dropped('citations_dropped', `${path}.annotations`)
      // An earlier answer in sound, by its id only.
      if (message.audio != null) losses.refuse('audio_not_portable', `${path}.audio`)
      return assistantItems(message, textOnly(parts, path, losses), path, kept, losses)
    default:
      return [{ kind: 'message', role: 'user', parts }]
  }
}

function assistantItems(
  message: JsonObject,
  parts: readonly Part[],
  path: string,
  kept: KeptThoughts,
  losses: Losses,
): readonly Item[] {
  const items: Item[] = []
  const old = objectIn(message.function_call)
  const calls = [...listIn(message.tool_calls), ...(old === null ? [] : [{ id: textIn(old.name), function: old }])].map(
    objectIn,
  )
  const ids = calls.map((call) => textIn(call?.id) ?? '')
  const known = ids.find((id) => Object.hasOwn(kept, id))
  const thoughts = known === undefined ? undefined : kept[known]
  const told = textIn(message.reasoning_content) ?? textIn(message.reasoning)
  if (thoughts !== undefined) items.push(...thoughts.map((thought): Item => ({ kind: 'reasoning', ...thought })))
  else if (told !== null && told !== '') items.push({ kind: 'reasoning', text: told, opaque: null })
  const refusal = textIn(message.refusal)
  const said: readonly Part[] = refusal === null || refusal === '' ? parts : [...parts, { kind: 'text', text: refusal }]
  if (said.length > 0) items.push({ kind: 'message', role: 'assistant', parts: said })
  for (const [at, call] of calls.entries()) {
    const custom = objectIn(call?.custom)
    const inner = custom ?? objectIn(call?.function)
    const common = {
      kind: 'call',
      callId: textIn(call?.id) ?? '',
      name: textIn(inner?.name) ?? '',
      namespace: null,
    } as const
    if (custom !== null) items.push({ ...common, tool: 'custom', input: writtenInput(custom.input) })
    else {
      const input = inputText(writtenInput(inner?.arguments), losses, `${path}.tool_calls[${at}]`)
      items.push({ ...common, tool: 'function', input })
    }
  }
  return items
}

function partOf(part: JsonObject, path: string, losses: Losses): readonly Part[] {
  switch (part.type) {
    case 'text':
    case 'refusal': {
      const text = textIn(part.text) ?? textIn(part.refusal) ?? ''
      return text === '' ? [] : [{ kind: 'text', text }]
    }
    case 'image_url': {
      const image = objectIn(part.image_url)
      const url = textIn(image?.url) ?? textIn(part.image_url)
      if (url === null) return losses.refuse('content_unknown', path)
      return [{ kind: 'image', image: bytesOfUrl(url), detail: textIn(image?.detail) }]
    }
    case 'file': {
      const file = objectIn(part.file)
      const data = textIn(file?.file_data)
      if (data === null) return losses.refuse('file_id_not_portable', path)
      return fileParts(bytesOfFile(data), textIn(file?.filename))
    }
    case 'input_audio':
      return losses.refuse('audio_not_portable', path)
    default:
      return losses.refuse('content_unknown', path)
  }
}
