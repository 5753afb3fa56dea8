/** An upgrade's head as the head of the same request over HTTP: so a turn passes every check that a request passes. Pure. */
import type { RequestHead } from '../../ports.ts'

/** Of the handshake, or of a body that an upgrade has not. */
const dropped: ReadonlySet<string> = new Set([
  ...['upgrade', 'expect', 'accept', 'content-type', 'content-length', 'content-encoding', 'transfer-encoding'],
])

/**
 * A turn is always answered as a stream, which over HTTP `accept` says (observed-clients). `own`: what the turn itself says in place of the upgrade's
 * headers, as a flat name-value list.
 */
export function turnHead(head: RequestHead, own: readonly string[] = []): RequestHead {
  const { rawHeaders } = head
  const said = new Set(own.filter((_, at) => at % 2 === 0))
  const kept: string[] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const lower = (rawHeaders[at] ?? '').toLowerCase()
    if (dropped.has(lower) || lower.startsWith('sec-websocket-') || said.has(lower)) continue
    kept.push(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  }
  const added = ['accept', 'text/event-stream', 'content-type', 'application/json']
  return { ...head, method: 'POST', rawHeaders: [...kept, ...own, ...added] }
}
