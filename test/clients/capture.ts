/** Turns a client's requests into a fixture: every header as sent, with what differs from run to run made equal. */
import { header } from './http-bytes.ts'
import type { Passed } from './tap.ts'

export interface CapturedRequest {
  /** Method and path. */
  readonly line: string
  /** `name: value` each, in order, names as written. */
  readonly headers: readonly string[]
  /** The body fields that can name a session. */
  readonly body: { readonly metadata?: unknown; readonly prompt_cache_key?: unknown }
}

/** The fixture's text; requests that differ in nothing but volatile values appear once. */
export function captured(client: string, passed: readonly Passed[], folder: string): string {
  const steady = steadied(folder)
  const requests = new Map<string, unknown>()
  for (const { request } of passed) {
    const [method = '', target = ''] = request.first.split(' ')
    const headers: string[] = []
    for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
      const [name = '', value = ''] = request.rawHeaders.slice(index, index + 2)
      headers.push(`${name}: ${steady(unsteadyHeaders[name.toLowerCase()] ?? value)}`)
    }
    const made: CapturedRequest = { line: `${method} ${steady(target)}`, headers, body: sessionFields(request, steady) }
    const text = JSON.stringify(made)
    if (!requests.has(text)) requests.set(text, made)
  }
  return `${JSON.stringify({ client, requests: [...requests.values()] }, null, 2)}\n`
}

/** Values that say something of the machine, not of the client. */
const unsteadyHeaders: Readonly<Record<string, string>> = {
  authorization: '<credential>',
  'content-length': '<length>',
  'sec-websocket-key': '<nonce>',
  'x-stainless-arch': '<machine>',
  'x-stainless-os': '<system>',
}

function sessionFields(request: Passed['request'], steady: (text: string) => string): CapturedRequest['body'] {
  if (request.body.length === 0 || header(request, 'content-encoding') !== null) return {}
  const { metadata, prompt_cache_key } = JSON.parse(request.body.toString('utf8')) as Record<string, unknown>
  return JSON.parse(steady(JSON.stringify({ metadata, prompt_cache_key }))) as CapturedRequest['body']
}

/** Replaces volatile values by names that are the same for the same value within one fixture. */
function steadied(folder: string): (text: string) => string {
  const names = new Map<string, string>()
  const named = (kind: string) => (value: string) => {
    const count = [...names.values()].filter((name) => name.startsWith(`<${kind} `)).length
    const name = names.get(value) ?? `<${kind} ${count + 1}>`
    names.set(value, name)
    return name
  }
  return (text) =>
    text
      .replaceAll(folder, '<folder>')
      .replace(/\bpk_[\w-]{43}/g, '<key>')
      .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, named('uuid'))
      .replace(/\b[0-9a-f]{64}\b/g, named('device'))
      .replace(/\b[0-9a-f]{40}\b/g, named('commit'))
      .replace(/\ba[0-9a-f]{16}\b/g, named('agent'))
      .replace(/\b1[0-9]{12}\b/g, '0')
      .replace(/\b127\.0\.0\.1:[0-9]+/g, '127.0.0.1:<port>')
      .replace(/\([^;()]*; (?:x86_64|aarch64|arm64)\) \S+/g, '(<system>; <machine>) <terminal>')
}
