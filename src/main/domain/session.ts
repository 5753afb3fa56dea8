/** Which conversation a request belongs to, as far as headers and body tell (routing §5). */
import type { SessionKey, SourceId } from '../../shared/ids.ts'

/** Readable keys, before hashing: `claude:<sid>[:agent:<id>]`, `codex:<thread>`, `generic:<id>`. */
export interface SessionIdentity {
  readonly key: string
  /** Where to inherit from: the parent agent, the parent thread, the root session. */
  readonly parents: readonly string[]
  readonly interactive: boolean
  /** For the log: which evidence gave it. */
  readonly from: 'header' | 'body'
}

export interface Binding {
  readonly session: SessionKey
  readonly sourceId: SourceId
  readonly boundAtMs: number
  readonly lastUsedMs: number
  /** The model it used last, for the list of bindings. */
  readonly model?: string | null | undefined
  /** Set by the person: `here` was chosen for it; `anew`: its next request is ranked like a new conversation's. */
  readonly moved?: 'here' | 'anew' | undefined
}

/** Something that only the source that made it can read again; its name is hashed. */
export interface Owned {
  readonly hash: string
  readonly sourceId: SourceId
  readonly atMs: number
}

/** Warmth lasts 2 h idle; the owner of encrypted content is remembered 30 days as a tie-break. */
export const bindingRules = { warmMs: 2 * 3_600_000, rememberMs: 30 * 86_400_000, mostOwned: 20_000 } as const

export const isWarm = (binding: Binding, nowMs: number): boolean => nowMs - binding.lastUsedMs <= bindingRules.warmMs
