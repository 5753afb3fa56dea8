/** What the router reads from an answer as it passes: first content, end, failure and usage; one reader per dialect. */
import type { Dialect } from '../domain/source.ts'
import type { Usage } from '../domain/usage.ts'
import { ChatStream, chatUsage } from './chat.ts'
import { MessagesStream, messagesUsage } from './messages.ts'
import { ResponsesStream, responsesUsage } from './responses.ts'

/** A failure the vendor reported inside a 200 stream. */
export interface StreamFailure {
  /** The status it stands for, by the vendor's type or code. */
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

/** Usage of a complete unary answer, null when it reports none or isn't JSON. */
export function unaryUsage(dialect: Dialect, text: string): Usage | null {
  const body = parseObject(text)
  if (body === null) return null
  switch (dialect) {
    case 'messages':
      return messagesUsage(body.usage)
    case 'responses':
      return responsesUsage(body.usage)
    case 'chat':
      return chatUsage(body.usage)
  }
}

function parseObject(text: string): { readonly usage?: unknown } | null {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? parsed : null
  } catch {
    return null
  }
}
