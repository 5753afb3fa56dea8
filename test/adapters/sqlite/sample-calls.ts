/** Sample calls for the store tests. */
import type { CallRecord, Execution } from '../../../src/main/domain/call.ts'
import type { Decision } from '../../../src/main/domain/decision.ts'
import type { OpenCall } from '../../../src/main/ports.ts'
import { backendId, callId, keyId, sourceId } from '../../../src/shared/ids.ts'

export const sampleExecution: Execution = {
  backendId: backendId(sourceId('work'), 'claude-opus-4-8'),
  sourceId: sourceId('work'),
  sourceLabel: 'Work',
  upstreamModel: 'claude-opus-4-8',
  outcome: 'done',
  status: 200,
  because: 'done',
  sentence: 'Work answered.',
  startedMs: 1_790_000_000_005,
  firstByteMs: 120.5,
  totalMs: 900,
  usage: { inputTokens: 1_200, cacheReadTokens: 1_000, cacheWriteTokens: 10, outputTokens: 300, reasoningTokens: 20 },
  requestId: 'req_1',
}

export const sampleDecision: Decision = {
  pool: 'claude-opus-4-8',
  strategy: 'ordered',
  reason: 'affinity',
  sentence: 'Work keeps this conversation.',
  wanted: sourceId('work'),
  actual: sourceId('work'),
  seats: [
    {
      backendId: sampleExecution.backendId,
      label: 'Work',
      tier: 0,
      position: 0,
      usable: true,
      because: 'affinity',
      usedPercent: 20,
      numbers: null,
      windows: [{ window: 'five-hour', usedPercent: 20, resetAtMs: 1_000, lengthMs: 18_000_000 }],
    },
  ],
  excluded: [],
  warnings: [],
  trail: [{ stage: 'ingress', decision: 'messages', because: 'path', elapsedMs: 0.2 }],
}

export function sampleCall(id: number, change: Partial<CallRecord> = {}): CallRecord {
  return {
    id: callId(String(id)),
    startedMs: Math.trunc(id / 1_000),
    providerId: 'claude',
    operation: 'generate',
    dialect: 'messages',
    requestedModel: 'claude-opus-4-8',
    upstreamModel: 'claude-opus-4-8',
    backendId: sampleExecution.backendId,
    sourceType: 'subscription',
    sourceId: sourceId('work'),
    sourceLabel: 'Work',
    keyId: keyId('key_default'),
    outcome: 'done',
    status: 200,
    errorCode: null,
    session: 'a1'.repeat(32),
    client: 'claude-cli/2.1',
    stream: true,
    usage: sampleExecution.usage,
    cost: null,
    firstByteMs: 130.25,
    totalMs: 950.5,
    bytesIn: 20_000,
    bytesOut: 8_000,
    executions: [sampleExecution],
    decision: sampleDecision,
    ...change,
  }
}

export const openCall = ({
  id,
  startedMs,
  providerId,
  operation,
  dialect,
  requestedModel,
  keyId,
}: CallRecord): OpenCall => ({
  id,
  startedMs,
  providerId,
  operation,
  dialect,
  requestedModel,
  keyId,
})
