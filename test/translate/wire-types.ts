/** The vendors' types as their wire is: what a field may be without, and the few fields that the SDKs don't know (bridge §1, §2). */
import type Anthropic from '@anthropic-ai/sdk'
import type OpenAI from 'openai'

type Loose<T> = { [K in keyof T]-?: null extends T[K] ? K : undefined extends T[K] ? K : never }[keyof T]
type WireObject<T> = { [K in Exclude<keyof T, Loose<T>>]: Wire<T[K]> } & {
  [K in Loose<T>]?: Wire<NonNullable<T[K]>> | null
}

/** A field that may be null may be left out too, as older servers do, and the other way round. */
type Wire<T> = T extends readonly (infer Each)[] ? readonly Wire<Each>[] : T extends object ? WireObject<T> : T

/** The newest SDK has no sampling any more; models that take it still do. */
export type MessagesRequest = Wire<Anthropic.Messages.MessageCreateParams> & {
  readonly temperature?: number
  readonly top_p?: number
}

/** An assistant's turn without an id, as the Codex CLI sends it. */
interface SaidBefore {
  readonly type: 'message'
  readonly role: 'assistant'
  readonly content: readonly Wire<OpenAI.Responses.ResponseOutputText>[]
}
export type ResponsesRequest = Omit<Wire<OpenAI.Responses.ResponseCreateParams>, 'input'> & {
  readonly input: readonly (Wire<OpenAI.Responses.ResponseInputItem> | SaidBefore)[]
}
export type ChatRequest = Wire<OpenAI.Chat.ChatCompletionCreateParams>

/** Only a model that calls tools out of code has another caller than itself. */
type Uncalled<T> = T extends Anthropic.Messages.ToolUseBlock ? Omit<T, 'caller'> : T
type MessagesBlock = Wire<Uncalled<Anthropic.Messages.ContentBlock>>

export type MessagesAnswer = Omit<Wire<Anthropic.Messages.Message>, 'content'> & {
  readonly content: readonly MessagesBlock[]
}
type BlockStart = Anthropic.Messages.RawContentBlockStartEvent
export type MessagesEvent =
  | Wire<Exclude<Anthropic.Messages.RawMessageStreamEvent, BlockStart>>
  | (Omit<Wire<BlockStart>, 'content_block'> & { readonly content_block: MessagesBlock })

/** `output_text` is made by the SDK; `store` comes over the wire and isn't in its type. */
export type ResponsesAnswer = Omit<Wire<OpenAI.Responses.Response>, 'output_text'> & { readonly store: false }
type ArgumentsDone = OpenAI.Responses.ResponseFunctionCallArgumentsDoneEvent
type OfResponse = Extract<OpenAI.Responses.ResponseStreamEvent, { response: OpenAI.Responses.Response }>
/** The finished arguments also say the function's name, which some clients read. */
export type ResponsesEvent =
  | Wire<Exclude<OpenAI.Responses.ResponseStreamEvent, ArgumentsDone | OfResponse>>
  | (Wire<ArgumentsDone> & { readonly name: string })
  | { readonly type: OfResponse['type']; readonly sequence_number: number; readonly response: ResponsesAnswer }

/** Thoughts, for clients of servers that tell them (bridge §1.5). */
interface Thoughts {
  readonly reasoning_content?: string
}
type Choice = OpenAI.Chat.ChatCompletion['choices'][number]
export type ChatAnswer = Omit<Wire<OpenAI.Chat.ChatCompletion>, 'choices'> & {
  readonly choices: readonly (Omit<Wire<Choice>, 'message'> & {
    readonly message: Wire<Choice['message']> & Thoughts
  })[]
}
type ChunkChoice = OpenAI.Chat.ChatCompletionChunk['choices'][number]
export type ChatEvent = Omit<Wire<OpenAI.Chat.ChatCompletionChunk>, 'choices'> & {
  readonly choices: readonly (Omit<Wire<ChunkChoice>, 'delta'> & {
    readonly delta: Wire<ChunkChoice['delta']> & Thoughts
  })[]
}
