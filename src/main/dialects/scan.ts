/**
 * Structural scan of a JSON body at depth 1: finds a few top-level fields without parsing the rest, over the pieces
 * as they came. Strings are skipped, keys are decoded (`"mod\u0065l"` is `model`), brackets must match. It validates
 * only what it reads; a body that is broken elsewhere is the upstream's to refuse (routing §2).
 */

import { joined } from '../domain/bytes.ts'
import { oneByteText } from './json.ts'
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

const backslash = 0x5c
const quote = 0x22
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
/** As much is looked at as text at a time: short enough to be collected young. */
const windowBytes = 64 * 1024

const decoder = new TextDecoder('utf-8')

/** Scans `pieces` for the `wanted` top-level fields, whose names are ASCII. */
export function scanFields(pieces: readonly Uint8Array[], wanted: ReadonlySet<string>): Found {
  const scan = new FieldScan(wanted)
  for (const piece of pieces) scan.push(piece)
  return scan.end()
}

/** The same for a body of any length: a promise for a long one, which is looked through in stretches. */
export function scanBody(
  pieces: readonly Uint8Array[],
  wanted: ReadonlySet<string>,
  giveWay: GiveWay,
): Found | Promise<Found> {
  const isShort = pieces.reduce((sum, piece) => sum + piece.length, 0) < stretchBytes
  return isShort ? scanFields(pieces, wanted) : inStretches(byPiece(shortPieces(pieces), wanted), giveWay)
}

/** The same in steps: each is one piece, and says how long that was. */
function* byPiece(pieces: readonly Uint8Array[], wanted: ReadonlySet<string>): Generator<number, Found, undefined> {
  const scan = new FieldScan(wanted)
  for (const piece of pieces) {
    scan.push(piece)
    yield piece.length
  }
  return scan.end()
}

/** A scan that is given the body piece by piece, as it comes. */
export class FieldScan {
  /** Bytes given so far. */
  length = 0
  readonly #wanted: ReadonlySet<string>
  readonly #pieces: Uint8Array[] = []
  readonly #fields = new Map<string, Field>()
  readonly #brackets: number[] = []
  #problem: ScanProblem | null = null
  #inString = false
  #escaped = false
  #keyExpected = false
  #keyStart = -1
  #key: string | null = null
  #valueStart = -1
  #afterBrace = -1
  #closed = false
  #anyField = false
  /** The bytes being looked at, one character each, and where in the body they begin. */
  #text = ''
  #base = 0

  constructor(wanted: ReadonlySet<string>) {
    this.#wanted = wanted
  }

  push(piece: Uint8Array): void {
    this.#pieces.push(piece)
    this.length += piece.length
    for (let from = 0; from < piece.length && this.#problem === null; from += windowBytes) {
      this.#problem = this.#look(oneByteText(piece, from, from + windowBytes))
    }
  }

  /** What was found in all that was given. */
  end(): Found {
    if (this.#problem !== null) return this.#problem
    if (!this.#closed) return notJson(this.#afterBrace < 0 ? 'it is empty' : endsTooEarly)
    return { kind: 'scan', fields: this.#fields, afterBrace: this.#afterBrace, empty: !this.#anyField }
  }

  #look(text: string): ScanProblem | null {
    this.#text = text
    const brackets = this.#brackets
    const { length } = text
    let i = 0
    while (i < length) {
      if (this.#inString) {
        if (this.#escaped) {
          this.#escaped = false
          i += 1
          continue
        }
        const found = stringEnd(text, i)
        if (found < 0) {
          this.#escaped = found === inEscape
          break
        }
        i = found + 1
        this.#inString = false
        if (this.#keyStart >= 0) this.#endKey(found)
        continue
      }
      const byte = text.charCodeAt(i)
      if (this.#closed && byte > 0x20) return notJson('text follows the object')
      switch (byte) {
        case quote:
          if (brackets.length === 0) return notJson('it is not an object')
          this.#inString = true
          if (this.#keyExpected) {
            this.#keyStart = this.#base + i + 1
            this.#keyExpected = false
            this.#anyField = true
          }
          break
        case openBrace:
        case openBracket:
          if (brackets.length === 0) {
            if (byte === openBracket) return notJson('it is not an object')
            this.#keyExpected = true
            this.#afterBrace = this.#base + i + 1
          } else if (this.#keyExpected) return notJson('a key is missing')
          if (brackets.length >= deepest) return notJson(`it is nested deeper than ${deepest}`)
          brackets.push(byte)
          break
        case closeBrace:
        case closeBracket: {
          if (brackets.pop() !== (byte === closeBrace ? openBrace : openBracket)) {
            return notJson('its brackets do not match')
          }
          if (brackets.length === 0) {
            const problem = this.#endValue(i)
            if (problem !== null) return problem
            this.#closed = true
          }
          break
        }
        case comma:
          if (brackets.length === 1) {
            const problem = this.#endValue(i)
            if (problem !== null) return problem
            this.#keyExpected = true
          }
          break
        case colon:
          if (brackets.length === 1) this.#valueStart = this.#base + i + 1
          break
        default:
          if (brackets.length === 0 && byte > 0x20) return notJson('it is not an object')
      }
      i += 1
    }
    this.#base += length
    return null
  }

  #endKey(at: number): void {
    const key = this.#between(this.#keyStart, this.#base + at)
    this.#keyStart = -1
    this.#key = wantedName(key, this.#wanted)
  }

  #endValue(at: number): ScanProblem | null {
    const name = this.#key
    if (name === null) return null
    this.#key = null
    const span = { start: this.#valueStart, end: this.#base + at }
    if (this.#fields.has(name)) return { kind: 'duplicate', field: name }
    if (span.end - span.start > longestValue) return notJson(`${name} is too long`)
    const value = parse(this.#between(span.start, span.end))
    if (value === undefined) return notJson(`${name} is malformed`)
    this.#fields.set(name, { value: value.parsed, span })
    return null
  }

  #between(start: number, end: number): string {
    const from = start - this.#base
    const near = from >= 0 ? this.#text.slice(from, end - this.#base) : null
    return near !== null && isAscii(near) ? near : decoder.decode(joined(slicePieces(this.#pieces, start, end)))
  }
}

const notJson = (why: string): ScanProblem => ({ kind: 'not-json', why })

const goesOn = -1
const inEscape = -2

/** Where the quote stands that ends the string; `goesOn`, or `inEscape`, when what follows has it. */
function stringEnd(text: string, from: number): number {
  const { length } = text
  let at = from
  for (;;) {
    const found = text.indexOf('"', at)
    const end = found < 0 ? length : found
    let before = end - 1
    while (before >= at && text.charCodeAt(before) === backslash) before -= 1
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

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) if (text.charCodeAt(i) > 0x7f) return false
  return true
}

/** The wanted name that a key spells, null for another. */
function wantedName(key: string, wanted: ReadonlySet<string>): string | null {
  if (key.length > longestKey) return null
  const spelt = key.includes('\\') ? parse(`"${key}"`)?.parsed : key
  // The set's own text: a part of the body's would keep all of it in memory.
  for (const name of wanted) if (name === spelt) return name
  return null
}

function parse(text: string): { readonly parsed: unknown } | undefined {
  try {
    return { parsed: JSON.parse(text) }
  } catch {
    return undefined
  }
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
