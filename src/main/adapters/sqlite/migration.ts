/** Steps from one schema to the next: each in one transaction together with its version number (F44). */
import type { Database } from 'better-sqlite3'

export interface Migration {
  /** Four digits in tens; kept in the file as `user_version`. */
  readonly version: number
  readonly sql: string
}

/** The version a file has once every step has run. */
export const newestVersion = (migrations: readonly Migration[]): number => migrations.at(-1)?.version ?? 0

export const storedVersion = (database: Database): number => database.pragma('user_version', { simple: true }) as number

/** Runs the steps this file still lacks, up to `target`. */
export function migrate(
  database: Database,
  migrations: readonly Migration[],
  target = newestVersion(migrations),
): void {
  for (const { version, sql } of migrations) {
    if (version <= storedVersion(database) || version > target) continue
    const step = database.transaction(() => {
      database.exec(sql)
      database.pragma(`user_version = ${version}`)
    })
    step.immediate()
  }
}
