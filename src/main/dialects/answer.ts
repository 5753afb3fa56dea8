/** What the router reads from an answer as it passes: first content, end, failure and usage; one reader per dialect. */
import type { Dialect } from '../domain/source.ts'
import type { Usage } from '../domain/usage.ts'
import { ChatStream, chatUsage } from './chat.ts'
import { MessagesStream, messagesUsage } from './messages.ts'
import { ResponsesStream, responsesUsage } from './responses.ts'
import { scanFields } from './scan.ts'
import type { StreamReader } from './stream-reader.ts'

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
