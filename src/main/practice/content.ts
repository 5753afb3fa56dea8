/** Fills a good answer with small deterministic defaults: text, model, ids and usage. */
import type { Usage } from '../domain/usage.ts'
import type { Content, ToolCall } from './behaviour.ts'
import { forcedTool } from './forced-tool.ts'
import { type Ask, recordOf, stringOf } from './vendor.ts'
import { cachedTokens, type PracticeSource } from './world.ts'

export interface Filled {
  readonly id: string
  readonly model: string
  readonly createdAtS: number
  readonly text: string
  /** The text cut into words, spaces kept; one stream event each. */
  readonly words: readonly string[]
  readonly thinking: string | null
  readonly tool: ToolCall | null
  readonly usage: Usage
  readonly stop: 'end' | 'length' | 'refusal'
  readonly fillers: number
  readonly emptyOutput: boolean
  readonly serviceTier: string | null
}

const vocabulary = ['The', 'points', 'are', 'set', 'and', 'the', 'signal', 'shows', 'green'] as const

/** The end of a prompt, never cached. */
const newestTokens = 8

export const fillerText = 'x'.repeat(16 * 1024)

export function fill(content: Content, ask: Ask, source: PracticeSource | null): Filled {
  const text = content.text ?? defaultText(content.words, source)
  const words = text.match(/\S+\s*|\s+/g) ?? []
  const thinking = content.thinking ?? null
  const tool = content.tool ?? forcedTool(ask.json)
  const reasoningTokens = thinking === null ? 0 : Math.ceil(thinking.length / 4)
  const toolTokens = tool === null ? 0 : Math.ceil((tool.kind === 'function' ? tool.arguments : tool.input).length / 4)
  const inputTokens = Math.max(newestTokens, Math.ceil(ask.body.length / 4))
  const cached = source === null ? 0 : cachedTokens(source, sessionOf(ask), inputTokens)
  const cacheReadTokens = Math.min(cached, inputTokens - newestTokens)
  const cacheWriteTokens = inputTokens - cacheReadTokens - newestTokens
  return {
    id: `practice_${String(ask.ordinal).padStart(8, '0')}`,
    model: stringOf(ask.json?.model) ?? 'practice-model',
    createdAtS: Math.floor(ask.nowMs / 1000),
    text,
    words,
    thinking,
    tool,
    usage: {
      inputTokens,
      cacheReadTokens,
      cacheWriteTokens,
      outputTokens: Math.max(1, words.length) + reasoningTokens + toolTokens,
      reasoningTokens,
      ...content.usage,
    },
    stop: content.stop ?? 'end',
    fillers: Math.ceil((content.totalBytes ?? 0) / fillerText.length),
    emptyOutput: content.emptyOutput ?? false,
    serviceTier: stringOf(ask.json?.service_tier),
  }
}

function defaultText(words: number | undefined, source: PracticeSource | null): string {
  if (words === undefined) {
    return `This is a practice answer from ${source?.label ?? 'nobody'}: the points are set and nothing left this machine.`
  }
  return Array.from({ length: words }, (_, index) => vocabulary[index % vocabulary.length]).join(' ')
}

/** What ties the turns of one conversation together, so that a warm cache can be told from a cold one. */
function sessionOf(ask: Ask): string | null {
  for (const name of ['x-claude-code-session-id', 'thread-id', 'session-id', 'session_id']) {
    const value = ask.header(name)
    if (value !== null) return value
  }
  const user = stringOf(recordOf(ask.json?.metadata)?.user_id)
  return stringOf(ask.json?.prompt_cache_key) ?? user
}
