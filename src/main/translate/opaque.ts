/**
 * Carries one vendor's opaque values through another vendor's client: wrapped in the client's own opaque field, with
 * the issuer beside them; unwrapped only for that issuer, never forged (bridge §1.5).
 */
import type { Opaque } from './neutral-request.ts'
import { objectIn, parsed, textIn } from './value.ts'

const prefix = 'rb1.'
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8')

/** The mark on thoughts that have no opaque value of their own; some clients drop blocks without a signature. */
export const unsigned = `${prefix}e30`

export const isWrapped = (text: string): boolean => text.startsWith(prefix)

export const wrap = (issuer: string, { kind, data }: Opaque): string =>
  prefix + toBase64Url(encoder.encode(JSON.stringify({ iss: issuer, kind, blob: data })))

export type Unwrapped =
  | { readonly kind: 'own'; readonly opaque: Opaque }
  /** Of another issuer, or with nothing inside. */
  | { readonly kind: 'foreign' | 'none' }

/** What `text` holds for `issuer`; a value that isn't wrapped was made by somebody else. */
export function unwrap(issuer: string, text: string): Unwrapped {
  if (text === '' || text === unsigned) return { kind: 'none' }
  if (!isWrapped(text)) return { kind: 'foreign' }
  const inside = objectIn(parsed(decoder.decode(fromBase64Url(text.slice(prefix.length)))))
  const kind = inside?.kind
  const data = textIn(inside?.blob)
  if (inside?.iss !== issuer || data === null) return { kind: 'foreign' }
  if (kind !== 'signature' && kind !== 'redacted' && kind !== 'encrypted') return { kind: 'foreign' }
  return { kind: 'own', opaque: { kind, data } }
}

function toBase64Url(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const group = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
    const digits = Math.min(4, bytes.length - at + 1)
    for (let digit = 0; digit < digits; digit += 1) text += alphabet[(group >> (18 - 6 * digit)) & 63]
  }
  return text
}

/** What each character stands for, of either alphabet; 64 is none of them. */
const digitValues = new Uint8Array(128).fill(64)
for (const [value, digit] of [...alphabet].entries()) digitValues[digit.charCodeAt(0)] = value
digitValues['+'.charCodeAt(0)] = 62
digitValues['/'.charCodeAt(0)] = 63

export function fromBase64Url(text: string): Uint8Array {
  const bytes = new Uint8Array(Math.ceil((text.length * 3) / 4))
  let length = 0
  let group = 0
  let bits = 0
  for (let at = 0; at < text.length; at += 1) {
    const value = digitValues[text.charCodeAt(at)] ?? 64
    if (value === 64) continue
    group = ((group << 6) | value) & 0xffff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    bytes[length] = group >> bits
    length += 1
  }
  return bytes.subarray(0, length)
}

export const base64UrlOf = (text: string): string => toBase64Url(encoder.encode(text))

/** Base64 of a text document. */
export const textOfBase64 = (data: string): string => decoder.decode(fromBase64Url(data))
