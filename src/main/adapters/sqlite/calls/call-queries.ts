/** The questions asked of the call log, over a connection that only reads. */
import type { Database } from 'better-sqlite3'
import type { CallId, SourceId } from '../../../../shared/ids.ts'
import type { CallDetail, CallFilter, CallPage, CallSummary, CallTotals, PageView, StatsRange } from '../../../ports.ts'
import { readCall, type StoredCall } from './call-table.ts'
import { readDecision, readExecutions } from './detail-json.ts'

interface StoredExecutions {
  readonly executions_json: string | null
}
interface StoredWhole extends StoredExecutions {
  readonly decision_json: string | null
}

/** Remembers for a while what a count of a bounded view came to, where counting took long: such a view hardly changes. */
export class CostlyCounts {
  readonly #elapsedMs: () => number
  readonly #known = new Map<string, { readonly total: number; readonly untilMs: number }>()

  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs
  }

  of(key: string, count: () => number): number {
    const beganMs = this.#elapsedMs()
    const known = this.#known.get(key)
    if (known !== undefined && known.untilMs > beganMs) return known.total
    const total = count()
    const nowMs = this.#elapsedMs()
    this.#known.clear()
    if (nowMs - beganMs > costlyMs) this.#known.set(key, { total, untilMs: nowMs + keptMs })
    return total
  }
}

const costlyMs = 50
const keptMs = 30_000

export function page(
  database: Database,
  limit: number,
  offset: number,
  filter: CallFilter,
  { upToId, oldestFirst = false }: PageView = {},
  counts: CostlyCounts | null = null,
): CallPage {
  const upTo = upToId === undefined ? {} : { upToId: Number(upToId) }
  const { where, values } = conditions(filter, upToId === undefined ? [] : ['id <= :upToId'])
  const later = conditions(filter, ['id > :upToId'])
  const count = (condition: string, bound: object): number =>
    database.prepare(`SELECT count(*) FROM call${condition}`).pluck().get(bound) as number
  const newer = upToId === undefined ? 0 : count(later.where, { ...later.values, ...upTo })
  // Counting all and taking the newer ones away: a bound on the id would keep SQLite from counting in its index.
  const everything = conditions(filter)
  const countAll = (): number => count(everything.where, everything.values) - newer
  const total =
    upToId === undefined || counts === null ? countAll() : counts.of(JSON.stringify([filter, upToId]), countAll)
  // From whichever end is nearer: what is left out has to be read too.
  const isNearEnd = offset > total / 2
  const length = Math.max(0, Math.min(limit, total - offset))
  const skipped = isNearEnd ? Math.max(0, total - offset - length) : offset
  const direction = oldestFirst === isNearEnd ? 'DESC' : 'ASC'
  // The page is chosen among the narrow rows; only its own are joined with their executions.
  const rows = database.prepare<[object], StoredCall & StoredExecutions>(
    `SELECT chosen.*, stand_in.wanted AS stood_in_for, detail.executions_json` +
      ` FROM (SELECT * FROM call${where} ORDER BY id ${direction} LIMIT :length OFFSET :skipped) AS chosen` +
      ` ${besides('chosen')} ORDER BY chosen.id ${oldestFirst ? 'ASC' : 'DESC'}`,
  )
  const found = rows.all({ ...values, ...upTo, length, skipped })
  return { rows: found.map((row) => readCall(row, readExecutions(row.executions_json))), total, newer }
}

export function get(database: Database, id: CallId): CallDetail | null {
  if (!/^\d{1,16}$/.test(id)) return null
  const row = database
    .prepare<[number], StoredCall & StoredWhole>(
      'SELECT call.*, stand_in.wanted AS stood_in_for, detail.executions_json, detail.decision_json' +
        ` FROM call ${besides('call')} WHERE call.id = ?`,
    )
    .get(Number(id))
  return row === undefined ? null : readWhole(row)
}

/** Newest first, from the one before `before`: for exports, which must not slow down as they go on. */
export function older(
  database: Database,
  before: CallId | null,
  limit: number,
  filter: CallFilter = {},
): readonly CallDetail[] {
  const { where, values } = conditions(filter, ['id < :before'])
  return database
    .prepare<[object], StoredCall & StoredWhole>(
      'SELECT chosen.*, stand_in.wanted AS stood_in_for, detail.executions_json, detail.decision_json' +
        ` FROM (SELECT * FROM call${where} ORDER BY id DESC LIMIT :limit) AS chosen` +
        ` ${besides('chosen')} ORDER BY chosen.id DESC`,
    )
    .all({ ...values, before: before === null ? Number.MAX_SAFE_INTEGER : Number(before), limit })
    .map(readWhole)
}

/** What stands beside the rows of `name`. */
const besides = (name: string): string =>
  `LEFT JOIN detail ON detail.call_id = ${name}.id LEFT JOIN stand_in ON stand_in.call_id = ${name}.id`

/** Executions are JSON beside the row, so how many there were has to be read from there. */
const attemptsSql = 'CASE WHEN json_valid(executions_json) THEN json_array_length(executions_json) ELSE 0 END'

