/** What windows were read as, over time, and what was left of each when it renewed. */
import type { Migration } from '../../migration.ts'

export const quotaHistory: Migration = {
  version: 30,
  sql: `
    CREATE TABLE quota_sample (
      source_id TEXT NOT NULL,
      window TEXT NOT NULL,
      at_ms INTEGER NOT NULL,
      family TEXT,
      used_percent REAL NOT NULL,
      reset_ms INTEGER,
      origin TEXT NOT NULL,
      PRIMARY KEY (source_id, window, at_ms)
    ) STRICT;
    CREATE INDEX quota_sample_at ON quota_sample (at_ms);

    CREATE TABLE quota_lost (
      source_id TEXT NOT NULL,
      window TEXT NOT NULL,
      reset_ms INTEGER NOT NULL,
      family TEXT,
      length_ms INTEGER,
      used_percent REAL NOT NULL,
      read_ms INTEGER NOT NULL,
      seen_ms INTEGER NOT NULL,
      origin TEXT NOT NULL,
      PRIMARY KEY (source_id, window, reset_ms)
    ) STRICT;
    CREATE INDEX quota_lost_reset ON quota_lost (reset_ms);
  `,
}
