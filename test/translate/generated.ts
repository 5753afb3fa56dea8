/** Generated answers and how each vendor would stream them: parts in pieces, calls interleaved where the dialect allows it. */
import fc from 'fast-check'
import type { Dialect } from '../../src/main/domain/source.ts'
import { added, begun, block, chatCall, created, delta, done, itemDone, sse } from './kit.ts'

export type Part =
  | { readonly kind: 'text'; readonly pieces: readonly string[] }
  | { readonly kind: 'thinking'; readonly pieces: readonly string[]; readonly blob: string }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly pieces: readonly string[] }

export interface Answer {
  readonly parts: readonly Part[]
  readonly stop: 'end' | 'length'
  readonly usage: {
    readonly fresh: number
    readonly read: number
    readonly written: number
    readonly out: number
    readonly thought: number
  }
  /** Decides how calls are interleaved. */
  readonly order: readonly number[]
}

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
const pieces = fc.array(text, { minLength: 1, maxLength: 4 })
const value: fc.Arbitrary<unknown> = fc.oneof(
  text,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(text, { maxLength: 2 }),
)
const json = fc
  .dictionary(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 5 }), value, { maxKeys: 3 })
  .map((object) => JSON.stringify(object))
/** JSON text cut anywhere, also inside an escape; blank for an empty object, sometimes. */
const args = fc.tuple(json, fc.array(fc.nat(40), { maxLength: 3 })).map(([whole, cuts]) => {
  if (whole === '{}' && cuts.length % 2 === 1) return []
  const at = [...new Set(cuts.map((cut) => cut % whole.length))].sort((a, b) => a - b)
  return [...at, whole.length]
    .map((end, n) => whole.slice(n === 0 ? 0 : at[n - 1], end))
    .filter((piece) => piece !== '')
})
const part = fc.oneof(
  { weight: 2, arbitrary: pieces.map((made): Part => ({ kind: 'text', pieces: made })) },
  { weight: 3, arbitrary: args.map((made): Part => ({ kind: 'call', id: '', name: 'tool', pieces: made })) },
)
const thought = fc
  .tuple(pieces, fc.string({ minLength: 1, maxLength: 8 }))
  .map(([made, blob]): Part => ({ kind: 'thinking', pieces: made, blob }))
const count = fc.nat(5_000)

export const answers: fc.Arbitrary<Answer> = fc
  .record({
    thoughts: fc.array(thought, { maxLength: 1 }),
    rest: fc.array(part, { maxLength: 5 }),
    stop: fc.constantFrom('end' as const, 'length' as const),
    usage: fc.record({ fresh: count, read: count, written: count, out: count, thought: count }),
    order: fc.array(fc.nat(7), { maxLength: 12 }),
  })
  .map(({ thoughts, rest, ...others }) => ({
    ...others,
    parts: [...thoughts, ...rest].map((each, at): Part => {
      if (each.kind !== 'call') return each
      // Blank where the limit was met is a call that was cut off.
      const blank = others.stop === 'length' && each.pieces.length === 0
      return { ...each, id: `call_${at}`, name: `tool_${at}`, pieces: blank ? ['{}'] : each.pieces }
    }),
  }))

const joined = ({ pieces: all }: Part): string => all.join('')

/** The calls' fragments in an order of their own, each call's in sequence. */
function shuffled<T>(lists: readonly (readonly T[])[], order: readonly number[]): readonly T[] {
  const left = lists.map((list) => [...list])
  const out: T[] = []
  for (let n = 0; left.some((list) => list.length > 0); n += 1) {
    const open = left.filter((list) => list.length > 0)
    const [first] = open[(order[n % Math.max(1, order.length)] ?? 0) % open.length]?.splice(0, 1) ?? []
    if (first !== undefined) out.push(first)
  }
  return out
}

function messagesBlock(each: Part, index: number): readonly object[] {
  switch (each.kind) {
    case 'text':
      return block(
        index,
        { type: 'text', text: '' },
        ...each.pieces.map((piece) => ({ type: 'text_delta', text: piece })),
      )
    case 'thinking':
      return block(
        index,
        { type: 'thinking', thinking: '', signature: '' },
        ...each.pieces.map((piece) => ({ type: 'thinking_delta', thinking: piece })),
        { type: 'signature_delta', signature: each.blob },
      )
    case 'call':
      return block(
        index,
        { type: 'tool_use', id: each.id, name: each.name, input: {} },
        ...each.pieces.map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
      )
  }
}

function messagesEvents({ parts, stop, usage }: Answer): readonly unknown[] {
  const input = {
    input_tokens: usage.fresh,
    cache_read_input_tokens: usage.read,
    cache_creation_input_tokens: usage.written,
  }
  const blocks = parts.flatMap(messagesBlock)
  const calls = parts.some(({ kind }) => kind === 'call')
  const reason = stop === 'length' ? 'max_tokens' : calls ? 'tool_use' : 'end_turn'
  const details = { output_tokens_details: { thinking_tokens: usage.thought } }
  return [
    begun({ ...input, output_tokens: 0 }),
    { type: 'ping' },
    ...blocks,
    {
      type: 'message_delta',
      delta: { stop_reason: reason, stop_sequence: null },
      usage: { output_tokens: usage.out, ...details },
    },
    { type: 'message_stop' },
  ]
}

