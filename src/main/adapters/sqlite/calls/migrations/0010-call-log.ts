/**
 * The call log: a narrow row per call for lists, filters and charts, and beside it what is read only when the row is
 * opened. Executions are JSON there, not rows of their own: binding their columns doubled the cost of a call.
 */
import type { Migration } from '../../migration.ts'

export const callLog: Migration = {
  version: 10,
  sql: `
    CREATE TABLE call (
      id INTEGER PRIMARY KEY,
      started_ms INTEGER NOT NULL,
      provider_id TEXT NOT NULL,
      operation TEXT NOT NULL,
      dialect TEXT NOT NULL,
      requested_model TEXT,
      upstream_model TEXT,
      backend_id TEXT,
      source_type TEXT,
      source_id TEXT,
      source_label TEXT,
      key_id TEXT NOT NULL,
      outcome TEXT,
      status INTEGER,
      error_code TEXT,
      session TEXT,
      client TEXT,
      stream INTEGER NOT NULL,
      input_tokens INTEGER,
      cache_read_tokens INTEGER,
      cache_write_tokens INTEGER,
      output_tokens INTEGER,
      reasoning_tokens INTEGER,
      cost_nano_usd INTEGER,
      first_byte_ms REAL,
      total_ms REAL,
      bytes_in INTEGER NOT NULL,
      bytes_out INTEGER NOT NULL,
      sentence TEXT NOT NULL
    ) STRICT;
    CREATE INDEX call_source ON call (source_id);
    CREATE INDEX call_open ON call (id) WHERE outcome IS NULL;

    CREATE TABLE detail (
      call_id INTEGER PRIMARY KEY,
      executions_json TEXT NOT NULL,
      decision_json TEXT NOT NULL
    ) STRICT;
  `,
}
