/** What a translated answer begins with, and a vendor's refusal in the client's own style. */
import { bytesOf } from '../dialects/json.ts'
import type { Dialect } from '../domain/source.ts'
import type { Exchange } from '../ports.ts'
import { failureBody, failureOfAnswer, failureStatus } from '../translate/failure.ts'
import type { Delivered } from './delivered.ts'
import { bodyText } from './execution.ts'
import type { FlowDeps } from './flow-deps.ts'
import type { Opened, Translation } from './opened.ts'

/** A negative answer of the vendor, translated by class. */
export async function translatedRefusal(
  { incoming }: Opened,
  { context }: Translation,
  io: Exchange,
  deps: FlowDeps,
): Promise<Delivered> {
  const failure = failureOfAnswer(incoming.status, await bodyText(incoming, deps.inflate))
  const body = bytesOf(JSON.stringify(failureBody(context.client, failure)))
  const status = failureStatus(context.client, failure)
  const headers = translatedHeaders(incoming.headers.raw, context.client, 'application/json', [])
  incoming.abort()
  return {
    outcome: 'failed',
    status,
    usage: null,
    firstByteAt: deps.clock.elapsedMs(),
    bytesOut: body.length,
    release() {
      if (io.gone.aborted) return
      io.begin(status, [...headers, 'content-length', String(body.length)])
      io.end(body)
    },
  }
}

const passed: ReadonlySet<string> = new Set(['retry-after', 'retry-after-ms'])
const requestIds: ReadonlySet<string> = new Set(['request-id', 'x-request-id', 'x-oai-request-id'])
/** Under which name a client looks for the id of its request (bridge §1.1). */
const idNames: Readonly<Record<Dialect, string>> = {
  messages: 'request-id',
  responses: 'x-request-id',
  chat: 'x-request-id',
}

/** Another vendor's limits mean nothing to this client; when to ask again does (bridge §2.4). `lost`: codes of warnings. */
export function translatedHeaders(
  raw: readonly string[],
  client: Dialect,
  contentType: string,
  lost: readonly string[],
): string[] {
  const headers = ['content-type', contentType, 'cache-control', 'no-cache']
  let id: string | null = null
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at]?.toLowerCase() ?? ''
    if (passed.has(name)) headers.push(raw[at] ?? '', raw[at + 1] ?? '')
    else if (requestIds.has(name)) id ??= raw[at + 1] ?? ''
  }
  if (id !== null) headers.push(idNames[client], id)
  const codes = [...new Set(lost)].slice(0, 32).join(',')
  if (codes !== '') headers.push('x-pointsman-warnings', codes)
  return headers
}
