/** What a Messages stream holds, for the tests of known bugs. */
import type { Any } from './kit.ts'

export const starts = (events: readonly Any[]): readonly Any[] =>
  events
    .filter(({ type }) => type === 'content_block_start')
    .map(({ index, content_block: made }) => [index, made.type])
export const blockDeltas = (events: readonly Any[]): readonly Any[] =>
  events.filter(({ type }) => type === 'content_block_delta').map(({ index, delta: each }) => [index, each.type])
export const inputOf = (events: readonly Any[], at: number): string =>
  events
    .filter(({ index }) => index === at)
    .map(({ delta: each }) => each?.partial_json ?? '')
    .join('')
/** Every delta with its text, empty ones too. */
export const saidIn = (events: readonly Any[]): readonly Any[] =>
  events
    .filter(({ type }) => type === 'content_block_delta')
    .map(({ index, delta: each }) => [index, each.text ?? each.thinking ?? each.signature ?? each.partial_json])
export const reasonOf = (events: readonly Any[]): string =>
  events.find(({ type }) => type === 'message_delta')?.delta.stop_reason
