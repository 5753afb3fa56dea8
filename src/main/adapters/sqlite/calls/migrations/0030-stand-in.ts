/**
 * The calls that another account served than the one that was wanted: few, so a narrow table of their own, found
 * without opening every decision. Two columns: salvage tells tables apart by their width. Older calls have none; their
 * explanation still says it.
 */
import type { Migration } from '../../migration.ts'

export const standIn: Migration = {
  version: 30,
  sql: `
    CREATE TABLE stand_in (
      call_id INTEGER PRIMARY KEY,
      wanted TEXT NOT NULL
    ) STRICT;
  `,
}
