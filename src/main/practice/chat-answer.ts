/** A good answer in the Chat Completions dialect, as a stream and as one body (codex §5.2). */
import { type Filled, fillerText } from './content.ts'
import { toBytes } from './pieces.ts'
import { type Event, serverSent } from './vendor.ts'

/** Chunks in order; `includeUsage` adds the last one with usage, and `usage: null` to the others. */
export function* chatChunks(answer: Filled, includeUsage: boolean, extra: readonly Event[]): Generator<Event> {
  const shell = { ...head(answer), object: 'chat.completion.chunk', ...(includeUsage ? { usage: null } : {}) }
  const chunk = (delta: object, finish: string | null = null): Event => ({
    ...shell,
    choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }],
  })
  yield chunk({ role: 'assistant', content: '' })
  yield* extra
  if (answer.thinking !== null) yield chunk({ reasoning_content: answer.thinking })
  for (const content of answer.words) yield chunk({ content })
  for (let n = 0; n < answer.fillers; n += 1) yield chunk({ content: fillerText })
  for (const tool of toolCalls(answer)) {
    const { arguments: whole } = tool.function
    const middle = Math.ceil(whole.length / 2)
    yield chunk({ tool_calls: [{ index: 0, ...tool, function: { name: tool.function.name, arguments: '' } }] })
    for (const part of [whole.slice(0, middle), whole.slice(middle)]) {
      yield chunk({ tool_calls: [{ index: 0, function: { arguments: part } }] })
    }
  }
  yield chunk({}, finish(answer))
  if (includeUsage) yield { ...shell, choices: [], usage: usage(answer) }
}

/** The chunks as server-sent events, with the end mark. */
export function* chatStream(chunks: Iterable<Event>): Generator<Uint8Array> {
  yield* serverSent(chunks, false)
  yield toBytes('data: [DONE]\n\n')
}

export function wholeCompletion(answer: Filled): object {
  const calls = toolCalls(answer)
  const message = {
    role: 'assistant',
    content: calls.length > 0 && answer.text === '' ? null : answer.text,
    refusal: null,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  }
  return {
    ...head(answer),
    object: 'chat.completion',
    choices: [{ index: 0, message, finish_reason: finish(answer), logprobs: null }],
    usage: usage(answer),
  }
}

const head = (answer: Filled): object => ({
  id: `chatcmpl-${answer.id}`,
  created: answer.createdAtS,
  model: answer.model,
})

function toolCalls({
  id,
  tool,
}: Filled): readonly { id: string; type: string; function: { name: string; arguments: string } }[] {
  if (tool === null) return []
  const given = tool.kind === 'function' ? tool.arguments : JSON.stringify({ input: tool.input })
  return [{ id: `call_${id}`, type: 'function', function: { name: tool.name, arguments: given } }]
}

function finish({ stop, tool }: Filled): string {
  if (stop === 'length') return 'length'
  if (stop === 'refusal') return 'content_filter'
  return tool === null ? 'stop' : 'tool_calls'
}

const usage = ({ usage: used }: Filled): object => ({
  prompt_tokens: used.inputTokens,
  completion_tokens: used.outputTokens,
  total_tokens: used.inputTokens + used.outputTokens,
  prompt_tokens_details: { cached_tokens: used.cacheReadTokens, cache_write_tokens: used.cacheWriteTokens },
  completion_tokens_details: { reasoning_tokens: used.reasoningTokens },
})
