/** Access keys by digest; the key itself never reaches this file. A row that can't be read lets nobody in. */
import type { Database } from 'better-sqlite3'
import type { BudgetId } from '../../../../shared/ids.ts'
import { keyId } from '../../../../shared/ids.ts'
import type { AccessKey, RoutePolicy } from '../../../domain/access-key.ts'
import type { StoredKey } from '../../../ports.ts'
import { byKind, type Check, isText, listOf, oneOf, orNull, parsed, withFields } from '../shape.ts'
import type { SkipRow } from './skipped.ts'

interface AccessKeyRow {
  readonly id: string
  readonly label: string
  readonly preview: string
  readonly digest: string
  readonly state: string
  readonly expires_ms: number | null
  readonly policy_json: string
  readonly scope_json: string
  readonly concurrency: number | null
  readonly budget_id: string | null
  readonly created_ms: number
  readonly updated_ms: number
}

const isState = oneOf('pending', 'active', 'disabled', 'revoked')
const isSeatSet = withFields({ sources: listOf(isText), strategy: isText })
const isFallback: Check = (value) => oneOf('default', 'none')(value) || isSeatSet(value)
const isPolicy = byKind('mode', {
  default: withFields({}),
  strict: withFields({ sources: listOf(isText) }),
  preferred: withFields({ sources: listOf(isText), fallback: isFallback }),
  pool: isSeatSet,
})
type Scope = Pick<AccessKey, 'providers' | 'models' | 'operations' | 'serviceTiers' | 'folders'>
const isFolderRules = listOf(withFields({ folder: isText, policy: isPolicy }))
const isScope = withFields({
  providers: orNull(listOf(isText)),
  models: orNull(listOf(isText)),
  operations: orNull(listOf(oneOf('generate', 'count', 'compact', 'list'))),
  serviceTiers: orNull(listOf(isText)),
  folders: (value) => value === undefined || isFolderRules(value),
})

export function accessKeyTable(database: Database) {
  const all = database.prepare<[], AccessKeyRow>('SELECT * FROM access_key ORDER BY created_ms, id')
  const save = database.prepare(
    'INSERT INTO access_key (id, label, preview, digest, state, expires_ms, policy_json, scope_json, concurrency,' +
      ' budget_id, created_ms, updated_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)' +
      ' ON CONFLICT (id) DO UPDATE SET label = excluded.label, preview = excluded.preview, digest = excluded.digest,' +
      ' state = excluded.state, expires_ms = excluded.expires_ms, policy_json = excluded.policy_json,' +
      ' scope_json = excluded.scope_json, concurrency = excluded.concurrency, budget_id = excluded.budget_id,' +
      ' created_ms = excluded.created_ms, updated_ms = excluded.updated_ms',
  )
  return {
    all(skip: SkipRow): readonly StoredKey[] {
      return all.all().flatMap((row) => {
        const key = read(row)
        if (key === undefined) skip('access_key', row.id)
        return key === undefined ? [] : { key, digest: row.digest }
      })
    },
    save({ key, digest }: StoredKey): void {
      const { providers, models, operations, serviceTiers, folders } = key
      const scope: Scope = { providers, models, operations, serviceTiers, folders }
      const texts = [JSON.stringify(key.policy), JSON.stringify(scope)]
      const head = [key.id, key.label, key.preview, digest, key.state, key.expiresAtMs]
      save.run(...head, ...texts, key.concurrency, key.budgetId, key.createdAtMs, key.updatedAtMs)
    },
  }
}

function read(row: AccessKeyRow): AccessKey | undefined {
  const policy = parsed<RoutePolicy | null>(row.policy_json, orNull(isPolicy))
  const scope = parsed<Scope>(row.scope_json, isScope)
  if (policy === undefined || scope === undefined || !isState(row.state)) return undefined
  return {
    id: keyId(row.id),
    label: row.label,
    preview: row.preview,
    state: row.state as AccessKey['state'],
    expiresAtMs: row.expires_ms,
    policy,
    providers: scope.providers,
    models: scope.models,
    operations: scope.operations,
    serviceTiers: scope.serviceTiers,
    ...(scope.folders === undefined ? {} : { folders: scope.folders }),
    concurrency: row.concurrency,
    budgetId: row.budget_id as BudgetId | null,
    createdAtMs: row.created_ms,
    updatedAtMs: row.updated_ms,
  }
}
