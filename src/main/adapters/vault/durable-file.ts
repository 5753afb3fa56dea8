/** Private files that are replaced whole: old or new, never mixed, never through a link, safe on disk when done. */
import { constants } from 'node:fs'
import { chmod, copyFile, type FileHandle, link, lstat, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Where a replacement stands; tests end the process at each. */
export type SaveStep = 'opened' | 'written' | 'synced' | 'verified' | 'kept' | 'renamed' | 'folder-synced'

export interface ReplaceOptions {
  readonly onStep?: ((step: SaveStep) => void) | undefined
  /** Leaves the content before this one at `PATH.prev`. */
  readonly keepPrevious?: boolean
}

const windows = process.platform === 'win32'
const noFollow = constants.O_NOFOLLOW ?? 0
const createNew = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow
const largestBytes = 64 * 1024 * 1024

const temporaryOf = (path: string): string => `${path}.tmp`
export const previousOf = (path: string): string => `${path}.prev`

export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'

/** A clause for people: what the system said, without a path. */
export const fileTrouble = (error: unknown): string => {
  if (error instanceof NotPlainFile) return error.message
  const code = errorCode(error)
  return troubles[code] ?? `the system said ${code}`
}

const troubles: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk is read-only',
  EACCES: 'the right to read or write it is missing',
  EPERM: 'the right to read or write it is missing',
  ENOENT: 'its folder does not exist',
  EEXIST: 'something lies in the place of its temporary file',
}

/** Something else lies where one of our files belongs: a link, a folder, a pipe. */
class NotPlainFile extends Error {}

async function plainFileAt(path: string): Promise<boolean> {
  const found = await lstat(path).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  })
  if (found !== null && !found.isFile()) throw new NotPlainFile('something that is not a plain file lies in its place')
  return found !== null
}

/** The bytes, or null when there is no such file; throws `NotPlainFile` for anything that is not a plain file. */
export async function readPrivateFile(path: string): Promise<Buffer | null> {
  if (!(await plainFileAt(path))) return null
  const file = await open(path, constants.O_RDONLY | noFollow)
  try {
    const { size } = await file.stat()
    if (size > largestBytes) throw new NotPlainFile('the file is far too large')
    return await file.readFile()
  } finally {
    await file.close()
  }
}

/** Takes rights away from group and others; true when there was something to take. */
export async function makePrivate(path: string, mode: 0o600 | 0o700): Promise<boolean> {
  if (windows) return false
  const found = await lstat(path).catch(() => null)
  if (found === null || found.isSymbolicLink() || (found.mode & 0o077) === 0) return false
  await chmod(path, mode)
  return true
}

/** Removes what a killed replacement left behind; a link or folder in its place is left for a person to look at. */
export async function clearLeftover(path: string): Promise<void> {
  const leftover = temporaryOf(path)
  if ((await lstat(leftover).catch(() => null))?.isFile()) await rm(leftover, { force: true })
}

/** Replaces the content of `path`. When it rejects, what is there is whole: old, or new if only the last sync failed. */
export async function replaceFile(path: string, bytes: Buffer, options: ReplaceOptions = {}): Promise<void> {
  const step = options.onStep ?? (() => {})
  const temporary = temporaryOf(path)
  const existed = await plainFileAt(path)
  const file = await open(temporary, createNew, 0o600)
  try {
    step('opened')
    await writeAndSync(file, bytes, step)
    if (!(await readPrivateFile(temporary))?.equals(bytes)) throw new NotPlainFile('the disk gave back other bytes')
    step('verified')
    if (existed && options.keepPrevious === true) await keepAside(path, previousOf(path))
    step('kept')
    await plainFileAt(path)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    throw error
  }
  step('renamed')
  await syncFolder(dirname(path))
  step('folder-synced')
}

async function writeAndSync(file: FileHandle, bytes: Buffer, step: (step: SaveStep) => void): Promise<void> {
  try {
    await file.writeFile(bytes)
    step('written')
    await file.sync()
    step('synced')
  } finally {
    await file.close()
  }
}

async function keepAside(path: string, aside: string): Promise<void> {
  await rm(aside, { force: true })
  // Some file systems know no hard links; and a full disk must not stop a save for the sake of the old content.
  await link(path, aside)
    .catch(() => copyFile(path, aside, constants.COPYFILE_EXCL))
    .catch(() => rm(aside, { force: true }))
}

async function syncFolder(folder: string): Promise<void> {
  // Windows can't open a folder for this; its rename is durable with the file.
  if (windows) return
  const handle = await open(folder, constants.O_RDONLY)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
