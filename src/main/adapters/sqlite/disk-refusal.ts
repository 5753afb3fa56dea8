/** What SQLite's refusals mean to us: one kind and one sentence each, without paths. */
import Database from 'better-sqlite3'
import { PointsmanError } from '../../../shared/errors.ts'

type RefusalKind = 'full' | 'read-only' | 'io' | 'busy' | 'damaged' | 'unreadable' | 'other'

export interface Refusal {
  readonly kind: RefusalKind
  readonly why: string
}

const kinds: readonly (readonly [prefix: string, kind: RefusalKind, why: string])[] = [
  ['SQLITE_FULL', 'full', 'the disk is full'],
  ['SQLITE_READONLY', 'read-only', 'the file may not be written'],
  ['SQLITE_PERM', 'read-only', 'the file may not be written'],
  ['SQLITE_IOERR', 'io', 'the disk reports an error'],
  ['SQLITE_BUSY', 'busy', 'another program holds the file'],
  ['SQLITE_LOCKED', 'busy', 'another program holds the file'],
  ['SQLITE_CORRUPT', 'damaged', 'the file is damaged'],
  ['SQLITE_NOTADB', 'damaged', 'the file is not a database'],
  ['SQLITE_CANTOPEN', 'unreadable', 'the file can not be opened'],
]

/** Classifies what better-sqlite3 (or the file system, while opening) threw; a bug in our own SQL is `other`. */
export function refusalOf(cause: unknown): Refusal {
  if (cause instanceof PointsmanError && cause.cause !== undefined) return refusalOf(cause.cause)
  const code = codeOf(cause)
  const known = kinds.find(([prefix]) => code === prefix || code.startsWith(`${prefix}_`))
  if (known !== undefined) return { kind: known[1], why: known[2] }
  if (code === 'ENOSPC' || code === 'EDQUOT') return { kind: 'full', why: 'the disk is full' }
  if (code === 'EROFS') return { kind: 'read-only', why: 'the file may not be written' }
  if (code === 'EACCES' || code === 'EPERM')
    return { kind: 'unreadable', why: 'the rights of the file do not allow it' }
  return { kind: 'other', why: code === '' ? 'an unexpected error' : code }
}

function codeOf(cause: unknown): string {
  if (cause instanceof Database.SqliteError) return cause.code
  const code = cause instanceof Error ? (cause as { code?: unknown }).code : undefined
  return typeof code === 'string' ? code : ''
}
