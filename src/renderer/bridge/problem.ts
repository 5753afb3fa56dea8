/** What went wrong with a member, as the window shows it: a sentence and the next step. */
import { ORPCError } from '@orpc/client'

export interface Problem {
  /** A code of the error catalogue, or `connection` when the program could not be reached. */
  readonly code: string
  readonly sentence: string
  readonly next: string
}

export function problemOf(cause: unknown): Problem {
  if (cause instanceof ORPCError) {
    const data: unknown = cause.data
    if (isProblem(data)) return data
    return { code: cause.code, sentence: cause.message, next: '' }
  }
  return { code: 'connection', sentence: '', next: '' }
}

const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' && value !== null && 'code' in value && 'sentence' in value && 'next' in value