interface Streamed {
  readonly item: object
  readonly events: readonly unknown[]
  readonly start: object
}

function responsesItem(each: Part, at: number): Streamed {
  const where = { output_index: at, item_id: `i${at}` }
  switch (each.kind) {
    case 'text': {
      const item = {
        id: `i${at}`,
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: joined(each) }],
      }
      const deltas = each.pieces.map((piece) => ({
        type: 'response.output_text.delta',
        ...where,
        content_index: 0,
        delta: piece,
      }))
      return {
        item,
        start: { ...item, content: [] },
        events: [...deltas, { type: 'response.output_text.done', ...where, content_index: 0, text: joined(each) }],
      }
    }
    case 'thinking': {
      const item = {
        id: `i${at}`,
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: joined(each) }],
        encrypted_content: each.blob,
      }
      const deltas = each.pieces.map((piece) => ({
        type: 'response.reasoning_summary_text.delta',
        ...where,
        summary_index: 0,
        delta: piece,
      }))
      return { item, start: { ...item, summary: [], encrypted_content: null }, events: deltas }
    }
    case 'call': {
      const item = {
        id: `i${at}`,
        type: 'function_call',
        call_id: each.id,
        name: each.name,
        arguments: joined(each),
      }
      const deltas = each.pieces.map((piece) => ({
        type: 'response.function_call_arguments.delta',
        ...where,
        delta: piece,
      }))
      return {
        item,
        start: { ...item, arguments: '' },
        events: [...deltas, { type: 'response.function_call_arguments.done', ...where, arguments: joined(each) }],
      }
    }
  }
}

function responsesEvents({ parts, stop, usage, order }: Answer): readonly unknown[] {
  const made = parts.map(responsesItem)
  const lists = made.map(({ item, start, events }, at) => [added(at, start), ...events, itemDone(at, item)])
  // Calls may overlap; whatever else is there comes one after another.
  const firstCall = parts.findIndex(({ kind }) => kind === 'call')
  const overlap = firstCall >= 0 && parts.slice(firstCall).every(({ kind }) => kind === 'call')
  const events = overlap
    ? [...lists.slice(0, firstCall).flat(), ...announced(lists.slice(firstCall), order)]
    : lists.flat()
  const total = usage.fresh + usage.read + usage.written
  const spent = {
    input_tokens: total,
    input_tokens_details: { cached_tokens: usage.read, cache_write_tokens: usage.written },
    output_tokens: usage.out,
    output_tokens_details: { reasoning_tokens: usage.thought },
  }
  const end =
    stop === 'length'
      ? { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
      : { status: 'completed' }
  const type = stop === 'length' ? 'response.incomplete' : 'response.completed'
  return [created, ...events, { type, response: { ...end, output: [], usage: spent } }]
}

/** All are announced in their order, then their fragments mix. */
function announced(lists: readonly (readonly unknown[])[], order: readonly number[]): readonly unknown[] {
  return [
    ...lists.map(([first]) => first),
    ...shuffled(
      lists.map(([, ...rest]) => rest),
      order,
    ),
  ]
}

function chatEvents({ parts, stop, usage, order }: Answer): readonly unknown[] {
  const calls = parts.filter((each) => each.kind === 'call')
  const speech = parts
    .filter((each) => each.kind !== 'call')
    .flatMap((each) =>
      each.pieces.map((piece) => delta(each.kind === 'thinking' ? { reasoning_content: piece } : { content: piece })),
    )
  const starts = calls.map((each, at) =>
    delta({
      tool_calls: [chatCall(at, each.kind === 'call' ? each.id : '', each.kind === 'call' ? each.name : '', '')],
    }),
  )
  const fragments = calls.map((each, at) =>
    each.pieces.map((piece) => delta({ tool_calls: [chatCall(at, null, null, piece)] })),
  )
  const spent = {
    prompt_tokens: usage.fresh + usage.read + usage.written,
    completion_tokens: usage.out,
    prompt_tokens_details: { cached_tokens: usage.read, cache_write_tokens: usage.written },
    completion_tokens_details: { reasoning_tokens: usage.thought },
  }
  return [
    delta({ role: 'assistant', content: null }),
    ...speech,
    ...starts,
    ...shuffled(fragments, order),
    delta({}, stop === 'length' ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop'),
    { id: 'chatcmpl-u', choices: [], usage: spent },
    done,
  ]
}

export const eventsOf = (dialect: Dialect, answer: Answer): readonly unknown[] => {
  switch (dialect) {
    case 'messages':
      return messagesEvents(answer)
    case 'responses':
      return responsesEvents(answer)
    case 'chat':
      return chatEvents(answer)
  }
}

const encoder = new TextEncoder()
export const bytesOf = (events: readonly unknown[]): Uint8Array => encoder.encode(sse(events))

/** The bytes cut at these places, wherever they fall. */
export function cutAt(bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const at = [...new Set(places.map((place) => place % Math.max(1, bytes.length)))].sort((a, b) => a - b)
  return [...at, bytes.length].map((end, n) => bytes.subarray(n === 0 ? 0 : at[n - 1], end))
}
