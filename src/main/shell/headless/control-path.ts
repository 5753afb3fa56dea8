/** Where the control socket lies: in the data folder, or, where that path is too long for a socket, in a short private one. */
import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { PointsmanError } from '../../../shared/errors.ts'
import type { Variables } from './environment.ts'

/** The kernel's limit is 104 to 108 bytes; the rest is room for what a system puts before it. */
const longestBytes = 100

export function controlPath(dataDir: string, variables: Variables, platform: NodeJS.Platform): string {
  const digest = createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 16)
  // Pipes have one name space for all users: the random part keeps others from being there first.
  if (platform === 'win32') return `\\\\.\\pipe\\pointsman-${digest}-${randomBytes(8).toString('hex')}`
  const inside = join(dataDir, 'control.sock')
  if (Buffer.byteLength(inside) <= longestBytes) return inside
  for (const base of [variables.XDG_RUNTIME_DIR, tmpdir(), '/tmp']) {
    if (base === undefined || !base.startsWith('/')) continue
    const path = join(base, `pointsman-${digest}`, 'control.sock')
    if (Buffer.byteLength(path) <= longestBytes && isPrivate(join(base, `pointsman-${digest}`))) return path
  }
  throw new PointsmanError('data_folder_unusable', { why: 'its path is too long and no runtime folder can be used' })
}

/** Makes the folder; false when it can't be made, or when somebody else made it. */
function isPrivate(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const found = lstatSync(folder)
    if (!found.isDirectory() || found.uid !== process.getuid?.()) return false
    chmodSync(folder, 0o700)
    return true
  } catch {
    return false
  }
}
