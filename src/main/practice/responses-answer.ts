/** A good answer in the Responses dialect, as a stream and as one body (codex §5.1). */
import { type Filled, fillerText } from './content.ts'
import type { Event } from './vendor.ts'

export function* responseEvents(answer: Filled, extra: readonly Event[]): Generator<Event> {
  let sequence = 0
  for (const event of numberless(answer, extra)) {
    yield { ...event, sequence_number: sequence }
    sequence += 1
  }
}

function* numberless(answer: Filled, extra: readonly Event[]): Generator<Event> {
  const open = { ...response(answer, 'in_progress'), output: [], usage: null }
  yield { type: 'response.created', response: open }
  yield* extra
  yield { type: 'response.in_progress', response: open }
  let outputIndex = 0
  for (const item of items(answer)) {
    const place = { output_index: outputIndex, item_id: item.id }
    yield { type: 'response.output_item.added', output_index: outputIndex, item: item.added }
    for (const event of item.events) yield { ...event, ...place }
    yield { type: 'response.output_item.done', output_index: outputIndex, item: item.done }
    outputIndex += 1
  }
  const whole = wholeResponse(answer)
  const type = answer.stop === 'end' ? 'response.completed' : 'response.incomplete'
  yield { type, response: answer.emptyOutput ? { ...whole, output: [] } : whole }
}

export function wholeResponse(answer: Filled): object {
  const incomplete = { length: 'max_output_tokens', refusal: 'content_filter', end: null }[answer.stop]
  return {
    ...response(answer, incomplete === null ? 'completed' : 'incomplete'),
    incomplete_details: incomplete === null ? null : { reason: incomplete },
    output: [...items(answer)].map((item) => item.done),
    usage: usage(answer),
  }
}

/** The empty completion that answers `generate: false` (codex §2.5). */
export function* prewarmEvents(answer: Filled): Generator<Event> {
  yield { type: 'response.created', response: { ...response(answer, 'in_progress'), output: [] }, sequence_number: 0 }
  const { inputTokens } = answer.usage
  const done = {
    ...response(answer, 'completed'),
    output: [],
    usage: usage({ ...answer, usage: { ...answer.usage, inputTokens, outputTokens: 0, reasoningTokens: 0 } }),
  }
  yield { type: 'response.completed', response: done, sequence_number: 1 }
}

const response = (answer: Filled, status: string): object => ({
  id: `resp_${answer.id}`,
  object: 'response',
  created_at: answer.createdAtS,
  status,
  error: null,
  model: answer.model,
  service_tier: answer.serviceTier ?? 'default',
  store: false,
  parallel_tool_calls: true,
})

interface Item {
  readonly id: string
  readonly added: object
  readonly events: Iterable<Event>
  readonly done: object
}

function* items(answer: Filled): Generator<Item> {
  if (answer.thinking !== null) yield reasoning(answer, answer.thinking)
  if (answer.text !== '' || answer.tool === null) yield message(answer)
  if (answer.tool !== null) yield call(answer, answer.tool)
}

function reasoning(answer: Filled, thinking: string): Item {
  const id = `rs_${answer.id}`
  const part = { type: 'summary_text', text: thinking }
  const at = { summary_index: 0 }
  return {
    id,
    added: { id, type: 'reasoning', summary: [] },
    events: [
      { type: 'response.reasoning_summary_part.added', ...at, part: { type: 'summary_text', text: '' } },
      { type: 'response.reasoning_summary_text.delta', ...at, delta: thinking },
      { type: 'response.reasoning_summary_text.done', ...at, text: thinking },
      { type: 'response.reasoning_summary_part.done', ...at, part },
    ],
    done: { id, type: 'reasoning', summary: [part], encrypted_content: `practice-encrypted-${answer.id}` },
  }
}

function message(answer: Filled): Item {
  const id = `msg_${answer.id}`
  const part = { type: 'output_text', text: answer.text, annotations: [] }
  const shell = { id, type: 'message', role: 'assistant' }
  return {
    id,
    added: { ...shell, status: 'in_progress', content: [] },
    events: textEvents(answer, part),
    done: { ...shell, status: 'completed', content: [part] },
  }
}

function* textEvents(answer: Filled, part: object): Generator<Event> {
  const at = { content_index: 0 }
  yield { type: 'response.content_part.added', ...at, part: { ...part, text: '' } }
  for (const delta of answer.words) yield { type: 'response.output_text.delta', ...at, delta }
  for (let n = 0; n < answer.fillers; n += 1) yield { type: 'response.output_text.delta', ...at, delta: fillerText }
  yield { type: 'response.output_text.done', ...at, text: answer.text }
  yield { type: 'response.content_part.done', ...at, part }
}

function call(answer: Filled, tool: NonNullable<Filled['tool']>): Item {
  const custom = tool.kind === 'custom'
  const id = `${custom ? 'ctc' : 'fc'}_${answer.id}`
  const field = custom ? 'input' : 'arguments'
  const value = custom ? tool.input : tool.arguments
  const name = custom ? 'response.custom_tool_call_input' : 'response.function_call_arguments'
  const shell = {
    id,
    type: custom ? 'custom_tool_call' : 'function_call',
    call_id: `call_${answer.id}`,
    name: tool.name,
  }
  const middle = Math.ceil(value.length / 2)
  return {
    id,
    added: { ...shell, status: 'in_progress', [field]: '' },
    events: [
      { type: `${name}.delta`, delta: value.slice(0, middle) },
      { type: `${name}.delta`, delta: value.slice(middle) },
      { type: `${name}.done`, [field]: value },
    ],
    done: { ...shell, status: 'completed', [field]: value },
  }
}

function usage({ usage: used }: Filled): object {
  return {
    input_tokens: used.inputTokens,
    input_tokens_details: { cached_tokens: used.cacheReadTokens, cache_write_tokens: used.cacheWriteTokens },
    output_tokens: used.outputTokens,
    output_tokens_details: { reasoning_tokens: used.reasoningTokens },
    total_tokens: used.inputTokens + used.outputTokens,
  }
}
