/** A request in no vendor's words: what all three dialects can say, as flat items in the order of the conversation. */
import type { JsonObject } from './value.ts'

/** An opaque value of a vendor, valid only where it was made (bridge §1.5). */
export interface Opaque {
  readonly kind: 'signature' | 'redacted' | 'encrypted'
  readonly data: string
}

export type Bytes =
  | { readonly at: 'data'; readonly mediaType: string; readonly data: string }
  | { readonly at: 'url'; readonly url: string }

export type Part = (
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly image: Bytes; readonly detail: string | null }
  /** A PDF. */
  | { readonly kind: 'document'; readonly document: Bytes; readonly title: string | null }
) & {
  /** What stands up to here is worth keeping in the vendor's cache, the client says. */
  readonly endsPrefix?: true
}

/** How a tool's input travels and who runs it; all but `function` are emulated as functions where they don't exist. */
export type ToolKind = 'function' | 'custom' | 'local_shell' | 'shell' | 'apply_patch'

export interface ToolName {
  readonly name: string
  /** Of Responses; null elsewhere. */
  readonly namespace: string | null
}

export type Item =
  | {
      readonly kind: 'message'
      readonly role: 'system' | 'developer' | 'user' | 'assistant'
      readonly parts: readonly Part[]
    }
  /** `input`: JSON text of an object, for a custom tool the raw text. */
  | (ToolName & { readonly kind: 'call'; readonly callId: string; readonly tool: ToolKind; readonly input: string })
  | { readonly kind: 'result'; readonly callId: string; readonly parts: readonly Part[]; readonly isError: boolean }
  | { readonly kind: 'reasoning'; readonly text: string; readonly opaque: Opaque | null }

export interface Tool extends ToolName {
  readonly kind: ToolKind
  readonly description: string | null
  /** JSON schema of a function's input. */
  readonly schema: JsonObject | null
  readonly strict: boolean
  /** Grammar of a custom tool. */
  readonly format: JsonObject | null
}

/** Web search that the upstream runs; other tools of that kind have no counterpart. */
export interface WebSearch {
  readonly allowedDomains: readonly string[] | null
  readonly location: JsonObject | null
}

export type Choice =
  | { readonly kind: 'auto' | 'required' | 'none' }
  | ({ readonly kind: 'tool' } & ToolName)
  | { readonly kind: 'allowed'; readonly required: boolean; readonly tools: readonly ToolName[] }

/** OpenAI's levels, ascending (bridge §1.7). */
export const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
export type Effort = (typeof efforts)[number]

export interface Thinking {
  /** `unset`: the client left it to the model. */
  readonly mode: 'unset' | 'off' | 'budget' | 'adaptive'
  readonly budgetTokens: number | null
  readonly effort: Effort | null
  /** Whether the client wants to read the thoughts. */
  readonly shown: boolean
}

export type Format =
  | {
      readonly kind: 'schema'
      readonly name: string
      readonly description: string | null
      readonly schema: JsonObject
      readonly strict: boolean
    }
  | { readonly kind: 'object' }

export interface NeutralRequest {
  readonly model: string
  readonly stream: boolean
  /** Chat only: whether the client asked for the usage chunk. */
  readonly wantsUsage: boolean
  /** What stands before the conversation, one text per source. */
  readonly system: readonly string[]
  readonly items: readonly Item[]
  readonly tools: readonly Tool[]
  readonly webSearch: WebSearch | null
  readonly choice: Choice | null
  /** False: one call at a time. */
  readonly parallel: boolean
  readonly maxTokens: number | null
  readonly stop: readonly string[]
  readonly temperature: number | null
  readonly topP: number | null
  readonly topLogprobs: number | null
  readonly thinking: Thinking
  readonly format: Format | null
  readonly verbosity: string | null
  /** As the client sent it; only its hash goes to another vendor. */
  readonly userId: string | null
  readonly cacheKey: string | null
  readonly metadata: JsonObject | null
  /** `default`, `flex`, `priority`, …; null: not said. */
  readonly serviceTier: string | null
}
