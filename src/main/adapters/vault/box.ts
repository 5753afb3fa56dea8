/** AES-256-GCM boxes: a fresh nonce each, bound to what they are about, opened whole or not at all. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { Secret } from './secret.ts'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** What a box is about: authenticated with it, so that a box moved elsewhere does not open. */
export type About = readonly (string | number)[]

const additionalData = (about: About): Buffer => Buffer.from(JSON.stringify(about), 'utf8')

/** Nonce, ciphertext and tag in one piece. */
export function closeBox(key: Secret, about: About, plain: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key.bytes(), nonce, { authTagLength: tagBytes })
  cipher.setAAD(additionalData(about))
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** The plain bytes, or null when key, box or `about` is not the one it was closed with. */
export function openBox(key: Secret, about: About, box: Uint8Array): Secret | null {
  if (box.length < nonceBytes + tagBytes) return null
  const decipher = createDecipheriv(algorithm, key.bytes(), box.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decipher.setAAD(additionalData(about))
  decipher.setAuthTag(box.subarray(box.length - tagBytes))
  try {
    return new Secret(
      Buffer.concat([decipher.update(box.subarray(nonceBytes, box.length - tagBytes)), decipher.final()]),
    )
  } catch {
    return null
  }
}
