/** Translates requests and answers as the flow does, and reads what comes out. */
import { createHash } from 'node:crypto'
import type { Dialect } from '../../src/main/domain/source.ts'
import { type Abilities, fullAbilities } from '../../src/main/translate/abilities.ts'
import { AnswerTranslation } from '../../src/main/translate/translate-answer.ts'
import {
  type AnswerContext,
  type RequestTask,
  type RequestTranslation,
  translateRequest,
} from '../../src/main/translate/translate-request.ts'

// biome-ignore lint/suspicious/noExplicitAny: foreign JSON is read by path
export type Any = any

export const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
export const issuer = 'issuer-one'

export interface TaskChange extends Partial<Omit<RequestTask, 'abilities'>> {
  readonly abilities?: Partial<Abilities>
}

export const task = (from: Dialect, to: Dialect, change: TaskChange = {}): RequestTask => ({
  from,
  to,
  model: 'upstream-model',
  requestedModel: 'asked-model',
  stream: true,
  strict: false,
  issuer,
  session: null,
  suffix: '',
  kept: {},
  ...change,
  abilities: { ...fullAbilities, cacheMarks: false, ...change.abilities },
})

export const translated = (from: Dialect, to: Dialect, body: object, change: TaskChange = {}): RequestTranslation =>
  translateRequest(JSON.stringify(body), task(from, to, change), hash)

export interface Out {
  readonly body: Any
  readonly codes: readonly string[]
  readonly context: AnswerContext
}

/** The upstream's body; a refusal fails the test with its code. */
export function request(from: Dialect, to: Dialect, body: object, change: TaskChange = {}): Out {
  const found = translated(from, to, body, change)
  if (found.kind === 'refused') throw new Error(`refused: ${found.code} at ${found.path}`)
  return { body: JSON.parse(found.body), codes: found.warnings.map(({ code }) => code), context: found.context }
}

/** The code of a refusal, or `carried`. */
export const refusalOf = (from: Dialect, to: Dialect, body: object, change: TaskChange = {}): string => {
  const found = translated(from, to, body, change)
  return found.kind === 'refused' ? found.code : 'carried'
}

export const context = (upstream: Dialect, client: Dialect, change: Partial<AnswerContext> = {}): AnswerContext => ({
  mayPause: false,
  client,
  upstream,
  model: 'asked-model',
  issuer,
  wantsUsage: true,
  tools: [],
  stops: [],
  echo: {},
  ...change,
})

const encoder = new TextEncoder()

export const sse = (events: readonly unknown[]): string =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('')

export const answerOf = (made: AnswerContext): AnswerTranslation =>
  new AnswerTranslation(made, { seed: 'seed', createdS: 1_800_000_000 })

export interface Streamed {
  readonly text: string
  readonly events: readonly Any[]
  readonly answer: AnswerTranslation
  /** The answer that a unary caller gets from the same events. */
  readonly whole: Any
  readonly status: number
}

/** What a client gets for a stream that ends cleanly after these events. */
export function stream(
  upstream: Dialect,
  client: Dialect,
  events: readonly unknown[],
  change: Partial<AnswerContext> = {},
): Streamed {
  return streamBytes(context(upstream, client, change), [encoder.encode(sse(events))])
}

export function streamBytes(made: AnswerContext, pieces: readonly Uint8Array[], how: 'end' | 'cut' = 'end'): Streamed {
  const answer = answerOf(made)
  let text = ''
  for (const piece of pieces) text += answer.push(piece)
  text += how === 'end' ? answer.end() : answer.fail({ class: 'server', message: 'cut' })
  const { status, body } = answer.unary()
  return { text, events: eventsIn(text), answer, whole: body, status }
}

/** A whole body of the upstream as the client's. */
export function unary(upstream: Dialect, client: Dialect, body: object, change: Partial<AnswerContext> = {}): Streamed {
  const answer = answerOf(context(upstream, client, change))
  const text = answer.whole(JSON.stringify(body))
  const made = answer.unary()
  return { text, events: eventsIn(text), answer, whole: made.body, status: made.status }
}

export const eventsIn = (text: string): readonly Any[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: ') && line !== 'data: [DONE]')
    .map((line) => JSON.parse(line.slice(6)) as Any)

export const types = (events: readonly Any[]): readonly string[] => events.map(({ type }) => type)

// ---- Chat ---------------------------------------------------------------------------------------------------------

export const delta = (change: object, finish: string | null = null, more: object = {}): object => ({
  id: 'chatcmpl-u',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'u',
  choices: [{ index: 0, delta: change, finish_reason: finish }],
  ...more,
})
export const chatCall = (index: number, id: string | null, name: string | null, args: string): object => ({
  index,
  ...(id === null ? {} : { id, type: 'function' }),
  function: { ...(name === null ? {} : { name }), arguments: args },
})
export const done = '[DONE]'

// ---- Messages -----------------------------------------------------------------------------------------------------

export const begun = (usage: object = { input_tokens: 10, output_tokens: 1 }): object => ({
  type: 'message_start',
  message: { id: 'msg_u', type: 'message', role: 'assistant', model: 'u', content: [], stop_reason: null, usage },
})
export const block = (index: number, start: object, ...deltas: readonly object[]): readonly object[] => [
  { type: 'content_block_start', index, content_block: start },
  ...deltas.map((each) => ({ type: 'content_block_delta', index, delta: each })),
  { type: 'content_block_stop', index },
]
export const said = (index: number, text: string): readonly object[] =>
  block(index, { type: 'text', text: '' }, { type: 'text_delta', text })
export const used = (index: number, id: string, name: string, json: string): readonly object[] =>
  block(index, { type: 'tool_use', id, name, input: {} }, { type: 'input_json_delta', partial_json: json })
export const stopped = (reason: string, usage: object = { output_tokens: 5 }, more: object = {}): readonly object[] => [
  { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null, ...more }, usage },
  { type: 'message_stop' },
]

// ---- Responses ----------------------------------------------------------------------------------------------------

export const created = { type: 'response.created', response: { id: 'resp_u', status: 'in_progress', output: [] } }
export const added = (at: number, item: object): object => ({
  type: 'response.output_item.added',
  output_index: at,
  item,
})
export const itemDone = (at: number, item: object): object => ({
  type: 'response.output_item.done',
  output_index: at,
  item,
})
export const rText = (at: number, id: string, text: string): object => ({
  type: 'response.output_text.delta',
  output_index: at,
  item_id: id,
  content_index: 0,
  delta: text,
})
export const rArgs = (at: number, id: string, text: string): object => ({
  type: 'response.function_call_arguments.delta',
  output_index: at,
  item_id: id,
  delta: text,
})
export const completed = (output: readonly object[] = [], usage: object | null = null): object => ({
  type: 'response.completed',
  response: { id: 'resp_u', status: 'completed', output, usage },
})
