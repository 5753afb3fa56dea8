/** Sources, pools, access keys, settings, and what is remembered of sessions, health and quota. */
import type { Migration } from '../../migration.ts'

export const ground: Migration = {
  version: 10,
  sql: `
    CREATE TABLE source (
      id TEXT PRIMARY KEY NOT NULL,
      type TEXT NOT NULL,
      provider TEXT NOT NULL,
      label TEXT NOT NULL,
      active INTEGER NOT NULL,
      created_ms INTEGER NOT NULL,
      updated_ms INTEGER NOT NULL,
      detail_json TEXT NOT NULL
    ) STRICT;

    CREATE TABLE pool (
      id TEXT PRIMARY KEY NOT NULL,
      tiers_json TEXT NOT NULL,
      disabled_json TEXT NOT NULL,
      strategy TEXT,
      revision INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE access_key (
      id TEXT PRIMARY KEY NOT NULL,
      label TEXT NOT NULL,
      preview TEXT NOT NULL,
      digest TEXT NOT NULL UNIQUE,
      state TEXT NOT NULL,
      expires_ms INTEGER,
      policy_json TEXT NOT NULL,
      scope_json TEXT NOT NULL,
      concurrency INTEGER,
      budget_id TEXT,
      created_ms INTEGER NOT NULL,
      updated_ms INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE setting (
      name TEXT PRIMARY KEY NOT NULL,
      value_json TEXT NOT NULL
    ) STRICT;

    CREATE TABLE binding (
      session TEXT PRIMARY KEY NOT NULL,
      source_id TEXT NOT NULL,
      bound_ms INTEGER NOT NULL,
      last_used_ms INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX binding_last_used ON binding (last_used_ms);

    CREATE TABLE health (
      kind TEXT NOT NULL,
      subject TEXT NOT NULL,
      state_json TEXT NOT NULL,
      PRIMARY KEY (kind, subject)
    ) STRICT;

    CREATE TABLE quota (
      source_id TEXT PRIMARY KEY NOT NULL,
      snapshot_json TEXT NOT NULL
    ) STRICT;
  `,
}
