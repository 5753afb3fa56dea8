/** What the router reads from an answer as it passes: first content, end, failure and usage; one reader per dialect. */
import type { Dialect } from '../domain/source.ts'
import type { Usage } from '../domain/usage.ts'
import { ChatStream, chatUsage } from './chat.ts'
import { MessagesStream, messagesUsage } from './messages.ts'
import { ResponsesStream, responsesUsage } from './responses.ts'
import { scanFields } from './scan.ts'

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

export function streamReader(dialect: Dialect): StreamReader {
  switch (dialect) {
    case 'messages':
      return new MessagesStream()
    case 'responses':
      return new ResponsesStream()
    case 'chat':
      return new ChatStream()
  }
}

const usageField: ReadonlySet<string> = new Set(['usage'])

/** Usage of a complete unary answer, null when it reports none or isn't JSON. Scans, never parses the whole. */
export function unaryUsage(dialect: Dialect, pieces: readonly Uint8Array[]): Usage | null {
  const scan = scanFields(pieces, usageField)
  const usage = scan.kind === 'scan' ? scan.fields.get('usage')?.value : null
  switch (dialect) {
    case 'messages':
      return messagesUsage(usage)
    case 'responses':
      return responsesUsage(usage)
    case 'chat':
      return chatUsage(usage)
  }
}
