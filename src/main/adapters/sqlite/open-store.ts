/** Opens a store at the start: looks before it writes, refuses newer files, recovers damaged ones. */
import { chmodSync, closeSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { PointsmanError } from '../../../shared/errors.ts'
import type { Clock } from '../../ports.ts'
import { assertSqliteVersion, createPrivately, openCurrent, type StoreFile } from './database.ts'
import { refusalOf } from './disk-refusal.ts'
import { newestVersion, storedVersion } from './migration.ts'
import { finishRecovery, type OpenStore, recover } from './recovery.ts'
import { schemaFault } from './schema-fault.ts'

/** Whether opening the file also checks all of its pages. */
export const isCheckedAtOnce = ({ path, checkedAtOnceBytes }: StoreFile): boolean =>
  (statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= checkedAtOnceBytes

/** Opens or creates the file; throws `store_newer`, `store_unreadable` or `sqlite_too_old`. */
export function openStore(file: StoreFile, clock: Clock): OpenStore {
  assertSqliteVersion()
  const repaired = guarded(file, () => finishRecovery(file, clock.nowMs()))
  const made = guarded(file, () => createPrivately(file.path))
  try {
    const damage = made ? null : guarded(file, () => damageOf(file))
    if (damage !== null) return guarded(file, () => recover(file, damage, clock))
    return { database: guarded(file, () => openCurrent(file)), recovery: repaired }
  } catch (cause) {
    // An empty file left behind would look like a damaged one at the next start.
    if (made) rmSync(file.path, { force: true })
    throw cause
  }
}

/** What is wrong with an existing file, or null; a file of a newer version is only looked at, never written (F44). */
function damageOf(file: StoreFile): string | null {
  if (process.platform !== 'win32' && (statSync(file.path).mode & 0o077) !== 0) chmodSync(file.path, 0o600)
  const { size } = statSync(file.path)
  if (size === 0) return 'it was empty'
  const header = readHeader(file.path)
  const isDatabase = header.subarray(0, 16).toString('latin1') === 'SQLite format 3\0'
  if (!isDatabase) return 'it is not a database'
  refuseNewer(file, header.readUInt32BE(60))
  // A disk may fail once: a file is set aside for what fails twice only.
  return damagedPages(file) === null ? null : damagedPages(file)
}

function damagedPages(file: StoreFile): string | null {
  try {
    const database = new Database(file.path, { readonly: true, timeout: file.busyTimeoutMs })
    try {
      // The newest version number may still be in the write-ahead log only.
      const version = storedVersion(database)
      refuseNewer(file, version)
      const fault = schemaFault(database, file.migrations, version)
      return fault === null && isCheckedAtOnce(file) ? firstFault(database) : fault
    } finally {
      database.close()
    }
  } catch (cause) {
    const refusal = refusalOf(cause)
    if (refusal.kind !== 'damaged') throw cause
    return refusal.why
  }
}

/** The first thing `quick_check` finds, or null. */
export function firstFault(database: Database.Database): string | null {
  const [first] = database.pragma('quick_check(1)') as readonly { readonly quick_check: string }[]
  return first?.quick_check === 'ok' ? null : 'pages are damaged'
}

function refuseNewer(file: StoreFile, version: number): void {
  if (version > newestVersion(file.migrations)) throw new PointsmanError('store_newer', { file: file.name })
}

function readHeader(path: string): Buffer {
  const header = Buffer.alloc(100)
  const descriptor = openSync(path, 'r')
  try {
    readSync(descriptor, header, 0, header.length, 0)
    return header
  } finally {
    closeSync(descriptor)
  }
}

function guarded<T>(file: StoreFile, act: () => T): T {
  try {
    return act()
  } catch (cause) {
    if (cause instanceof PointsmanError) throw cause
    throw new PointsmanError('store_unreadable', { file: file.name, why: refusalOf(cause).why }, { cause })
  }
}
