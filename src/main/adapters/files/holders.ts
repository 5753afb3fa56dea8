/** Notes shared by all Pointsmans of this person: which refresh tokens were sent, and by which data folder (F61, F66). */
import { constants } from 'node:fs'
import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Claimed, Holders } from '../../sign-in-ports.ts'

export interface HoldersOptions {
  /** Private, outside every data folder. */
  readonly folder: string
  /** Who we are: our data folder. */
  readonly by: string
  nowMs(): number
}

const keptMs = 60 * 24 * 3_600_000

/** One file per token, named by its hash: making it is atomic, so that of two programs exactly one may send. */
export function sharedHolders({ folder, by, nowMs }: HoldersOptions): Holders {
  const placeOf = (tokenHash: string): string => join(folder, `${tokenHash}.json`)
  return {
    async claim(tokenHash) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const place = placeOf(tokenHash)
      if (await made(place, JSON.stringify({ by, atMs: nowMs() }))) {
        await forgetOld(folder, nowMs())
        return null
      }
      const found = await claimedIn(place)
      return found.by === by ? null : found
    },
    async release(tokenHash) {
      const place = placeOf(tokenHash)
      if ((await claimedIn(place)).by === by) await rm(place, { force: true })
    },
  }
}

async function made(place: string, text: string): Promise<boolean> {
  const { O_CREAT, O_EXCL, O_WRONLY } = constants
  try {
    const file = await open(place, O_CREAT | O_EXCL | O_WRONLY, 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    return true
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw cause
  }
}

/** Who makes a note has its name first and fills it at once; a crash between the two leaves it empty for ever. */
const writtenWithin = { tries: 10, pauseMs: 20 } as const

/** A note that was cut off by a crash still says that the token was sent. */
async function claimedIn(place: string): Promise<Claimed> {
  for (let tries = 0; tries < writtenWithin.tries; tries += 1) {
    if (tries > 0) await setTimeout(writtenWithin.pauseMs)
    const found = await noteIn(place)
    if (found !== null) return found
  }
  return { by: 'another Pointsman', atMs: 0 }
}

async function noteIn(place: string): Promise<Claimed | null> {
  try {
    const note: unknown = JSON.parse(await readFile(place, 'utf8'))
    if (typeof note !== 'object' || note === null || !('by' in note) || !('atMs' in note)) return null
    const { by, atMs } = note
    return typeof by === 'string' && typeof atMs === 'number' ? { by, atMs } : null
  } catch {
    return null
  }
}

/** A token that old is dead, whoever sent it. */
async function forgetOld(folder: string, nowMs: number): Promise<void> {
  for (const name of (await readdir(folder)).slice(0, 1_000)) {
    const place = join(folder, name)
    const found = await stat(place).catch(() => null)
    if (found !== null && nowMs - found.mtimeMs > keptMs) await rm(place, { force: true })
  }
}
