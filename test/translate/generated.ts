/** Generated answers: every kind of part that a vendor gives, and the odd but legal manners in which they come. */
import fc from 'fast-check'

export interface Call {
  readonly kind: 'call'
  readonly id: string
  readonly name: string
  /** A function's input, as it is cut into fragments. */
  readonly pieces: readonly string[]
  /** Of a free-form tool: its raw input; `native` where the upstream knows such tools. */
  readonly custom: { readonly raw: string; readonly native: boolean } | null
}

export type Part =
  | { readonly kind: 'text' | 'refusal'; readonly pieces: readonly string[] }
  /** Parts of one summary, each in pieces; `blob` empty: none. */
  | { readonly kind: 'thinking'; readonly summary: readonly (readonly string[])[]; readonly blob: string }
  | { readonly kind: 'redacted'; readonly blob: string }
  | { readonly kind: 'search'; readonly query: string; readonly urls: readonly string[] }
  | Call

export interface Manner {
  /** Empty deltas and pings between the others. */
  readonly empties: boolean
  /** Where a Responses upstream first says what an item holds, and a Messages upstream what a block does. */
  readonly full: 'deltas' | 'part' | 'item' | 'end'
  /** Names and ids of calls come behind their input. */
  readonly late: boolean
  readonly usage: 'end' | 'early' | 'every' | 'none'
  /** `[DONE]`, which only Chat has a use for; the others ignore it. */
  readonly mark: boolean
  /** The field of a Chat server's thoughts. */
  readonly thoughts: 'reasoning_content' | 'reasoning' | 'reasoning_details'
}

