/** What the store tests share: a folder that goes away, clocks, a bounded wait, sample rows. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { CallRecord, Execution } from '../../../src/main/domain/call.ts'
import type { Decision } from '../../../src/main/domain/decision.ts'
import type { Clock, OpenCall } from '../../../src/main/ports.ts'
import { backendId, callId, keyId, sourceId } from '../../../src/shared/ids.ts'

export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pointsman-store-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  after(delayMs, act) {
    const timer = setTimeout(act, delayMs)
    return () => clearTimeout(timer)
  },
}

/** A clock that stands still until it is moved; timers run as it passes them. */
export class HandClock implements Clock {
  #atMs: number
  #timers: { readonly dueMs: number; readonly act: () => void }[] = []

  constructor(atMs = 1_790_000_000_000) {
    this.#atMs = atMs
  }

  nowMs(): number {
    return this.#atMs
  }

  elapsedMs(): number {
    return this.#atMs
  }

  after(delayMs: number, act: () => void): () => void {
    const timer = { dueMs: this.#atMs + delayMs, act }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer)
    }
  }

  get timers(): number {
    return this.#timers.length
  }

  forward(ms: number): void {
    const untilMs = this.#atMs + ms
    for (;;) {
      const [next] = this.#timers.filter(({ dueMs }) => dueMs <= untilMs).sort((a, b) => a.dueMs - b.dueMs)
      if (next === undefined) break
      this.#timers = this.#timers.filter((other) => other !== next)
      this.#atMs = Math.max(this.#atMs, next.dueMs)
      next.act()
    }
    this.#atMs = untilMs
  }
}

/** Resolves once `holds` does; fails after ten seconds. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  const deadlineMs = performance.now() + 10_000
  while (!holds()) {
    if (performance.now() > deadlineMs) throw new Error(`waited in vain: ${what}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

export const oneTurn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

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
