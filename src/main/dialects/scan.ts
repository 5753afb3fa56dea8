/**
 * Structural scan of a JSON body at depth 1: finds a few top-level fields without parsing the rest, over the pieces
 * as they came. Strings are skipped, keys are decoded (`"mod\u0065l"` is `model`), brackets must match. It validates
 * only what it reads; a body that is broken elsewhere is the upstream's to refuse (routing §2).
 */
import { joined } from './json.ts'
import { type GiveWay, inStretches, shortPieces, stretchBytes } from './stretches.ts'

/** Where a field's value lies, in bytes from the start of the body; `end` is exclusive, white space included. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface Field {
  readonly value: unknown
  readonly span: Span
}

export type ScanProblem =
  | { readonly kind: 'duplicate'; readonly field: string }
  | { readonly kind: 'not-json'; readonly why: string }

export interface Scan {
  readonly kind: 'scan'
  readonly fields: ReadonlyMap<string, Field>
  /** Just behind the opening brace: where a field can be inserted. */
  readonly afterBrace: number
  readonly empty: boolean
}

type Found = Scan | ScanProblem

const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
const comma = 0x2c
const colon = 0x3a
const deepest = 512
const longestKey = 200
const longestValue = 256 * 1024
const endsTooEarly = 'it ends too early'

const decoder = new TextDecoder('utf-8')

/** Scans `pieces` for the `wanted` top-level fields. */
export function scanFields(pieces: readonly Uint8Array[], wanted: ReadonlySet<string>): Found {
  const scanning = scanByPiece(pieces, wanted)
  for (;;) {
    const step = scanning.next()
    if (step.done === true) return step.value
  }
}

/** The same for a body of any length: a promise for a long one, which is looked through in stretches. */
export function scanBody(
  pieces: readonly Uint8Array[],
  wanted: ReadonlySet<string>,
  giveWay: GiveWay,
): Found | Promise<Found> {
  const isShort = pieces.reduce((sum, piece) => sum + piece.length, 0) < stretchBytes
  return isShort ? scanFields(pieces, wanted) : inStretches(scanByPiece(shortPieces(pieces), wanted), giveWay)
}

/** Each step is one piece, and says how long that was. */
function* scanByPiece(pieces: readonly Uint8Array[], wanted: ReadonlySet<string>): Generator<number, Found, undefined> {
  const fields = new Map<string, Field>()
  const names = bytesOfNames(wanted)
  const brackets: number[] = []
  let inString = false
  let escaped = false
  let keyExpected = false
  let keyStart = -1
  let key: string | null = null
  let valueStart = -1
  let afterBrace = -1
  let closed = false
  let anyField = false
  let base = 0

  const endValue = (end: number): ScanProblem | null => {
    if (key === null) return null
    const name = key
    key = null
    if (fields.has(name)) return { kind: 'duplicate', field: name }
    if (end - valueStart > longestValue) return { kind: 'not-json', why: `${name} is too long` }
    const value = parse(sliceText(pieces, valueStart, end))
    if (value === undefined) return { kind: 'not-json', why: `${name} is malformed` }
    fields.set(name, { value: value.parsed, span: { start: valueStart, end } })
    return null
  }

  for (const piece of pieces) {
    const length = piece.length
    let i = 0
    while (i < length) {
      if (inString) {
        if (escaped) {
          escaped = false
          i += 1
          continue
        }
        const found = stringEnd(piece, i)
        if (found < 0) {
          escaped = found === inEscape
          break
        }
        i = found + 1
        inString = false
        if (keyStart >= 0) {
          const near = keyStart >= base ? nameAt(piece, keyStart - base, found, names) : undefined
          const text = near === undefined ? keyText(pieces, keyStart, base + found) : near
          keyStart = -1
          key = text !== null && wanted.has(text) ? text : null
        }
        continue
      }
      const byte = piece[i]
      if (closed && byte !== undefined && byte > 0x20) return { kind: 'not-json', why: 'text follows the object' }
      switch (byte) {
        case quote:
          if (brackets.length === 0) return { kind: 'not-json', why: 'it is not an object' }
          inString = true
          if (keyExpected) {
            keyStart = base + i + 1
            keyExpected = false
            anyField = true
          }
          break
        case openBrace:
        case openBracket:
          if (brackets.length === 0) {
            if (byte === openBracket) return { kind: 'not-json', why: 'it is not an object' }
            keyExpected = true
            afterBrace = base + i + 1
          } else if (keyExpected) return { kind: 'not-json', why: 'a key is missing' }
          if (brackets.length >= deepest) return { kind: 'not-json', why: `it is nested deeper than ${deepest}` }
          brackets.push(byte)
          break
        case closeBrace:
        case closeBracket: {
          const open = brackets.pop()
          if (open !== (byte === closeBrace ? openBrace : openBracket)) {
            return { kind: 'not-json', why: 'its brackets do not match' }
          }
          if (brackets.length === 0) {
            const problem = endValue(base + i)
            if (problem !== null) return problem
            closed = true
          }
          break
        }
        case comma:
          if (brackets.length === 1) {
            const problem = endValue(base + i)
            if (problem !== null) return problem
            keyExpected = true
          }
          break
        case colon:
          if (brackets.length === 1) valueStart = base + i + 1
          break
        default:
          if (brackets.length === 0 && byte !== undefined && byte > 0x20) {
            return { kind: 'not-json', why: 'it is not an object' }
          }
      }
      i += 1
    }
    base += length
    yield length
  }
  if (!closed) return { kind: 'not-json', why: afterBrace < 0 ? 'it is empty' : endsTooEarly }
  return { kind: 'scan', fields, afterBrace, empty: !anyField }
}

