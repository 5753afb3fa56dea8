/** The call log: pages, one call opened, export, sums for the charts. */
import { z } from 'zod'
import { announcement, byId, dialect, id, input, list, member, operation, sourceType, timeMs, usage } from './base.ts'

export const callOutcomes = [
  'done',
  'refused',
  'failed',
  'truncated',
  'error-midstream',
  'unknown-outcome',
  'client-left',
  'interrupted',
] as const

const outcome = z.enum(callOutcomes)

export const callRow = z.object({
  id: z.string(),
  startedMs: z.number(),
  providerId: z.string(),
  operation,
  dialect,
  requestedModel: z.string().nullable(),
  upstreamModel: z.string().nullable(),
  backendId: z.string().nullable(),
  sourceType: sourceType.nullable(),
  sourceId: z.string().nullable(),
  sourceLabel: z.string().nullable(),
  keyId: z.string(),
  /** Null while it runs. */
  outcome: outcome.nullable(),
  status: z.number().nullable(),
  errorCode: z.string().nullable(),
  /** Hash of the session. */
  session: z.string().nullable(),
  client: z.string().nullable(),
  stream: z.boolean(),
  attempts: z.number(),
  attemptBackends: list(z.string()),
  usage,
  /** Integer nano-USD; null when no price is known. */
  cost: z.number().nullable(),
  firstByteMs: z.number().nullable(),
  totalMs: z.number().nullable(),
  bytesIn: z.number(),
  bytesOut: z.number(),
  /** The account that was wanted, where another one served. */
  stoodInFor: z.string().nullable(),
  /** Which account served, and why. */
  sentence: z.string(),
})

const execution = z.object({
  backendId: z.string(),
  sourceId: z.string(),
  sourceLabel: z.string(),
  upstreamModel: z.string(),
  outcome,
  status: z.number().nullable(),
  because: z.string(),
  sentence: z.string(),
  startedMs: z.number(),
  firstByteMs: z.number().nullable(),
  totalMs: z.number(),
  usage,
  requestId: z.string().nullable(),
})

const seat = z.object({
  account: z.boolean(),
  known: z.boolean(),
  learns: z.boolean(),
  used: z.number(),
  soonMs: list(z.number()),
  pace: z.number(),
  weight: z.number(),
  resting: z.boolean(),
  tokens: z.number(),
  free: z.boolean(),
  credits: z.boolean(),
  long: z.object({ leftPercent: z.number(), renewsAtMs: z.number() }).nullable(),
  fiveHourUsed: z.number().nullable(),
  firstContentMs: z.number().nullable(),
  failures: z.number(),
})

const decision = z.object({
  pool: z.string().nullable(),
  strategy: z.string().nullable(),
  reason: z.string().nullable(),
  sentence: z.string(),
  wanted: z.string().nullable(),
  actual: z.string().nullable(),
  seats: list(
    z.object({
      backendId: z.string(),
      label: z.string(),
      tier: z.number(),
      position: z.number(),
      usable: z.boolean(),
      because: z.string(),
      usedPercent: z.number().nullable(),
      /** As the strategy saw it; null when it wasn't asked, absent in calls of older versions. */
      numbers: seat.nullish(),
    }),
  ),
  excluded: list(
    z.object({
      backendId: z.string(),
      label: z.string(),
      because: z.string(),
      sentence: z.string(),
      untilMs: z.number().nullable(),
    }),
  ),
  warnings: list(z.string()),
  trail: list(z.object({ stage: z.string(), decision: z.string(), because: z.string(), elapsedMs: z.number() })),
  /** What routing would have done, in shadow mode. */
  shadow: z
    .object({
      backendId: z.string().nullable(),
      label: z.string().nullable(),
      strategy: z.string().nullable(),
      reason: z.string(),
      order: list(z.string()),
    })
    .optional(),
})

/** `decision` is null while the call runs. */
const callDetail = z.object({ call: callRow, executions: list(execution), decision: decision.nullable() })

const filter = input({
  sourceId: id.optional(),
  model: id.optional(),
  keyId: id.optional(),
  /** An outcome, `open` for calls that still run, or `stood-in` where another account served than was wanted. */
  outcome: z.union([outcome, z.enum(['open', 'stood-in'])]).optional(),
  /** Part of a label, a model's name, the sentence or the id. */
  text: z.string().max(200).optional(),
  fromMs: timeMs.optional(),
  toMs: timeMs.optional(),
})

const place = z.number().int().nonnegative()
const callNumber = z.string().regex(/^\d{1,16}$/, 'must be the id of a call')

const totals = z.object({
  slotMs: z.number(),
  sourceId: z.string().nullable(),
  calls: z.number(),
  failed: z.number(),
  inputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheWriteTokens: z.number(),
  outputTokens: z.number(),
  reasoningTokens: z.number(),
  cost: z.number(),
})

export const calls = {
  /**
   * Newest first unless said otherwise. `next` is the offset of the following page, null at the end; `cursor` takes it
   * back. With `upToId` newer calls are left out, and `newer` says how many match: pages then don't move under a reader.
   */
  page: member
    .input(
      input({
        limit: z.number().int().min(1).max(1_000).default(100),
        offset: place.optional(),
        cursor: place.nullable().optional(),
        filter: filter.optional(),
        upToId: callNumber.optional(),
        order: z.enum(['newest', 'oldest']).optional(),
      }).optional(),
    )
    .output(z.object({ rows: list(callRow), next: z.number().nullable(), total: z.number(), newer: z.number() })),
  get: member.input(byId).output(callDetail),
  /** Whole calls, newest first, older than `before`; `next` goes into `before`, null at the end. */
  export: member
    .input(
      input({
        before: callNumber.nullable().optional(),
        limit: z.number().int().min(1).max(1_000).default(1_000),
        filter: filter.optional(),
      }).optional(),
    )
    .output(z.object({ calls: list(callDetail), next: z.string().nullable() })),
  /** Sums by slot of time and source; `offsetMs` is local time minus UTC, so that days begin at local midnight. */
  stats: member
    .input(
      input({
        fromMs: timeMs,
        toMs: timeMs,
        stepMs: z.number().int().min(60_000),
        offsetMs: z.number().int().min(-86_400_000).max(86_400_000).default(0),
      }).refine(({ fromMs, toMs, stepMs }) => (toMs - fromMs) / stepMs <= 10_000, 'more than 10000 slots'),
    )
    .output(list(totals)),
  /** What came of the finished calls of a stretch of time; `cost` is null while no call has a known price. */
  summary: member.input(input({ fromMs: timeMs, toMs: timeMs })).output(
    z.object({
      calls: z.number(),
      byFirstChoice: z.number(),
      byFailover: z.number(),
      priced: z.number(),
      cost: z.number().nullable(),
    }),
  ),
  appended: announcement,
}
