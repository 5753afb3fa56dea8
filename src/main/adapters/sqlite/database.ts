/** A connection to one of our SQLite files: safe library, private rights, our pragmas, current schema. */
import { closeSync, existsSync, openSync } from 'node:fs'
import Database from 'better-sqlite3'
import { PointsmanError } from '../../../shared/errors.ts'
import { type Migration, migrate, newestVersion } from './migration.ts'

/** Older ones can lose committed rows (the WAL-reset bug). */
export const oldestSqlite = '3.51.3'

export interface StoreFile {
  readonly path: string
  /** Shown in messages instead of the path. */
  readonly name: string
  readonly synchronous: 'FULL' | 'NORMAL'
  readonly busyTimeoutMs: number
  readonly migrations: readonly Migration[]
  /** Grows and shrinks: pages are given back in small steps. */
  readonly shrinks: boolean
  /** A larger file is checked after the start, on the reader's thread. */
  readonly checkedAtOnceBytes: number
}

/** A connection with our pragmas and the current schema; throws what SQLite throws. */
export function openCurrent(file: StoreFile, version = newestVersion(file.migrations)): Database.Database {
  const database = connect(file)
  try {
    migrate(database, file.migrations, version)
    return database
  } catch (cause) {
    database.close()
    throw cause
  }
}

function connect(file: StoreFile): Database.Database {
  const database = new Database(file.path, { timeout: file.busyTimeoutMs })
  try {
    if (file.shrinks) database.pragma('auto_vacuum = INCREMENTAL')
    if (database.pragma('journal_mode = WAL', { simple: true }) !== 'wal') throw new Error('no write-ahead log')
    database.pragma(`synchronous = ${file.synchronous}`)
    for (const setting of ['secure_delete = ON', 'foreign_keys = ON', 'trusted_schema = OFF', 'cell_size_check = ON']) {
      database.pragma(setting)
    }
    return database
  } catch (cause) {
    database.close()
    throw cause
  }
}

/** Creates the file for its owner alone, whatever the umask; false when it is there already. */
export function createPrivately(path: string): boolean {
  if (existsSync(path)) return false
  closeSync(openSync(path, 'ax', 0o600))
  return true
}

/** Refuses a SQLite that can lose committed rows (F42). */
export function assertSqliteVersion(found = sqliteVersion()): void {
  const [major = 0, minor = 0, patch = 0] = found.split('.').map(Number)
  const [needMajor = 0, needMinor = 0, needPatch = 0] = oldestSqlite.split('.').map(Number)
  const newer = major - needMajor || minor - needMinor || patch - needPatch
  if (newer < 0) throw new PointsmanError('sqlite_too_old', { found, needed: oldestSqlite })
}

function sqliteVersion(): string {
  const database = new Database(':memory:')
  const version = database.prepare('SELECT sqlite_version()').pluck().get() as string
  database.close()
  return version
}
