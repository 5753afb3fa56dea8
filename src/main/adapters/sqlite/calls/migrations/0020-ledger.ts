/** The ledger of budgets: append-only, a settlement beside the call that it settles, each execution once per budget. */
import type { Migration } from '../../migration.ts'

export const ledger: Migration = {
  version: 20,
  sql: `
    CREATE TABLE ledger (
      id INTEGER PRIMARY KEY,
      budget_id TEXT NOT NULL,
      at_ms INTEGER NOT NULL,
      kind TEXT NOT NULL,
      amount INTEGER NOT NULL,
      execution_id TEXT,
      cycle_ms INTEGER NOT NULL,
      note TEXT
    ) STRICT;
    CREATE UNIQUE INDEX ledger_once ON ledger (budget_id, execution_id, kind) WHERE execution_id IS NOT NULL;
    CREATE INDEX ledger_cycle ON ledger (budget_id, cycle_ms);
  `,
}