export function summary(database: Database, { fromMs, toMs }: Pick<StatsRange, 'fromMs' | 'toMs'>): CallSummary {
  const found = database
    .prepare<[object], CallSummary>(
      `SELECT count(*) AS calls, coalesce(sum(outcome = 'done' AND attempts = 1), 0) AS byFirstChoice,` +
        ` coalesce(sum(outcome = 'done' AND attempts > 1), 0) AS byFailover,` +
        ' count(cost_nano_usd) AS priced, sum(cost_nano_usd) AS cost' +
        ` FROM (SELECT outcome, cost_nano_usd, ${attemptsSql} AS attempts` +
        ' FROM call LEFT JOIN detail ON detail.call_id = call.id' +
        ' WHERE id >= :firstId AND started_ms >= :fromMs AND started_ms < :toMs AND outcome IS NOT NULL)',
    )
    .get({ fromMs, toMs, firstId: firstIdOf(fromMs) })
  return found ?? { calls: 0, byFirstChoice: 0, byFailover: 0, priced: 0, cost: null }
}

interface StoredTotals {
  readonly slot: number
  readonly source_id: string | null
  readonly calls: number
  readonly failed: number
  readonly input_tokens: number
  readonly cache_read_tokens: number
  readonly cache_write_tokens: number
  readonly output_tokens: number
  readonly reasoning_tokens: number
  readonly cost: number
}

/** Sums of the calls that have ended, by slot of time and by the source that served. */
export function stats(database: Database, { fromMs, toMs, stepMs, offsetMs }: StatsRange): readonly CallTotals[] {
  const rows = database
    .prepare<[object], StoredTotals>(
      'SELECT (started_ms + :offsetMs) / :stepMs AS slot, source_id, count(*) AS calls,' +
        ` sum(outcome NOT IN ('done', 'client-left')) AS failed,` +
        ' total(input_tokens) AS input_tokens, total(cache_read_tokens) AS cache_read_tokens,' +
        ' total(cache_write_tokens) AS cache_write_tokens, total(output_tokens) AS output_tokens,' +
        ' total(reasoning_tokens) AS reasoning_tokens, total(cost_nano_usd) AS cost' +
        ' FROM call WHERE id >= :firstId AND started_ms >= :fromMs AND started_ms < :toMs AND outcome IS NOT NULL' +
        ' GROUP BY slot, source_id ORDER BY slot, source_id',
    )
    .all({ ...whole({ offsetMs, stepMs, fromMs, toMs, firstId: firstIdOf(fromMs) }) })
  return rows.map((row) => ({
    slotMs: row.slot * stepMs - offsetMs,
    sourceId: row.source_id as SourceId | null,
    calls: row.calls,
    failed: row.failed,
    inputTokens: row.input_tokens,
    cacheReadTokens: row.cache_read_tokens,
    cacheWriteTokens: row.cache_write_tokens,
    outputTokens: row.output_tokens,
    reasoningTokens: row.reasoning_tokens,
    cost: row.cost,
  }))
}

const readWhole = (row: StoredCall & StoredWhole): CallDetail => {
  const executions = readExecutions(row.executions_json)
  return { call: readCall(row, executions), executions, decision: readDecision(row.decision_json) }
}

/** Ids grow from the time times 1,000, so this bound lets the table be read from the right place only. */
const firstIdOf = (fromMs: number): number => Math.trunc(fromMs) * 1_000

/** As 64-bit integers: better-sqlite3 binds large numbers as floating point, which would divide otherwise. */
const whole = (values: Readonly<Record<string, number>>): Readonly<Record<string, bigint>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, BigInt(Math.trunc(value))]))

function conditions(
  filter: CallFilter,
  also: readonly string[] = [],
): {
  readonly where: string
  readonly values: Readonly<Record<string, unknown>>
} {
  const parts: string[] = [...also]
  const values: Record<string, unknown> = {}
  const add = (name: string, value: unknown, condition: string): void => {
    if (value === undefined) return
    parts.push(condition)
    values[name] = value
  }
  add('sourceId', filter.sourceId, 'source_id = :sourceId')
  add('model', filter.model, '(requested_model = :model OR upstream_model = :model)')
  add('keyId', filter.keyId, 'key_id = :keyId')
  if (filter.outcome === 'open') parts.push('outcome IS NULL')
  else if (filter.outcome === 'stood-in') parts.push('id IN (SELECT call_id FROM stand_in)')
  else add('outcome', filter.outcome, 'outcome = :outcome')
  add('fromMs', filter.fromMs, 'started_ms >= :fromMs')
  add('firstId', filter.fromMs === undefined ? undefined : firstIdOf(filter.fromMs), 'id >= :firstId')
  add('toMs', filter.toMs, 'started_ms < :toMs')
  const text = filter.text === undefined || filter.text === '' ? undefined : `%${likeText(filter.text)}%`
  const searched = ['source_label', 'requested_model', 'upstream_model', 'sentence', 'CAST(id AS TEXT)']
  add('text', text, `(${searched.map((column) => `${column} LIKE :text ESCAPE '\\'`).join(' OR ')})`)
  return { where: parts.length === 0 ? '' : ` WHERE ${parts.join(' AND ')}`, values }
}

const likeText = (text: string): string => text.replace(/[\\%_]/g, (character) => `\\${character}`)