export interface Answer {
  readonly parts: readonly Part[]
  /** `cut`: the limit was met inside the last call. */
  readonly stop: 'end' | 'length' | 'filter' | 'unknown' | 'cut'
  /** How much of the last call came before the cut, in thousandths. */
  readonly cutAt: number
  readonly usage: {
    readonly fresh: number
    readonly read: number
    readonly written: number
    readonly out: number
    readonly thought: number
  }
  readonly manner: Manner
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

/** In pieces, wherever these places fall. */
export function cutText(whole: string, cuts: readonly number[]): readonly string[] {
  const at = [...new Set(cuts.map((cut) => cut % Math.max(1, whole.length)))].sort((a, b) => a - b)
  return [...at, whole.length]
    .map((end, n) => whole.slice(n === 0 ? 0 : at[n - 1], end))
    .filter((piece) => piece !== '')
}

/** JSON text cut anywhere, also inside an escape; blank for an empty object, sometimes. */
const args = fc
  .tuple(json, fc.array(fc.nat(40), { maxLength: 3 }))
  .map(([whole, cuts]) => (whole === '{}' && cuts.length % 2 === 1 ? [] : cutText(whole, cuts)))
const call = (pieces: readonly string[], custom: Call['custom']): Part => ({
  kind: 'call',
  id: '',
  name: '',
  pieces,
  custom,
})
const part: fc.Arbitrary<Part> = fc.oneof(
  { weight: 4, arbitrary: pieces.map((made): Part => ({ kind: 'text', pieces: made })) },
  { weight: 5, arbitrary: args.map((made) => call(made, null)) },
  {
    weight: 1,
    arbitrary: fc
      .record({ raw: fc.string({ unit: 'grapheme', maxLength: 12 }), native: fc.boolean() })
      .map((custom) => call([], custom)),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(text, fc.uniqueArray(fc.webUrl(), { minLength: 1, maxLength: 2 }))
      .map(([query, urls]): Part => ({ kind: 'search', query, urls })),
  },
)
const blob = fc.string({ minLength: 1, maxLength: 8 })
const thought: fc.Arbitrary<Part> = fc.oneof(
  fc
    .tuple(fc.array(pieces, { minLength: 1, maxLength: 3 }), fc.oneof(blob, fc.constant('')))
    .map(([summary, sealed]): Part => ({ kind: 'thinking', summary, blob: sealed })),
  blob.map((sealed): Part => ({ kind: 'thinking', summary: [], blob: sealed })),
  blob.map((sealed): Part => ({ kind: 'redacted', blob: sealed })),
)
const refusal = pieces.map((made): Part => ({ kind: 'refusal', pieces: made }))
const count = fc.nat(5_000)

const manner: fc.Arbitrary<Manner> = fc.record({
  empties: fc.boolean(),
  full: fc.constantFrom('deltas', 'deltas', 'part', 'item', 'end'),
  late: fc.boolean(),
  usage: fc.constantFrom('end', 'early', 'every', 'none'),
  mark: fc.boolean(),
  thoughts: fc.constantFrom('reasoning_content', 'reasoning', 'reasoning_details'),
})

export const plain: Manner = {
  empties: false,
  full: 'deltas',
  late: false,
  usage: 'end',
  mark: true,
  thoughts: 'reasoning_content',
}

/** The last part is the one that the limit cut. */
const withCut = (parts: readonly Part[]): readonly Part[] =>
  parts.at(-1)?.kind === 'call' ? parts : [...parts, call(['{}'], null)]

export const answers: fc.Arbitrary<Answer> = fc
  .record({
    thoughts: fc.array(thought, { maxLength: 2 }),
    rest: fc.array(part, { maxLength: 5 }),
    more: fc.array(thought, { maxLength: 1 }),
    refusals: fc.oneof(
      { weight: 4, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: refusal.map((one) => [one]) },
    ),
    stop: fc.constantFrom<Answer['stop'][]>('end', 'end', 'length', 'filter', 'unknown', 'cut'),
    cutAt: fc.nat(999),
    usage: fc.record({ fresh: count, read: count, written: count, out: count, thought: count }),
    manner,
    order: fc.array(fc.nat(7), { maxLength: 12 }),
  })
  .map(({ thoughts, rest, more, refusals, ...others }) => {
    const half = Math.ceil(rest.length / 2)
    const all = [...thoughts, ...rest.slice(0, half), ...more, ...rest.slice(half), ...refusals]
    const parts = others.stop === 'cut' ? withCut(all) : all
    const named = parts.map((each, at): Part => {
      if (each.kind !== 'call') return each
      // Blank where the limit was met is a call that was cut off.
      const isEnd = others.stop === 'end' && refusals.length === 0
      const isBlank = !isEnd && each.pieces.join('').length <= 2
      // So is raw text, which has no end of its own.
      const isEndless = others.stop === 'length' || others.stop === 'filter'
      const custom = each.custom === null ? null : { ...each.custom, native: each.custom.native && !isEndless }
      return { ...each, id: `call_${at}`, name: `tool_${at}`, pieces: isBlank ? ['{"x":1}'] : each.pieces, custom }
    })
    return { ...others, parts: named }
  })

/** What a call's input is in the upstream's words; the last one of an answer that was cut is not whole. */
export function inputOf(answer: Answer, each: Call, nativeToo: boolean): string {
  const { custom } = each
  const whole =
    custom === null
      ? each.pieces.join('')
      : custom.native && nativeToo
        ? custom.raw
        : JSON.stringify({ input: custom.raw })
  return isCut(answer, each) ? whole.slice(0, Math.floor((whole.length * answer.cutAt) / 1_000)) : whole
}

export const isCut = ({ stop, parts }: Answer, each: Part): boolean => stop === 'cut' && parts.at(-1) === each

export const thoughtOf = ({ summary }: Extract<Part, { kind: 'thinking' }>, separator = '\n\n'): string =>
  summary.map((pieces) => pieces.join('')).join(separator)

/** The fragments in an order of their own, each list's in sequence. */
export function shuffled<T>(lists: readonly (readonly T[])[], order: readonly number[]): readonly T[] {
  const left = lists.map((list) => [...list])
  const out: T[] = []
  for (let n = 0; left.some((list) => list.length > 0); n += 1) {
    const open = left.filter((list) => list.length > 0)
    const [first] = open[(order[n % Math.max(1, order.length)] ?? 0) % open.length]?.splice(0, 1) ?? []
    if (first !== undefined) out.push(first)
  }
  return out
}

/** The bytes cut at these places, wherever they fall. */
export function cutAt(bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const at = [...new Set(places.map((place) => place % Math.max(1, bytes.length)))].sort((a, b) => a - b)
  return [...at, bytes.length].map((end, n) => bytes.subarray(n === 0 ? 0 : at[n - 1], end))
}
