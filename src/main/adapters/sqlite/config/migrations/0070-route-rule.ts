/** A person's own rules for a model at an address; alone with its number of columns, so that salvage knows its rows. */
import type { Migration } from '../../migration.ts'

export const routeRule: Migration = {
  version: 70,
  sql: `
    CREATE TABLE route_rule (
      id TEXT PRIMARY KEY NOT NULL,
      provider_id TEXT NOT NULL,
      match_model TEXT NOT NULL,
      dialect TEXT,
      strategy TEXT,
      options_json TEXT NOT NULL,
      tiers_json TEXT NOT NULL,
      enabled INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      created_ms INTEGER NOT NULL,
      updated_ms INTEGER NOT NULL
    ) STRICT;
  `,
}
