/** What a script can ask of a simulated upstream: what it answers, how that goes over the wire, and to which requests. */
import type { Usage } from '../domain/usage.ts'
import type { MalformedName } from './malformed.ts'

/** One listening server each; source ids never look like these. */
export type OriginName = 'claude' | 'claudeAuth' | 'codex' | 'codexAuth' | 'anthropicApi' | 'openaiApi' | 'ollamaHost'

export const originNames: readonly OriginName[] = [
  'claude',
  'claudeAuth',
  'codex',
  'codexAuth',
  'anthropicApi',
  'openaiApi',
  'ollamaHost',
]

/** What a request to an upstream is for. `upgrade` is a WebSocket handshake; its frames count as `generate`. */
export type PracticeOperation =
  | 'generate'
  | 'count'
  | 'compact'
  | 'list'
  | 'usage'
  | 'profile'
  | 'reset-credits'
  | 'token'
  | 'authorize'
  | 'revoke'
  | 'device'
  | 'upgrade'
  | 'probe'
  | 'other'

/** Failures by name; each vendor says them in its own words (claude §4.4–4.5, codex §4.5–4.6, §5.3). */
export type ErrorName =
  | 'spent'
  | 'spent-family'
  | 'burst'
  | 'overloaded'
  | 'server-error'
  | 'timeout'
  | 'unauthorised'
  | 'expired'
  | 'revoked'
  | 'deactivated'
  | 'forbidden'
  | 'html-block'
  | 'billing'
  | 'model-unknown'
  | 'model-not-entitled'
  | 'invalid'
  | 'too-large'
  | 'context-too-long'
  | 'long-context'
  | 'extra-usage'
  | 'safety'
  | 'previous-response-not-found'
  | 'connection-limit'

export type ToolCall =
  | { readonly kind: 'function'; readonly name: string; readonly arguments: string }
  /** Free-form, a plain string such as a patch (codex §5.1); Claude sends it as `{"input": …}`. */
  | { readonly kind: 'custom'; readonly name: string; readonly input: string }

/** What a good answer holds. Everything has a small deterministic default. */
export interface Content {
  readonly text?: string
  /** Length of the default text; one event a word. */
  readonly words?: number
  readonly thinking?: string
  readonly tool?: ToolCall
  readonly usage?: Partial<Usage>
  /** `length`: cut by the token limit; `refusal`: stopped by a safety rule. */
  readonly stop?: 'end' | 'length' | 'refusal'
  /** Filler events until a stream has at least this many bytes; its closing events hold the plain text only. */
  readonly totalBytes?: number
  /** After so many events of a stream, this failure inside the 200; 0 makes it the first event. */
  readonly fail?: { readonly afterEvents: number; readonly error: ErrorName }
  /** Leaves `response.completed.response.output` empty, as the ChatGPT backend may (codex §5.1). */
  readonly emptyOutput?: boolean
  /** Added to the events of a stream just after the first one, as given. */
  readonly extraEvents?: readonly Readonly<Record<string, unknown>>[]
}

export type Bytes = string | Uint8Array

export type Reply =
  /** What the vendor would answer, with this content. */
  | { readonly kind: 'vendor'; readonly content?: Content }
  | { readonly kind: 'error'; readonly error: ErrorName }
  /** Headers as a flat name-value list; nothing is added but what HTTP needs. */
  | { readonly kind: 'status'; readonly status: number; readonly headers?: readonly string[]; readonly body?: Bytes }
  /** A 200 event stream made of these pieces, as given. */
  | { readonly kind: 'stream'; readonly pieces: readonly Bytes[]; readonly headers?: readonly string[] }
  | { readonly kind: 'redirect'; readonly location: string; readonly status?: number }
  /** A 400 whose error message repeats every request header, as careless proxies do. */
  | { readonly kind: 'echo-headers' }
  /** Bytes written to the socket as they are, then FIN. */
  | { readonly kind: 'raw'; readonly pieces: readonly Bytes[] }
  | { readonly kind: 'malformed'; readonly fault: MalformedName }
  /** No head at all: FIN, RST, or silence with the socket open. */
  | { readonly kind: 'no-head'; readonly end: 'fin' | 'reset' | 'stall' }

/** How the bytes of an answer travel. */
export interface Wire {
  /** Cuts the body into pieces of `every` bytes, or at the given offsets; each piece is its own write. */
  readonly split?: { readonly every: number } | { readonly at: readonly number[] }
  readonly pieceDelayMs?: number
  readonly encode?: 'gzip' | 'br' | 'deflate' | 'zstd'
  /** Stops early: FIN without a terminator, RST, or silence. Without a count: after the last byte. */
  readonly end?: {
    readonly how: 'fin' | 'reset' | 'stall'
    readonly afterEvents?: number
    readonly afterBytes?: number
    /** WebSocket only: a close frame with this code goes before the FIN. */
    readonly closeCode?: number
  }
}

export interface Behaviour {
  /** Default: model calls at a data origin, everything at an auth origin. */
  readonly on?: readonly PracticeOperation[] | 'any'
  readonly delayMs?: number
  readonly reply?: Reply
  readonly wire?: Wire
}
