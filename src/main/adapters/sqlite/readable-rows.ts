/** Walks a damaged table from its highest rowid down and jumps over what can't be read. */
import type { Database, Statement } from 'better-sqlite3'

export type Row = readonly unknown[]

export interface ReadableRows {
  readonly rows: readonly Row[]
  /** Reading broke off after these. */
  readonly failed: boolean
}

const batchRows = 2_000

/** Batches of rows, the newest first; nothing and a failure when the table itself can't be opened. */
export function* readableRows(from: Database, table: string, columns: readonly string[]): Generator<ReadableRows> {
  const below = prepared(from, table, columns)
  if (below === null) {
    yield { rows: [], failed: true }
    return
  }
  let top: number | null = Number.MAX_SAFE_INTEGER
  while (top !== null) {
    let failed = false
    let lowest: number = top
    let rows: Row[] = []
    try {
      for (const [rowid, ...row] of below.iterate(top) as IterableIterator<Row>) {
        lowest = rowid as number
        rows.push(row)
        if (rows.length < batchRows) continue
        yield { rows, failed: false }
        rows = []
      }
    } catch {
      failed = true
    }
    yield { rows, failed }
    top = failed ? highestReadable(below, lowest) : null
  }
}

function prepared(from: Database, table: string, columns: readonly string[]): Statement<[number]> | null {
  try {
    const list = ['rowid', ...columns].join(', ')
    return from.prepare<[number]>(`SELECT ${list} FROM "${table}" WHERE rowid <= ? ORDER BY rowid DESC`).raw()
  } catch {
    return null
  }
}

/** The highest rowid below `start` at which a row can be read: widening steps down, then narrowing ones up. */
function highestReadable(below: Statement<[number]>, start: number): number | null {
  const read = (rowid: number): 'row' | 'nothing' | 'failure' => {
    try {
      return below.get(rowid) === undefined ? 'nothing' : 'row'
    } catch {
      return 'failure'
    }
  }
  let bad = start
  let step = 1
  for (let seen = read(start - step); seen !== 'row'; seen = read(start - step)) {
    if (seen === 'nothing' || step > Number.MAX_SAFE_INTEGER) return null
    bad = start - step
    step *= 2
  }
  let good = start - step
  while (bad - good > 1) {
    const middle = good + Math.floor((bad - good) / 2)
    if (read(middle) === 'row') good = middle
    else bad = middle
  }
  return good
}
