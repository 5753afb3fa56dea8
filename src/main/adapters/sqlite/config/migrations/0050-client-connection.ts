/** Which clients were connected, and what their files were before and after. */
import type { Migration } from '../../migration.ts'

export const clientConnection: Migration = {
  version: 50,
  sql: `
    CREATE TABLE client_connection (
      client TEXT PRIMARY KEY NOT NULL,
      path TEXT NOT NULL,
      state TEXT NOT NULL,
      key_id TEXT NOT NULL,
      before_hash TEXT,
      after_hash TEXT NOT NULL,
      at_ms INTEGER NOT NULL
    ) STRICT;
  `,
}
