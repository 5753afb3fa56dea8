/** Reads a Messages request into the neutral form (bridge §1). */
import { contentParts, objectsIn } from './content-parts.ts'
import { decodeMessagesItems } from './decode-messages-items.ts'
import type { Losses } from './losses.ts'
import {
  type Choice,
  type Effort,
  efforts,
  type Format,
  type NeutralRequest,
  type Thinking,
  type Tool,
  type WebSearch,
} from './neutral-request.ts'
import { type JsonObject, listIn, numberIn, objectIn, textIn } from './value.ts'

const known: ReadonlySet<string> = new Set([
  ...['model', 'messages', 'system', 'max_tokens', 'stream', 'stop_sequences', 'temperature', 'top_p', 'tools'],
  ...['tool_choice', 'thinking', 'output_config', 'output_format', 'metadata', 'service_tier', 'cache_control'],
])
/** Meant for what only its own vendor runs. */
const refused = ['container', 'mcp_servers'] as const

export function decodeMessages(body: JsonObject, issuer: string, losses: Losses): NeutralRequest {
  // An empty list asks for nothing.
  for (const field of refused)
    if (body[field] != null && [body[field]].flat().length > 0) losses.refuse('field_not_portable', field)
  // A history that its vendor holds, and a summary that it alone can make.
  if (objectIn(body.thread)?.type === 'continue') losses.refuse('context_not_portable', 'thread')
  if (body.compaction != null) losses.refuse('compaction_not_served', 'compaction')
  for (const field of Object.keys(body)) {
    if (!known.has(field) && body[field] != null && !refused.some((name) => name === field)) {
      losses.fieldDropped(field, body[field])
    }
  }
  const maxTokens = numberIn(body.max_tokens)
  if (maxTokens === 0) losses.refuse('cache_warming_not_portable', 'max_tokens')
  const { tools, webSearch } = decodeTools(objectsIn(body.tools, 'tools', losses), losses)
  const choice = objectIn(body.tool_choice)
  const output = objectIn(body.output_config)
  losses.fieldsDropped('output_config', output, ['effort', 'format'])
  return {
    model: textIn(body.model) ?? '',
    stream: body.stream === true,
    wantsUsage: true,
    system: contentParts(body.system, 'text', 'system', losses).flatMap((block, at) => systemText(block, at, losses)),
    items: decodeMessagesItems(body.messages, issuer, losses),
    tools,
    webSearch,
    choice: decodeChoice(choice),
    parallel: choice?.disable_parallel_tool_use !== true,
    maxTokens,
    stop: listIn(body.stop_sequences).filter((stop) => typeof stop === 'string' && stop !== '') as string[],
    temperature: numberIn(body.temperature),
    topP: numberIn(body.top_p),
    topLogprobs: null,
    thinking: decodeThinking(objectIn(body.thinking), effortIn(output?.effort, 'output_config.effort', losses)),
    format: decodeFormat(objectIn(output?.format) ?? objectIn(body.output_format)),
    verbosity: null,
    userId: textIn(objectIn(body.metadata)?.user_id),
    cacheKey: null,
    metadata: null,
    serviceTier: body.service_tier === 'standard_only' ? 'default' : null,
  }
}

const systemText = ({ text }: JsonObject, at: number, losses: Losses): readonly string[] =>
  text === '' ? [] : [textIn(text) ?? losses.refuse('content_unknown', `system[${at}]`)]

/** `ultra` is what a client calls the highest level (codex §6.1); one that is not known is told of. */
export function effortIn(value: unknown, path: string, losses: Losses): Effort | null {
  if (value === undefined || value === null) return null
  const effort = efforts.find((name) => name === (value === 'ultra' ? 'max' : value)) ?? null
  if (effort === null) losses.dropped('effort_dropped', path)
  return effort
}

function decodeThinking(thinking: JsonObject | null, effort: Effort | null): Thinking {
  const shown = thinking !== null && thinking.display !== 'omitted'
  switch (thinking?.type) {
    case 'disabled':
      return { mode: 'off', budgetTokens: null, effort, shown: false }
    case 'enabled':
      return { mode: 'budget', budgetTokens: numberIn(thinking.budget_tokens), effort, shown }
    case 'adaptive':
    case 'between_tools':
      return { mode: 'adaptive', budgetTokens: null, effort, shown }
    default:
      return { mode: 'unset', budgetTokens: null, effort, shown: false }
  }
}

const decodeFormat = (format: JsonObject | null): Format | null => {
  const schema = objectIn(format?.schema)
  return format?.type === 'json_schema' && schema !== null
    ? { kind: 'schema', name: 'output', description: null, schema, strict: true }
    : null
}

