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

export function fromBase64Url(text: string): Uint8Array {
  const digits: number[] = []
  for (const letter of text) {
    const value = letter === '+' ? 62 : letter === '/' ? 63 : alphabet.indexOf(letter)
    if (value >= 0) digits.push(value)
  }
  const bytes = new Uint8Array(Math.floor((digits.length * 3) / 4))
  for (let at = 0; at < bytes.length; at += 1) {
    const bit = at * 8
    const digit = Math.floor(bit / 6)
    const pair = ((digits[digit] ?? 0) << 6) | (digits[digit + 1] ?? 0)
    bytes[at] = (pair >> (4 - (bit % 6))) & 255
  }
  return bytes
}

/** Base64 of a text document. */
export const textOfBase64 = (data: string): string => decoder.decode(fromBase64Url(data))
