/** A damaged file is set aside, never deleted, and its readable rows come back in a fresh one (F40). */
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type Database from 'better-sqlite3'
import type { Clock } from '../../ports.ts'
import { createPrivately, openCurrent, type StoreFile } from './database.ts'
import { migrate, newestVersion } from './migration.ts'
import { openDamaged, type Salvaged, salvage } from './salvage.ts'

export interface Recovery extends Salvaged {
  /** What was wrong, as part of a sentence. */
  readonly because: string
  /** Name of the file as it was, beside the fresh one. */
  readonly asideName: string
}

export interface OpenStore {
  readonly database: Database.Database
  /** Set when the file was damaged: it was set aside and these rows came back. */
  readonly recovery: Recovery | null
}

/**
 * How long rows are brought over; the newest come first. At the start nothing else can go on, and 100 MB take some two
 * seconds: the rest is for crowded machines. On the reader's thread nobody waits for it.
 */
const salvageMs = { atStart: 15_000, beside: 60_000 } as const

/** Made beside the damaged file, which stays where it is until everything has been brought over. */
const unfinished = (file: StoreFile): StoreFile => ({ ...file, path: `${file.path}.new` })
const finished = (file: StoreFile): string => `${file.path}.salvaged`

/** At the start, where nothing else can go on without the file. */
export function recover(file: StoreFile, because: string, clock: Clock): OpenStore {
  return replaceBySalvaged(
    file,
    because,
    salvageBeside(file, () => clock.elapsedMs(), salvageMs.atStart),
    clock.nowMs(),
  )
}

/** Brings everything readable into a file beside the damaged one, for as long as `boundMs`. */
export function salvageBeside(file: StoreFile, elapsedMs: () => number, boundMs: number = salvageMs.beside): Salvaged {
  const made = unfinished(file)
  try {
    remove(made.path)
    const salvaged = bringOver(file, made, elapsedMs, boundMs)
    syncFile(made.path)
    renameSync(made.path, finished(file))
    return salvaged
  } catch (cause) {
    remove(made.path)
    throw cause
  }
}

/** Sets the damaged file aside and opens the one made by `salvageBeside`; nobody else may have either open. */
export function replaceBySalvaged(file: StoreFile, because: string, salvaged: Salvaged, nowMs: number): OpenStore {
  const asideName = takePlace(file, nowMs)
  return { database: openCurrent(file), recovery: { because, asideName, ...salvaged } }
}

function bringOver(file: StoreFile, made: StoreFile, elapsedMs: () => number, boundMs: number): Salvaged {
  const old = openDamaged(file.path, file.migrations)
  let database: Database.Database | null = null
  try {
    createPrivately(made.path)
    // Rows go into the schema they were written under; the later steps then see them as they would have.
    database = openCurrent(made, old?.version ?? newestVersion(file.migrations))
    // Nobody relies on it before it is whole: without a log and syncs it is made in half the time.
    database.pragma('journal_mode = MEMORY')
    database.pragma('synchronous = OFF')
    const deadlineMs = elapsedMs() + boundMs
    const salvaged = salvage(file.path, old?.database ?? null, database, () => elapsedMs() < deadlineMs)
    migrate(database, file.migrations)
    return salvaged
  } finally {
    old?.database.close()
    database?.close()
  }
}

/** Ends a recovery that was cut off after everything had been brought over. */
export function finishRecovery(file: StoreFile, nowMs: number): Recovery | null {
  if (!existsSync(finished(file))) return null
  const asideName = takePlace(file, nowMs)
  return { because: 'an earlier repair was cut off', asideName, rows: {}, complete: true }
}

function takePlace(file: StoreFile, nowMs: number): string {
  const asideName = setAside(file.path, nowMs)
  renameSync(finished(file), file.path)
  return asideName
}

/**
 * `calls.db` becomes `calls.corrupt-20260519T101112345Z`. Its write-ahead log goes first: left behind, it would be
 * taken for the fresh file's (F41).
 */
function setAside(path: string, nowMs: number): string {
  const stamp = new Date(nowMs).toISOString().replace(/[-:.]/g, '')
  const base = join(dirname(path), `${basename(path, '.db')}.corrupt-${stamp}`)
  let asidePath = base
  for (let n = 2; existsSync(asidePath); n += 1) asidePath = `${base}-${n}`
  for (const suffix of ['-wal', '-shm', '']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, asidePath + suffix)
  }
  return basename(asidePath)
}

function syncFile(path: string): void {
  const descriptor = openSync(path, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function remove(path: string): void {
  for (const suffix of ['-wal', '-shm', '']) rmSync(path + suffix, { force: true })
}
