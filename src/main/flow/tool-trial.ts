/** One small tool call through the translation, to prove that clients of another dialect can work with a model. Pure. */
import type { Backend } from '../domain/backend.ts'
import type { Dialect } from '../domain/source.ts'
import { AnswerTranslation } from '../translate/translate-answer.ts'
import { type AnswerContext, translateRequest } from '../translate/translate-request.ts'
import { type JsonObject, listIn, objectIn, parsed, textIn } from '../translate/value.ts'
import { abilitiesOf } from './abilities-of.ts'

export interface ToolTrial {
  readonly from: Dialect
  readonly to: Dialect
  /** JSON, in the upstream's dialect. */
  readonly body: string
  readonly context: AnswerContext
}

/** A model that thinks first needs room for its thoughts. */
const mostTokens = 1_024
const words = 'Call the tool named add once, with a = 2 and b = 3. Say nothing else.'
const name = 'add'
const schema = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
  required: ['a', 'b'],
  additionalProperties: false,
} as const
const description = 'Adds two numbers.'

/** What a client of this dialect would send. */
const asks: Readonly<Record<Dialect, object>> = {
  messages: {
    max_tokens: mostTokens,
    messages: [{ role: 'user', content: words }],
    tools: [{ name, description, input_schema: schema }],
    tool_choice: { type: 'any' },
  },
  responses: {
    max_output_tokens: mostTokens,
    input: words,
    tools: [{ type: 'function', name, description, parameters: schema, strict: false }],
    tool_choice: 'required',
  },
  chat: {
    max_completion_tokens: mostTokens,
    messages: [{ role: 'user', content: words }],
    tools: [{ type: 'function', function: { name, description, parameters: schema } }],
    tool_choice: 'required',
  },
}

export function toolTrial(
  backend: Backend,
  { from, to }: { readonly from: Dialect; readonly to: Dialect },
  hash: (text: string) => string,
): ToolTrial {
  const model = backend.upstreamModel
  const asked = JSON.stringify({ model, stream: true, ...asks[from] })
  const task = { from, to, model, requestedModel: model, stream: true, strict: false, issuer: 'test' } as const
  const found = translateRequest(
    asked,
    { ...task, abilities: abilitiesOf(backend, to), session: null, suffix: '', kept: {} },
    hash,
  )
  if (found.kind === 'refused') throw new Error(`the trial's own request is refused: ${found.code}`)
  return { from, to, body: found.body, context: found.context }
}

/** What is wrong with the answer, as part of a sentence; null when it is as it should be. */
export function trialFault({ context }: ToolTrial, answer: { readonly text: string; readonly isStream: boolean }) {
  const translation = new AnswerTranslation(context, { seed: 'test', createdS: 0 })
  if (answer.isStream) {
    translation.push(new TextEncoder().encode(answer.text))
    translation.end()
  } else translation.whole(answer.text)
  const { failure } = translation
  if (failure !== null) return `its answer ended in an error (${failure.class})`
  const call = calls[context.client](translation.unary().body)[0]
  if (call === undefined) return 'it called no tool'
  if (call.name !== name) return 'it called a tool that it was not given'
  const isRight = typeof call.input.a === 'number' && typeof call.input.b === 'number'
  return isRight ? null : 'its call lacks the tool’s arguments'
}

interface Call {
  readonly name: unknown
  readonly input: JsonObject
}

const calls: Readonly<Record<Dialect, (body: JsonObject) => readonly Call[]>> = {
  messages: ({ content }) =>
    rows(content, 'tool_use').map(({ name: called, input }) => ({ name: called, input: objectIn(input) ?? {} })),
  responses: ({ output }) =>
    rows(output, 'function_call').map(({ name: called, arguments: text }) => ({ name: called, input: inside(text) })),
  chat: ({ choices }) =>
    listIn(objectIn(objectIn(listIn(choices)[0])?.message)?.tool_calls)
      .map((call) => objectIn(objectIn(call)?.function) ?? {})
      .map(({ name: called, arguments: text }) => ({ name: called, input: inside(text) })),
}

const rows = (list: unknown, type: string): readonly JsonObject[] =>
  listIn(list)
    .map((row) => objectIn(row) ?? {})
    .filter((row) => row.type === type)

const inside = (text: unknown): JsonObject => objectIn(parsed(textIn(text) ?? '')) ?? {}
