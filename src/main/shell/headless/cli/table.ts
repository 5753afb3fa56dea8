/** Aligned text for the terminal: columns as wide as they must be, the last one cut where the line ends. */
import { printable, terminalWidth } from '../print.ts'

export interface Column {
  readonly title: string
  readonly align?: 'right'
}

const gap = '  '
const narrowest = 8

/** One line a row; a cell's own line breaks become spaces. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  limit = terminalWidth(),
): string {
  if (rows.length === 0) return '(none)'
  const cells = [columns.map(({ title }) => title), ...rows.map((row) => columns.map((_, at) => plain(row[at] ?? '')))]
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => widthOf(row[at] ?? ''))))
  const last = columns.length - 1
  const before = widths.slice(0, last).reduce((sum, width) => sum + width + gap.length, 0)
  const room = limit === null ? Number.POSITIVE_INFINITY : Math.max(narrowest, limit - before)
  return cells
    .map((row) =>
      row
        .map((cell, at) => {
          if (columns[at]?.align === 'right') return pad(cell, widths[at] ?? 0) + cell
          return at === last ? cut(cell, room) : cell + pad(cell, widths[at] ?? 0)
        })
        .join(gap)
        .trimEnd(),
    )
    .join('\n')
}

/** `NAME  value` lines. */
export const facts = (pairs: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...pairs.map(([name]) => widthOf(name)))
  return pairs.map(([name, value]) => `  ${name}${' '.repeat(width - widthOf(name))}  ${plain(value)}`).join('\n')
}

const plain = (text: string): string => printable(text).replace(/[\t\n]+/g, ' ')

const pad = (cell: string, width: number): string => ' '.repeat(Math.max(0, width - widthOf(cell)))

function cut(text: string, room: number): string {
  if (widthOf(text) <= room) return text
  let kept = ''
  let width = 0
  for (const letter of text) {
    width += letterWidth(letter)
    if (width > room - 1) break
    kept += letter
  }
  return `${kept.trimEnd()}…`
}

export function widthOf(text: string): number {
  let width = 0
  for (const letter of text) width += letterWidth(letter)
  return width
}

const wide =
  /[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u
const empty = /[\p{Mn}\p{Me}\p{Cf}]/u

/** Cells that a terminal gives a character. */
function letterWidth(letter: string): number {
  if (letter >= ' ' && letter <= '~') return 1
  if (empty.test(letter)) return 0
  return wide.test(letter) ? 2 : 1
}
