/** The clients' own configuration files: read as they are, replaced at once, never through a half-written state. */
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PointsmanError } from '../../../shared/errors.ts'
import type { ClientFile, ClientFiles, ClientPlace } from '../../client-ports.ts'

export type ReplaceStep = 'written' | 'synced' | 'renamed' | 'folder-synced'

export interface ClientFilesOptions {
  /** `HOME`, `CODEX_HOME` and `CLAUDE_CONFIG_DIR` count. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** Crash points for tests. */
  readonly onStep?: (step: ReplaceStep) => void
}

export function clientFiles({ environment, home, onStep }: ClientFilesOptions): ClientFiles {
  const step = onStep ?? (() => {})
  const fileOf = ({ client, folder }: ClientPlace): string => {
    // The one settings file of a folder that is its person's own, kept out of repositories (claude §7).
    if (folder !== null) return join(folder, '.claude', 'settings.local.json')
    return client === 'claude'
      ? join(environment.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'settings.json')
      : join(environment.CODEX_HOME || join(home, '.codex'), 'config.toml')
  }
  return {
    async read(place) {
      const file = fileOf(place)
      // Dotfiles are often links into a repository: the file behind is what changes.
      const path = await realpath(file).catch(() => file)
      const text = await readText(path)
      const isThere = place.folder === null || (await stat(place.folder).catch(() => null))?.isDirectory() === true
      return isThere ? { path, text } : { path, text, isHomeless: true }
    },
    async replace(file, text, expected) {
      if ((await readText(file.path)) !== expected) throw new PointsmanError('conflict', { what: 'The file' })
      if (text === null) await rm(file.path, { force: true })
      else await write(file, text, step)
      await syncFolder(dirname(file.path))
      step('folder-synced')
    },
  }
}

async function readText(path: string): Promise<string | null> {
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new PointsmanError('client_config_unsafe', { why: 'it can not be read' }, { cause })
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new PointsmanError('client_config_unsafe', { why: 'it is not UTF-8 text' }, { cause })
  }
}

async function write({ path }: ClientFile, text: string, step: (step: ReplaceStep) => void): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const mode = (await stat(path).catch(() => null))?.mode ?? 0o600
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  const file = await open(temporary, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600)
  try {
    await file.writeFile(text, 'utf8')
    step('written')
    await file.sync()
    step('synced')
    await file.close()
    await chmod(temporary, mode & 0o777)
    await rename(temporary, path)
  } catch (cause) {
    await file.close().catch(() => {})
    await rm(temporary, { force: true })
    throw cause
  }
  step('renamed')
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, constants.O_RDONLY)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
