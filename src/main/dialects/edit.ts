/** The complete list of edits to a same-dialect body: a top-level field set to another value, byte-exact elsewhere (routing §2). */
import type { Scan } from './scan.ts'
import { slicePieces } from './scan.ts'

const encoder = new TextEncoder()

/**
 * The body with the given top-level fields set; every other byte stays. Fields that are absent are inserted behind
 * the opening brace.
 */
export function setFields(
  pieces: readonly Uint8Array[],
  scan: Scan,
  values: ReadonlyMap<string, unknown>,
): Uint8Array[] {
  const changes: { readonly start: number; readonly end: number; readonly text: string }[] = []
  let inserted = ''
  for (const [name, value] of values) {
    const field = scan.fields.get(name)
    const text = JSON.stringify(value)
    if (field === undefined) inserted += `${JSON.stringify(name)}:${text},`
    else changes.push({ ...field.span, text })
  }
  if (inserted !== '') {
    const text = scan.empty ? inserted.slice(0, -1) : inserted
    changes.push({ start: scan.afterBrace, end: scan.afterBrace, text })
  }
  changes.sort((a, b) => a.start - b.start)
  const total = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const result: Uint8Array[] = []
  let at = 0
  for (const change of changes) {
    result.push(...slicePieces(pieces, at, change.start), encoder.encode(change.text))
    at = change.end
  }
  result.push(...slicePieces(pieces, at, total))
  return result
}
