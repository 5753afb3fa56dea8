/** A damaged file is set aside, never deleted, and its readable rows come back into a fresh one (F40). */
import { existsSync, renameSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type Database from 'better-sqlite3'
import type { Clock } from '../../ports.ts'
import { createPrivately, openCurrent, type StoreFile } from './database.ts'
import { migrate, newestVersion } from './migration.ts'
import { openDamaged, salvageTable } from './salvage.ts'

export interface Recovery {
  /** What was wrong, as part of a sentence. */
  readonly because: string
  /** Name of the file as it was, beside the fresh one. */
  readonly asideName: string
  /** Rows that came back, by table. */
  readonly rows: Readonly<Record<string, number>>
  /** False when reading stopped early: time was up, or the disk was full. */
  readonly complete: boolean
}

export interface OpenStore {
  readonly database: Database.Database
  /** Set when the file was damaged: it was set aside and this many rows came back. */
  readonly recovery: Recovery | null
}

/** Long enough for some 100 MB; the newest rows come first. */
const salvageMs = 5_000

export function recover(file: StoreFile, because: string, clock: Clock): OpenStore {
  const asidePath = setAside(file.path, clock.nowMs())
  createPrivately(file.path)
  const old = openDamaged(asidePath, file.migrations)
  // Rows go into the schema they were written under; the later steps then see them as they would have.
  const database = openCurrent(file, old?.version ?? newestVersion(file.migrations))
  const rows: Record<string, number> = {}
  let complete = old !== null || statSync(asidePath).size === 0
  try {
    const deadlineMs = clock.elapsedMs() + salvageMs
    const inTime = (): boolean => clock.elapsedMs() < deadlineMs
    for (const table of tablesOf(database)) {
      const salvaged = old === null ? { rows: 0, complete } : salvageTable(old.database, database, table, inTime)
      rows[table] = salvaged.rows
      complete &&= salvaged.complete
    }
  } finally {
    old?.close()
  }
  migrate(database, file.migrations)
  return { database, recovery: { because, asideName: basename(asidePath), rows, complete } }
}

/** `calls.db` becomes `calls.corrupt-20260519T101112345Z`, with the write-ahead log that belongs to it. */
function setAside(path: string, nowMs: number): string {
  const stamp = new Date(nowMs).toISOString().replace(/[-:.]/g, '')
  const base = join(dirname(path), `${basename(path, '.db')}.corrupt-${stamp}`)
  let asidePath = base
  for (let n = 2; existsSync(asidePath); n += 1) asidePath = `${base}-${n}`
  for (const suffix of ['-wal', '-shm', '']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, asidePath + suffix)
  }
  return asidePath
}

const tablesOf = (database: Database.Database): readonly string[] =>
  database
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid`)
    .pluck()
    .all() as string[]
