/** Keeps practice mode out of a folder with real accounts: their logins would be tried on the simulators, and refused. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PointsmanError } from '../../../shared/errors.ts'

/** Marks a fresh folder as practice's own; throws when the folder was begun without practice mode. */
export function claimForPractice(dataDir: string): void {
  const mark = join(dataDir, 'practice')
  if (existsSync(mark)) return
  if (existsSync(join(dataDir, 'pointsman.db'))) {
    const why = 'it holds real accounts, which practice mode would sign out; give practice a folder of its own'
    throw new PointsmanError('data_folder_unusable', { why })
  }
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    writeFileSync(mark, '', { mode: 0o600, flag: 'wx' })
  } catch {
    // A folder that can't be written is refused in words by what opens it next.
  }
}