function decodeChoice(choice: JsonObject | null): Choice | null {
  switch (choice?.type) {
    case 'any':
      return { kind: 'required' }
    case 'none':
      return { kind: 'none' }
    case 'auto':
      return { kind: 'auto' }
    case 'tool':
      return { kind: 'tool', name: textIn(choice.name) ?? '', namespace: null }
    default:
      // No tool is called so, and a choice that nobody understands is not left out.
      return choice === null ? null : { kind: 'tool', name: '', namespace: null }
  }
}

/** The published argument shapes of the client-run types, which come without a schema (bridge §1.6). */
const typedSchemas: readonly (readonly [prefix: string, schema: JsonObject])[] = [
  ['bash_', { type: 'object', properties: { command: { type: 'string' }, restart: { type: 'boolean' } } }],
  [
    'text_editor_',
    {
      type: 'object',
      properties: {
        command: { type: 'string', enum: ['view', 'create', 'str_replace', 'insert'] },
        path: { type: 'string' },
        file_text: { type: 'string' },
        old_str: { type: 'string' },
        new_str: { type: 'string' },
        insert_line: { type: 'integer' },
        insert_text: { type: 'string' },
        view_range: { type: 'array', items: { type: 'integer' } },
      },
      required: ['command', 'path'],
    },
  ],
  [
    'memory_',
    {
      type: 'object',
      properties: {
        command: { type: 'string', enum: ['view', 'create', 'str_replace', 'insert', 'delete', 'rename'] },
        path: { type: 'string' },
        view_range: { type: 'array', items: { type: 'integer' } },
        old_path: { type: 'string' },
        new_path: { type: 'string' },
        file_text: { type: 'string' },
        old_str: { type: 'string' },
        new_str: { type: 'string' },
        insert_line: { type: 'integer' },
        insert_text: { type: 'string' },
      },
      required: ['command'],
    },
  ],
]

/** What becomes of each is decided here; early arguments are how every other stream comes. */
const ofTools = [
  ...['type', 'name', 'description', 'input_schema', 'strict', 'cache_control', 'defer_loading', 'allowed_callers'],
  'eager_input_streaming',
]

function decodeTools(
  list: readonly JsonObject[],
  losses: Losses,
): { readonly tools: readonly Tool[]; readonly webSearch: WebSearch | null } {
  const tools: Tool[] = []
  const removed: string[] = []
  let webSearch: WebSearch | null = null
  for (const [at, tool] of list.entries()) {
    const path = `tools[${at}]`
    const type = textIn(tool.type) ?? 'custom'
    const name = textIn(tool.name) ?? ''
    if (tool.defer_loading === true) losses.changed('emulated', 'tool_loaded_eagerly', path)
    callersChecked(tool, path, losses)
    const common = { name, namespace: null, description: textIn(tool.description), format: null }
    const typed = typedSchemas.find(([prefix]) => type.startsWith(prefix))
    if (type === 'custom' || typed !== undefined) losses.fieldsDropped(path, tool, ofTools)
    if (type === 'custom' || (typed === undefined && objectIn(tool.input_schema) !== null)) {
      tools.push({ ...common, kind: 'function', schema: objectIn(tool.input_schema), strict: tool.strict === true })
    } else if (typed !== undefined) {
      losses.changed('emulated', 'client_tool_emulated', path)
      tools.push({ ...common, kind: 'function', schema: typed[1], strict: false })
    } else if (type.startsWith('web_search_')) {
      const allowedDomains = domainsIn(tool.allowed_domains)
      webSearch = { allowedDomains, location: objectIn(tool.user_location) }
      for (const field of ['blocked_domains', 'max_uses']) {
        if (tool[field] != null) losses.dropped(`web_search_${field}_dropped`, `${path}.${field}`)
      }
    } else if (/^(?:computer|browser|mcp)/.test(type)) losses.refuse('server_tool_unsupported', path)
    else if (type.startsWith('tool_search')) losses.dropped('tool_search_dropped', path)
    else removed.push(path)
  }
  removeServerTools(removed, tools.length > 0 || webSearch !== null, losses)
  return { tools, webSearch }
}

export const domainsIn = (list: unknown): readonly string[] | null =>
  Array.isArray(list) ? list.filter((domain) => typeof domain === 'string') : null

/** Programs that a vendor runs may call a tool there; here only the model does. */
export function callersChecked({ allowed_callers: callers }: JsonObject, path: string, losses: Losses): void {
  if (listIn(callers).some((caller) => caller !== 'direct')) losses.dropped('allowed_callers_dropped', path)
}

/** Those that only their own vendor runs: left out where the model has others. */
export function removeServerTools(paths: readonly string[], hasOthers: boolean, losses: Losses): void {
  for (const path of paths) {
    if (!hasOthers) losses.refuse('server_tool_unsupported', path)
    losses.dropped('server_tool_removed', path)
  }
}
