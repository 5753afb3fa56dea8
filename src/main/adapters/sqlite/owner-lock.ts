/** One owner per data folder: an exclusive SQLite lock on a small file, released by the OS even on SIGKILL (F57). */
import Database from 'better-sqlite3'
import { PointsmanError } from '../../../shared/errors.ts'
import { assertSqliteVersion, createPrivately } from './database.ts'
import { refusalOf } from './disk-refusal.ts'

export interface OwnerLock {
  close(): void
}

/** Keeps each lock reachable: a connection that is collected as garbage closes itself and frees its lock. */
const held = new Set<Database.Database>()

/**
 * Takes the folder or throws `data_folder_in_use` at once. Nobody in this process may open the lock file by other
 * means: POSIX drops a process's locks when any descriptor of the file is closed.
 */
export function takeOwnerLock(path: string): OwnerLock {
  assertSqliteVersion()
  let database: Database.Database | null = null
  try {
    createPrivately(path)
    database = new Database(path, { timeout: 0 })
    database.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    database?.close()
    const refusal = refusalOf(cause)
    if (refusal.kind === 'busy') throw new PointsmanError('data_folder_in_use')
    throw new PointsmanError('data_folder_unusable', { why: refusal.why }, { cause })
  }
  const owned = database
  held.add(owned)
  return {
    close() {
      held.delete(owned)
      owned.close()
    },
  }
}
