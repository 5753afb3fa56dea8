/** Brings the readable rows of a damaged file into a fresh one: through SQLite as far as it goes, then page by page. */
import Database from 'better-sqlite3'
import { leafRows } from './leaf-scan.ts'
import { type Migration, newestVersion, storedVersion } from './migration.ts'
import { type Row, readableRows } from './readable-rows.ts'

export interface DamagedStore {
  readonly database: Database.Database
  /** Schema version of its rows. */
  readonly version: number
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
    tablesOf(database)
    const known = migrations.some((migration) => migration.version === version)
    return { database, version: known ? version : newestVersion(migrations) }
  } catch {
    database?.close()
    return null
  }
}

export interface Salvaged {
  /** Rows that came back, by table. */
  readonly rows: Readonly<Record<string, number>>
  /** False when time was up before everything had been looked at. */
  readonly complete: boolean
}

/** Copies every row that can be read, the newest first; a row that the fresh table refuses is left out. */
export function salvage(
  path: string,
  from: Database.Database | null,
  to: Database.Database,
  inTime: () => boolean,
): Salvaged {
  const tables = tablesOf(to).map((name) => freshTable(to, name))
  const walked = from === null ? 'broken' : walk(from, tables, inTime)
  const scanned = walked === 'broken' ? scan(path, tables, inTime) : walked
  const rows = Object.fromEntries(tables.map((table) => [table.name, table.count()]))
  return { rows, complete: scanned === 'complete' }
}

/** Through SQLite: exact, but what hangs below a damaged inner page is out of its reach. */
function walk(
  from: Database.Database,
  tables: readonly FreshTable[],
  inTime: () => boolean,
): 'complete' | 'broken' | 'late' {
  let isWhole = true
  for (const table of tables) {
    for (const { rows, failed } of readableRows(from, table.name, table.columns)) {
      table.add(rows)
      isWhole &&= !failed
      if (!inTime()) return 'late'
    }
  }
  return isWhole ? 'complete' : 'broken'
}

const scanBatch = 2_000

/** Page by page: a row says only how many columns it has, so a table must be alone with its number of columns. */
function scan(path: string, tables: readonly FreshTable[], inTime: () => boolean): 'complete' | 'late' {
  const byWidth = new Map<number, { readonly table: FreshTable; readonly rows: Row[] }>()
  for (const table of tables) {
    const isAlone = tables.every((other) => other === table || other.columns.length !== table.columns.length)
    if (isAlone) byWidth.set(table.columns.length, { table, rows: [] })
  }
  let seen = 0
  for (const { rowid, values } of leafRows(path)) {
    seen += 1
    if (seen % scanBatch === 0 && !inTime()) return 'late'
    const found = byWidth.get(values.length)
    if (found?.table.holds(rowid) !== false) continue
    found.rows.push(values.map((value, n) => (n === found.table.rowidColumn ? rowid : value)))
    if (found.rows.length === scanBatch) found.table.add(found.rows.splice(0))
  }
  for (const { table, rows } of byWidth.values()) table.add(rows)
  return 'complete'
}

interface FreshTable {
  readonly name: string
  readonly columns: readonly string[]
  /** Index of the column that is the rowid's other name, or -1. */
  readonly rowidColumn: number
  /** Whether the row came back already; false too where its place in the table has no meaning. */
  holds(rowid: number): boolean
  add(rows: readonly Row[]): void
  count(): number
}

interface ColumnInfo {
  readonly name: string
  readonly type: string
  readonly pk: number
}

function freshTable(to: Database.Database, name: string): FreshTable {
  const infos = to.pragma(`table_info("${name}")`) as readonly ColumnInfo[]
  const columns = infos.map((info) => info.name)
  const places = columns.map(() => '?').join(', ')
  const insert = to.prepare(`INSERT OR IGNORE INTO "${name}" (${columns.join(', ')}) VALUES (${places})`)
  let count = 0
  const add = to.transaction((rows: readonly Row[]) => {
    for (const row of rows) {
      try {
        count += insert.run(...row).changes
      } catch (cause) {
        if (!isRefusedRow(cause)) throw cause
      }
    }
  })
  const rowidColumn = infos.findIndex((info) => info.pk === 1 && info.type === 'INTEGER')
  const find = rowidColumn === -1 ? null : to.prepare<[number]>(`SELECT 1 FROM "${name}" WHERE rowid = ?`).pluck()
  const holds = (rowid: number): boolean => find !== null && find.get(rowid) !== undefined
  return { name, columns, rowidColumn, holds, add: (rows) => add.immediate(rows), count: () => count }
}

/** A damaged cell that looks whole, seen by the types and constraints of the fresh table. */
const isRefusedRow = (cause: unknown): boolean =>
  cause instanceof Database.SqliteError && /^SQLITE_(CONSTRAINT|MISMATCH)/.test(cause.code)

const tablesOf = (database: Database.Database): readonly string[] =>
  database
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid`)
    .pluck()
    .all() as string[]
