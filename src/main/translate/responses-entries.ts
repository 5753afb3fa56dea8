/** The output items of a Responses stream as far as they have come. */
import { isWholeInput } from './tool-input.ts'

/** One text, thought or call as far as it has come. */
export interface Piece {
  readonly key: string
  readonly kind: 'text' | 'refusal' | 'thinking' | 'call'
  /** What deltas delivered, so that a final form adds only what is missing. */
  sent: string
  opened: boolean
  closed: boolean
}

export interface Entry {
  readonly index: string
  readonly pieces: Map<string, Piece>
  call: { callId: string; name: string; namespace: string | null; isCustom: boolean } | null
  /** Arguments that came before the call was announced. */
  early: string
  summaryPart: number | null
  /** Whether its thought is a summary; null: nothing of it has come. */
  isSummary: boolean | null
  done: boolean
  /** Its item says of itself that it is not complete. */
  isCut: boolean
}

export const newEntry = (index: string): Entry => ({
  index,
  pieces: new Map(),
  call: null,
  early: '',
  summaryPart: null,
  isSummary: null,
  done: false,
  isCut: false,
})

/** Items that every dialect can say. */
export const isSaid = (type: unknown): boolean => type === 'message' || type === 'reasoning' || isCallType(type)

export const isCallType = (type: unknown): boolean => type === 'function_call' || type === 'custom_tool_call'

/** Raw text has no end of its own: its item must have ended. */
export function isWhole({ call, done, isCut }: Entry, { sent }: Piece): boolean {
  if (isCut || (!done && (call?.isCustom === true || sent.trim() === ''))) return false
  return call?.isCustom === true || sent.trim() === '' || isWholeInput(sent)
}
