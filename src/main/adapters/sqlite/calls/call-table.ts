/** One row per call, written when it ends, or after 100 ms while it is still open. */
import type { Database } from 'better-sqlite3'
import type { BackendId, KeyId, SourceId } from '../../../../shared/ids.ts'
import { callId } from '../../../../shared/ids.ts'
import type { CallRecord, Execution, Outcome } from '../../../domain/call.ts'
import type { Dialect, Operation, SourceType } from '../../../domain/source.ts'
import type { Usage } from '../../../domain/usage.ts'
import type { CallRow, OpenCall } from '../../../ports.ts'

export interface StoredCall {
  readonly id: number
  readonly started_ms: number
  readonly provider_id: string
  readonly operation: string
  readonly dialect: string
  readonly requested_model: string | null
  readonly upstream_model: string | null
  readonly backend_id: string | null
  readonly source_type: string | null
  readonly source_id: string | null
  readonly source_label: string | null
  readonly key_id: string
  readonly outcome: string | null
  readonly status: number | null
  readonly error_code: string | null
  readonly session: string | null
  readonly client: string | null
  readonly stream: number
  /** The five token counts are null together, when nothing was measured. */
  readonly input_tokens: number | null
  readonly cache_read_tokens: number | null
  readonly cache_write_tokens: number | null
  readonly output_tokens: number | null
  readonly reasoning_tokens: number | null
  readonly cost_nano_usd: number | null
  readonly first_byte_ms: number | null
  readonly total_ms: number | null
  readonly bytes_in: number
  readonly bytes_out: number
  readonly sentence: string
  /** Beside the row (`stand_in`). */
  readonly stood_in_for: string | null
}

export function callTable(database: Database) {
  const columns =
    'INTO call (id, started_ms, provider_id, operation, dialect, requested_model, upstream_model, backend_id,' +
    ' source_type, source_id, source_label, key_id, outcome, status, error_code, session, client, stream,' +
    ' input_tokens, cache_read_tokens, cache_write_tokens, output_tokens, reasoning_tokens, cost_nano_usd,' +
    ' first_byte_ms, total_ms, bytes_in, bytes_out, sentence)' +
    ' VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'
  // Looking for a row to replace costs a tenth of the insert, so it is done only where there may be one.
  const add = database.prepare(`INSERT ${columns}`)
  const replace = database.prepare(`REPLACE ${columns}`)
  const addOpen = database.prepare(
    'INSERT OR IGNORE INTO call (id, started_ms, provider_id, operation, dialect, requested_model, key_id, outcome,' +
      ` stream, bytes_in, bytes_out, sentence) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, '')`,
  )
  const interrupt = database.prepare(`UPDATE call SET outcome = 'interrupted' WHERE outcome IS NULL`)
  const lastId = database.prepare<[], number | null>('SELECT max(id) FROM call').pluck()
  return {
    /** `mayExist`: it was written as an open row, or its first try may have reached the disk after all. */
    save(call: CallRecord, mayExist: boolean): void {
      const { usage } = call
      const statement = mayExist ? replace : add
      statement.run(
        Number(call.id),
        call.startedMs,
        call.providerId,
        call.operation,
        call.dialect,
        call.requestedModel,
        call.upstreamModel,
        call.backendId,
        call.sourceType,
        call.sourceId,
        call.sourceLabel,
        call.keyId,
        call.outcome,
        call.status,
        call.errorCode,
        call.session,
        call.client,
        call.stream ? 1 : 0,
        usage === null ? null : usage.inputTokens,
        usage === null ? null : usage.cacheReadTokens,
        usage === null ? null : usage.cacheWriteTokens,
        usage === null ? null : usage.outputTokens,
        usage === null ? null : usage.reasoningTokens,
        call.cost,
        call.firstByteMs,
        call.totalMs,
        call.bytesIn,
        call.bytesOut,
        call.decision.sentence,
      )
    },
    /** A row without outcome runs still; `interrupted` when it never will have one. Never touches a finished row. */
    saveOpen(call: OpenCall, outcome: 'interrupted' | null): void {
      const { id, startedMs, providerId, operation, dialect, requestedModel, keyId } = call
      addOpen.run(Number(id), startedMs, providerId, operation, dialect, requestedModel, keyId, outcome)
    },
    /** Rows left open by a process that is gone. */
    interruptOpen(): void {
      interrupt.run()
    },
    lastId(): number {
      return lastId.get() ?? 0
    },
  }
}

export function readCall(row: StoredCall, executions: readonly Execution[]): CallRow {
  return {
    id: callId(String(row.id)),
    startedMs: row.started_ms,
    providerId: row.provider_id,
    operation: row.operation as Operation,
    dialect: row.dialect as Dialect,
    requestedModel: row.requested_model,
    upstreamModel: row.upstream_model,
    backendId: row.backend_id as BackendId | null,
    sourceType: row.source_type as SourceType | null,
    sourceId: row.source_id as SourceId | null,
    sourceLabel: row.source_label,
    keyId: row.key_id as KeyId,
    outcome: row.outcome as Outcome | null,
    status: row.status,
    errorCode: row.error_code,
    session: row.session,
    client: row.client,
    stream: row.stream !== 0,
    usage: readUsage(row),
    cost: row.cost_nano_usd,
    firstByteMs: row.first_byte_ms,
    totalMs: row.total_ms,
    bytesIn: row.bytes_in,
    bytesOut: row.bytes_out,
    stoodInFor: row.stood_in_for as SourceId | null,
    sentence: row.sentence,
    attempts: executions.length,
    attemptBackends: executions.map((execution) => execution.backendId),
  }
}

function readUsage(row: StoredCall): Usage | null {
  if (row.input_tokens === null) return null
  return {
    inputTokens: row.input_tokens,
    cacheReadTokens: row.cache_read_tokens ?? 0,
    cacheWriteTokens: row.cache_write_tokens ?? 0,
    outputTokens: row.output_tokens ?? 0,
    reasoningTokens: row.reasoning_tokens ?? 0,
  }
}
