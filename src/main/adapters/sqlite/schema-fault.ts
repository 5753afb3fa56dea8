/** A single altered byte in a column's name leaves every page sound and every statement broken (F40). */
import Database from 'better-sqlite3'
import { type Migration, migrate } from './migration.ts'

/** What a file's tables lack of those that the steps up to its `version` make, in words; null when nothing. */
export function schemaFault(database: Database.Database, migrations: readonly Migration[], version: number) {
  const sound = new Database(':memory:')
  try {
    migrate(sound, migrations, version)
    const found = new Set(columnsOf(database))
    return columnsOf(sound).every((column) => found.has(column)) ? null : 'its tables lack columns'
  } finally {
    sound.close()
  }
}

/** As `table.column`. */
const columnsOf = (database: Database.Database): readonly string[] =>
  database
    .prepare<[], string>(
      `SELECT made.name || '.' || part.name FROM sqlite_schema AS made JOIN pragma_table_info(made.name) AS part` +
        ` WHERE made.type = 'table'`,
    )
    .pluck()
    .all()
