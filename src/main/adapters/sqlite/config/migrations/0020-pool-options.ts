/** What the person set of a pool's strategy: its options by name. */
import type { Migration } from '../../migration.ts'

/** The update writes every row anew in its full width: salvage tells tables apart by it. */
export const poolOptions: Migration = {
  version: 20,
  sql: `
    ALTER TABLE pool ADD COLUMN options_json TEXT NOT NULL DEFAULT '{}';
    UPDATE pool SET options_json = '{}';
  `,
}
