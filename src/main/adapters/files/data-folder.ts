/** The data folder: private from the first moment, with the two small files that are not a database (T2.2, T2.4). */

import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { PointsmanError } from '../../../shared/errors.ts'

/** Makes the folder if it is missing and takes others' rights away; true when rights had to be repaired. */
export function openDataFolder(path: string): boolean {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    const found = lstatSync(path)
    if (!found.isDirectory()) throw new PointsmanError('data_folder_unusable', { why: 'it is not a folder' })
    const open = process.platform !== 'win32' && (found.mode & 0o077) !== 0
    if (open) chmodSync(path, 0o700)
    return open
  } catch (cause) {
    if (cause instanceof PointsmanError) throw cause
    throw new PointsmanError('data_folder_unusable', { why: reason(cause) }, { cause })
  }
}

/** The 32 bytes that access keys are digested with; made on the first start. */
export function keySecret(folder: string): Uint8Array {
  const path = join(folder, 'key-secret')
  const found = readIfThere(path)
  if (found !== null) {
    if (found.length !== 32) throw new PointsmanError('data_folder_unusable', { why: 'key-secret is damaged' })
    return found
  }
  const made = randomBytes(32)
  writePrivate(path, made)
  return made
}

/** The one plaintext access key at rest: how local scripts find it (architecture, "Commands"). */
export const defaultKeyPath = (folder: string): string => join(folder, 'default-key')

/** Writes a file that only its owner may read; never through a link. */
export function writePrivate(path: string, bytes: Uint8Array | string): void {
  const { O_CREAT, O_WRONLY, O_TRUNC, O_NOFOLLOW } = constants
  const file = openSync(path, O_CREAT | O_WRONLY | O_TRUNC | (O_NOFOLLOW ?? 0), 0o600)
  try {
    writeSync(file, typeof bytes === 'string' ? Buffer.from(bytes) : bytes)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function readIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new PointsmanError('data_folder_unusable', { why: reason(cause) }, { cause })
  }
}

const words: Readonly<Record<string, string>> = {
  EACCES: 'your user may not write there',
  EPERM: 'your user may not write there',
  EROFS: 'it is read-only',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is not a folder',
  ELOOP: 'a file in it is a link',
}

/** Free of paths. */
const reason = (cause: unknown): string => words[(cause as NodeJS.ErrnoException).code ?? ''] ?? 'it can not be opened'
