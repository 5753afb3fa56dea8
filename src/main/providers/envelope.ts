/** The error envelopes of all vendors, read into one flat shape; anything may be missing or of another type. */
import type { Answer } from '../domain/failure.ts'
import { type Headers, headerLookup, readNumber } from './raw-headers.ts'

export interface Envelope {
  /** HTTP status; for an event inside a 200 stream the status it carries, else null. */
  readonly status: number | null
  readonly type: string
  readonly code: string
  /** Lower case; only for recognising, never kept. */
  readonly message: string
  /** The innermost error object, for fields of one vendor. */
  readonly error: JsonObject
  /** A web page came instead of an API answer, or the edge says that it stepped in. */
  readonly page: boolean
  /** The answer's headers, then those inside a wrapped WebSocket error (codex §2.5). */
  readonly headers: Headers
  readonly rawHeaders: readonly string[]
}

export type JsonObject = Readonly<Record<string, unknown>>

const asObject = (value: unknown): JsonObject | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

/**
 * Reads `{error:{…}}`, `{error:"text"}`, `{detail:"text"}`, `{detail:{code}}`, `{response:{error}}`, a flat
 * `{type:"error",code,message}` and an SSE frame around any of them (claude §4.4, codex §4.6, §5.1).
 */
export function readEnvelope(answer: Answer): Envelope {
  const root = parse(answer.body) ?? {}
  const error = innermost(root)
  const rawHeaders = [...answer.rawHeaders, ...wrappedHeaders(root)]
  const headers = headerLookup(rawHeaders)
  const code =
    asText(asObject(error.details)?.error_code) ||
    asText(error.code) ||
    asText(root.code) ||
    (headers('x-openai-authorization-error') ?? '')
  const text = asText(error.message) || asText(root.error) || asText(root.detail) || asText(root.message)
  const ownType = asText(error.type)
  return {
    status: statusOf(answer.status, root),
    type: (ownType === 'error' ? '' : ownType).toLowerCase(),
    code: code.toLowerCase(),
    // What the vendor has to say stands first; what may be the person's own text comes later.
    message: text.slice(0, 400).toLowerCase(),
    error,
    page: isPage(answer.body, headers),
    headers,
    rawHeaders,
  }
}

function innermost(root: JsonObject): JsonObject {
  const inner = asObject(root.error) ?? asObject(asObject(root.response)?.error) ?? asObject(root.detail)
  if (inner === null) return root
  // A relay sometimes wraps the vendor's own envelope once more.
  return asObject(inner.error) ?? inner
}

function statusOf(status: number, root: JsonObject): number | null {
  if (status >= 300) return status
  const carried = readNumber(asText(root.status)) ?? readNumber(asText(root.status_code))
  return carried !== null && carried >= 400 && carried <= 599 ? carried : null
}

function parse(body: string): JsonObject | null {
  const start = body.trimStart()
  const frame = /^(?:event|data|id):/.test(start) ? /^data:(.*)$/m.exec(start)?.[1] : undefined
  try {
    return asObject(JSON.parse(frame ?? start))
  } catch {
    return null
  }
}

function wrappedHeaders(root: JsonObject): readonly string[] {
  const found = asObject(root.headers)
  if (found === null) return []
  return Object.entries(found).flatMap(([name, value]) => {
    const text = asText(value)
    return text === '' ? [] : [name, text]
  })
}

function isPage(body: string, headers: Headers): boolean {
  if (headers('cf-mitigated') !== null) return true
  const type = headers('content-type')?.toLowerCase() ?? ''
  return type.startsWith('text/html') || /^\s*<(?:!doctype|html|head|body)/i.test(body.slice(0, 200))
}

/**
 * The vendor's code or type if it is a plain word or a short number, else null. Words of letters and underscores only,
 * so that nothing that could be a key, a token or text of the person ever gets into the log.
 */
export function vendorCode({ code, type }: Envelope): string | null {
  for (const word of [code, type]) if (/^(?:[a-z_]{1,48}|\d{1,6})$/.test(word)) return word
  return null
}
