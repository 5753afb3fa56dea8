/** Probabilities of tokens between the two OpenAI styles, which say the same of them (bridge §1.7). */
import { type JsonObject, listIn, numberIn, objectIn, textIn } from './value.ts'

/** One token of a text, and the likeliest in its place. */
export interface Token {
  readonly token: string
  readonly logprob: number
  /** UTF-8, where it is told. */
  readonly bytes: readonly unknown[] | null
  readonly top: readonly Token[]
}

export function tokensIn(value: unknown): readonly Token[] {
  return listIn(value).flatMap((each) => {
    const row = objectIn(each)
    const token = textIn(row?.token)
    const logprob = numberIn(row?.logprob)
    if (row === null || token === null || logprob === null) return []
    const bytes = Array.isArray(row.bytes) ? row.bytes : null
    return [{ token, logprob, bytes, top: tokensIn(row.top_logprobs) }]
  })
}

const named = ({ token, logprob, bytes }: Token): JsonObject => ({ token, logprob, bytes })

export const chatTokens = (tokens: readonly Token[]): readonly JsonObject[] =>
  tokens.map((one) => ({ ...named(one), top_logprobs: one.top.map(named) }))

/** In the finished part every token has its bytes. */
export const responsesTokens = (tokens: readonly Token[]): readonly JsonObject[] =>
  tokens.map((one) => ({
    ...{ token: one.token, bytes: one.bytes ?? [], logprob: one.logprob },
    top_logprobs: one.top.map(({ token, bytes, logprob }) => ({ token, bytes: bytes ?? [], logprob })),
  }))

/** In events they have none. */
export const responsesEventTokens = (tokens: readonly Token[]): readonly JsonObject[] =>
  tokens.map(({ token, logprob, top }) => ({
    token,
    logprob,
    top_logprobs: top.map((other) => ({ token: other.token, logprob: other.logprob })),
  }))
