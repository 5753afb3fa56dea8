/** What every dialect reads from a stream as it passes: first content, end, failure and usage. */
import type { Usage } from '../domain/usage.ts'

/** A failure the vendor reported inside a 200 stream. */
export interface StreamFailure {
  /** The status the event itself states, or 200; what it stands for is the provider's to read. */
  readonly status: number
  /** The event's JSON, bounded. */
  readonly body: string
}

/** Observes one stream; never throws, whatever the bytes. */
export interface StreamReader {
  push(chunk: Uint8Array): void
  /** The first content event was seen: the commit point (routing §6). */
  readonly content: boolean
  /** The dialect's own end marker was seen. */
  readonly complete: boolean
  readonly failure: StreamFailure | null
  /** Null while nothing was reported. */
  usage(): Usage | null
}
