/** What a binding carries besides its account, and who made what only it can read again. */
import type { Migration } from '../../migration.ts'

/** The update writes every row anew in its full width: salvage tells tables apart by it. */
export const bindingsAndOwners: Migration = {
  version: 40,
  sql: `
    ALTER TABLE binding ADD COLUMN detail_json TEXT NOT NULL DEFAULT '{}';
    UPDATE binding SET detail_json = '{}';

    CREATE TABLE owned (
      hash TEXT PRIMARY KEY NOT NULL,
      owner_json TEXT NOT NULL
    ) STRICT;
  `,
}
