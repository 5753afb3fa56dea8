/**
 * Who may talk to the data plane at all: exact Host, no web page, and none of the oddities that Node's parser lets
 * through (threats T1.1 to T1.4, T7.1, T7.2). Pure; runs before routing and before one body byte.
 */
import type { HeaderList } from '../dialects/headers.ts'
import type { RequestHead } from '../ports.ts'
import { Refusal } from './trail.ts'

const mostHeaders = 200

export function refuseHead(head: RequestHead, headers: HeaderList): Refusal | null {
  if (headers.count > mostHeaders) return new Refusal('headers_too_many')
  if (!isOurHost(headers, head.port)) return new Refusal('origin_refused')
  if (headers.has('origin') || isCrossSite(headers.get('sec-fetch-site'))) return new Refusal('origin_refused')
  if (!head.target.startsWith('/')) return new Refusal('origin_refused')
  const encoding = headers.get('transfer-encoding')
  if (encoding !== null && (headers.repeats('transfer-encoding') || encoding.trim().toLowerCase() !== 'chunked')) {
    return new Refusal('bad_request', { why: 'its transfer-encoding is not chunked' })
  }
  if (encoding !== null && headers.has('content-length')) {
    return new Refusal('bad_request', { why: 'it has both a length and a transfer-encoding' })
  }
  return null
}

/** Exactly one Host, and exactly ours; a missing, empty or doubled one is refused. */
function isOurHost(headers: HeaderList, port: number): boolean {
  if (headers.repeats('host')) return false
  const host = headers.get('host')?.toLowerCase()
  return host === `127.0.0.1:${port}` || host === `localhost:${port}` || host === `[::1]:${port}`
}

/** Pages can't forge `Sec-` headers (T1.1). */
const isCrossSite = (site: string | null): boolean => site !== null && site !== 'same-origin' && site !== 'none'
