/** Reads the tables of proofs in `docs/`: which row names which test, and what is wrong with that. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './tree.ts'

export interface Proof {
  readonly file: string
  /** Title as it stands in the file, or its beginning. */
  readonly title: string
}

export interface ProofRow {
  readonly id: string
  readonly cells: readonly string[]
  readonly proofs: readonly Proof[]
  readonly state: string
}

export const page = (name: string): string => readFileSync(join(root, 'docs', name), 'utf8')

/** Rows of every table of a page whose first cell is an id; tests stand in the last cell but one, the state in the last. */
export function proofRows(text: string, id: RegExp): readonly ProofRow[] {
  return text.split('\n').flatMap((line) => {
    const cells = line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('\\|', '|'))
    const [first = ''] = cells
    if (!id.test(first)) return []
    return [{ id: first, cells, proofs: proofsIn(cells.at(-2) ?? ''), state: cells.at(-1) ?? '' }]
  })
}

const proofsIn = (cell: string): readonly Proof[] =>
  cell.split('<br>').flatMap((entry) => {
    const found = /^`([^`]+)`: (.+)$/.exec(entry.trim())
    return found === null ? [] : [{ file: found[1] ?? '', title: found[2] ?? '' }]
  })

/** What is wrong with a row's tests; `named` says whether a title carries the row's name. */
export function wrongWith(row: ProofRow, named: (title: string) => boolean): readonly string[] {
  if (row.proofs.length === 0) return [`${row.id} names no test`]
  return row.proofs.flatMap(({ file, title }) => {
    if (!named(title)) return [`${row.id}: “${title}” does not carry its name`]
    if (!existsSync(join(root, file))) return [`${row.id}: there is no ${file}`]
    return isTitle(readFileSync(join(root, file), 'utf8'), title) ? [] : [`${row.id}: no “${title}” in ${file}`]
  })
}

/** The title, or its beginning, as a text of the code; not in a comment. */
function isTitle(code: string, title: string): boolean {
  const plain = code.replace(/^\s*(\/\*\*|\*|\/\/).*$/gm, '')
  return ["'", '"', '`'].some((quote) => plain.includes(quote + title.replaceAll(quote, `\\${quote}`)))
}

/** `F7` is carried by `F7 a 429` and by `T6.3 F7 F12 …`, not by `F70 …`. */
export const carries = (title: string, id: string): boolean =>
  new RegExp(`(^|[\\s/(])${id.replaceAll('.', '\\.')}(?![\\d.]*\\d)`).test(title)
