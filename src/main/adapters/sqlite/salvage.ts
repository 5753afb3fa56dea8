/** Reads what can still be read of a damaged file: row by row, newest first, jumping over pages that fail. */
import Database from 'better-sqlite3'
import { type Migration, newestVersion, storedVersion } from './migration.ts'

export interface DamagedStore {
  readonly database: Database.Database
  /** Schema version of its rows. */
  readonly version: number
  close(): void
}

/** Opens the file for reading in spite of its damage, or null when not even its schema can be read. */
export function openDamaged(path: string, migrations: readonly Migration[]): DamagedStore | null {
  let database: Database.Database | null = null
  try {
    database = new Database(path, { readonly: true, timeout: 0 })
    // Without this SQLite refuses a file that is shorter than its header says.
    database.unsafeMode(true)
    database.pragma('writable_schema = ON')
    const version = storedVersion(database)
    database.prepare('SELECT count(*) FROM sqlite_schema').get()
    const known = migrations.some((migration) => migration.version === version)
    const opened = database
    return { database, version: known ? version : newestVersion(migrations), close: () => void opened.close() }
  } catch {
    database?.close()
    return null
  }
}

export interface Salvaged {
  readonly rows: number
  readonly complete: boolean
}

type Row = readonly unknown[]

const batchRows = 2_000

/**
 * Copies the readable rows of one table, from the highest key down, while `inTime` says so. A row that the fresh
 * table refuses (a damaged cell that looks whole) is left out.
 */
export function salvageTable(
  from: Database.Database,
  to: Database.Database,
  table: string,
  inTime: () => boolean,
): Salvaged {
  const columns = sharedColumns(from, to, table)
  if (columns.length === 0) return { rows: 0, complete: false }
  const key = keyColumn(to, table)
  const list = columns.map(quoted).join(', ')
  const insert = to.prepare(
    `INSERT OR IGNORE INTO ${quoted(table)} (${list}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
  let rows = 0
  const save = to.transaction((batch: readonly Row[]) => {
    for (const row of batch) {
      try {
        rows += insert.run(...row).changes
      } catch (cause) {
        if (!isRefusedRow(cause)) throw cause
      }
    }
  })
  let complete = true
  for (const batch of readable(from, table, key, list)) {
    save(batch)
    if (inTime()) continue
    complete = false
    break
  }
  return { rows, complete }
}

/** Batches of rows below one another; where reading fails, the next readable key below is sought. */
function* readable(from: Database.Database, table: string, key: string, list: string): Generator<readonly Row[]> {
  const below = from
    .prepare(`SELECT ${key}, ${list} FROM ${quoted(table)} WHERE ${key} <= ? ORDER BY ${key} DESC`)
    .raw()
  let top: number | null = Number.MAX_SAFE_INTEGER
  while (top !== null) {
    let failed = false
    let lowest: number = top
    let batch: Row[] = []
    const rows = below.iterate(top) as IterableIterator<Row>
    try {
      for (const [at, ...row] of rows) {
        lowest = at as number
        batch.push(row)
        if (batch.length < batchRows) continue
        yield batch
        batch = []
      }
    } catch {
      failed = true
    }
    yield batch
    const start: number = lowest
    top = failed ? highestReadable(below, start) : null
  }
}

/** The highest key below `start` from which a row can be read, found by widening and then narrowing steps. */
function highestReadable(below: Database.Statement, start: number): number | null {
  const reads = (key: number): 'row' | 'nothing' | 'fails' => {
    try {
      return below.get(key) === undefined ? 'nothing' : 'row'
    } catch {
      return 'fails'
    }
  }
  let bad = start
  let step = 1
  for (let seen = reads(start - step); seen !== 'row'; seen = reads(start - step)) {
    if (seen === 'nothing' || step > Number.MAX_SAFE_INTEGER) return null
    bad = start - step
    step *= 2
  }
  let good = start - step
  while (bad - good > 1) {
    const middle = good + Math.floor((bad - good) / 2)
    if (reads(middle) === 'row') good = middle
    else bad = middle
  }
  return good
}

interface Column {
  readonly name: string
  readonly pk: number
}

const columnsOf = (database: Database.Database, table: string): readonly Column[] =>
  database.pragma(`table_info(${quoted(table)})`) as Column[]

function sharedColumns(from: Database.Database, to: Database.Database, table: string): readonly string[] {
  try {
    const there = new Set(columnsOf(from, table).map((column) => column.name))
    return columnsOf(to, table)
      .map((column) => column.name)
      .filter((name) => there.has(name))
  } catch {
    return []
  }
}

/** What the table is ordered by on disk: its rowid, or the first key column of a table without one. */
function keyColumn(database: Database.Database, table: string): string {
  const hasRowid = database.prepare(`SELECT wr FROM pragma_table_list(?)`).pluck().get(table) === 0
  if (hasRowid) return 'rowid'
  const first = columnsOf(database, table).find((column) => column.pk === 1)
  return quoted(first?.name ?? 'rowid')
}

const isRefusedRow = (cause: unknown): boolean =>
  cause instanceof Database.SqliteError &&
  (cause.code.startsWith('SQLITE_CONSTRAINT') || cause.code === 'SQLITE_MISMATCH')

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
