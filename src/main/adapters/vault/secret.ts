/** Bytes that must not be shown: every printed form of a secret is `[secret]`. */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { inspect } from 'node:util'

const hidden = '[secret]'

export class Secret {
  readonly #bytes: Buffer

  /** Takes the buffer over: the caller keeps no copy. */
  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  static random(length: number): Secret {
    return new Secret(randomBytes(length))
  }

  /** The bytes themselves, for the one call that needs them; never to be kept. */
  bytes(): Buffer {
    return this.#bytes
  }

  equals(other: Secret): boolean {
    return this.#bytes.length === other.#bytes.length && timingSafeEqual(this.#bytes, other.#bytes)
  }

  /** Overwrites the bytes; the secret is empty from then on. */
  close(): void {
    this.#bytes.fill(0)
  }

  toString(): string {
    return hidden
  }

  toJSON(): string {
    return hidden
  }

  [inspect.custom](): string {
    return hidden
  }
}
