/** Sorts undici's and Node's errors into the few kinds of failure that routing tells apart. */
import type { UpstreamFailure } from '../../ports.ts'

const unreachable: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'POINTSMAN_SELF',
])

/** What this machine has run out of (F47). */
const noRoom: Readonly<Record<string, string>> = {
  EMFILE: 'this program has too many files open',
  ENFILE: 'this machine has too many files open',
  ENOBUFS: 'this machine has no memory left for connections',
  ENOMEM: 'this machine has no memory left',
}

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name could not be looked up',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no network',
  EADDRNOTAVAIL: 'there is no free local port',
  ETIMEDOUT: 'it did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'it did not accept the connection within 10 s',
  POINTSMAN_SELF: 'it is Pointsman itself',
}

/** `headSeen`: the response had begun, so the answer was cut. */
export function transportFailure(cause: unknown, headSeen: boolean): UpstreamFailure {
  const code = codeOf(cause)
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return { kind: 'silent' }
  if (headSeen) return { kind: 'cut' }
  const lacking = noRoom[code]
  if (lacking !== undefined) return { kind: 'no-room', why: lacking }
  if (unreachable.has(code)) return { kind: 'unreachable', why: words[code] ?? code }
  // undici's parser errors name themselves, but most carry no code.
  if (code.startsWith('HPE_') || malformed.has(code) || (cause instanceof Error && cause.name === 'HTTPParserError')) {
    return { kind: 'malformed', why: code }
  }
  if (code.startsWith('ERR_TLS') || code.startsWith('CERT_') || certificate.has(code)) {
    return { kind: 'tls-untrusted', why: code.toLowerCase().replaceAll('_', ' ') }
  }
  if (proxied.has(code) || isNoTunnel(cause)) return { kind: 'proxy', why: 'it refused the connection' }
  return { kind: 'lost' }
}

const proxied: ReadonlySet<string> = new Set(['UND_ERR_PRX_TLS', 'UND_ERR_PRX_CONN', 'POINTSMAN_NO_TUNNEL'])

/** Of another answer to CONNECT than 200 undici says so in words alone; nothing was sent yet. */
const isNoTunnel = (cause: unknown): boolean =>
  cause instanceof Error && /^Proxy response \(\d+\) !== 200 when HTTP Tunneling/.test(cause.message)

const malformed: ReadonlySet<string> = new Set(['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'UND_ERR_HEADERS_OVERFLOW'])

const certificate: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'EPROTO',
])

function codeOf(cause: unknown): string {
  for (let error = cause; typeof error === 'object' && error !== null; error = (error as { cause?: unknown }).cause) {
    const { code, errors } = error as { code?: unknown; errors?: readonly unknown[] }
    if (typeof code === 'string') return code
    if (Array.isArray(errors) && errors.length > 0) return codeOf(errors[0])
  }
  return ''
}
