/** Budgets, and what each has counted in its last cycles. */
import type { Migration } from '../../migration.ts'

export const budget: Migration = {
  version: 60,
  sql: `
    CREATE TABLE budget (
      id TEXT PRIMARY KEY NOT NULL,
      label TEXT NOT NULL,
      enabled INTEGER NOT NULL,
      amount INTEGER NOT NULL,
      cycle TEXT NOT NULL,
      time_zone TEXT NOT NULL,
      concurrency INTEGER,
      created_ms INTEGER NOT NULL,
      updated_ms INTEGER NOT NULL,
      detail_json TEXT NOT NULL
    ) STRICT;

    CREATE TABLE budget_balance (
      budget_id TEXT NOT NULL,
      cycle_ms INTEGER NOT NULL,
      sum INTEGER NOT NULL,
      entries INTEGER NOT NULL,
      PRIMARY KEY (budget_id, cycle_ms)
    ) STRICT;
  `,
}
