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

const isDigest = (value: unknown): boolean => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)

/** Every field, and nothing that would never end: a record without one of them opens nothing (T7.10). */
const isSession = (value: unknown): value is Session =>
  typeof value === 'object' &&
  value !== null &&
  'cookieDigest' in value &&
  isDigest(value.cookieDigest) &&
  'tokenDigest' in value &&
  isDigest(value.tokenDigest) &&
  'createdAtMs' in value &&
  Number.isSafeInteger(value.createdAtMs)
