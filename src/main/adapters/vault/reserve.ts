/** Disk space held back for the one save that must not fail: a token the vendor has already rotated (F37). */
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, open, rm } from 'node:fs/promises'

const unitBytes = 64 * 1024

/** Enough for a whole new vault file beside the old one, and never less than 64 KiB. */
const wantedBytes = (vaultBytes: number): number => unitBytes * (1 + Math.floor(vaultBytes / unitBytes))

/** Makes or enlarges the reserve; says whether it is there. Never fails: without it a save is only less sure. */
export async function holdReserve(path: string, vaultBytes: number): Promise<boolean> {
  const wanted = wantedBytes(vaultBytes)
  const found = await lstat(path).catch(() => null)
  if (found?.isFile() && found.size >= wanted) return true
  if (found !== null && !found.isFile()) return false
  try {
    await rm(path, { force: true })
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)
    const file = await open(path, flags, 0o600)
    try {
      // Random, since a file system that compresses would hold nothing back for zeros.
      await file.writeFile(randomBytes(wanted))
      await file.sync()
    } finally {
      await file.close()
    }
    return true
  } catch {
    await freeReserve(path)
    return false
  }
}

/** Gives the space back; says whether there was any. */
export async function freeReserve(path: string): Promise<boolean> {
  const there = (await lstat(path).catch(() => null))?.isFile() === true
  if (there) await rm(path, { force: true }).catch(() => {})
  return there
}
