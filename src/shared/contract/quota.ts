/** Quota windows of the accounts, as measured: each value with its source and its age. */
import { z } from 'zod'
import { announcement, id, input, list, member, nothing, timeMs } from './base.ts'

export const quotaWindow = z.object({
  window: z.string(),
  /** Null when only a refusal tells of it. */
  usedPercent: z.number().nullable(),
  resetAtMs: z.number().nullable(),
  /** The model family that counts against it; null: every model. */
  family: z.string().nullable(),
  source: z.enum(['header', 'poll', 'estimate', 'refusal']),
  ageMs: z.number(),
  state: z.enum(['known', 'stale', 'reset-pending', 'spent']),
})

const sample = z.object({
  window: z.string(),
  family: z.string().nullable(),
  usedPercent: z.number(),
  resetAtMs: z.number().nullable(),
  source: z.enum(['header', 'poll', 'estimate']),
  atMs: z.number(),
})

const windowForecast = z.object({
  window: z.string(),
  family: z.string().nullable(),
  usedPercent: z.number(),
  leftPercent: z.number(),
  resetAtMs: z.number().nullable(),
  /** Median of the last hour; null while too little was read. */
  percentPerHour: z.number().nullable(),
  /** Null: not before its reset. */
  runsOutAtMs: z.number().nullable(),
  aboutToBeWasted: z.boolean(),
})

const accountForecast = z.object({
  sourceId: z.string(),
  label: z.string(),
  /** The model that it was worked out for. */
  model: z.string().nullable(),
  windows: list(windowForecast),
  runsOutAtMs: z.number().nullable(),
  /** Who would serve a new conversation if this account were spent now. */
  follower: z.object({ sourceId: z.string(), label: z.string() }).nullable(),
})

const loss = z.object({
  sourceId: z.string(),
  window: z.string(),
  family: z.string().nullable(),
  resetAtMs: z.number(),
  lostPercent: z.number(),
  /** How long before the reset it was last read. */
  readBeforeMs: z.number(),
  /** Nano-USD of the plan's price; null without one, and for windows inside a longer one. */
  money: z.number().nullable(),
})

const weekLoss = z.object({
  /** Monday 00:00 UTC. */
  weekMs: z.number(),
  sourceId: z.string(),
  window: z.string(),
  resets: z.number(),
  lostPercent: z.number(),
  money: z.number().nullable(),
})

const resetCredits = z.object({
  available: z.number(),
  credits: list(
    z.object({
      id: z.string(),
      status: z.string(),
      title: z.string().nullable(),
      grantedAtMs: z.number().nullable(),
      expiresAtMs: z.number().nullable(),
    }),
  ),
  /** To be shown before one is spent. */
  warning: z.string(),
})

export const quota = {
  windows: member
    .input(input({ sourceId: id.optional() }).optional())
    .output(list(z.object({ sourceId: z.string(), ...quotaWindow.shape }))),
  /** Samples, oldest first; the last week unless said otherwise. */
  history: member
    .input(
      input({
        sourceId: id,
        window: z.string().max(200).optional(),
        fromMs: timeMs.optional(),
        toMs: timeMs.optional(),
      }),
    )
    .output(list(sample)),
  /** When each account runs out at the pace of the last hour, and who follows; the soonest first. */
  forecast: member.input(input({ poolId: id.optional() }).optional()).output(list(accountForecast)),
  /** Every window that has a reset, the soonest first. */
  calendar: member.input(nothing).output(
    list(
      z.object({
        sourceId: z.string(),
        label: z.string(),
        ...quotaWindow.shape,
        resetAtMs: z.number(),
        startsAtMs: z.number().nullable(),
      }),
    ),
  ),
  /** What was left of windows when they renewed; the last 13 weeks unless said otherwise. */
  waste: member
    .input(input({ sinceMs: timeMs.optional() }).optional())
    .output(z.object({ resets: list(loss), weeks: list(weekLoss) })),
  /** Banked resets of a Codex account. */
  resetCredits: member.input(input({ sourceId: id })).output(resetCredits),
  /** Spends a banked reset; can't be undone. Repeating it for the same credit never spends a second one. */
  spendReset: member
    .input(input({ sourceId: id, creditId: id.optional(), confirm: z.literal(true) }))
    .output(z.object({ code: z.string(), windowsReset: z.number().nullable(), sentence: z.string() })),
  changed: announcement,
}