const goesOn = -1
const inEscape = -2

/** Where the quote stands that ends the string; `goesOn`, or `inEscape`, when the next piece has it. */
function stringEnd(piece: Uint8Array, from: number): number {
  const { length } = piece
  let at = from
  for (;;) {
    const found = piece.indexOf(quote, at)
    const end = found < 0 ? length : found
    let before = end - 1
    while (before >= at && piece[before] === backslash) before -= 1
    const isEscaped = ((end - 1 - before) & 1) === 1
    if (found < 0) return isEscaped ? inEscape : goesOn
    if (!isEscaped) return found
    at = found + 1
  }
}

/** An object that was begun and never closed. */
export function isCutShort(pieces: readonly Uint8Array[]): boolean {
  const scan = scanFields(pieces, new Set())
  return scan.kind === 'not-json' && scan.why === endsTooEarly
}

type Name = readonly [name: string, bytes: Uint8Array]

const knownNames = new WeakMap<ReadonlySet<string>, readonly Name[]>()
const encoder = new TextEncoder()

/** The callers' sets are constants, so this is worked out once for each. */
function bytesOfNames(wanted: ReadonlySet<string>): readonly Name[] {
  const known = knownNames.get(wanted)
  if (known !== undefined) return known
  const made = Array.from(wanted, (name): Name => [name, encoder.encode(name)])
  knownNames.set(wanted, made)
  return made
}

/** The wanted name that these bytes spell, null for another; undefined when an escape hides what they spell. */
function nameAt(piece: Uint8Array, start: number, end: number, names: readonly Name[]): string | null | undefined {
  for (let i = start; i < end; i += 1) if (piece[i] === backslash) return undefined
  for (const [name, bytes] of names) {
    if (bytes.length !== end - start) continue
    let at = 0
    while (at < bytes.length && bytes[at] === piece[start + at]) at += 1
    if (at === bytes.length) return name
  }
  return null
}

function keyText(pieces: readonly Uint8Array[], start: number, end: number): string | null {
  if (end - start > longestKey) return null
  const text = sliceText(pieces, start, end)
  if (!text.includes('\\')) return text
  const decoded = parse(`"${text}"`)
  return typeof decoded?.parsed === 'string' ? decoded.parsed : null
}

function parse(text: string): { readonly parsed: unknown } | undefined {
  try {
    return { parsed: JSON.parse(text) }
  } catch {
    return undefined
  }
}

function sliceText(pieces: readonly Uint8Array[], start: number, end: number): string {
  const parts = slicePieces(pieces, start, end)
  const [only] = parts
  if (parts.length === 1 && only !== undefined) return decoder.decode(only)
  return decoder.decode(joined(parts))
}

/** The bytes from `start` to `end` as views on the pieces; nothing is copied. */
export function slicePieces(pieces: readonly Uint8Array[], start: number, end: number): Uint8Array[] {
  const parts: Uint8Array[] = []
  let base = 0
  for (const piece of pieces) {
    const from = Math.max(start - base, 0)
    const to = Math.min(end - base, piece.length)
    if (from < to) parts.push(from === 0 && to === piece.length ? piece : piece.subarray(from, to))
    base += piece.length
    if (base >= end) break
  }
  return parts
}
