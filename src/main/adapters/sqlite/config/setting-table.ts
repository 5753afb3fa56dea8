/** Settings, one row each; what a later version added is left as it is (F46). */
import type { Database } from 'better-sqlite3'
import { defaultSettings, type Settings } from '../../../domain/settings.ts'
import { parsed } from '../shape.ts'
import type { SkipRow } from './skipped.ts'

interface SettingRow {
  readonly name: string
  readonly value_json: string
}

export function settingTable(database: Database) {
  const all = database.prepare<[], SettingRow>('SELECT * FROM setting')
  const save = database.prepare(
    'INSERT INTO setting (name, value_json) VALUES (?, ?)' +
      ' ON CONFLICT (name) DO UPDATE SET value_json = excluded.value_json',
  )
  return {
    /** A value that is missing or of another type falls back to its default. */
    read(skip: SkipRow): Settings {
      const settings: Record<string, unknown> = { ...defaultSettings }
      for (const { name, value_json } of all.all()) {
        if (!Object.hasOwn(defaultSettings, name)) continue
        const value = parsed(value_json, sameKind(settings[name]))
        if (value === undefined) skip('setting', name)
        else settings[name] = value
      }
      return settings as unknown as Settings
    },
    save(settings: Settings): void {
      for (const [name, value] of Object.entries(settings)) save.run(name, JSON.stringify(value))
    },
  }
}

const sameKind = (example: unknown) => (value: unknown) =>
  value !== null && typeof value === typeof example && Array.isArray(value) === Array.isArray(example)
