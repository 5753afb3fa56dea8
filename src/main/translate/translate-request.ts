/** The door of request translation: a client's body in one dialect becomes an upstream's body in another, or a refusal. */
import type { Dialect } from '../domain/source.ts'
import type { Abilities } from './abilities.ts'
import { decodeChat, type KeptThoughts } from './decode-chat.ts'
import { decodeMessages } from './decode-messages.ts'
import { decodeResponses } from './decode-responses.ts'
import { withSuffix } from './effort.ts'
import { encodeChat } from './encode-chat.ts'
import { encodeMessages } from './encode-messages.ts'
import type { EncodeOptions } from './encode-options.ts'
import { encodeResponses } from './encode-responses.ts'
import { Losses, Untranslatable, type Warning } from './losses.ts'
import { type Hash, Names, type Origin } from './names.ts'
import type { NeutralRequest } from './neutral-request.ts'
import { repaired } from './repair.ts'
import { type JsonObject, objectIn, parsed } from './value.ts'

/** Everything but the body; plain data, so that it can go to a worker. */
export interface RequestTask {
  readonly from: Dialect
  readonly to: Dialect
  /** The model's name upstream, and as the client asked for it. */
  readonly model: string
  readonly requestedModel: string
  /** What the upstream is asked for; it may only stream although the client wants one answer. */
  readonly stream: boolean
  readonly strict: boolean
  /** Who makes the opaque values of this upstream: provider, account and model family, as a hash (bridge §1.5). */
  readonly issuer: string
  readonly abilities: Abilities
  readonly session: string | null
  /** What stood behind the model's name, such as `-high`; empty: nothing. Another vendor's model has no such name. */
  readonly suffix: string
  readonly kept: KeptThoughts
}

/** What the answer's translation needs to know of the request; plain data. */
export interface AnswerContext {
  readonly client: Dialect
  readonly upstream: Dialect
  readonly model: string
  readonly issuer: string
  /** Chat clients: the usage chunk was asked for. */
  readonly wantsUsage: boolean
  /** Upstream name of a tool → what the client declared. */
  readonly tools: readonly (readonly [string, Origin])[]
  /** Stop sequences to cut the answer at. */
  readonly stops: readonly string[]
  /** The upstream runs a tool of its own, and may pause the turn for it. */
  readonly mayPause: boolean
  /** Responses clients: what the response object repeats. */
  readonly echo: JsonObject
}

export type RequestTranslation = TranslationOf<string>

/** `Body`: text, or its bytes. */
export type TranslationOf<Body> =
  | {
      readonly kind: 'translated'
      readonly body: Body
      readonly warnings: readonly Warning[]
      readonly context: AnswerContext
    }
  | { readonly kind: 'refused'; readonly code: string; readonly path: string; readonly why: string }

/** Never throws: what can't be carried is refused with its code and its place in the client's request. */
export function translateRequest(text: string, task: RequestTask, hash: Hash): RequestTranslation {
  const body = objectIn(parsed(text))
  if (body === null) return { kind: 'refused', code: 'body_not_json', path: '', why: 'The body is not a JSON object' }
  const losses = new Losses(task.strict)
  try {
    const request = withSuffix(repaired(decode(body, task, losses), losses), task.suffix)
    const searchesThere = task.to === 'messages' && request.webSearch !== null && task.abilities.webSearch
    // Messages has one list of names for all tools.
    const names = new Names(task.to, hash, searchesThere ? ['web_search'] : [])
    // Declared tools come first, so that history and choice find them under the names they were given.
    // One that stands alone keeps its name before one from a namespace.
    const alone = request.tools.filter(({ namespace }) => namespace === null)
    for (const tool of [...alone, ...request.tools]) names.name(tool, kindUpstream(tool.kind, task))
    const { abilities, session, stream, model } = task
    const options: EncodeOptions = { model, stream, abilities, names, losses, hash, session }
    const encoded = encode(task.to, request, options)
    const echo = task.from === 'responses' ? echoOf(body) : {}
    // Met here, not when the answer repeats it.
    JSON.stringify(echo)
    const context: AnswerContext = {
      client: task.from,
      upstream: task.to,
      model: task.requestedModel,
      issuer: task.issuer,
      wantsUsage: request.wantsUsage,
      tools: names.origins(),
      stops: encoded.stops,
      mayPause: searchesThere,
      echo,
    }
    return { kind: 'translated', body: JSON.stringify(encoded.body), warnings: losses.warnings, context }
  } catch (cause) {
    if (cause instanceof Untranslatable)
      return { kind: 'refused', code: cause.code, path: cause.path, why: cause.message }
    // Values inside values by the thousand: nothing that is written again can be so deep.
    if (cause instanceof RangeError)
      return { kind: 'refused', code: 'body_too_deep', path: '', why: 'The body is nested too deeply' }
    throw cause
  }
}

/** A custom tool that stays one needs no restoring. */
const kindUpstream = (kind: Origin['kind'], { to, abilities }: RequestTask): Origin['kind'] =>
  kind === 'custom' && to !== 'messages' && abilities.customTools ? 'function' : kind

function decode(body: JsonObject, task: RequestTask, losses: Losses): NeutralRequest {
  const { from, to, issuer, kept, abilities } = task
  switch (from) {
    case 'messages':
      return decodeMessages(body, issuer, losses)
    case 'responses':
      return decodeResponses(body, issuer, losses)
    case 'chat':
      // The private backend is asked as its CLI asks it, with instructions.
      return decodeChat(body, kept, to === 'responses' && !abilities.cliFieldsOnly, losses)
  }
}

function encode(to: Dialect, request: NeutralRequest, options: EncodeOptions) {
  switch (to) {
    case 'messages':
      return encodeMessages(request, options)
    case 'responses':
      return encodeResponses(request, options)
    case 'chat':
      return encodeChat(request, options)
  }
}

/** What clients validate in a response object (bridge §2.1). */
function echoOf(body: JsonObject): JsonObject {
  return {
    instructions: body.instructions ?? null,
    metadata: body.metadata ?? {},
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    temperature: body.temperature ?? null,
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    top_p: body.top_p ?? null,
    top_logprobs: body.top_logprobs ?? 0,
    max_output_tokens: body.max_output_tokens ?? null,
    previous_response_id: null,
    reasoning: body.reasoning ?? null,
    store: false,
    text: body.text ?? { format: { type: 'text' } },
    truncation: 'disabled',
    user: null,
  }
}
