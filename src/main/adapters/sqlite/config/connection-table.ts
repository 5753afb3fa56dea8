/** The clients' journal: which files were changed by us, by hash; what takes a change back lies in the vault. */
import type { Database } from 'better-sqlite3'
import type { ClientPlace, Connection } from '../../../client-ports.ts'
import type { SkipRow } from './skipped.ts'

interface ConnectionRow {
  readonly client: string
  readonly path: string
  readonly state: string
  readonly key_id: string
  readonly before_hash: string | null
  readonly after_hash: string
  readonly at_ms: number
}

/** `claude`, `codex`, or `claude:` and a folder. */
const nameOf = ({ client, folder }: ClientPlace): string => (folder === null ? client : `${client}:${folder}`)

function placeOf(name: string): ClientPlace | null {
  if (name === 'claude' || name === 'codex') return { client: name, folder: null }
  return name.startsWith('claude:') ? { client: 'claude', folder: name.slice('claude:'.length) } : null
}

export function connectionTable(database: Database) {
  const all = database.prepare<[], ConnectionRow>('SELECT * FROM client_connection ORDER BY client')
  const save = database.prepare('INSERT OR REPLACE INTO client_connection VALUES (?, ?, ?, ?, ?, ?, ?)')
  const remove = database.prepare('DELETE FROM client_connection WHERE client = ?')
  return {
    all(skip: SkipRow): readonly Connection[] {
      return all.all().flatMap((row) => {
        const { client, state } = row
        const place = placeOf(client)
        if (place === null || (state !== 'writing' && state !== 'connected')) {
          skip('client_connection', client)
          return []
        }
        const { path, key_id: keyId, before_hash: beforeHash, after_hash: afterHash, at_ms: atMs } = row
        return [{ ...place, path, state, keyId, beforeHash, afterHash, atMs }]
      })
    },
    save({ path, state, keyId, beforeHash, afterHash, atMs, ...place }: Connection): void {
      save.run(nameOf(place), path, state, keyId, beforeHash, afterHash, atMs)
    },
    remove(place: ClientPlace): void {
      remove.run(nameOf(place))
    },
  }
}
