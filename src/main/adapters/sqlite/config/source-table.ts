/** Sources: accounts, profiles and local providers; never their secrets. */
import type { Database } from 'better-sqlite3'
import type { SourceId } from '../../../../shared/ids.ts'
import type { Source } from '../../../domain/source.ts'
import { byKind, isNumber, isText, isTrueOrFalse, listOf, oneOf, orNull, parsed, withFields } from '../shape.ts'
import type { SkipRow } from './skipped.ts'

interface SourceRow {
  readonly id: string
  readonly type: string
  readonly provider: string
  readonly label: string
  readonly active: number
  readonly created_ms: number
  readonly updated_ms: number
  readonly detail_json: string
}

const common = {
  models: listOf(withFields({ id: isText, upstreamModel: isText, aliases: listOf(isText), free: isTrueOrFalse })),
  defaultModel: orNull(isText),
  weight: isNumber,
  proxy: orNull(isText),
  credentialRef: orNull(isText),
}
const keyed = {
  ...common,
  dialects: listOf(oneOf('messages', 'responses', 'chat')),
  baseUrl: isText,
  joins: listOf(isText),
}
const isSource = byKind('type', {
  subscription: withFields({
    ...common,
    provider: oneOf('claude', 'codex'),
    identity: orNull(withFields({ userId: isText, workspaceId: isText })),
    email: orNull(isText),
    workspace: orNull(isText),
    plan: orNull(isText),
    custody: oneOf('pointsman', 'read-only', 'setup-token'),
    path: orNull(isText),
    serves: oneOf('claude-code-only', 'codex-only', 'any-client'),
    reservePercent: isNumber,
    maySpendBeyondPlan: isTrueOrFalse,
    signedOut: orNull(withFields({ because: isText, sinceMs: isNumber })),
  }),
  api: withFields({ ...keyed, provider: oneOf('anthropic-compatible', 'openai-compatible') }),
  local: withFields({ ...keyed, provider: oneOf('ollama', 'openai-compatible') }),
})

export function sourceTable(database: Database) {
  const all = database.prepare<[], SourceRow>('SELECT * FROM source ORDER BY created_ms, id')
  const save = database.prepare(
    'INSERT INTO source (id, type, provider, label, active, created_ms, updated_ms, detail_json)' +
      ' VALUES (?, ?, ?, ?, ?, ?, ?, ?)' +
      ' ON CONFLICT (id) DO UPDATE SET type = excluded.type, provider = excluded.provider, label = excluded.label,' +
      ' active = excluded.active, created_ms = excluded.created_ms, updated_ms = excluded.updated_ms,' +
      ' detail_json = excluded.detail_json',
  )
  const remove = database.prepare('DELETE FROM source WHERE id = ?')
  return {
    all(skip: SkipRow): readonly Source[] {
      return all.all().flatMap((row) => {
        const source = read(row)
        if (source === undefined) skip('source', row.id)
        return source ?? []
      })
    },
    save({ id, type, provider, label, active, createdAtMs, updatedAtMs, ...detail }: Source): void {
      const flag = active ? 1 : 0
      save.run(id, type, provider, label, flag, createdAtMs, updatedAtMs, JSON.stringify(detail))
    },
    remove(id: SourceId): void {
      remove.run(id)
    },
  }
}

/** Fields of a later version that this one doesn't know are carried along and written back. */
function read(row: SourceRow): Source | undefined {
  const detail = parsed<object>(row.detail_json, withFields({}))
  const source: unknown = {
    ...detail,
    id: row.id,
    type: row.type,
    provider: row.provider,
    label: row.label,
    active: row.active !== 0,
    createdAtMs: row.created_ms,
    updatedAtMs: row.updated_ms,
  }
  return detail !== undefined && isSource(source) ? (source as Source) : undefined
}
