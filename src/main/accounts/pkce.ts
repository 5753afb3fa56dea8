/** The secrets of one browser sign-in: PKCE pair and state, and how a returned state is compared. Pure. */
import type { Chance, Digest } from '../ports.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Base64url without padding. */
export function base64Url(bytes: Uint8Array): string {
  let text = ''
  let held = 0
  let heldBits = 0
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xffff
    for (heldBits += 8; heldBits >= 6; heldBits -= 6) text += alphabet.charAt((held >> (heldBits - 6)) & 63)
  }
  return heldBits === 0 ? text : text + alphabet.charAt((held << (6 - heldBits)) & 63)
}

const fromHex = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

export interface Pkce {
  readonly verifier: string
  /** SHA-256 of the verifier (`S256`). */
  readonly challenge: string
  /** Independent of the verifier; 256 bits. */
  readonly state: string
}

export function newPkce(chance: Chance, digest: Digest): Pkce {
  const verifier = base64Url(chance.bytes(32))
  return { verifier, challenge: base64Url(fromHex(digest.sha256(verifier))), state: base64Url(chance.bytes(32)) }
}

/** Takes as long for a near miss as for a far one. */
export function isSameText(one: string, other: string): boolean {
  let difference = one.length ^ other.length
  for (let at = 0; at < one.length; at += 1) difference |= one.charCodeAt(at) ^ other.charCodeAt(at)
  return difference === 0
}
