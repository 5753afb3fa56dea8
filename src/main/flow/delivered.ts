/** What the relay leaves for the record. */
import type { Outcome } from '../domain/call.ts'
import type { Usage } from '../domain/usage.ts'
import type { Opened } from './opened.ts'

/** The answer as it went to the client; `release` lets its last bytes go. */
export interface Delivered {
  readonly outcome: Outcome
  /** What the client saw, null when it left before. */
  readonly status: number | null
  readonly usage: Usage | null
  readonly firstByteAt: number | null
  readonly bytesOut: number
  /** Where a paused turn took several requests: the last of them, and its own usage. */
  readonly wentOn?: { readonly opened: Opened; readonly usage: Usage | null } | undefined
  release(): void
}
