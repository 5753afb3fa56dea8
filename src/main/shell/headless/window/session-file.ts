/** The window's sessions as digests in one private file, so that an open window comes back after a restart. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Session, SessionShelf } from './sessions.ts'

export function sessionFile(path: string): SessionShelf {
  return {
    load() {
      try {
        const stored: unknown = JSON.parse(readFileSync(path, 'utf8'))
        return Array.isArray(stored) ? stored.filter(isSession) : []
      } catch {
        // Absent or damaged: the person asks for a fresh link, nothing else is lost.
        return []
      }
    },
    save(sessions) {
      const fresh = `${path}.new`
      try {
        writeFileSync(fresh, JSON.stringify(sessions), { mode: 0o600 })
        renameSync(fresh, path)
      } catch {
        // A full disk must not keep the window out: this session then ends with the program.
      }
    },
  }
}

const isSession = (value: unknown): value is Session =>
  typeof value === 'object' &&
  value !== null &&
  'cookieDigest' in value &&
  typeof value.cookieDigest === 'string' &&
  'tokenDigest' in value &&
  typeof value.tokenDigest === 'string' &&
  'createdAtMs' in value &&
  typeof value.createdAtMs === 'number'
