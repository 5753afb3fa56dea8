/** Estimates the input tokens of a request for upstreams that don't count: everything in it, never 0 (bridge §5). */
import { type JsonObject, listIn, objectIn, parsed } from './value.ts'

/** Latin text runs to about four characters a token, other scripts to about one and a half. */
const latinPerToken = 3.6
const otherPerToken = 1.4
const perMessage = 4
const perTool = 12
const perRequest = 3
/** A picture as clients send it, scaled to what a model looks at. */
const perImage = 1_600
const perDocument = 3_000

const notText: ReadonlySet<string> = new Set([
  'type',
  'role',
  'id',
  'tool_use_id',
  'call_id',
  'cache_control',
  'media_type',
  // Opaque: no model reads them as text.
  'signature',
  'encrypted_content',
])
/** What tools take and were given, and what an answer must fit: its names and forms are read like its values. */
const written: ReadonlySet<string> = new Set(['input_schema', 'parameters', 'schema', 'input'])
const counted = ['system', 'instructions', 'messages', 'input', 'tools', 'thinking'] as const
/** Where the schema of an answer stands. */
const formats = ['text', 'output_config', 'output_format'] as const

/** Null when the body is no object. */
export function estimateTokens(text: string): number | null {
  const body = objectIn(parsed(text))
  if (body === null) return null
  try {
    return tokensOfRequest(body)
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    // Values inside values by the thousand: nobody reads them, but a number is wanted all the same.
    return Math.ceil(tokensOf(text))
  }
}

function tokensOfRequest(body: JsonObject): number {
  const turns = listIn(body.messages).length + listIn(body.input).length
  let tokens = perRequest + perMessage * turns + perTool * listIn(body.tools).length
  for (const field of [...counted, ...formats]) tokens += tokensIn(body[field])
  return Math.max(1, Math.ceil(tokens))
}

function tokensIn(value: unknown): number {
  if (typeof value === 'string') return tokensOf(value)
  if (typeof value === 'number' || typeof value === 'boolean') return 1
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + tokensIn(each), 0)
  const object = objectIn(value)
  if (object === null || object.type === 'redacted_thinking') return 0
  return attachment(object) || tokensInObject(object)
}

/** Pictures and documents go by their kind, not by the length of their base64; a document of text goes by its text. */
function attachment({ type, source }: JsonObject): number {
  if (type === 'image' || type === 'input_image' || type === 'image_url') return perImage
  const form = objectIn(source)?.type
  if (form === 'text' || form === 'content') return 0
  return type === 'document' || type === 'input_file' || type === 'file' ? perDocument : 0
}

function tokensInObject(object: JsonObject): number {
  let sum = 0
  for (const [name, value] of Object.entries(object)) {
    if (notText.has(name)) continue
    if (written.has(name) && typeof value === 'object' && value !== null) sum += tokensOf(JSON.stringify(value))
    else sum += tokensIn(value) + (typeof value === 'string' ? 0 : 1)
  }
  return sum
}

function tokensOf(text: string): number {
  let other = 0
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x2ff) other += 1
  return (text.length - other) / latinPerToken + other / otherPerToken
}
