/** A good answer in the Messages dialect, as a stream and as one body (claude §5). */
import { type Filled, fillerText } from './content.ts'
import type { Event } from './vendor.ts'

export function* messageEvents(answer: Filled, extra: readonly Event[]): Generator<Event> {
  yield { type: 'message_start', message: { ...head(answer), content: [], stop_reason: null, usage: usage(answer, 1) } }
  yield* extra
  yield { type: 'ping' }
  let index = 0
  for (const block of blocks(answer)) {
    yield { type: 'content_block_start', index, content_block: block.start }
    for (const delta of block.deltas) yield { type: 'content_block_delta', index, delta }
    yield { type: 'content_block_stop', index }
    index += 1
  }
  yield {
    type: 'message_delta',
    delta: { stop_reason: stopReason(answer), stop_sequence: null },
    usage: usage(answer, answer.usage.outputTokens),
  }
  yield { type: 'message_stop' }
}

export const wholeMessage = (answer: Filled): object => ({
  ...head(answer),
  content: [...blocks(answer)].map((block) => block.whole),
  stop_reason: stopReason(answer),
  usage: usage(answer, answer.usage.outputTokens),
})

const head = (answer: Filled): object => ({
  id: `msg_${answer.id}`,
  type: 'message',
  role: 'assistant',
  model: answer.model,
  stop_sequence: null,
})

interface Block {
  readonly start: object
  readonly deltas: Iterable<object>
  readonly whole: object
}

function* blocks(answer: Filled): Generator<Block> {
  const { thinking, tool, text } = answer
  if (thinking !== null) {
    const signature = `practice-signature-${answer.id}`
    yield {
      start: { type: 'thinking', thinking: '', signature: '' },
      deltas: [
        { type: 'thinking_delta', thinking },
        { type: 'signature_delta', signature },
      ],
      whole: { type: 'thinking', thinking, signature },
    }
  }
  if (text !== '' || tool === null) {
    yield { start: { type: 'text', text: '' }, deltas: textDeltas(answer), whole: { type: 'text', text } }
  }
  if (tool !== null) {
    const start = { type: 'tool_use', id: `toolu_${answer.id}`, name: tool.name, input: {} }
    const input = tool.kind === 'function' ? tool.arguments : JSON.stringify({ input: tool.input })
    const middle = Math.ceil(input.length / 2)
    yield {
      start,
      deltas: ['', input.slice(0, middle), input.slice(middle)].map((part) => ({
        type: 'input_json_delta',
        partial_json: part,
      })),
      whole: { ...start, input: JSON.parse(input) },
    }
  }
}

function* textDeltas(answer: Filled): Generator<object> {
  for (const text of answer.words) yield { type: 'text_delta', text }
  for (let n = 0; n < answer.fillers; n += 1) yield { type: 'text_delta', text: fillerText }
}

function stopReason({ stop, tool }: Filled): string {
  if (stop === 'length') return 'max_tokens'
  if (stop === 'refusal') return 'refusal'
  return tool === null ? 'end_turn' : 'tool_use'
}

/** Here `input_tokens` is what was neither read from nor written to the cache. */
function usage({ usage: { inputTokens, cacheReadTokens, cacheWriteTokens } }: Filled, outputTokens: number): object {
  return {
    input_tokens: Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cacheReadTokens,
    cache_creation: { ephemeral_5m_input_tokens: cacheWriteTokens, ephemeral_1h_input_tokens: 0 },
    output_tokens: outputTokens,
    service_tier: 'standard',
  }
}
