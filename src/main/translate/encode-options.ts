/** What an encoder of requests is given besides the request. Plain data and pure functions only. */
import type { Abilities } from './abilities.ts'
import type { Losses } from './losses.ts'
import type { Hash, Names } from './names.ts'

export interface EncodeOptions {
  /** The model's name upstream. */
  readonly model: string
  readonly stream: boolean
  readonly abilities: Abilities
  readonly names: Names
  readonly losses: Losses
  readonly hash: Hash
  /** Hash of the conversation, or null; keeps an upstream's cache together. */
  readonly session: string | null
}

/** What the request's translation leaves for the answer's. */
export interface Encoded {
  readonly body: Record<string, unknown>
  /** Stop sequences that the answer is cut at here. */
  readonly stops: readonly string[]
}
