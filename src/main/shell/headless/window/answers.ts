/** What the window's listener says: its security headers, and one fixed answer for everybody who may not come in. */
import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** Nothing inline, nothing from elsewhere, no markup from strings, in nobody's frame (threats T1.7, T4.1, T4.3). */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': contentPolicy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

export type Refusal = 'elsewhere' | 'stranger'

/** Neither names the program nor tells one path from another (T1.10). */
const refusals: Readonly<Record<Refusal, { readonly status: number; readonly text: string }>> = {
  elsewhere: { status: 403, text: 'This address answers only its own pages.\n' },
  stranger: { status: 401, text: 'This page needs a fresh one-time link: ask the program for one.\n' },
}

const refusalHeaders = {
  ...securityHeaders,
  'cache-control': 'no-store',
  'content-type': 'text/plain; charset=utf-8',
}

/** The connection ends with it, so that a body that nobody wants is not read. */
export function refuse(response: ServerResponse, refusal: Refusal): void {
  const { status, text } = refusals[refusal]
  response.writeHead(status, { ...refusalHeaders, connection: 'close', 'content-length': String(text.length) })
  response.end(text)
}

/** The same answer where there is only a socket yet. */
export function refuseUpgrade(socket: Duplex, refusal: Refusal): void {
  const { status, text } = refusals[refusal]
  const headers = { ...refusalHeaders, connection: 'close', 'content-length': String(text.length) }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const reason = status === 401 ? 'Unauthorized' : 'Forbidden'
  socket.end([`HTTP/1.1 ${status} ${reason}`, ...lines, '', text].join('\r\n'))
}
